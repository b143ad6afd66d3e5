"""Series that are being played, as anybody may look at them: who plays, and how they stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Max
from django.db.models.functions import Now

from accounts.models import User
from accounts.relations import Relation, kept_apart
from games.glicko import Rating as Strength
from games.models import Rating, Round, Seat, Series
from games.selectors.lists import totals_of
from games.selectors.lobby import format_of
from games.selectors.versions import PRESENT_FOR

LOOKED_AT: Final = 200  # of the series that began last, for one worth watching
FOLLOWED: Final = 10


@dataclass(frozen=True, slots=True)
class BoardSide:
    """A side of a board: its player, their rating if the rules have one, the totals so far."""

    user: User
    is_bot: bool
    strength: Strength | None
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """How a running series stands; `round` is the number of the round on the table."""

    series: Series
    round: int
    sides: tuple[BoardSide, ...]


def followed_at_play(user_id: int) -> list[Series]:
    """The public series that somebody plays now whom this user follows, the latest first."""
    follows = Relation.objects.filter(user=user_id, kind=Relation.Kind.FOLLOW).values("other")
    seats = (
        Seat.objects.filter(user__in=follows, ended_at=None, seen_at__gt=Now() - PRESENT_FOR)
        .filter(series__status=Series.Status.PLAYING, series__is_private=False)
        .exclude(series__seats__user=user_id)
        .select_related("series")
        .order_by("-series")
    )
    return list(dict.fromkeys(seat.series for seat in seats[: 2 * FOLLOWED]))[:FOLLOWED]


def series_to_look_at(user_id: int | None) -> Series | None:
    """The public series played just now whose players are rated best; people come before bots.

    Not the user's own, and none of somebody whom they are kept apart from.
    """
    latest = Series.objects.filter(status=Series.Status.PLAYING, is_private=False)
    found = Series.objects.filter(
        pk__in=latest.order_by("-created_at").values("pk")[:LOOKED_AT],
        seats__seen_at__gt=Now() - PRESENT_FOR,
    )
    seats = _seats(found.values("pk"))
    apart = {user_id, *kept_apart(user_id)} if user_id is not None else set()
    tables = [table for table in _tables(seats) if not apart & {seat.user_id for seat in table}]
    strengths = _strengths(seats)
    return max(tables, key=lambda table: _worth(table, strengths))[0].series if tables else None


def boards_of(series: Sequence[Series]) -> list[Board]:
    """How each of these series stands, in their order."""
    ids = [each.pk for each in series]
    if not ids:
        return []
    seats = _seats(ids)
    strengths, totals = _strengths(seats), totals_of(ids)
    rounds = dict(
        Round.objects.filter(series__in=ids).values_list("series").annotate(last=Max("number"))
    )
    tables = {table[0].series_id: table for table in _tables(seats)}
    return [
        Board(
            series=each,
            round=rounds.get(each.pk, 1),
            sides=tuple(
                BoardSide(
                    user=seat.user,
                    is_bot=bool(seat.bot),
                    strength=_strength(seat, strengths) if format_of(each) else None,
                    totals=tuple(
                        totals[each.pk, seat.side, game]
                        for game in range(1, each.options.columns + 1)
                    ),
                )
                for seat in tables[each.pk]
            ),
        )
        for each in series
    ]


def played_now(user_id: int) -> Series | None:
    """The public series at which somebody is just now, the latest if there are several."""
    here = Seat.objects.filter(user=user_id, ended_at=None, seen_at__gt=Now() - PRESENT_FOR)
    public = here.filter(series__status=Series.Status.PLAYING, series__is_private=False)
    seat = public.select_related("series").order_by("-seen_at").first()
    return seat.series if seat is not None else None


type _Strengths = dict[tuple[int, str], Strength]


def _seats(series: Any) -> list[Seat]:
    seats = Seat.objects.filter(series__in=series).select_related("user", "series")
    return list(seats.order_by("-series", "number"))


def _tables(seats: Iterable[Seat]) -> list[tuple[Seat, ...]]:
    found: dict[int, tuple[Seat, ...]] = {}
    for seat in seats:
        found[seat.series_id] = (*found.get(seat.series_id, ()), seat)
    return list(found.values())


def _strengths(seats: Iterable[Seat]) -> _Strengths:
    rows = Rating.objects.filter(user__in={seat.user_id for seat in seats if not seat.bot})
    return {(row.user_id, row.format): row.to_domain() for row in rows}


def _strength(seat: Seat, strengths: _Strengths) -> Strength | None:
    return strengths.get((seat.user_id, str(format_of(seat.series))))


def _worth(table: Sequence[Seat], strengths: _Strengths) -> tuple[bool, float, int]:
    known = (_strength(seat, strengths) or Strength() for seat in table)
    people = not any(seat.bot for seat in table)
    return people, sum(strength.value for strength in known), table[0].series_id
