"""The paper pad: the games in columns, each side's entries beneath one another."""

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Self

from django.utils.translation import gettext as _

from games.rendering.cast import Cast
from games.rendering.sentences import closed_sentences, entry_sentence
from games.rendering.stopping import ending_words
from games.rendering.words import ENDINGS, sum_words
from games.rules.settlement import settle
from games.rules.sheet import Entry, ScoreSheet

if TYPE_CHECKING:
    from games.selectors.table import PastRound, Table


@dataclass(frozen=True, slots=True)
class Cell:
    """A running total on the pad, and the round that made it.

    `last`: entered by the last round; `struck`: another follows.
    """

    total: int
    round: int
    struck: bool = False
    last: bool = False
    won: bool = False

    @property
    def label(self) -> str:
        """What its link says to those who don't see where it stands."""
        return _("%(total)s, from round %(number)s") % {"total": self.total, "number": self.round}


@dataclass(frozen=True, slots=True)
class Column:
    """A game on the pad: its number from 1, whether it has ended, each side's entries.

    `just_ended`: by the last round.
    """

    number: int
    ended: bool
    just_ended: bool
    entries: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class SheetContext:
    """The score sheet, the names of its sides as the viewer's, and the round entered last.

    `rounds_url` is where the rounds are looked back on, "" where they have no cards.
    """

    sheet: ScoreSheet
    sides: Cast
    last: "PastRound | None"
    winner: int | str | None
    over: bool
    stopped: str = ""
    rounds_url: str = ""
    is_void: bool = False

    @classmethod
    def of(cls, table: "Table") -> Self:
        return cls(
            sheet=table.sheet,
            sides=Cast.of_sides(table),
            last=table.past[-1] if table.past else None,
            winner=table.winner,
            over=table.status == "over",
            stopped=ending_words(table),
            rounds_url=f"{table.url}rounds/" if all(past.length for past in table.past) else "",
            is_void=table.is_void,
        )

    @property
    def order(self) -> tuple[int, ...]:
        """The sides in the pad's order, the viewer's first."""
        sides = range(self.sheet.sides)
        return tuple(sorted(sides, key=lambda side: side != self.sides.near))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(
            _("You") if self.sides.is_you(side) else self.sides.name(side) or _("Empty chair")
            for side in self.order
        )

    @property
    def plays(self) -> bool:
        """Whether the viewer's side comes first: it has the short name "You"."""
        return self.sides.is_you(self.order[0])

    @property
    def others(self) -> tuple[str, ...]:
        return self.names[1:]

    @property
    def vacant(self) -> tuple[str, ...]:
        """The name of a side that nobody has taken yet, if there is one."""
        taken = all(self.sides.name(side) for side in self.order)
        return () if taken else (_("Empty chair"),)

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the sides that a bot plays."""
        return tuple(self.sides.name(side) for side in self.order if side in self.sides.bots)

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(self._column(game) for game in range(self.sheet.options.columns))

    def _column(self, game: int) -> Column:
        return Column(
            number=game + 1,
            ended=self.sheet.ended[game] is not None,
            just_ended=bool(self.sheet.entries) and game in self.sheet.entries[-1].closed,
            entries=tuple(self._entries(game, side) for side in self.order),
        )

    def _entries(self, game: int, side: int) -> tuple[Cell, ...]:
        entries = self.sheet.entries
        mine = [
            (number, each)
            for number, each in enumerate(entries, 1)
            if each.side == side and game in each.games
        ]
        won = self.sheet.ended[game] == side
        return tuple(
            Cell(
                total=entry.after.totals[side][game],
                round=number,
                struck=entry is not mine[-1][1],
                last=entry is entries[-1],
                won=won and entry is mine[-1][1],
            )
            for number, entry in mine
        )

    @property
    def rows(self) -> tuple[tuple[Cell | None, ...], ...]:
        """The pad line by line: of each game, each side's cell."""
        return tuple(zip_longest(*(cells for game in self.columns for cells in game.entries)))

    @property
    def scores(self) -> tuple[tuple[str, tuple[tuple[int, bool, bool], ...]], ...]:
        """A line a side for the strip: its name, then of each game total, won, entered last."""
        last = self.sheet.entries[-1] if self.sheet.entries else None
        return tuple(
            (name, tuple(self._score(side, game, last) for game in range(len(self.sheet.ended))))
            for name, side in zip(self.names, self.order, strict=True)
        )

    @property
    def label(self) -> str:
        """The scores of the strip for those who don't see it."""
        lines = (
            f"{self._called(name)} {', '.join(str(total) for total, _won, _last in scores)}"
            for name, scores in self.scores
        )
        return _("Score sheet: %(lines)s") % {"lines": "; ".join(lines)}

    def _called(self, name: str) -> str:
        return _("%(name)s, bot") % {"name": name} if name in self.bots else name

    def _score(self, side: int, game: int, last: Entry | None) -> tuple[int, bool, bool]:
        entered = last is not None and last.side == side and game in last.games
        return self.sheet.totals[side][game], self.sheet.ended[game] == side, entered

    @property
    def sum(self) -> str:
        """How the last round ended, its sum written out: "Round 6: gin, 25 + 38 = 63."."""
        if self.last is None:
            return ""
        result = self.last.result
        words = {
            "number": self.last.number,
            "kind": ENDINGS[result.kind],
            "sum": sum_words(result),
            "points": result.points,
        }
        if result.winner is None:
            return _("Round %(number)s: %(kind)s.") % words
        return _("Round %(number)s: %(kind)s, %(sum)s = %(points)s.") % words

    @property
    def story(self) -> tuple[str, ...]:
        """Where the last entry went and what it did, in sentences."""
        entry = self.last.entry if self.last else None
        if entry is None or entry.side is None:
            return ()
        return (entry_sentence(entry, self.sides), *closed_sentences(entry, self.sides))

    @property
    def verdict(self) -> str:
        """Who has won the series, and whether that counts; empty while it runs."""
        if self.over and self.is_void:
            void = _("The moderators have declared this series void: it counts for nothing.")
            return f"{void} {self._winner_words}"
        return self._winner_words if self.over else ""

    @property
    def _winner_words(self) -> str:
        if self.stopped:
            return self.stopped
        if not isinstance(self.winner, int):
            return _("The series is shared.") if self.winner else _("The series has ended.")
        if self.sheet.options.columns == 1:
            return self.sides.say(
                self.winner, _("You have won the game."), _("%(name)s has won the game.")
            )
        won = self.sheet.games_won
        return self.sides.say(
            self.winner,
            _("You have won the series, %(won)s games to %(lost)s."),
            _("%(name)s has won the series, %(won)s games to %(lost)s."),
            won=won[self.winner],
            lost=max(count for side, count in enumerate(won) if side != self.winner),
        )

    @property
    def settlement(self) -> str:
        """The settlement in a sentence, where the options have one and the series is over."""
        settlement = settle(self.sheet) if self.over else None
        if settlement is None:
            return ""
        sides = zip(self.names, self.order, strict=True)
        sums = ", ".join(f"{name} {settlement.net[side]:+}" for name, side in sides)
        return _("Settlement: %(sums)s") % {"sums": sums}
