"""A series looked back on: its pad, its shape as a picture, and its rounds."""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rendering.cast import Cast
from games.rendering.charts import LeadChart
from games.rendering.round_luck import CardsPart
from games.rendering.rounds import RoundsContext
from games.rendering.sheet import SheetContext
from games.rendering.words import ENDINGS

if TYPE_CHECKING:
    from games.selectors.table import Table


@dataclass(frozen=True, slots=True)
class GameShape:
    """A game of the series as a picture: who led after each round, and who won it, if anybody.

    `round` is the one that ended it, `url` the end of that round's replay, "" where it has none.
    """

    number: int
    chart: LeadChart
    winner: str
    score: str
    round: int | None
    url: str


@dataclass(frozen=True, slots=True)
class LeadRow:
    """After a round: by how much the near side led in each game, and None where that was over."""

    number: int
    url: str
    leads: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """`templates/games/review.html`, as `review`.

    The near side's leads point up: the viewer's, or that of who made the series. `origin`: where
    one that was imported was played, as its record says.
    """

    url: str
    title: str
    over: bool
    sheet: SheetContext
    rounds: RoundsContext
    cards: CardsPart | None = None
    source: str = "played"
    origin: str = ""

    @classmethod
    def of(cls, table: "Table", cards: CardsPart | None = None, origin: str = "") -> Self:
        cast = Cast.of(table)
        players = " – ".join(chair.name for chair in table.chairs)
        sheet, rounds = SheetContext.of(table), RoundsContext.of(table, cast)
        over = table.status == "over"
        return cls(table.url, players, over, sheet, rounds, cards, table.source, origin)

    @property
    def entered(self) -> bool:
        """Whether it was entered by hand: no round of it can be replayed."""
        return self.source == "entered"

    @property
    def imported(self) -> bool:
        """Whether it was imported: it has no table, and its viewer may delete it."""
        return self.source == "imported"

    @property
    def delete_url(self) -> str:
        return f"{self.url}delete/"

    @property
    def rules_url(self) -> str:
        return f"{self.url}rules/"

    @property
    def records(self) -> tuple[tuple[str, str], ...]:
        """Where it is to be taken along, once it is over: the form and the address of each."""
        if not self.over:
            return ()
        return ((_("Text"), f"{self.url}record.txt"), ("JSON", f"{self.url}record.json"))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The series in numbers: each by its name."""
        past = self.rounds.past
        kinds = Counter(each.result.kind for each in past)
        ends = (f"{ENDINGS[kind]} {count}" for kind, count in kinds.most_common())
        facts = ((_("Rounds"), str(len(past))), (_("How they ended"), ", ".join(ends)))
        return (*facts, *self._lengths()) if self.sheet.rounds_url else facts

    def _lengths(self) -> tuple[tuple[str, str], ...]:
        past = self.rounds.past
        actions = sum(each.length for each in past)
        longest = max(past, key=lambda each: each.length)
        return (
            (_("Actions"), str(actions)),
            (
                _("Longest"),
                ngettext(
                    "round %(number)s, %(count)s action",
                    "round %(number)s, %(count)s actions",
                    longest.length,
                )
                % {"number": longest.number, "count": longest.length},
            ),
        )

    @property
    def leads(self) -> tuple[LeadRow, ...]:
        return tuple(
            LeadRow(
                number,
                f"{self.sheet.rounds_url}{number}/" if self.sheet.rounds_url else "",
                self._leads(number - 1),
            )
            for number in range(1, len(self.sheet.sheet.entries) + 1)
        )

    def _leads(self, index: int) -> tuple[int | None, ...]:
        """The leads after a round; a game's last is that of the round that ended it."""
        entries = self.sheet.sheet.entries
        before = entries[index - 1].after.ended if index else ()
        near, *others = self.sheet.order
        totals = entries[index].after.totals
        return tuple(
            None
            if before and before[game] is not None
            else totals[near][game] - max(totals[side][game] for side in others)
            for game in range(self.sheet.sheet.options.columns)
        )

    @property
    def shapes(self) -> tuple[GameShape, ...]:
        rows = self.leads
        sizes = [abs(lead) for row in rows for lead in row.leads if lead is not None]
        top = max(20, -(-max(sizes, default=0) // 20) * 20)
        return tuple(
            self._shape(game, rows, top) for game in range(self.sheet.sheet.options.columns)
        )

    def _shape(self, game: int, rows: tuple[LeadRow, ...], top: int) -> GameShape:
        played = [(row.number, lead) for row in rows if (lead := row.leads[game]) is not None]
        leads = tuple(lead for _number, lead in played)
        near, far = self.sheet.names[:2]
        winner = self.sheet.sheet.ended[game]
        totals = [self.sheet.sheet.totals[side][game] for side in self.sheet.order]
        return GameShape(
            number=game + 1,
            chart=LeadChart(self._words(game, leads, near, far), leads, len(rows), top),
            winner="" if winner is None else self.sheet.names[self.sheet.order.index(winner)],
            score=" – ".join(map(str, totals)),
            round=None if winner is None else played[-1][0],
            url="" if winner is None else self._end_of(played[-1][0]),
        )

    def _end_of(self, number: int) -> str:
        length = self.rounds.past[number - 1].length
        return f"{self.rounds.url}{number}/{length}/" if length else ""

    def _words(self, game: int, leads: tuple[int, ...], near: str, far: str) -> str:
        """The picture for those who don't see it; the table beneath has each number."""
        words = _(
            "Game %(game)s over %(rounds)s rounds: up where %(near)s led, by %(up)s at most; "
            "down where %(far)s led, by %(down)s at most."
        )
        return words % {
            "game": game + 1,
            "rounds": len(leads),
            "near": near,
            "far": far,
            "up": max(0, *leads) if leads else 0,
            "down": -min(0, *leads) if leads else 0,
        }
