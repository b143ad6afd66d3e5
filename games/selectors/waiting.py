"""What waits for somebody: the one truth behind every notice, mail and badge (fault 80).

Names and times only; nothing here is told of a card.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from games.models import Invitation, Notice, Round, Seat, Series
from games.selectors.last_round import last_rounds
from games.selectors.lists import awaits
from games.selectors.people import invitations_for
from games.selectors.versions import PRESENT_FOR
from games.time_control import reminder_before

REMATCH_FOR: Final = timedelta(days=7)  # after that nobody waits for an answer any more
DAYS: Final = Q(series__time_control__endswith="d")


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that waits for a player; `name` is the other one's, `url` where it is seen.

    `left`: of their time, where it runs; `runs_out_at`: when it is over. `present`: they have the
    table open.
    """

    kind: Notice.Kind
    series: Series
    name: str
    url: str
    present: bool = False
    left: timedelta | None = None
    runs_out_at: datetime | None = None

    @property
    def is_short(self) -> bool:
        """Whether they are to be reminded."""
        return self.left is not None and self.left <= reminder_before(self.series.control)

    def is_of(self, series_id: int, kind: str) -> bool:
        """Whether a notice of this series and kind is about this."""
        if kind == Notice.Kind.REMINDER:
            return self.series.pk == series_id and self.left is not None
        return self.series.pk == series_id and self.kind == kind


def what_waits(user_id: int) -> list[Waiting]:
    """All that waits for somebody: turns of days, the most urgent first, then the rest."""
    turns = sorted(_turns(user_id), key=lambda each: (each.left is None, each.left))
    told = {each.series.pk for each in turns}
    begun = [each for each in _begun(user_id) if each.series.pk not in told]
    return [*turns, *begun, *_invitations(user_id), *_rematches(user_id)]


def turns_waiting(user_id: int) -> list[str]:
    """The running series that wait for somebody to do something, whatever the time control."""
    seats = list(_seats(user_id).filter(series__status=Series.Status.PLAYING))
    rounds = last_rounds(seat.series_id for seat in seats)
    return [seat.series.slug for seat in seats if awaits(seat, rounds.get(seat.series_id))]


def _turns(user_id: int) -> list[Waiting]:
    seats = list(_seats(user_id).filter(DAYS, series__status=Series.Status.PLAYING))
    rounds = last_rounds(seat.series_id for seat in seats)
    waiting = [seat for seat in seats if awaits(seat, rounds.get(seat.series_id))]
    names = _names(waiting)
    return [_turn(seat, rounds[seat.series_id], names[seat.series_id]) for seat in waiting]


def _turn(seat: Seat, last: Round, name: str) -> Waiting:
    # After the result no time runs out: the next round is dealt by itself.
    runs = last.due_at is not None and not last.kind
    return Waiting(
        kind=Notice.Kind.TURN,
        series=seat.series,
        name=name,
        url=seat.series.get_absolute_url(),
        present=_is_present(seat),
        left=last.due_at - last.now if runs else None,  # type: ignore[attr-defined]
        runs_out_at=last.due_at if runs else None,
    )


def _begun(user_id: int) -> list[Waiting]:
    """Series that began without them, and that they have not looked at since."""
    unseen = Q(seen_at=None) | Q(seen_at__lt=F("series__started_at"))
    return _as_waiting(
        Notice.Kind.BEGUN,
        _seats(user_id).filter(
            unseen, series__status=Series.Status.PLAYING, series__source=Series.Source.PLAYED
        ),
    )


def _rematches(user_id: int) -> list[Waiting]:
    asked = _seats(user_id).filter(
        series__status=Series.Status.OVER,
        series__rematch=None,
        ended_at__gt=Now() - REMATCH_FOR,
        wants_rematch=False,
    )
    offers = Seat.objects.filter(series__in=asked.values("series"), wants_rematch=True)
    return _as_waiting(Notice.Kind.REMATCH, asked.filter(series__in=offers.values("series")))


def _as_waiting(kind: Notice.Kind, found: Iterable[Seat]) -> list[Waiting]:
    seats = list(found)
    names = _names(seats)
    return [
        Waiting(
            kind,
            seat.series,
            names[seat.series_id],
            seat.series.get_absolute_url(),
            _is_present(seat),
        )
        for seat in seats
    ]


def _invitations(user_id: int) -> list[Waiting]:
    return [_invitation(each) for each in invitations_for(user_id)]


def _invitation(invitation: Invitation) -> Waiting:
    return Waiting(
        Notice.Kind.INVITATION,
        invitation.series,
        invitation.series.created_by.shown_name,
        invitation.get_absolute_url(),
    )


def _seats(user_id: int) -> QuerySet[Seat]:
    seats = Seat.objects.filter(user=user_id).select_related("series").order_by("series")
    return seats.annotate(now=Now())


def _names(seats: list[Seat]) -> dict[int, str]:
    """Of each of these seats' series the other player's name."""
    others = Seat.objects.filter(series__in=[seat.series_id for seat in seats])
    others = others.exclude(pk__in=[seat.pk for seat in seats]).select_related("user")
    return {seat.series_id: seat.shown_name for seat in others}


def _is_present(seat: Seat) -> bool:
    now: datetime = seat.now  # type: ignore[attr-defined] # annotated
    return seat.seen_at is not None and seat.seen_at > now - PRESENT_FOR
