"""The hand at the lower edge: its melds grouped, its deadwood, and what each card can do now."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from django.utils.translation import gettext as _

from games.rendering.cast import Cast
from games.rendering.defence import DefenceDraft
from games.rendering.draft import Draft
from games.rendering.forms import Turn
from games.rendering.knocks import NOTHING_SEEN, KnockChoice, Seen
from games.rendering.outlook import Outlook
from games.rendering.sorting import SORTS, Sort, Sorting, by_rank, sorted_cards
from games.rendering.words import card_name, card_sign, meld_word
from games.rules.actions import Action, BigGin, Discard, Knock
from games.rules.cards import NO_CARDS, Card, CardSet, card_set, cards_in
from games.rules.melds import Arrangement, Meld, best_arrangement, deadwood_points
from games.rules.state import Phase

if TYPE_CHECKING:
    from games.rules.view import SeatView
    from games.selectors.table import Table

# On a narrow screen a row has room for so many cards, each 44 px wide to touch.
ROW: Final = 7
# Of a sorted hand so many lie above, so that one more fits below.
SORTED_ROW: Final = 6


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of the hand as shown: where it comes from and what can be done with it."""

    card: Card
    is_new: bool = False
    is_taken: bool = False
    is_chosen: bool = False
    is_melded: bool = False
    may_discard: bool = False
    leaves: int = 0
    knocks: tuple[KnockChoice, ...] = ()
    lay: str | None = None
    lay_words: str = ""

    @property
    def lay_label(self) -> str:
        """The name of the card and what a tap on it does."""
        return f"{card_name(self.card)}: {self.lay_words}"

    @property
    def taken_words(self) -> str:
        return _("%(card)s was just taken: it can't go back in this turn.") % {
            "card": card_sign(self.card)
        }


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together.

    `kind`: "run", "set", "deadwood", "more" (its first part), or "sorted" (no meld apart).
    """

    kind: str
    label: str
    cards: tuple[HandCard, ...]


@dataclass(frozen=True, slots=True)
class HandContext:
    """The viewer's hand and what they may do with each card; a spectator sees its backs only.

    `actions` are those with a card. `turn` is None where no form is shown. `seen` and `outlook`
    are for knocks, and left empty where none is possible.
    """

    cast: Cast
    open: bool = False
    size: int = 0
    acting: bool = False
    hand: CardSet = NO_CARDS
    drawn: Card | None = None
    taken: Card | None = None
    knock_limit: int = 0
    actions: tuple[Action, ...] = ()
    defence: DefenceDraft | None = None
    chosen: Card | None = None
    sort: Sort = SORTS[0]
    seen: Seen = NOTHING_SEEN
    outlook: Outlook | None = None
    turn: Turn | None = None

    @classmethod
    def of(cls, table: "Table", cast: Cast, draft: Draft, defence: DefenceDraft | None) -> Self:
        view = table.play.round if table.play else None
        # A hand that has been spread lies in the showdown.
        if view is None or _is_spread(view, cast.near):
            return cls(cast)
        acting = view.turn == cast.near
        actions = _card_actions(view)
        knocks = any(isinstance(each, Knock) for each in actions)
        return cls(
            cast,
            open=True,
            size=view.hand_sizes[cast.near],
            acting=acting,
            hand=view.hand,
            drawn=view.drawn,
            taken=view.taken if acting and view.seat is not None else None,
            knock_limit=view.knock_limit,
            actions=actions,
            defence=defence,
            chosen=draft.card,
            sort=draft.sort,
            seen=Seen(card_set(view.pile), view.shown[cast.far]) if knocks else NOTHING_SEEN,
            outlook=Outlook.of(table, cast) if knocks else None,
            turn=Turn.of(table, draft) if actions or defence else None,
        )

    @property
    def is_mine(self) -> bool:
        return self.cast.viewer is not None

    @property
    def owner(self) -> str:
        return self.cast.name(self.cast.near)

    @property
    def backs(self) -> str:
        """One letter for each card of a hand that lies face down."""
        return "" if self.is_mine else "x" * self.size

    @property
    def arrangement(self) -> Arrangement:
        """With the least deadwood; in a defence, without what is laid off."""
        return self.defence.kept if self.defence else best_arrangement(self.hand)

    @property
    def points(self) -> int:
        return self.arrangement.deadwood_points

    @property
    def is_sorted(self) -> bool:
        """Whether the cards lie in one order, and not meld by meld."""
        return self.sort != SORTS[0]

    @property
    def sorting(self) -> Sorting:
        return Sorting(self.sort, self.defence.value if self.defence else "")

    @property
    def rows(self) -> tuple[tuple[Group, ...], ...]:
        """The groups in two rows: as many melds as fit above, the rest and the deadwood below.

        Where there is more deadwood than a row holds, its first cards go above. The new card is
        not counted, and lies at the end, so that drawing moves nothing.
        """
        arrangement = self.arrangement
        if self.is_sorted:
            return self._sorted_rows(arrangement)
        above: list[Group] = []
        below: list[Group] = []
        room = ROW
        for meld in sorted(arrangement.melds, key=lambda meld: -len(cards_in(meld.cards))):
            fits = meld.cards.bit_count() <= room
            (above if fits else below).append(self._meld(meld))
            room -= meld.cards.bit_count() if fits else 0
        loose = self._loose(arrangement.deadwood)
        more = max(0, sum(not card.is_new for card in loose) - (ROW - 1))
        if more:
            above.append(self._deadwood("more", loose[:more]))
        if loose[more:]:
            below.append(self._deadwood("deadwood", loose[more:]))
        return tuple(tuple(row) for row in (above, below) if row)

    def _sorted_rows(self, arrangement: Arrangement) -> tuple[tuple[Group, ...], ...]:
        kept = arrangement.deadwood | sum(meld.cards for meld in arrangement.melds)
        cards = sorted_cards(kept, self.sort)
        halves = (cards[:SORTED_ROW], cards[SORTED_ROW:])
        return tuple(
            (self._group("sorted", "", half, kept ^ arrangement.deadwood),)
            for half in halves
            if half
        )

    def _group(self, kind: str, label: str, cards: Iterable[Card], melded: CardSet) -> Group:
        return Group(
            kind, label, tuple(self._card(card, bool(melded & card.bit)) for card in cards)
        )

    def _loose(self, deadwood: CardSet) -> tuple[HandCard, ...]:
        cards = sorted(by_rank(deadwood), key=lambda card: self._is_new(card))
        return tuple(self._card(card) for card in cards)

    def _meld(self, meld: Meld) -> Group:
        return self._group(meld.kind.value, meld_word(meld), cards_in(meld.cards), meld.cards)

    def _deadwood(self, kind: str, cards: tuple[HandCard, ...]) -> Group:
        return Group(kind, _("deadwood"), cards)

    def _is_new(self, card: Card) -> bool:
        return card in (self.drawn, self.taken)

    def _card(self, card: Card, is_melded: bool = False) -> HandCard:
        if self.defence is not None:
            lay = self.defence.toggled(card)
            words = self.defence.words(card)
            return HandCard(card, is_melded=is_melded, lay=lay, lay_words=words)
        may_discard = Discard(card) in self.actions
        return HandCard(
            card,
            is_new=self._is_new(card),
            is_taken=card == self.taken,
            is_chosen=card == self.chosen,
            is_melded=is_melded,
            may_discard=may_discard,
            leaves=deadwood_points(self.hand ^ card.bit) if may_discard else 0,
            knocks=self._knocks(card),
        )

    def _knocks(self, card: Card) -> tuple[KnockChoice, ...]:
        if self.outlook is None or Knock(card) not in self.actions:
            return ()
        choices = KnockChoice.all_of(self.hand, card, self.knock_limit, self.seen, self.outlook)
        return tuple(choices)


def _is_spread(view: "SeatView", seat: int) -> bool:
    return view.phase is Phase.OVER or view.knocker == seat


def _card_actions(view: "SeatView") -> tuple[Action, ...]:
    return tuple(each for each in view.actions if isinstance(each, Discard | Knock | BigGin))
