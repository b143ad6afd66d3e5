"""Looking back: the rounds of a series, and one of them action by action, each at its address."""

from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import override
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from accounts.limits import may_again, party_at
from games import access
from games.errors import NotFound
from games.models import Round, Seat
from games.rendering.cast import Cast
from games.rendering.picture import Picture, png_of
from games.rendering.replay import BOTH, ReplayPage
from games.rendering.review import ReviewPage
from games.rendering.round_luck import cards_part
from games.selectors.review import lucks_of, place_of, replay_of, rounds_dealt
from games.selectors.table import load_sitting, table_for
from games.views.fragments import render_either

SEATS: Final = {"0": 0, "1": 1}
PICTURES: Final = 60  # how many one address gets drawn
A_MINUTE: Final = 60  # seconds
A_DAY: Final = 86_400


@never_cache
@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """The rounds of a series that are over: the pad, the shape of it, and each to replay."""
    try:
        sitting = load_sitting(access.series_to_watch(slug, request.user.pk))
    except NotFound:
        raise Http404 from None
    table = table_for(sitting, request.user.pk)
    lucks = lucks_of(rounds_dealt(sitting.series))
    series = sitting.series
    origin = ", ".join(filter(None, (series.origin_site, series.origin_series)))
    page = ReviewPage.of(table, cards_part(lucks, Cast.of(table)), origin)
    return render(request, "games/review.html", {"review": page})


@cache_control(private=True, no_cache=True)
@require_safe
def replay(request: HttpRequest, slug: str, number: int, ply: int = 0) -> HttpResponse:
    """A round after some of its actions; what changes from one to the next as a fragment."""
    wanted = request.GET.get("ply", "")
    if wanted.isdecimal() and len(wanted) < 5:
        return redirect(_step_url(request, slug, number, int(wanted)))
    user_id, seat = request.user.pk, request.GET.get("seat", "")
    page = _page(_round(slug, number, user_id), ply, user_id, seat)
    context: dict[str, object] = {"replay": page}
    return render_either(request, "games/replay.html", "games/_replay_fragment.html", context)


@require_safe
def picture(request: HttpRequest, slug: str, number: int, ply: int) -> HttpResponse:
    """A picture of that moment, for everybody who may watch: made for who shares a link."""
    if not may_again(_caller(request), times=PICTURES, seconds=A_MINUTE):
        return HttpResponse(status=429)
    # It is kept by whoever shows the link: the same for all, in the site's own language.
    with override(settings.LANGUAGE_CODE):
        page = _page(_round(slug, number, user_id=None), ply)
        png = png_of(Picture.of(page))
    headers = {"Cache-Control": f"public, max-age={A_DAY}"}
    return HttpResponse(png, content_type="image/png", headers=headers)


def _caller(request: HttpRequest) -> str:
    return f"pictures.{party_at(request.META.get('REMOTE_ADDR', ''))}"


def _step_url(request: HttpRequest, slug: str, number: int, ply: int) -> str:
    """Where a form that names an action leads, seen by the same eyes."""
    seat = request.GET.get("seat", "")
    query = f"?seat={seat}" if seat in SEATS else ""
    return reverse("replay_step", args=[slug, number, ply]) + query


def _round(slug: str, number: int, user_id: int | None) -> Round:
    try:
        return access.round_to_replay(slug, number, user_id)
    except NotFound:
        raise Http404 from None


def _page(row: Round, ply: int, user_id: int | None = None, seat: str = "") -> ReplayPage:
    replayed = replay_of(row)
    if ply > replayed.last:
        raise Http404
    slug, seats = row.series.slug, (row.first_seat, row.second_seat)
    address = reverse("replay_step", args=[slug, row.number, ply])
    cast = _cast(seats, user_id)
    return ReplayPage(
        url=reverse("replay", args=[slug, row.number]),
        series_url=row.series.rounds_url,
        number=row.number,
        ply=ply,
        round=replayed,
        place=place_of(row),
        cast=cast,
        sides=_cast(sorted(seats, key=lambda each: each.side), user_id),
        eyes=SEATS.get(seat, BOTH),
        address=settings.SITE_URL + address,
        shared=not row.series.is_private,
        deal_url=reverse("verify_round", args=[slug, row.number]) if row.was_dealt_here else "",
        cards=cards_part(lucks_of([row]), cast),
    )


def _cast(seats: Sequence[Seat], user_id: int | None) -> Cast:
    """Those who sit in these seats, in this order, as the viewer calls them."""
    viewer = next((place for place, seat in enumerate(seats) if seat.user_id == user_id), None)
    bots = frozenset(place for place, seat in enumerate(seats) if seat.bot)
    return Cast(tuple(seat.shown_name for seat in seats), viewer, bots)
