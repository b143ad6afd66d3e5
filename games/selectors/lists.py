"""A player's series, as a list."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet, Sum

from games.models import Round, Seat, Series, SheetEntry
from games.rules.state import Phase
from games.selectors.last_round import last_rounds

SHOWN: Final = 10  # finished series, newest first; all stand in games.selectors.history


@dataclass(frozen=True, slots=True)
class ListedSeries:
    """A series seen by one of its players.

    `opponent` is "" while nobody has sat down; `mine` and `theirs` are the totals of each game;
    `awaited` says that the series waits for this player, `bot` which one the opponent is, if any.
    """

    series: Series
    opponent: str
    awaited: bool
    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    won: bool | None
    bot: str = ""


def open_series(user_id: int) -> list[ListedSeries]:
    """The series of a player that are not over, newest first."""
    return _listed(_seats(user_id).exclude(series__status=Series.Status.OVER))


def finished_series(user_id: int) -> list[ListedSeries]:
    """The last `SHOWN` series of a player that are over, newest first."""
    seats = _seats(user_id).filter(series__status=Series.Status.OVER)
    return _listed(seats.order_by("-ended_at", "-series")[:SHOWN])


def public_series(user_id: int, *, over: bool) -> list[ListedSeries]:
    """The last `SHOWN` series of a player that anybody may look at: running, or over.

    Whose turn it is does not matter there.
    """
    seats = Seat.objects.filter(user=user_id, series__is_private=False).select_related("series")
    if over:
        seats = seats.filter(ended_at__isnull=False, is_listed=True).order_by(
            "-ended_at", "-series"
        )
    else:
        seats = seats.filter(ended_at=None, series__status=Series.Status.PLAYING)
        seats = seats.order_by("-series")
    return _listed(seats[:SHOWN], turns=False)


def _seats(user_id: int) -> QuerySet[Seat]:
    return Seat.objects.filter(user=user_id).select_related("series").order_by("-series")


def _listed(seats: QuerySet[Seat], *, turns: bool = True) -> list[ListedSeries]:
    mine = list(seats)
    ids = [seat.series_id for seat in mine]
    others = {
        seat.series_id: seat
        for seat in Seat.objects.filter(series__in=ids)
        .exclude(pk__in=[seat.pk for seat in mine])
        .select_related("user")
    }
    totals, rounds = totals_of(ids), last_rounds(ids) if turns else {}
    return [
        ListedSeries(
            series=seat.series,
            opponent=others[seat.series_id].shown_name if seat.series_id in others else "",
            awaited=awaits(seat, rounds.get(seat.series_id)),
            mine=_row(totals, seat.series, seat.side),
            theirs=_row(totals, seat.series, 1 - seat.side),
            won=_won(seat),
            bot=others[seat.series_id].bot if seat.series_id in others else "",
        )
        for seat in mine
    ]


def totals_of(series_ids: Sequence[int]) -> Mapping[tuple[int, int, int], int]:
    """The points by series, side and game (from 1); 0 where there are none."""
    sums = (
        SheetEntry.objects.filter(series__in=series_ids)
        .values("series", "side", "game")
        .annotate(total=Sum("points"))
    )
    found: dict[tuple[int, int, int], int] = defaultdict(int)
    for row in sums:
        found[row["series"], row["side"], row["game"]] = row["total"]
    return found


def _row(totals: Mapping[tuple[int, int, int], int], series: Series, side: int) -> tuple[int, ...]:
    games = range(1, series.options.columns + 1)
    return tuple(totals[series.pk, side, game] for game in games)


def awaits(seat: Seat, last: Round | None) -> bool:
    """Whether a series, whose last round this is, waits for the player of a seat."""
    if last is None or not last.has_cards:
        return False
    if last.kind:
        return seat.ready_after < last.number
    state = last.folded().state
    assert state.phase is not Phase.OVER, "a round that is over has its result stored"
    return state.turn == (0 if last.first_seat_id == seat.pk else 1)


def _won(seat: Seat) -> bool | None:
    winner = seat.series.winner_side
    return None if winner not in (0, 1) else winner == seat.side
