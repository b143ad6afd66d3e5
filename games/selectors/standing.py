"""Where a series stands between its rounds, folded from the results that are stored."""

from collections.abc import Sequence
from functools import lru_cache

from games.models import Round, Series
from games.rules.options import Options
from games.rules.scoring import Ending, RoundResult
from games.rules.series import (
    SeriesState,
    agree_end,
    resign_series,
    score_round,
    start_series,
)


def series_state(series: Series, rounds: Sequence[Round]) -> SeriesState:
    """The series as it stands: after these rounds, and ended where its players have ended it."""
    state = played_state(series, rounds)
    if series.ending == Series.Ending.AGREED:
        return agree_end(state)
    if series.ended_by_side is not None:
        return resign_series(state, series.ended_by_side)
    return state


def played_state(series: Series, rounds: Sequence[Round]) -> SeriesState:
    """The series after these rounds, oldest first; running and void ones count for nothing."""
    assert series.first_dealer is not None, "a series without a dealer has not begun"
    results = tuple(
        row.result for row in rounds if row.result and row.result.kind is not Ending.VOID
    )
    return folded_series(series.options, series.first_dealer, results)


@lru_cache(maxsize=4096)
def folded_series(
    options: Options, first_dealer: int, results: tuple[RoundResult, ...]
) -> SeriesState:
    """The series of two players that these results make.

    A round's end costs one step: the state before it is the cached one.
    """
    if not results:
        return start_series(options, first_dealer)
    before = folded_series(options, first_dealer, results[:-1])
    return score_round(before, results[-1:])


def finished_rounds(series: Series) -> list[Round]:
    """The rounds of a series that have ended, oldest first, without their logs and secrets."""
    rounds = Round.objects.filter(series=series).exclude(kind="")
    return list(rounds.defer("log", "secret", "reasons").order_by("number", "board"))
