"""What a player may ask of the series as a whole: to end it, or another one once it is over.

How series end is written in docs/rules.md, section 14.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import access
from games.errors import NotSeated
from games.models import Round, Seat, Series
from games.selectors.last_round import last_round
from games.services.clock import awaits_credit, has_run_out, now_of
from games.services.ending import break_off
from games.services.outcome import BUSY, Outcome, Status
from games.services.process import uncredited
from games.services.rematch import offer_rematch
from games.services.request import SeriesRequest, Wish
from games.services.time_out import time_out
from games.time_control import claim_time


@transaction.atomic
def grant_wish(*, series_id: int, user_id: int | None, request: SeriesRequest) -> Outcome:
    """Carry out what a player wants of the series; every way it can end is an Outcome."""
    series = Series.objects.select_for_update().get(pk=series_id)
    try:
        seat = access.own_seat(series.pk, user_id)
    except NotSeated as refusal:
        return Outcome(Status.NOT_SEATED, refusal.notice)
    if series.status == Series.Status.OVER:
        if request.wish is Wish.REMATCH:
            return offer_rematch(series, seat)
        return _too_late(series, seat, request.wish)
    last = last_round(series, uncredited=uncredited())
    if last is None:
        return Outcome(Status.ILLEGAL, _("The series has not begun yet."))
    if awaits_credit(last):
        return Outcome(Status.BUSY, BUSY)
    if has_run_out(last) and (ended := time_out(last.pk)):
        notice = _("The time had run out before that; the series is over.")
        return Outcome(Status.OVER, notice, rings=True, version=ended.version, talk=ended.talk)
    return _WISHES[request.wish](series, seat, last)


def _resign(series: Series, seat: Seat, last: Round) -> Outcome:
    return _end(series, last, Series.Ending.RESIGNED, seat.side)


def _offer(series: Series, seat: Seat, last: Round) -> Outcome:
    other = _other(series, seat)
    # Two offers are an agreement; a bot never insists on playing on.
    if other.end_offer == last.number or other.bot:
        return _end(series, last, Series.Ending.AGREED, None)
    if seat.end_offer == last.number:
        return Outcome(Status.REPEAT)
    if seat.end_offer == -last.number:
        return Outcome(Status.ILLEGAL, _("That was declined; you can offer it again next round."))
    return _note(series, seat, last, last.number)


def _accept(series: Series, seat: Seat, last: Round) -> Outcome:
    if _other(series, seat).end_offer != last.number:
        return Outcome(Status.STALE, _("That offer to end the series does not hold any more."))
    return _end(series, last, Series.Ending.AGREED, None)


def _decline(series: Series, seat: Seat, last: Round) -> Outcome:
    other = _other(series, seat)
    if other.end_offer == -last.number:
        return Outcome(Status.REPEAT)
    if other.end_offer != last.number:
        return Outcome(Status.STALE, _("That offer to end the series does not hold any more."))
    return _note(series, other, last, -last.number)


def _claim(series: Series, seat: Seat, last: Round) -> Outcome:
    other = _other(series, seat)
    if not series.control.is_live:
        return Outcome(Status.ILLEGAL, _("With days a turn nobody has to be here; time decides."))
    if other.bot:
        return Outcome(Status.ILLEGAL, _("A bot never leaves; it plays on in a moment."))
    if last.kind or last.seat_at(last.folded().state.turn) != other:
        return Outcome(
            Status.ILLEGAL, _("It is not the other player's turn, so there is nothing to claim.")
        )
    began_at = series.started_at or other.joined_at
    left = claim_time(other.seen_at or other.joined_at, began_at) - now_of(last)
    if left > timedelta():
        seconds = int(left.total_seconds()) + 1
        words = ngettext(
            "You can claim the series in %(count)d second, unless they come back.",
            "You can claim the series in %(count)d seconds, unless they come back.",
            seconds,
        )
        return Outcome(Status.ILLEGAL, words % {"count": seconds})
    return _end(series, last, Series.Ending.ABANDONED, other.side)


def _rematch(series: Series, seat: Seat, last: Round) -> Outcome:
    return Outcome(Status.ILLEGAL, _("The series is still being played."))


_WISHES: Final[dict[Wish, Callable[[Series, Seat, Round], Outcome]]] = {
    Wish.RESIGN: _resign,
    Wish.OFFER_END: _offer,
    Wish.ACCEPT_END: _accept,
    Wish.DECLINE_END: _decline,
    Wish.CLAIM: _claim,
    Wish.REMATCH: _rematch,
}


def _end(series: Series, last: Round, ending: Series.Ending, by_side: int | None) -> Outcome:
    if not break_off(series, last, ending, by_side):
        return Outcome(Status.STALE, _("The table had moved on; this is how it stands now."))
    version = last.version + (0 if last.kind else 1)
    return Outcome(Status.DONE, rings=True, version=version, talk=series.talk + 1)


def _note(series: Series, seat: Seat, last: Round, offer: int) -> Outcome:
    Seat.objects.filter(pk=seat.pk).update(end_offer=offer)
    Series.objects.filter(pk=series.pk).update(talk=F("talk") + 1)
    return Outcome(Status.DONE, rings=True, version=last.version, talk=series.talk + 1)


def _too_late(series: Series, seat: Seat, wish: Wish) -> Outcome:
    resigned = wish is Wish.RESIGN and series.ended_by_side == seat.side
    if resigned and series.ending == Series.Ending.RESIGNED:
        return Outcome(Status.REPEAT)
    return Outcome(Status.OVER, _("The series is over."))


def _other(series: Series, seat: Seat) -> Seat:
    return Seat.objects.exclude(pk=seat.pk).get(series=series)
