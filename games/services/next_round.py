"""From a result to the next deal: who is ready, and each player's own part in it.

A press of Next round may bring the promise of a part (games.rules.parts). Once everybody has
pressed, those who promised are asked for it and have ten seconds; that, too, is due work of the
round, so that whoever carries it out first deals. A part that comes with the press, or while nobody
has sat down yet, is kept unseen until the deal.
"""

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from games import access
from games.errors import NotSeated
from games.live import Bell
from games.models import Round, Seat, Series
from games.rules.parts import promise_of
from games.selectors.last_round import last_round
from games.selectors.standing import finished_rounds, series_state
from games.services.clock import clocks_of
from games.services.deal import deal_round
from games.services.outcome import Outcome, Status
from games.services.request import NextRoundRequest, PartRequest

PARTS_WITHIN: Final = timedelta(seconds=10)


@transaction.atomic
def press_next_round(*, series_id: int, user_id: int | None, request: NextRoundRequest) -> Outcome:
    """Say that a seat is ready; deal when all are. Pressing twice, or late, changes nothing."""
    series = Series.objects.select_for_update().get(pk=series_id)
    last = last_round(series)
    if last is None:
        return Outcome(Status.ILLEGAL, _("The series has not begun yet."))
    try:
        board_seat = access.board_seat(last, user_id)
    except NotSeated as refusal:
        return Outcome(Status.NOT_SEATED, refusal.notice)
    if series.status == Series.Status.OVER:
        return Outcome(Status.OVER, _("The series is over."))
    seat = last.seat_at(board_seat)
    if last.number > request.round or seat.ready_after >= request.round:
        return Outcome(Status.REPEAT)
    if last.number < request.round or not last.kind:
        return Outcome(Status.ILLEGAL, _("The round is still being played."))
    Seat.objects.filter(pk=seat.pk).update(
        ready_after=last.number, promise=request.promise, part=request.part
    )
    return _go_on(series, last, pressed=True)


@transaction.atomic
def give_part(*, series_id: int, user_id: int | None, request: PartRequest) -> Outcome:
    """Take a player's part in the deal to come; deal when nobody owes one any more.

    The same part again is a repeat, also from another page; one that comes after the deal is stale.
    """
    series = Series.objects.select_for_update().get(pk=series_id)
    last = last_round(series)
    try:
        seat = access.own_seat(series.pk, user_id)
    except NotSeated as refusal:
        return Outcome(Status.NOT_SEATED, refusal.notice)
    if series.status == Series.Status.OVER:
        return Outcome(Status.OVER)
    if request.round != (last.number if last else 0):
        return Outcome(Status.STALE)
    if seat.part:
        return Outcome(Status.REPEAT)
    if last is not None and (not seat.promise or _waited_for(last).exists()):
        return Outcome(Status.ILLEGAL, _("Your part in the deal is not asked for now."))
    if seat.promise and promise_of(request.part) != seat.promise:
        return Outcome(Status.ILLEGAL, _("That is not the part that was promised."))
    Seat.objects.filter(pk=seat.pk).update(part=request.part)
    return _go_on(series, last, pressed=False)


def _go_on(series: Series, last: Round | None, *, pressed: bool) -> Outcome:
    """Deal, ask for the parts that were promised, or wait: whatever it is time for.

    The last press begins the time in which they are asked for, and no part moves its end.
    """
    Series.objects.filter(pk=series.pk).update(talk=F("talk") + 1)
    version, talk = last.version if last else 0, series.talk + 1
    if last is not None and not _waited_for(last).exists():
        if not _owing(series).exists():
            _deal_after(series, last)
            version, talk = version + 1, talk + 1
        elif pressed:
            _ask_for_parts(last)
    return Outcome(Status.DONE, rings=True, version=version, talk=talk)


@transaction.atomic
def deal_if_due(round_id: int) -> Bell | None:
    """Deal after this round unless that has been done; what to ring, or None.

    Where some have pressed and promised a part, time has now pressed for the others, and the parts
    are asked for first.
    """
    # The series is locked first, as everywhere: two orders of locking would wait for each other.
    # Who holds it deals, or is looked at again in a second.
    locked = Series.objects.select_for_update(skip_locked=True, of=("self",))
    series = locked.filter(rounds=round_id).first()
    if series is None:
        return None
    last = last_round(series)
    if last is None or last.pk != round_id:
        Round.objects.filter(pk=round_id).update(due_at=None)
        return None
    # An outage may have been credited since it was found due.
    if not Round.objects.filter(pk=round_id, due_at__lte=Now()).exclude(kind="").exists():
        return None
    if _waited_for(last).exists() and _owing(series).exists():
        _waited_for(last).update(ready_after=last.number)
        Series.objects.filter(pk=series.pk).update(talk=F("talk") + 1)
        _ask_for_parts(last)
        return Bell(series.pk, last.version, series.talk + 1)
    _deal_after(series, last)
    return Bell(series.pk, last.version + 1, series.talk + 1)


def _waited_for(last: Round) -> QuerySet[Seat]:
    """The seats whose player has not pressed Next round after this one; no bot ever does."""
    return Seat.objects.filter(series=last.series_id, bot="", ready_after__lt=last.number)


def _owing(series: Series) -> QuerySet[Seat]:
    """The seats whose player has promised a part in the deal to come, and not told it yet."""
    return Seat.objects.filter(~Q(promise=""), series=series, part="")


def _ask_for_parts(last: Round) -> None:
    Round.objects.filter(pk=last.pk).update(due_at=Now() + PARTS_WITHIN)


def _deal_after(series: Series, last: Round) -> None:
    Round.objects.filter(pk=last.pk).update(due_at=None)
    state = series_state(series, finished_rounds(series))
    deal_round(series, state, version_before=last.version, clocks=clocks_of(last, series).at_deal())
