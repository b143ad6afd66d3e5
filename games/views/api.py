"""The API: finished series as JSON, for other people's programs (docs/api.md).

Whoever may look at a page may read the same here. Pages of other sites may read it too, but only
what anybody may: they are sent no credentials.
"""

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response

from accounts.limits import may_again
from games.access import finished_series, may_look_back, player_named
from games.errors import NotFound
from games.rendering.openapi import openapi
from games.selectors.history import Cursor
from games.selectors.records import as_json, past_summaries, record_of
from games.views.records import caller_of, picks_of

TIMES: Final = 60
A_MINUTE: Final = 60  # seconds
ALLOWED: Final = "GET, HEAD, OPTIONS"

type Answer = tuple[int, object]


def answers[**P](view: Callable[P, Answer]) -> Callable[P, HttpResponse]:
    """A view of what gives a status and a value: counted, with an ETag, open to other sites."""

    @wraps(view)
    def answered(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        request = args[0]
        assert isinstance(request, HttpRequest), "views are given one"
        if request.method == "OPTIONS":
            response = HttpResponse(status=204)
        elif request.method not in ("GET", "HEAD"):
            response = _json(405, {"error": "Only GET"})
        elif not may_again(f"api.{caller_of(request)}", times=TIMES, seconds=A_MINUTE):
            response = _json(429, {"error": "Too many requests: wait a minute"})
            response["Retry-After"] = str(A_MINUTE)
        else:
            response = _once(request, _json(*view(*args, **kwargs)))
        return _opened(response)

    return answered


@answers
def series(request: HttpRequest, slug: str) -> Answer:
    """A series that is over, with every round."""
    try:
        found = finished_series(slug, request.user.pk)
    except NotFound:
        return _missing()
    return 200, as_json(found, record_of(found))


@answers
def player_series(request: HttpRequest, name: str) -> Answer:
    """What a player has finished, newest first, a page at a time."""
    try:
        person = player_named(name, request.user)
    except NotFound:
        return _missing()
    if not may_look_back(person, request.user.pk):
        return _missing()
    told = request.GET.get("cursor", "")
    cursor = Cursor.parse(told)
    if told and cursor is None:
        return 400, {"error": "No such cursor"}
    is_own = person.pk == request.user.pk
    picks = picks_of(request, person.pk, is_own=is_own)
    rows, older = past_summaries(person.pk, picks, cursor, is_own=is_own)
    return 200, {
        "player": person.username,
        "series": rows,
        "next": _next(request, person.username, older) if older else None,
    }


@answers
def description(request: HttpRequest) -> Answer:
    """The API in the words of OpenAPI 3.1."""
    return 200, openapi(settings.SITE_URL)


def _next(request: HttpRequest, name: str, older: Cursor) -> str:
    query = request.GET.copy()
    query["cursor"] = str(older)
    return f"{settings.SITE_URL}{reverse('api_player_series', args=[name])}?{query.urlencode()}"


def _missing() -> Answer:
    return 404, {"error": "There is nothing here that you may see"}


def _json(status: int, value: object) -> HttpResponse:
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return HttpResponse(body, content_type="application/json", status=status)


def _once(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer, or that it is the one that the caller has."""
    if response.status_code != 200:
        return response
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response["ETag"] = etag
    return get_conditional_response(request, etag, None, response) or response


def _opened(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-cache"
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Allow-Methods"] = ALLOWED
    response["Access-Control-Allow-Headers"] = "If-None-Match"
    response["Access-Control-Expose-Headers"] = "ETag, Retry-After"
    response["Allow"] = ALLOWED
    return response
