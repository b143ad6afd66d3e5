"""A series that people play with real cards: begun, entered round by round, undone, ended.

Each of these holds the series' row, so that of two devices one is first; a form names the round
that it follows on, and what was made for another one is stale.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.absent import absent_user
from accounts.models import User
from games import access
from games.errors import NotFound, NotSeated, TooManyWaiting, refusal_notice
from games.models import Invitation, Round, Seat, Series, SheetEntry
from games.models.round import result_columns
from games.models.series import new_slug
from games.rules.by_hand import ByHand, result_by_hand
from games.rules.errors import RulesError
from games.rules.options import Options
from games.rules.scoring import RoundResult
from games.rules.series import agree_end
from games.rules.series_record import MOST_ROUNDS
from games.selectors.standing import finished_rounds, played_state
from games.services.finish import end_series, enter_result
from games.services.history import store_seat_ends
from games.services.invitation_limits import may_invite
from games.services.lobby import MOST_WAITING
from games.services.notices import asked_by_name
from games.services.outcome import Outcome, Status

UNDONE_WITHIN: Final = timedelta(days=1)  # after that the end of a series stands
GONE: Final = "–"  # what is left of an absent player's name when who wrote it is erased


@dataclass(frozen=True, slots=True)
class HandTerms:
    """What is played for, who deals first, and against whom: a name, or somebody with an account.

    `absent` is the name of who has none; else `invited` is asked, or whoever has the link.
    """

    options: Options
    first_dealer: int = 0
    is_private: bool = True
    absent: str = ""
    invited: int | None = None


@transaction.atomic
def start_by_hand(*, user: User, terms: HandTerms, slug: str | None = None) -> Series:
    """A series to be entered; asked for twice with one `slug`, it is made once (fault 110).

    With an absent player it has begun; else it waits for the other. Raises TooManyWaiting,
    HeldBack, or what `invitation_limits.may_invite` does.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    made = Series.objects.filter(slug=slug or "", created_by=user).first()
    if made is not None:
        return made
    if not terms.absent:
        _may_begin(user, terms.invited)
    series = Series.objects.create(
        slug=slug or new_slug(),
        created_by=user,
        source=Series.Source.ENTERED,
        preset=terms.options.preset,
        option_values=terms.options.to_mapping(),
        first_dealer=terms.first_dealer,
        is_private=terms.is_private,
    )
    Seat.objects.create(series=series, user=user, number=0, side=0)
    if terms.absent:
        Seat.objects.create(series=series, user=absent_user(), name=terms.absent, number=1, side=1)
        Series.objects.filter(pk=series.pk).update(
            status=Series.Status.PLAYING, started_at=Now(), talk=F("talk") + 1
        )
    else:
        Invitation.objects.create(series=series, invited_id=terms.invited)
        if terms.invited is not None:
            asked_by_name(series, terms.invited)
    series.refresh_from_db()
    return series


def _may_begin(user: User, invited: int | None) -> None:
    access.may_play(user.pk, rated=False)
    if Series.objects.filter(created_by=user, status=Series.Status.WAITING).count() >= MOST_WAITING:
        raise TooManyWaiting
    if invited is not None:
        may_invite(user, invited)


@transaction.atomic
def enter_round(
    *, series_id: int, user_id: int | None, after: int, key: str, told: ByHand
) -> Outcome:
    """Enter a round that follows on the one with the id `after`, 0 for the first.

    Every way that it can end is an Outcome; with one `key` it is entered once.
    """
    series = _held(series_id)
    if series is None:
        return Outcome(Status.OVER, NotFound.notice)
    try:
        seat = access.own_seat(series.pk, user_id)
    except NotSeated as refusal:
        return Outcome(Status.NOT_SEATED, refusal.notice)
    rounds = finished_rounds(series)
    if key and any(key in (row.first_key, row.second_key) for row in rounds):
        return Outcome(Status.REPEAT)
    if (too_late := _not_now(series, rounds, after)) is not None:
        return too_late
    try:
        result = result_by_hand(series.options, told)
    except RulesError as refused:
        return Outcome(Status.ILLEGAL, refusal_notice(refused))
    if len(rounds) >= MOST_ROUNDS:
        return Outcome(Status.ILLEGAL, _("This sheet is full: end the series here."))
    _enter(series, rounds, seat, key, result)
    return Outcome(Status.DONE)


def _not_now(series: Series, rounds: list[Round], after: int) -> Outcome | None:
    if series.source != Series.Source.ENTERED or series.status == Series.Status.WAITING:
        return Outcome(Status.ILLEGAL, _("The series has not begun yet."))
    if series.status == Series.Status.OVER:
        return Outcome(Status.OVER, _("The series is over."))
    if after != (rounds[-1].pk if rounds else 0):
        return Outcome(Status.STALE, _("The sheet has changed meanwhile."))
    return None


def _enter(series: Series, rounds: list[Round], seat: Seat, key: str, result: RoundResult) -> None:
    first, second = series.seats.order_by("number")
    row = Round.objects.create(
        series=series,
        number=len(rounds) + 1,
        first_seat=first,
        second_seat=second,
        dealer=played_state(series, rounds).boards[0].dealer,
        version_before=len(rounds),
        ended_at=Now(),
        **result_columns(result),
        **{"second_key" if seat.number else "first_key": key},
    )
    enter_result(row, result)
    _move_on(series)


@transaction.atomic
def undo_round(*, series_id: int, user_id: int | None, round_id: int) -> Outcome:
    """Take the last entry off the sheet; the series goes on if that had ended it. Twice is once."""
    series = _held(series_id)
    if series is None:
        return Outcome(Status.OVER, NotFound.notice)
    if not _keeps(series, user_id):
        return Outcome(Status.NOT_SEATED, NotSeated.notice)
    rounds = finished_rounds(series)
    if not any(row.pk == round_id for row in rounds):
        return Outcome(Status.REPEAT)
    if rounds[-1].pk != round_id:
        words = _("Another round has been entered since; only the last one can be undone.")
        return Outcome(Status.STALE, words)
    if not can_undo(series):
        return Outcome(
            Status.OVER, _("The series ended too long ago: its sheet can't be changed any more.")
        )
    SheetEntry.objects.filter(round=round_id).delete()
    Round.objects.filter(pk=round_id).delete()
    if series.status == Series.Status.OVER:
        _reopen(series)
    _move_on(series)
    return Outcome(Status.DONE)


def can_undo(series: Series) -> bool:
    """Whether the last entry may still go: the series runs, or that entry ended it not long ago."""
    if series.status != Series.Status.OVER:
        return True
    assert series.ended_at is not None, "a series that is over has ended"
    lately = timezone.now() - series.ended_at < UNDONE_WITHIN
    return lately and series.ending == Series.Ending.PLAYED


def _reopen(series: Series) -> None:
    series.status, series.ended_at, series.winner_side = Series.Status.PLAYING, None, None
    series.ending = ""
    series.save(update_fields=["status", "ended_at", "winner_side", "ending"])
    store_seat_ends(series, None)


@transaction.atomic
def end_by_hand(*, series_id: int, user_id: int | None, after: int) -> Outcome:
    """End the series where it stands, without a winner."""
    series = _held(series_id)
    if series is None:
        return Outcome(Status.OVER, NotFound.notice)
    if not _keeps(series, user_id):
        return Outcome(Status.NOT_SEATED, NotSeated.notice)
    rounds = finished_rounds(series)
    if (too_late := _not_now(series, rounds, after)) is not None:
        return too_late
    _stop(series, rounds)
    return Outcome(Status.DONE)


@transaction.atomic
def close_by_hand(series_id: int) -> None:
    """The same for a player who leaves the site, whatever was entered last."""
    series = _held(series_id)
    if series is not None and series.status == Series.Status.PLAYING:
        _stop(series, finished_rounds(series))


def _stop(series: Series, rounds: list[Round]) -> None:
    """End a running series as agreed; where nothing was entered, nothing is kept."""
    if rounds:
        state = agree_end(played_state(series, rounds))
        end_series(series, state, rounds[-1], Series.Ending.AGREED)
        return
    Invitation.objects.filter(series=series).delete()
    Seat.objects.filter(series=series).delete()
    series.delete()


def forget_absent(user_id: int) -> None:
    """Take the names of absent players off the sheets of somebody who is erased."""
    seats = Seat.objects.filter(series__created_by=user_id).exclude(name="")
    seats.update(name=GONE)


def _held(series_id: int) -> Series | None:
    """None where it ended on another device a moment before, with nothing on it."""
    return Series.objects.select_for_update().filter(pk=series_id).first()


def _keeps(series: Series, user_id: int | None) -> bool:
    is_entered = series.source == Series.Source.ENTERED
    return is_entered and access.seat_of(series.pk, user_id) is not None


def _move_on(series: Series) -> None:
    Series.objects.filter(pk=series.pk).update(talk=F("talk") + 1)
