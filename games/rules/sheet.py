"""The score sheet: three games scored at once, or one (rules, sections 7 to 10).

The sheet is a value: `with_result` returns the next one, and the old one stays as it was. Sides,
games and wins are counted from 0 inside; a page adds one. What each round did to the sheet is kept
in its `Entry`, so that a page can say "25 + 38, the second win: games 1 and 2".
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal, Self

from games.rules.errors import IllegalAction, UnreadableInput
from games.rules.options import Options

type SheetResult = tuple[int, int] | None
"""The side that won a round and its points; None for a round that nobody won."""

type SheetWinner = int | Literal["shared"] | None

# Far above any round (two boards of doubled big gin stay below 600): it only keeps what is
# entered by hand, imported or sent to the program printable.
MAX_POINTS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Standing:
    """How the sheet stands.

    `totals` and `boxes` are read [side][game]: the points, and the rounds entered. `ended` has the
    side that won each game, None while it is open. `wins` counts each side's won rounds, also
    those that strict entry entered nowhere.
    """

    totals: tuple[tuple[int, ...], ...]
    boxes: tuple[tuple[int, ...], ...]
    ended: tuple[int | None, ...]
    wins: tuple[int, ...]

    @classmethod
    def at_start(cls, sides: int, columns: int) -> Self:
        """Return the standing of an empty sheet."""
        empty = ((0,) * columns,) * sides
        return cls(totals=empty, boxes=empty, ended=(None,) * columns, wins=(0,) * sides)

    @property
    def open_games(self) -> tuple[int, ...]:
        """The games that still take entries."""
        return tuple(game for game, winner in enumerate(self.ended) if winner is None)

    @property
    def games_won(self) -> tuple[int, ...]:
        """How many games each side has won."""
        return tuple(self.ended.count(side) for side in range(len(self.wins)))


@dataclass(frozen=True, slots=True)
class Entry:
    """What one round did to the sheet.

    `side` is None and `points` 0 where nobody won. `games` are those the points were entered in,
    none where strict entry loses them. `closed` are the games that ended by it. `after` is how
    the sheet stood then.
    """

    side: int | None
    points: int
    games: tuple[int, ...]
    closed: tuple[int, ...]
    after: Standing

    @property
    def result(self) -> SheetResult:
        """The result that was entered."""
        return None if self.side is None else (self.side, self.points)

    @property
    def win(self) -> int:
        """Which of its side's wins this was, the first being 1; 0 where nobody won."""
        return 0 if self.side is None else self.after.wins[self.side]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The results of a series so far, and what they come to.

    >>> sheet = ScoreSheet.of(Options(), [(1, 10), (0, 18), (1, 30), (1, 4)])
    >>> sheet.totals
    ((18, 0, 0), (44, 34, 4))
    >>> [entry.games for entry in sheet.entries]
    [(0,), (0,), (0, 1), (0, 1, 2)]
    """

    options: Options
    entries: tuple[Entry, ...] = ()

    @classmethod
    def of(cls, options: Options, results: Iterable[SheetResult]) -> Self:
        """Return the sheet with these results on it, in order.

        Raises what `with_result` does.
        """
        entries: list[Entry] = []
        standing = _start(options)
        for result in results:
            entries.append(_entry(standing, result, options))
            standing = entries[-1].after
        return cls(options, tuple(entries))

    def with_result(self, result: SheetResult) -> Self:
        """Return the sheet with one more round on it; None is a round that nobody won.

        Raises `IllegalAction` (series_over) after the end, and `UnreadableInput` (bad_request) for
        a side that there is not or points below 1. Sections 7 and 9.

        >>> ScoreSheet(Options(columns=1)).with_result((0, 120)).with_result((1, 5))
        Traceback (most recent call last):
        games.rules.errors.IllegalAction: The series is over: no result can follow
        """
        entry = _entry(self.standing, result, self.options)
        return replace(self, entries=(*self.entries, entry))

    @property
    def results(self) -> tuple[SheetResult, ...]:
        """The results in order."""
        return tuple(entry.result for entry in self.entries)

    @property
    def standing(self) -> Standing:
        """How the sheet stands after the last result."""
        return self.entries[-1].after if self.entries else _start(self.options)

    @property
    def sides(self) -> int:
        """How many sides score: two, or each of three players."""
        return len(self.standing.wins)

    @property
    def totals(self) -> tuple[tuple[int, ...], ...]:
        """The points, [side][game]."""
        return self.standing.totals

    @property
    def ended(self) -> tuple[int | None, ...]:
        """The side that won each game, None while it is open."""
        return self.standing.ended

    @property
    def wins(self) -> tuple[int, ...]:
        """The rounds that each side has won."""
        return self.standing.wins

    @property
    def games_won(self) -> tuple[int, ...]:
        """The games that each side has won."""
        return self.standing.games_won

    @property
    def is_over(self) -> bool:
        """Whether no result can follow (section 7; `series_end`)."""
        return _is_over(self.standing, self.options)

    @property
    def winner(self) -> SheetWinner:
        """The side that won the series, "shared", or None while it is not over (section 9).

        >>> ScoreSheet.of(Options(), [(0, 60), (0, 55), (0, 50), (0, 60)]).winner
        0
        """
        if not self.is_over:
            return None
        best = self.leaders(range(self.sides))
        return best[0] if len(best) == 1 else "shared"

    def leaders(self, among: Iterable[int]) -> tuple[int, ...]:
        """Return which of these sides stand best: most games, then the highest sum (section 9)."""
        standing = self.standing
        rank = {side: (standing.games_won[side], sum(standing.totals[side])) for side in among}
        return tuple(side for side in rank if rank[side] == max(rank.values()))


def _start(options: Options) -> Standing:
    return Standing.at_start(3 if options.players == 3 else 2, options.columns)


def _is_over(standing: Standing, options: Options) -> bool:
    early = options.series_end == "two" and max(standing.games_won) >= 2
    return early or not standing.open_games


def _entry(standing: Standing, result: SheetResult, options: Options) -> Entry:
    if _is_over(standing, options):
        raise IllegalAction("series_over", "The series is over: no result can follow")
    if result is None:
        return Entry(side=None, points=0, games=(), closed=(), after=standing)
    side, points = result
    if side not in range(len(standing.wins)) or not 1 <= points <= MAX_POINTS:
        raise UnreadableInput(
            "bad_request",
            f"A result is a side from 0 to {len(standing.wins) - 1} and 1 to {MAX_POINTS} points",
        )
    games = _games_for(standing, side, options)
    after = _with_points(standing, side, points, games, options.target)
    closed = tuple(game for game in games if after.ended[game] is not None)
    return Entry(side, points, games, closed, after)


def _games_for(standing: Standing, side: int, options: Options) -> tuple[int, ...]:
    if options.entry == "strict":
        return tuple(game for game in standing.open_games if game <= standing.wins[side])
    boxes = standing.boxes[side]
    entered = [game for game in standing.open_games if boxes[game]]
    fresh = [game for game in standing.open_games if not boxes[game]]
    return (*entered, *fresh[:1])


def _with_points(
    standing: Standing, side: int, points: int, games: tuple[int, ...], target: int
) -> Standing:
    totals = tuple(
        total + points if game in games else total
        for game, total in enumerate(standing.totals[side])
    )
    boxes = tuple(box + (game in games) for game, box in enumerate(standing.boxes[side]))
    ended = tuple(
        side if game in games and totals[game] >= target else winner
        for game, winner in enumerate(standing.ended)
    )
    return Standing(
        totals=_replaced(standing.totals, side, totals),
        boxes=_replaced(standing.boxes, side, boxes),
        ended=ended,
        wins=_replaced(standing.wins, side, standing.wins[side] + 1),
    )


def _replaced[T](values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])
