"""The table: the page, the POST door, and drafts (choices that are nobody else's business yet)."""

from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.limits import may_again
from accounts.preferences import preferences_for
from accounts.sessions import ticket_for
from games import access, live
from games.build import build_id
from games.doors import FRAMES_WITHIN, SLOW_DOWN, answer_request, fresh_key
from games.errors import NotFound
from games.forms.action import key_of
from games.models import Series
from games.rendering import (
    Draft,
    page_context,
    regions,
    render_answer,
    render_push,
    render_region,
)
from games.rendering.chat import ChatPage, chat_mark, chat_page
from games.selectors.table import Sitting, load_sitting, table_for
from games.services.outcome import Outcome, Status
from games.services.presence import see_page

HTTP_STATUS: Final = {
    Status.DONE: 200,
    Status.REPEAT: 200,
    Status.STALE: 409,
    Status.OVER: 409,
    Status.ILLEGAL: 422,
    Status.UNREADABLE: 422,
    Status.NOT_SEATED: 403,
    Status.SESSION_OVER: 401,
    Status.SLOW_DOWN: 429,
    Status.BUSY: 503,
}


# Nothing is played at these: their page is another one.
KEPT_AT: Final = {
    Series.Source.ENTERED: "series_sheet",
    Series.Source.IMPORTED: "series_rounds",
}


@never_cache
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of a series; a POST carries out one of its forms first."""
    sitting = _sitting(request, slug)
    if (kept := KEPT_AT.get(Series.Source(sitting.series.source))) is not None:
        return redirect(kept, slug)
    if request.method != "POST":
        return _page(request, sitting, Draft.parse(request.GET.dict()))
    outcome = _act(request, sitting)
    sitting = _sitting(request, slug)
    if request.htmx:  # type: ignore[attr-defined]
        response = HttpResponse(_fragments(request, sitting, outcome))
        if outcome.status is Status.SESSION_OVER:
            response["HX-Redirect"] = f"{reverse('account_login')}?next={request.path}"
    else:
        # Only the sorting of the hand stands in the address of a form.
        draft = Draft.parse(request.GET.dict())
        response = _page(request, sitting, draft, str(outcome.notice))
    response.status_code = HTTP_STATUS[outcome.status]
    return response


@never_cache
@require_safe
def draft(request: HttpRequest, slug: str) -> HttpResponse:
    """The regions that a draft changes, at an address of their own (fault 112)."""
    sitting = _sitting(request, slug)
    if sitting.series.source != Series.Source.PLAYED:
        raise Http404
    contexts = regions(table_for(sitting, request.user.pk), Draft.parse(request.GET.dict()))
    return HttpResponse(
        "".join(
            render_region(
                name,
                contexts[name],
                stamp=sitting.stamp,
                key=fresh_key(),
                csrf=get_token(request),
                oob=True,
            )
            for name in ("showdown", "hand", "actions")
        )
    )


def _sitting(request: HttpRequest, slug: str) -> Sitting:
    try:
        return load_sitting(access.series_to_watch(slug, request.user.pk))
    except NotFound:
        raise Http404 from None


def _act(request: HttpRequest, sitting: Sitting) -> Outcome:
    user = request.user
    if user.pk is not None and not may_again(
        f"table.{user.pk}", times=settings.POSTS, seconds=int(FRAMES_WITHIN)
    ):
        return Outcome(Status.SLOW_DOWN, SLOW_DOWN)
    ticket = ticket_for(request.session, user) if user.is_authenticated else None
    outcome = answer_request(
        series_id=sitting.series.pk,
        user_id=user.pk,
        ticket=ticket,
        fields=request.POST.dict(),
    )
    if outcome.rings:
        live.ring_now(sitting.series.pk, outcome.version, talk=outcome.talk)
    return outcome


def _page(request: HttpRequest, sitting: Sitting, draft: Draft, notice: str = "") -> HttpResponse:
    thinks = sitting.series.status == Series.Status.PLAYING
    see_page(sitting.seat_of(request.user.pk), thinks=thinks)
    likes = preferences_for(request.user, request.COOKIES)
    page = page_context(
        table_for(sitting, request.user.pk),
        draft,
        key=fresh_key(),
        csrf=get_token(request),
        stamp=sitting.stamp,
        now=timezone.now(),
        build=build_id(),
        notice=notice,
        guide=likes.guide,
        chat=_chat(request, sitting.series, likes.chat),
    )
    return render(request, "games/table.html", {"table": page})


def _chat(request: HttpRequest, series: Series, preference: str) -> ChatPage | None:
    """The chat beside the table. Its lines stand here once there is no hand to be kept from them.

    Until then the page asks for them (docs/decisions/the-chat-has-its-own-address.md).
    """
    page = chat_page(
        series,
        request.user.pk,
        preference,
        key=fresh_key(),
        with_lines=series.status == Series.Status.OVER,
    )
    return None if page.state in ("none", "never") else page


def _fragments(request: HttpRequest, sitting: Sitting, outcome: Outcome) -> str:
    """The answer and the whole table: by this door the server doesn't know what the page has."""
    answer = render_answer(key_of(request.POST.dict()), outcome.status, str(outcome.notice))
    likes = preferences_for(request.user, request.COOKIES)
    contexts = regions(table_for(sitting, request.user.pk), guide=likes.guide)
    return answer + render_push(
        None,
        contexts,
        since=0,  # nothing is missing before a whole table
        stamp=sitting.stamp,
        now=timezone.now(),
        key=fresh_key(),
        csrf=get_token(request),
        build=build_id(),
        chat=chat_mark(sitting.series, request.user.pk, likes.chat),
    )
