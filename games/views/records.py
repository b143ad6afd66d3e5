"""Taking series along: one of them, or all that a list shows, as text, JSON or a table."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Final

from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.limits import may_again, party_at
from accounts.zones import current_zone
from games.access import finished_series, may_look_back, player_named
from games.errors import NotFound
from games.formats import FORMATS
from games.forms.history import HistoryForm
from games.selectors.history import Picks, first_end
from games.selectors.records import as_json, record_of, records
from games.selectors.results_table import results_table
from games.threads import in_thread

TYPES: Final = {
    "txt": "text/plain; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
}
TIMES: Final = 20
LISTS: Final = 4  # each may be work of some seconds
A_MINUTE: Final = 60  # seconds


@never_cache
@require_safe
def record(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """A series that is over."""
    if not may_again(f"record.{caller_of(request)}", times=TIMES, seconds=A_MINUTE):
        return too_often()
    try:
        series = finished_series(slug, request.user.pk)
    except NotFound:
        raise Http404 from None
    told = record_of(series)
    text = told.format() if form == "txt" else _json(as_json(series, told))
    return HttpResponse(text, content_type=TYPES[form], headers=_named(f"{slug}.{form}"))


@never_cache
@require_safe
def listed(request: HttpRequest, name: str, form: str) -> HttpResponse | StreamingHttpResponse:
    """What a player has finished, looked through as in the list; sent as it is made."""
    try:
        person = player_named(name, request.user)
    except NotFound:
        raise Http404 from None
    if not may_look_back(person, request.user.pk):
        raise Http404
    if not may_again(f"records.{caller_of(request)}", times=LISTS, seconds=A_MINUTE):
        return too_often()
    is_own = person.pk == request.user.pk
    picks = picks_of(request, person.pk, is_own=is_own)
    pieces = {"txt": _texts, "json": _jsons, "csv": results_table}[form]
    return StreamingHttpResponse(
        _sent(request, pieces(person.pk, picks, is_own=is_own)),
        content_type=TYPES[form],
        headers=_named(f"{person.username}.{form}"),
    )


def caller_of(request: HttpRequest) -> str:
    """Whom to count: the user, or the address of who is nobody."""
    return str(request.user.pk or party_at(request.META.get("REMOTE_ADDR", "")))


def picks_of(request: HttpRequest, user_id: int, *, is_own: bool) -> Picks:
    """What the query looks for, in the words of the list's form."""
    form = HistoryForm(
        request.GET,
        formats=[(str(each), str(each)) for each in FORMATS],
        zone=current_zone(),
        first=first_end(user_id, is_own=is_own),
        now=timezone.now(),
    )
    return form.picks()


def too_often() -> HttpResponse:
    """The answer to who asks for too much."""
    return HttpResponse(
        "Too many at once. Wait a minute.\n",
        content_type="text/plain; charset=utf-8",
        status=429,
        headers={"Retry-After": str(A_MINUTE)},
    )


def _texts(user_id: int, picks: Picks, *, is_own: bool) -> Iterator[str]:
    between = ""
    for _series, told in records(user_id, picks, is_own=is_own):
        yield between + told.format()
        between = "\n"


def _jsons(user_id: int, picks: Picks, *, is_own: bool) -> Iterator[str]:
    yield "["
    between = "\n"
    for series, told in records(user_id, picks, is_own=is_own):
        yield between + _json(as_json(series, told)).rstrip()
        between = ",\n"
    yield "\n]\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _sent(request: HttpRequest, pieces: Iterator[str]) -> Iterator[str] | AsyncIterator[str]:
    """The pieces, each made when it is wanted; off the event loop where there is one."""
    return _in_threads(pieces) if isinstance(request, ASGIRequest) else pieces


async def _in_threads(pieces: Iterator[str]) -> AsyncIterator[str]:
    while (piece := await in_thread(next, pieces, None)) is not None:
        yield piece


def _named(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="hollywood-gin-{name}"'}
