"""What lies open after a knock: the laid melds, then both hands with the sum written out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from django.utils.translation import gettext as _

from games.rendering.cast import Cast
from games.rendering.defence import DefenceDraft
from games.rendering.draft import Draft
from games.rendering.forms import Turn
from games.rendering.sentences import closed_sentences, entry_sentence, result_sentence
from games.rendering.sheet import SheetContext
from games.rendering.sorting import by_rank
from games.rendering.words import ENDINGS, meld_word, sum_words
from games.rules.cards import Card, CardSet, cards_in
from games.rules.lay_offs import Defence, LayOff, extended_melds
from games.rules.legality import LAST_STOCK
from games.rules.melds import Arrangement, Meld, best_arrangement
from games.rules.scoring import Ending, RoundResult
from games.rules.state import Phase

if TYPE_CHECKING:
    from games.selectors.table import Table


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card on the table. `laid_off`: the defender's; `lay` takes it back in a draft."""

    card: Card
    laid_off: bool = False
    lay: str | None = None


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A meld on the table."""

    label: str
    cards: tuple[LaidCard, ...]


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A player's cards on the table. `what` says what they did, in a word or two."""

    name: str
    bot: bool
    what: str
    melds: tuple[LaidMeld, ...]
    deadwood: tuple[Card, ...]
    points: int
    won: bool
    thrown: Card | None


@dataclass(frozen=True, slots=True)
class ShowdownContext:
    """The cards that lie open, and the result once there is one.

    `closed` tells which games ended by it. `series` is the sheet of a series that is over.
    `replay_url` is where the round is looked back on.
    """

    cast: Cast
    open: bool = False
    knocker: int | None = None
    spread: Arrangement | None = None
    defence: Defence | None = None
    cards: tuple[CardSet, CardSet] | None = None
    knock_card: Card | None = None
    result: RoundResult | None = None
    entered: str = ""
    closed: tuple[str, ...] = ()
    stock_size: int = 0
    series: SheetContext | None = None
    replay_url: str = ""
    draft: DefenceDraft | None = None
    turn: Turn | None = None

    @classmethod
    def of(cls, table: "Table", cast: Cast, draft: Draft, defence: DefenceDraft | None) -> Self:
        view = table.play.round if table.play else None
        if view is None or view.phase not in (Phase.DEFENCE, Phase.OVER):
            return cls(cast)
        entry = table.past[-1].entry if view.result and table.past else None
        sides = Cast.of_sides(table)
        return cls(
            cast,
            open=True,
            knocker=view.knocker,
            spread=view.spread,
            defence=view.defence,
            cards=view.hands,
            knock_card=view.knock_card,
            result=view.result,
            entered=entry_sentence(entry, sides) if entry else "",
            closed=tuple(closed_sentences(entry, sides)) if entry else (),
            stock_size=view.stock_size,
            series=SheetContext.of(table) if table.status == "over" else None,
            replay_url=f"{table.url}rounds/{table.play.number}/" if table.play else "",
            draft=defence,
            turn=Turn.of(table, draft) if defence else None,
        )

    @property
    def headline(self) -> str:
        return result_sentence(self.result, self.cast) if self.result else ""

    @property
    def reason(self) -> str:
        """Why nobody scores, where nobody does."""
        if self.result is None or self.result.kind is not Ending.DRAWN:
            return ""
        if self.stock_size <= LAST_STOCK:
            return _("The stock is down to its last two cards, and nobody has knocked.")
        return _("The discard pile has been taken from too often, and nobody has knocked.")

    @property
    def standing(self) -> str:
        """Whose evening it was: "won", "lost", or "" for a spectator and a shared series."""
        series = self.series
        if series is None or series.sides.viewer is None or not isinstance(series.winner, int):
            return ""
        return "won" if series.sides.is_you(series.winner) else "lost"

    @property
    def sum(self) -> str:
        """What the points are made of; the total stands beside it."""
        result = self.result
        return sum_words(result) if result is not None and result.winner is not None else ""

    @property
    def kind(self) -> str:
        return str(ENDINGS[self.result.kind]) if self.result else ""

    @property
    def hands(self) -> tuple[OpenHand, ...]:
        """The open hands, the far one first; during a defence the knocker's alone."""
        seats = (self.cast.far, self.cast.near)
        return tuple(self._hand(seat) for seat in seats if self.cards or seat == self.knocker)

    def _hand(self, seat: int) -> OpenHand:
        arrangement = self._arrangement(seat)
        laid = self._lay_offs if seat == self.knocker else ()
        return OpenHand(
            name=_("You") if self.cast.is_you(seat) else self.cast.name(seat),
            bot=seat in self.cast.bots,
            what=self._what(seat),
            melds=tuple(self._melds(arrangement.melds, laid)),
            deadwood=by_rank(arrangement.deadwood),
            points=arrangement.deadwood_points,
            won=self.result is not None and self.result.winner == seat,
            thrown=self.knock_card if self.result and seat == self.knocker else None,
        )

    def _arrangement(self, seat: int) -> Arrangement:
        if seat == self.knocker and self.spread is not None:
            return self.spread
        if self.defence is not None:
            return self.defence.arrangement
        assert self.cards is not None, "a hand that is not open"
        return best_arrangement(self.cards[seat])

    @property
    def _lay_offs(self) -> tuple[LayOff, ...]:
        if self.draft is not None:
            return self.draft.done
        return self.defence.lay_offs if self.defence is not None else ()

    def _melds(self, melds: tuple[Meld, ...], laid: tuple[LayOff, ...]) -> Iterator[LaidMeld]:
        own = {card for meld in melds for card in cards_in(meld.cards)}
        for meld in extended_melds(melds, laid):
            cards = (self._card(card, card not in own) for card in cards_in(meld.cards))
            yield LaidMeld(meld_word(meld), tuple(cards))

    def _card(self, card: Card, laid_off: bool) -> LaidCard:
        back = self.draft.toggled(card) if laid_off and self.draft is not None else None
        return LaidCard(card, laid_off, back)

    def _what(self, seat: int) -> str:
        if self.knocker is None:
            return ""
        if seat == self.knocker:
            return _("knocked") if self.spread and self.spread.deadwood else _("gin")
        count = len(self._lay_offs)
        return _("laid off %(count)s") % {"count": count} if count else ""
