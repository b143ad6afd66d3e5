"""What each outcome of a round is worth to a seat: in points, or in chances to win the series."""

from collections.abc import Sequence
from typing import Final

from games.bots.equity import Scores, chance_of_series
from games.bots.model import Model
from games.bots.outcomes import OUTCOMES, points_of_outcomes
from games.rules.options import Options
from games.rules.sheet import ScoreSheet

# An outcome stands for rounds of smaller and larger scores: which counts near the target.
_AROUND: Final = (0.5, 1.0, 1.5)


def worth_in_points(model: Model, options: Options, multiplier: int) -> list[float]:
    """Value outcomes by the points they score, the other's below 0."""
    return points_of_outcomes(options, model.differences, multiplier)


def worth_in_series(
    model: Model, sheet: ScoreSheet, sides: tuple[int, int], multiplier: int
) -> list[float]:
    """Value outcomes by the chance to win the series after them, times 100.

    `sides` are the own side of the sheet and the other's. Of more than two sides only points can
    be valued; and once two games are won by one, no outcome changes who wins: points are left.
    """
    options = sheet.options
    points = points_of_outcomes(options, model.differences, multiplier)
    if sheet.sides != 2 or max(sheet.games_won) > 1:
        return points
    scores = usual_scores(model, options)
    return [100 * _chance_after(sheet, sides, scored, scores) for scored in points]


def _chance_after(
    sheet: ScoreSheet, sides: tuple[int, int], scored: float, scores: Scores
) -> float:
    own, other = sides
    if not scored:
        return chance_of_series(sheet, own, scores)
    winner = own if scored > 0 else other
    results = [(winner, max(1, round(part * abs(scored)))) for part in _AROUND]
    chances = [chance_of_series(sheet.with_result(result), own, scores) for result in results]
    return sum(chances) / len(chances)


def usual_scores(model: Model, options: Options) -> Scores:
    """Say what a won round scores under these options, and how often, between equals."""
    points = points_of_outcomes(options, model.differences)
    half = len(OUTCOMES) // 2
    own, their = _pairs(points, model.shares, half)
    total = sum(share for _, share in (*own, *their))
    return tuple(
        ((score + other) / 2, (share + other_share) / total)
        for (score, share), (other, other_share) in zip(own, their, strict=True)
    )


def _pairs(
    points: Sequence[float], shares: Sequence[float], half: int
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    scored = [(abs(score), share) for score, share in zip(points, shares, strict=True)]
    return scored[1 : half + 1], scored[half + 1 :]
