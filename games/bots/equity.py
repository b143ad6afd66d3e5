"""What a score sheet is worth: the chance to win the series from it, between equal players.

Each game by itself is worked out exactly, in steps of a twentieth of the target; how three games
that share their rounds hang together was fitted to simulated series (`games.training.sheets`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import exp, log
from typing import Final

from games.rules.options import Options
from games.rules.sheet import ScoreSheet, Standing

type Scores = tuple[tuple[float, float], ...]
"""What a won round may score, and how likely each is."""

_STEPS: Final = 20
_LATEST: Final = 2  # wins that may have to come before the first entry

_STEPS_A_WIN: Final = 4

# Of the logit of the chance to win, by the logits of the chances in games 1 to 3 while all are
# open, and of the two later ones after game 1 was won.
ALL_OPEN: Final = (0.1568, 0.6677, 0.1322, 0.0136)
ONE_WON: Final = (0.9551, 0.6565, 0.4108, -0.1122, 0.2881, -0.4004, 0.0632)


def chance_of_series(sheet: ScoreSheet, side: int, scores: Scores) -> float:
    """The chance of this side, of two, to win the series from this sheet.

    >>> round(chance_of_series(ScoreSheet(Options()), 0, ((20.0, 1.0),)), 3)
    0.5
    """
    if sheet.is_over:
        return float(sheet.winner == side)
    games = [_chance_of_game(sheet, side, game, scores) for game in range(sheet.options.columns)]
    return together(games, apart(sheet)) if len(games) == 3 else games[0]


def together(games: Sequence[float], gap: float) -> float:
    """The chance to win two of three games, by the chances in each; they end in order.

    `gap` says how far games 2 and 3 are `apart`: the same score makes them one game.
    """
    won, lost = games.count(1.0), games.count(0.0)
    if won > 1 or lost > 1:
        return float(won > 1)
    if won and lost:
        return games[2]
    if lost:
        return 1 - together([1 - game for game in games], gap)
    if won:
        return _logistic(ONE_WON, one_won_numbers(games, gap))
    return _logistic(ALL_OPEN, all_open_numbers(games))


def apart(sheet: ScoreSheet) -> float:
    """How much the scores of games 2 and 3 differ, both sides together: 0 where they are equal."""
    standing, options = sheet.standing, sheet.options
    steps = [
        abs(_way(standing, options, side, 1) - _way(standing, options, side, 2)) for side in (0, 1)
    ]
    return min(sum(steps), _STEPS) / _STEPS


def _way(standing: Standing, options: Options, side: int, game: int) -> int:
    waits = _wins_before(standing, options, side, game)
    return _steps_left(standing, options, side, game) + _STEPS_A_WIN * waits


def all_open_numbers(games: Sequence[float]) -> tuple[float, ...]:
    """What the chance is fitted to while all games are open; all change sign with the sides."""
    one, two, three = map(_logit, games)
    return one, two, three, one * two * three


def one_won_numbers(games: Sequence[float], gap: float) -> tuple[float, ...]:
    """What the chance is fitted to once game 1 is won, and one of two is enough."""
    less, more = sorted((_logit(games[1]), _logit(games[2])))
    return more, gap, gap * gap, gap * more, gap * less, gap * (more - less), gap * less * less


def game_chances(sheet: ScoreSheet, side: int, scores: Scores) -> list[float]:
    """The chance of this side in each game by itself."""
    return [_chance_of_game(sheet, side, game, scores) for game in range(sheet.options.columns)]


def _logit(chance: float) -> float:
    chance = min(max(chance, 0.002), 0.998)
    return log(chance / (1 - chance))


def _logistic(weights: Sequence[float], numbers: Sequence[float]) -> float:
    total = sum(weight * number for weight, number in zip(weights, numbers, strict=True))
    return 1 / (1 + exp(-total))


def _chance_of_game(sheet: ScoreSheet, side: int, game: int, scores: Scores) -> float:
    standing, options = sheet.standing, sheet.options
    if standing.ended[game] is not None:
        return float(standing.ended[game] == side)
    table = _table(tuple((score / options.target * _STEPS, chance) for score, chance in scores))
    own, other = (
        (_steps_left(standing, options, one, game), _wins_before(standing, options, one, game))
        for one in (side, 1 - side)
    )
    return table[(*own, *other)]


def _steps_left(standing: Standing, options: Options, side: int, game: int) -> int:
    left = options.target - standing.totals[side][game]
    return max(1, -(-left * _STEPS // options.target))


def _wins_before(standing: Standing, options: Options, side: int, game: int) -> int:
    """How many wins go by before one is entered in this game."""
    if options.entry == "strict":
        return max(0, game - standing.wins[side])
    if standing.boxes[side][game]:
        return 0
    return sum(
        not standing.boxes[side][earlier] for earlier in standing.open_games if earlier < game
    )


@lru_cache(maxsize=8)
def _table(scores: Scores) -> dict[tuple[int, int, int, int], float]:
    """The chance in one game by (own steps left, own wins before, the other's …)."""
    steps = _in_whole_steps(scores)
    places = [
        (left, wins)
        for left in range(1, _STEPS + 1)
        for wins in range(_LATEST + 1)
        if not wins or left == _STEPS
    ]
    table: dict[tuple[int, int, int, int], float] = {}
    for own, other in sorted(product(places, places), key=lambda pair: sum(pair[0]) + sum(pair[1])):
        table[(*own, *other)] = (
            sum(
                chance * (_own_win(table, own, other, step) + _other_win(table, own, other, step))
                for step, chance in steps
            )
            / 2
        )
    return table


def _in_whole_steps(scores: Scores) -> list[tuple[int, float]]:
    found: dict[int, float] = {}
    for score, chance in scores:
        low = int(score)
        for step, part in ((low, low + 1 - score), (low + 1, score - low)):
            # Even the smallest win goes on: else the table would ask for itself.
            found[max(1, step)] = found.get(max(1, step), 0) + chance * part
    return sorted(found.items())


def _own_win(
    table: dict[tuple[int, int, int, int], float],
    own: tuple[int, int],
    other: tuple[int, int],
    step: int,
) -> float:
    left, wins = own
    if wins:
        return table[(left, wins - 1, *other)]
    return table[(left - step, 0, *other)] if left > step else 1.0


def _other_win(
    table: dict[tuple[int, int, int, int], float],
    own: tuple[int, int],
    other: tuple[int, int],
    step: int,
) -> float:
    left, wins = other
    if wins:
        return table[(*own, left, wins - 1)]
    return table[(*own, left - step, 0)] if left > step else 0.0
