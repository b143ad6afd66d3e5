"""What a series comes to in points when its games are settled one by one (rules, sections 8, 9)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from games.rules.sheet import ScoreSheet

FLAT_SHUTOUT: Final = 100


@dataclass(frozen=True, slots=True)
class Claim:
    """What the winner of a game gets from one loser, term by term.

    `difference` is that of the two totals, `boxes` the winner's box points minus the loser's, and
    `shutout` what is added since the loser has no entry in the game (else 0).
    """

    loser: int
    difference: int
    game_bonus: int
    boxes: int
    shutout: int

    @property
    def points(self) -> int:
        """The sum of the terms; negative where the loser's many boxes outweigh the rest."""
        return self.difference + self.game_bonus + self.boxes + self.shutout


@dataclass(frozen=True, slots=True)
class SettledGame:
    """An ended game: who won it, and what they get from each other side."""

    game: int
    winner: int
    claims: tuple[Claim, ...]

    @property
    def points(self) -> int:
        """What the winner gets for the game from all losers together."""
        return sum(claim.points for claim in self.claims)


@dataclass(frozen=True, slots=True)
class Settlement:
    """The ended games, settled, and what each side has in the end; the sides' sums cancel out."""

    games: tuple[SettledGame, ...]
    net: tuple[int, ...]


def settle(sheet: ScoreSheet) -> Settlement | None:
    """Settle the ended games of a sheet (sections 8, 9 and 14); open games count nothing.

    Returns None where the series is settled by games won alone; one game never is.

    >>> from games.rules.options import Options
    >>> options = Options.from_mapping({"preset": "gin-rummy"})
    >>> settle(ScoreSheet.of(options, [(0, 46), (0, 29), (0, 25)])).net
    (360, -360)
    """
    if sheet.options.settlement != "classic":
        return None
    games = tuple(
        _settled_game(sheet, game, winner)
        for game, winner in enumerate(sheet.ended)
        if winner is not None
    )
    return Settlement(games, tuple(_net(games, side) for side in range(sheet.sides)))


def _settled_game(sheet: ScoreSheet, game: int, winner: int) -> SettledGame:
    losers = (side for side in range(sheet.sides) if side != winner)
    return SettledGame(game, winner, tuple(_claim(sheet, game, winner, loser) for loser in losers))


def _claim(sheet: ScoreSheet, game: int, winner: int, loser: int) -> Claim:
    options, totals, boxes = sheet.options, sheet.totals, sheet.standing.boxes
    difference = totals[winner][game] - totals[loser][game]
    box_points = options.box * (boxes[winner][game] - boxes[loser][game])
    shutout = 0
    if not boxes[loser][game]:
        doubled = difference + options.game_bonus + box_points
        shutout = doubled if options.shutout == "double" else FLAT_SHUTOUT
    return Claim(loser, difference, options.game_bonus, box_points, shutout)


def _net(games: Iterable[SettledGame], side: int) -> int:
    won = sum(game.points for game in games if game.winner == side)
    lost = sum(claim.points for game in games for claim in game.claims if claim.loser == side)
    return won - lost
