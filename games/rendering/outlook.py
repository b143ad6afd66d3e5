"""What a knock would do on the score sheet, told before it is done (rules, sections 6 and 7)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

from django.utils.translation import gettext as _

from games.rendering.cast import Cast
from games.rendering.words import game_words
from games.rules.options import Options
from games.rules.sheet import Entry, ScoreSheet, Standing

if TYPE_CHECKING:
    from games.selectors.table import Table

MOST_LEFT: Final = 98
"""No ten cards without a meld count more: two each of K Q J 10, and two nines."""

# A hint speaks of what may well be; few hands count more once the first cards are drawn.
_OFTEN_LEFT: Final = 60


@dataclass(frozen=True, slots=True)
class Rung:
    """What follows if the defender is left with so much deadwood."""

    left: str
    follows: str


@dataclass(frozen=True, slots=True)
class Outlook:
    """The score sheet before a knock; `side` is the knocker's, `other` the defender's.

    `name` is the defender's, `multiplier` that of the round. Outlooks are equal where the sheets
    stand alike, however they came to it.
    """

    options: Options
    standing: Standing
    side: int
    other: int
    name: str
    multiplier: int
    sheet: ScoreSheet = field(compare=False, repr=False)

    @classmethod
    def of(cls, table: "Table", cast: Cast) -> Self | None:
        """The outlook of the viewer, None for a spectator and where no round runs."""
        if table.play is None or table.play.round is None or cast.viewer is None:
            return None
        sides, sheet = table.play.sides, table.play.sheet
        return cls(
            options=sheet.options,
            standing=sheet.standing,
            side=sides[cast.near],
            other=sides[cast.far],
            name=cast.name(cast.far),
            multiplier=table.play.round.multiplier,
            sheet=sheet,
        )

    @property
    def heading(self) -> str:
        words = {"name": self.name}
        if self.multiplier == 1:
            return _("If %(name)s is left with") % words
        return _("Points count double. If %(name)s is left with") % words

    def knock_rungs(self, points: int) -> tuple[Rung, ...]:
        """Tell what a knock with so much deadwood would do, from an undercut upwards."""
        first = points + 1
        scored = self._say(_("You score the difference"), self._entry(self.side, 1))
        undercut = Rung(_("%(points)s or fewer") % {"points": points}, self._undercut(points))
        return (undercut, *self._rungs(first, -points, scored))

    def gin_rungs(self, bonus: int) -> tuple[Rung, ...]:
        """Tell what gin, or big gin, with this bonus would do."""
        words = _("You score %(bonus)s and all of it") % {"bonus": bonus}
        return self._rungs(0, bonus, self._say(words, self._entry(self.side, bonus)))

    def knock_hint(self, points: int) -> str:
        """Say shortly what a knock with so much deadwood would do."""
        for least, entry in self._steps(points + 1, -points, _OFTEN_LEFT):
            words = _("A knock with %(points)s wins %(games)s if %(name)s holds %(least)s or more.")
            return self._hint(words, entry, points=points, least=least)
        words = _("A knock with %(points)s scores what %(name)s holds above it.")
        return words % {"points": points, "name": self.name}

    def gin_hint(self, bonus: int) -> str:
        """Say shortly what gin, or big gin, with this bonus would do."""
        for least, entry in self._steps(0, bonus, _OFTEN_LEFT):
            if not least:
                return self._hint(_("Gin wins %(games)s."), entry)
            words = _("Gin wins %(games)s if %(name)s holds %(least)s or more.")
            return self._hint(words, entry, least=least)
        words = _("Gin scores %(bonus)s and all that %(name)s holds.")
        return words % {"bonus": bonus, "name": self.name}

    def _rungs(self, first: int, bonus: int, scored: str) -> tuple[Rung, ...]:
        told = {first: [scored]}
        for least, entry in self._steps(first, bonus):
            told.setdefault(least, []).append(self._won(entry))
        return tuple(Rung(self._left(least), " ".join(told[least])) for least in told)

    def _left(self, least: int) -> str:
        return _("%(points)s or more") % {"points": least} if least else _("anything")

    def _steps(self, first: int, bonus: int, most: int = MOST_LEFT) -> Iterator[tuple[int, Entry]]:
        """The counts of the defender, from `first` on, that end one game more; each's entry."""
        totals, target = self.standing.totals[self.side], self.options.target
        entered = self._entry(self.side, first + bonus).games
        # Rounded up: so many points, before they are doubled, are still needed.
        needed = (-(-(target - totals[game]) // self.multiplier) for game in entered)
        for count in sorted({max(first, need - bonus) for need in needed}):
            if count <= most:
                yield count, self._entry(self.side, count + bonus)

    def _entry(self, side: int, points: int) -> Entry:
        """How the sheet would take so many points, before they are doubled, of a side."""
        return self.sheet.with_result((side, points * self.multiplier)).entries[-1]

    def _won(self, entry: Entry) -> str:
        after = self.sheet.with_result(entry.result)
        if self.options.columns == 1:
            return _("You win the game.")
        if after.is_over and after.winner == self.side:
            return self._hint(_("You win %(games)s, and the series."), entry)
        return self._hint(_("You win %(games)s."), entry)

    def _undercut(self, points: int) -> str:
        bonus = self.options.undercut
        least, most = (self._entry(self.other, each) for each in (bonus, bonus + points))
        words = _("Undercut, a tie too: %(name)s scores %(bonus)s and the difference")
        told = self._say(words % {"name": self.name, "bonus": bonus}, least)
        if least.closed:
            return f"{told} {self._hint(_('%(name)s wins %(games)s.'), least)}"
        if most.closed:
            return f"{told} {self._hint(_('%(name)s may win %(games)s.'), most)}"
        return told

    def _say(self, what: str, entry: Entry) -> str:
        if self.options.columns == 1:
            return f"{what}."
        games = game_words(entry.games) if entry.games else _("entered nowhere")
        return _("%(what)s: %(games)s.") % {"what": what, "games": games}

    def _hint(self, words: str, entry: Entry, **more: int) -> str:
        one = self.options.columns == 1
        games = _("the game") if one else game_words(entry.closed)
        return words % {"name": self.name, "games": games, **more}
