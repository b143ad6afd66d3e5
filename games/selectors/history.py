"""The series that a player has finished, newest first, a page at a time.

A page begins where another one ends, at a cursor, and not after so many rows: so it costs the same
wherever it is in the list, and nothing is shown twice or left out when series are added meanwhile.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Self

from django.db.models import Q, QuerySet

from accounts.people import users_named
from games.models import RatingChange, Seat, Series
from games.selectors.lists import totals_of

PAGE: Final = 25

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_CURSOR: Final = re.compile(r"([0-9]{1,17})-([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the list: that of a series that ended then. `newer`: its page ends there."""

    ended_at: datetime
    series_id: int
    newer: bool = False

    @classmethod
    def parse(cls, text: str, *, newer: bool = False) -> Self | None:
        """Read what `str` has written; None for anything else.

        >>> str(Cursor.parse("1772332200000000-42"))
        '1772332200000000-42'
        """
        found = _CURSOR.fullmatch(text)
        if found is None:
            return None
        return cls(_EPOCH + int(found[1]) * _MICROSECOND, int(found[2]), newer)

    def __str__(self) -> str:
        return f"{(self.ended_at - _EPOCH) // _MICROSECOND}-{self.series_id}"

    @classmethod
    def at(cls, seat: Seat, *, newer: bool = False) -> Self:
        """The place of a seat whose series is over."""
        assert seat.ended_at is not None, "only what has ended stands in the list"
        return cls(seat.ended_at, seat.series_id, newer)


@dataclass(frozen=True, slots=True)
class Picks:
    """What is looked for; None where it does not matter. `format` is "" for rules of no format."""

    opponent: int | None = None
    format: str | None = None
    result: str | None = None
    is_rated: bool | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class PastSeries:
    """A series that is over, seen by one of its players.

    `opponent` is "" where it was not one other player, `bot` which bot they are, if any. `mine` and
    `theirs` are the totals of each game, `games_lost` how many the others have won.
    `rating_change` is None where it was not rated.
    """

    seat: Seat
    opponent: str
    has_profile: bool
    bot: str
    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    games_lost: int
    rating_change: float | None

    @property
    def series(self) -> Series:
        return self.seat.series


@dataclass(frozen=True, slots=True)
class PastPage:
    """A page of the list, and the cursors of those beside it; None where there is none."""

    rows: tuple[PastSeries, ...]
    newer: Cursor | None
    older: Cursor | None


def history_page(
    user_id: int, picks: Picks, cursor: Cursor | None = None, *, is_own: bool
) -> PastPage:
    """A page of what a player has finished, as they find it themselves, or as others do."""
    seats = history(user_id, picks, is_own=is_own)
    if cursor is not None and cursor.newer:
        found = list(_after(seats, cursor).order_by("ended_at", "series_id")[: PAGE + 1])
        if len(found) > PAGE:
            page = found[:PAGE][::-1]
            return _page(page, newer=Cursor.at(page[0], newer=True), older=Cursor.at(page[-1]))
        cursor = None  # the first page, and a whole one
    found = list(history_after(user_id, picks, cursor, is_own=is_own)[: PAGE + 1])
    page = found[:PAGE]
    return _page(
        page,
        newer=Cursor.at(page[0], newer=True) if page and cursor else None,
        older=Cursor.at(page[-1]) if len(found) > PAGE else None,
    )


def history(user_id: int, picks: Picks, *, is_own: bool) -> QuerySet[Seat]:
    """The seats of a player whose series are over and as looked for, newest first."""
    seats = Seat.objects.filter(user=user_id, ended_at__isnull=False)
    if not is_own:
        seats = seats.filter(is_listed=True)
    for wanted, value in (
        ("opponent", picks.opponent),
        ("format", picks.format),
        ("result", picks.result),
        ("is_rated", picks.is_rated),
        ("ended_at__gte", picks.since),
        ("ended_at__lt", picks.until),
    ):
        if value is not None:
            seats = seats.filter(**{wanted: value})
    return seats.select_related("series").order_by("-ended_at", "-series_id")


def history_after(
    user_id: int, picks: Picks, cursor: Cursor | None, *, is_own: bool
) -> QuerySet[Seat]:
    """The same from a cursor on, as far back as is asked for."""
    seats = history(user_id, picks, is_own=is_own)
    return seats if cursor is None else _before(seats, cursor)


def opponent_named(name: str) -> int:
    """The id of who has this name, in whatever case; 0, which is nobody's, where nobody has it."""
    return users_named(name).filter(deleted_at=None).values_list("pk", flat=True).first() or 0


def first_end(user_id: int, *, is_own: bool) -> datetime | None:
    """When the first series of somebody's list ended."""
    seats = history(user_id, Picks(), is_own=is_own).order_by("ended_at", "series_id")
    return seats.values_list("ended_at", flat=True).first()


# The first condition says nothing new, but a database can begin there in its index.


def _before(seats: QuerySet[Seat], cursor: Cursor) -> QuerySet[Seat]:
    earlier = Q(ended_at__lt=cursor.ended_at) | Q(series_id__lt=cursor.series_id)
    return seats.filter(earlier, ended_at__lte=cursor.ended_at)


def _after(seats: QuerySet[Seat], cursor: Cursor) -> QuerySet[Seat]:
    later = Q(ended_at__gt=cursor.ended_at) | Q(series_id__gt=cursor.series_id)
    return seats.filter(later, ended_at__gte=cursor.ended_at)


def _page(seats: Sequence[Seat], newer: Cursor | None, older: Cursor | None) -> PastPage:
    ids = [seat.series_id for seat in seats]
    totals, others = totals_of(ids), _others(seats)
    changes = _rating_changes(seats)
    return PastPage(
        tuple(
            _past_series(seat, others.get(seat.series_id, []), totals, changes) for seat in seats
        ),
        newer,
        older,
    )


def _others(seats: Sequence[Seat]) -> dict[int, list[Seat]]:
    found: dict[int, list[Seat]] = {}
    rows = Seat.objects.filter(series__in=[seat.series_id for seat in seats])
    for row in rows.exclude(pk__in=[seat.pk for seat in seats]).select_related("user"):
        found.setdefault(row.series_id, []).append(row)
    return found


def _rating_changes(seats: Sequence[Seat]) -> dict[int, float]:
    rated = [seat.series_id for seat in seats if seat.is_rated]
    if not rated:
        return {}
    changes = RatingChange.objects.filter(series__in=rated, user=seats[0].user_id)
    rows = changes.filter(given_back_at=None)
    return {row.series_id: row.after - row.before for row in rows}


def _past_series(
    seat: Seat,
    others: list[Seat],
    totals: Mapping[tuple[int, int, int], int],
    changes: Mapping[int, float],
) -> PastSeries:
    [other] = others if len(others) == 1 else [None]
    games = range(1, seat.series.options.columns + 1)
    return PastSeries(
        seat=seat,
        opponent=other.shown_name if other else "",
        has_profile=other is not None and other.user.has_profile,
        bot=other.bot if other else "",
        mine=tuple(totals[seat.series_id, seat.side, game] for game in games),
        theirs=tuple(totals[seat.series_id, 1 - seat.side, game] for game in games),
        games_lost=max((each.games_won for each in others), default=0),
        rating_change=changes.get(seat.series_id),
    )
