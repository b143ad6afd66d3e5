"""What each seat says about the end of its series, as the series itself has it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Self

from games.formats import Format
from games.models import RatingChange, Seat, Series
from games.models.series import SHARED
from games.rules.series import SeriesState


@dataclass(frozen=True, slots=True)
class SeatEnd:
    """The columns of a seat that lists look for; the usual values while the series is not over."""

    ended_at: datetime | None = None
    result: str = ""
    games_won: int = 0
    opponent_id: int | None = None
    format: str = ""
    is_rated: bool = False
    is_listed: bool = False

    @classmethod
    def stored(cls, seat: Seat) -> Self:
        """What the seat's row says."""
        return cls(**{field.name: getattr(seat, field.name) for field in fields(cls)})


def seat_ends(
    series: Series, seats: Sequence[Seat], state: SeriesState | None
) -> list[tuple[Seat, SeatEnd]]:
    """Each of a series' seats with what its row should say; `state` is how the series stands."""
    if series.status != Series.Status.OVER or state is None:
        return [(seat, SeatEnd()) for seat in seats]
    format_ = Format.of(series.options, series.control)
    changes = RatingChange.objects.filter(series=series)
    is_rated = series.voided_at is None and changes.exists()
    is_listed = not series.is_private and not any(seat.is_hidden for seat in seats)
    return [
        (
            seat,
            SeatEnd(
                ended_at=series.ended_at,
                result=_result(series, seat.side),
                games_won=state.sheet.games_won[seat.side],
                opponent_id=_opponent_id(seat, seats),
                format=str(format_ or ""),
                is_rated=is_rated,
                is_listed=is_listed,
            ),
        )
        for seat in seats
    ]


def _result(series: Series, side: int) -> Seat.Result:
    if series.winner_side is None:
        return Seat.Result.STOPPED
    if series.winner_side == SHARED:
        return Seat.Result.SHARED
    return Seat.Result.WON if series.winner_side == side else Seat.Result.LOST


def _opponent_id(seat: Seat, seats: Sequence[Seat]) -> int | None:
    others = [each for each in seats if each.side != seat.side]
    return others[0].user_id if len(others) == 1 and not others[0].name else None
