"""The state of a round, and the deal that begins it (docs/rules.md, section 2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.rules.cards import DECK, NO_CARDS, Card, CardSet, card_set
from games.rules.errors import UnreadableInput
from games.rules.events import Dealt, Event
from games.rules.lay_offs import Defence
from games.rules.melds import Arrangement
from games.rules.options import Options
from games.rules.scoring import RoundResult


class Phase(StrEnum):
    """What a round waits for; `LAST_OFFER` occurs with the option `last_card: offer` only."""

    OFFER = "offer"
    DRAW = "draw"
    DISCARD = "discard"
    LAST_OFFER = "last offer"
    DEFENCE = "defence"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class RoundState:
    """Everything about a round, hidden cards included: for the server only.

    Seats are 0 and 1. `turn` is the seat that acts (once it is over, the one that acted last).
    The stock's next card is first, the discard pile's top card last; the knocker's discard lies
    apart, in `knock_card`. `shown` are the cards in each hand that were seen taken from the pile.
    """

    options: Options
    dealer: int
    phase: Phase
    turn: int
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    hands: tuple[CardSet, CardSet]
    upcard: Card
    shown: tuple[CardSet, CardSet] = (NO_CARDS, NO_CARDS)
    drawn: Card | None = None
    taken: Card | None = None
    takes: int = 0
    ply: int = 0
    knocker: int | None = None
    spread: Arrangement | None = None
    knock_card: Card | None = None
    defence: Defence | None = None
    result: RoundResult | None = None

    @property
    def knock_limit(self) -> int:
        """The most deadwood to knock with."""
        return self.options.limit_for(self.upcard)

    @property
    def multiplier(self) -> int:
        """What the round's points are multiplied by."""
        return self.options.multiplier_for(self.upcard)


@dataclass(frozen=True, slots=True)
class Progress:
    """The state after an action, and what happened."""

    state: RoundState
    events: tuple[Event, ...]


def deal(deck: Sequence[Card], dealer: int, options: Options) -> Progress:
    """Deal ten cards each, the non-dealer's first, and turn the upcard (section 2).

    Raises UnreadableInput (`wrong_count`, `duplicate_card`) for a deck that isn't one.

    >>> state = deal(DECK, dealer=1, options=Options()).state
    >>> state.phase, state.turn, str(state.upcard), len(state.stock)
    (<Phase.OFFER: 'offer'>, 0, '8D', 31)
    """
    assert dealer in (0, 1), f"no such seat: {dealer}"
    check_deck(deck)
    first, second = card_set(deck[0:20:2]), card_set(deck[1:20:2])
    hands = (first, second) if dealer == 1 else (second, first)
    upcard = deck[20]
    state = RoundState(
        options=options,
        dealer=dealer,
        phase=Phase.OFFER,
        turn=1 - dealer,
        stock=tuple(deck[21:]),
        pile=(upcard,),
        hands=hands,
        upcard=upcard,
    )
    return Progress(state, (Dealt(dealer, hands, upcard),))


def check_deck(deck: Sequence[Card]) -> None:
    """Refuse what isn't a deck: UnreadableInput (`wrong_count`, `duplicate_card`)."""
    if len(deck) != len(DECK):
        raise UnreadableInput("wrong_count", f"A deck has {len(DECK)} cards, not {len(deck)}")
    if len(set(deck)) != len(DECK):
        raise UnreadableInput("duplicate_card", "A card is twice in the deck")
