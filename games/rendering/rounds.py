"""The list of finished rounds."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rendering.cast import Cast
from games.rendering.words import ENDINGS, game_words, sum_words

if TYPE_CHECKING:
    from games.selectors.table import PastRound, Table


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A finished round in a line; `url` replays it, "" and no `length` where it has no cards.

    `winner` is empty where nobody scored; `bot`: it is one.
    """

    number: int
    winner: str
    bot: bool
    yours: bool
    kind: str
    points: int
    sum: str
    games: str
    url: str
    dealer: str
    length: str

    @property
    def label(self) -> str:
        """What its link does."""
        return _("Replay round %(number)s") % {"number": self.number}


@dataclass(frozen=True, slots=True)
class RoundsContext:
    """The finished rounds of the series; `url` is where they are looked back on."""

    past: "tuple[PastRound, ...]"
    cast: Cast
    url: str

    @classmethod
    def of(cls, table: "Table", cast: Cast) -> Self:
        return cls(table.past, cast, f"{table.url}rounds/")

    @property
    def lines(self) -> tuple[RoundLine, ...]:
        """The rounds, the last one first."""
        return tuple(self._line(past) for past in reversed(self.past))

    def _line(self, past: "PastRound") -> RoundLine:
        result, entry = past.result, past.entry
        seat = result.winner
        yours = self.cast.is_you(seat)
        return RoundLine(
            number=past.number,
            winner="" if seat is None else _("You") if yours else self.cast.name(seat),
            bot=seat in self.cast.bots,
            yours=yours,
            kind=str(ENDINGS[result.kind]),
            points=result.points,
            sum="" if seat is None else sum_words(result),
            games=game_words(entry.games) if entry is not None and entry.games else "",
            url=f"{self.url}{past.number}/" if past.length else "",
            dealer=self.cast.say(past.dealer, _("you dealt"), _("%(name)s dealt")),
            length=ngettext("%(count)s action", "%(count)s actions", past.length)
            % {"count": past.length}
            if past.length
            else "",
        )
