"""Fit how three games hang together (`games.bots.equity`) to simulated series between equals.

python -m games.training.sheets 20000
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from math import exp
from random import Random

from games.bots.equity import Scores, all_open_numbers, apart, game_chances, one_won_numbers
from games.bots.model import load_model
from games.bots.worth import usual_scores
from games.rules.options import PRESETS
from games.rules.sheet import ScoreSheet

type Sample = tuple[tuple[float, ...], bool]


def simulate(scores: Scores, series: int, seed: int) -> tuple[list[Sample], list[Sample]]:
    """Play series with rounds drawn from these scores; return what to fit the two functions to."""
    random = Random(seed)  # noqa: S311
    all_open: list[Sample] = []
    one_won: list[Sample] = []
    points = [max(1, round(score)) for score, _ in scores]
    chances = [chance for _, chance in scores]
    for _ in range(series):
        sheet, seen = ScoreSheet(PRESETS["hollywood"]), []
        while not sheet.is_over:
            seen.append(sheet)
            won = random.choices(points, chances)[0] + random.randrange(-3, 4)
            sheet = sheet.with_result((random.randrange(2), max(1, won)))
        for sheet_seen in seen:
            side = random.randrange(2)
            games = game_chances(sheet_seen, side, scores)
            if sheet_seen.ended == (None, None, None):
                all_open.append((all_open_numbers(games), sheet.winner == side))
            elif sheet_seen.ended[1:] == (None, None):
                if sheet_seen.ended[0] != side:
                    side, games = 1 - side, [1 - game for game in games]
                one_won.append((one_won_numbers(games, apart(sheet_seen)), sheet.winner == side))
    return all_open, one_won


def fit_logistic(samples: Sequence[Sample], rounds: int = 6) -> list[float]:
    """Fit by Newton's method."""
    size = len(samples[0][0])
    weights = [0.0] * size
    for _ in range(rounds):
        slope = [0.0] * size
        bend = [[1e-6 * (i == j) for j in range(size)] for i in range(size)]
        for numbers, won in samples:
            chance = 1 / (1 + exp(-_dot(weights, numbers)))
            spread = chance * (1 - chance)
            for i, number in enumerate(numbers):
                slope[i] += (won - chance) * number
                for j, other in enumerate(numbers):
                    bend[i][j] += spread * number * other
        weights = [old + step for old, step in zip(weights, solve(bend, slope), strict=True)]
    return weights


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a small system of linear equations that has one solution."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, row in enumerate(rows):
        rows[i] = row = [value / row[i] for value in row]
        for j, other in enumerate(rows):
            if j != i:
                rows[j] = [a - other[i] * b for a, b in zip(other, row, strict=True)]
    return [row[-1] for row in rows]


def _dot(one: Iterable[float], other: Iterable[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def loss(weights: Sequence[float], samples: Sequence[Sample]) -> float:
    """Return the mean squared error."""
    return sum(
        (won - 1 / (1 + exp(-_dot(weights, numbers)))) ** 2 for numbers, won in samples
    ) / len(samples)


def main() -> None:
    """Print the numbers of rows, the weights and the squared errors of both fits."""
    scores = usual_scores(load_model("hollywood"), PRESETS["hollywood"])
    for samples in simulate(scores, series=int(sys.argv[1]), seed=1):
        weights = fit_logistic(samples)
        shown = ", ".join(f"{weight:.4f}" for weight in weights)
        sys.stdout.write(f"{len(samples)} rows: ({shown}), error {loss(weights, samples):.5f}\n")


if __name__ == "__main__":
    main()
