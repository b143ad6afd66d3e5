"""The players' clocks as the database keeps them: it alone owns the time (promise R19).

While somebody thinks, `due_at` says when their time is out and the banks what each had left when
the last action was done. A board seat's bank is its player's: a pair of players has the same board
seats in every round.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models.functions import Now

from games.models import Round, Seat, Series
from games.time_control import Clocks, time_to_come


def clocks_of(row: Round, series: Series) -> Clocks:
    """The clocks as they stood when the last action of this round was done."""
    none = timedelta()
    return Clocks(series.control, (row.first_bank or none, row.second_bank or none))


def running(
    clocks: Clocks, *, seat: int, now: datetime | Now, to_come: timedelta = timedelta()
) -> dict[str, Any]:
    """The columns of a round in which this seat thinks from now on; none without a limit.

    `to_come` is what its player is given beside, to come at all.
    """
    if not clocks.control.is_limited:
        return {}
    first, second = clocks.banks
    return {
        "first_bank": first,
        "second_bank": second,
        "due_at": now + clocks.banks[seat] + to_come,
    }


def clock_fields(row: Round, *, acted: int, next_seat: int) -> dict[str, Any]:
    """What an action changes of them. `row.now` is the database's time when it was read."""
    clocks = clocks_of(row, row.series)
    if not clocks.control.is_limited or row.due_at is None:
        return {}
    now = now_of(row)
    # What somebody was given to come is not theirs to keep.
    left = min(row.due_at - now, clocks.banks[acted])
    after = clocks.acted(acted, left, goes_on=acted == next_seat)
    to_come = given_to_come(row.seat_at(next_seat), row.series, now)
    return running(after, seat=next_seat, now=now, to_come=to_come)


def given_to_come(seat: Seat, series: Series, now: datetime | None) -> timedelta:
    """What a seat's player is given to come to a series that began while they were away."""
    if series.control.bank is None or series.started_at is None or now is None:
        return timedelta()
    return time_to_come(seat.seen_at or seat.joined_at, series.started_at, now)


def has_run_out(row: Round) -> bool:
    """Whether the time of whose turn it is was out when this running round was read."""
    return not row.kind and row.due_at is not None and row.due_at <= now_of(row)


def awaits_credit(row: Round) -> bool:
    """Whether a running clock is to be put back first by the length of an outage (R12, fault 65).

    The first action may be here before the next sign of life: what it is told is that the table is
    busy. The row is of a query annotated with `uncredited`.
    """
    is_uncredited: bool = row.uncredited  # type: ignore[attr-defined]
    return is_uncredited and not row.kind and row.due_at is not None


def now_of(row: Round) -> datetime:
    """The database's time when the row was read, by a query annotated with it."""
    now: datetime = row.now  # type: ignore[attr-defined]
    return now
