"""What a seat, or a spectator, may see: all that pages and bots are ever given.

A view holds no card that its viewer can't know; everything it offers is worked out from itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.rules.actions import Action, Defend, Knock
from games.rules.cards import NO_CARDS, Card, CardSet
from games.rules.errors import IllegalAction
from games.rules.events import Event
from games.rules.lay_offs import Defence, LayOff, best_defence, defence_with, next_lay_offs
from games.rules.legality import legal_actions
from games.rules.melds import Arrangement, best_arrangement
from games.rules.melds import spreads as spreads_within
from games.rules.options import Options
from games.rules.scoring import RoundResult
from games.rules.sheet import ScoreSheet
from games.rules.state import Phase, RoundState


@dataclass(frozen=True, slots=True)
class SeatView:
    """A round as one seat sees it; `seat` is None for a spectator, who has no hand.

    `turn` is None once the round is over. `drawn` is the viewer's own card from the stock in this
    turn, `taken` the card that the seat to act took from the pile. `pile` has its top card last.
    `shown` are the cards in each hand that were seen taken from the pile. The knocker's `spread`
    is public from the knock on; the `knock_card`, to others than the knocker, the two `hands` and
    the `defence` once the round is over.
    """

    seat: int | None
    phase: Phase
    turn: int | None
    dealer: int
    upcard: Card
    knock_limit: int
    multiplier: int
    ply: int
    takes: int
    stock_size: int
    pile: tuple[Card, ...]
    hand: CardSet
    hand_sizes: tuple[int, int]
    shown: tuple[CardSet, CardSet]
    drawn: Card | None
    taken: Card | None
    knocker: int | None
    spread: Arrangement | None
    knock_card: Card | None
    hands: tuple[CardSet, CardSet] | None
    defence: Defence | None
    result: RoundResult | None
    actions: tuple[Action, ...]

    @property
    def arrangement(self) -> Arrangement:
        """The viewer's hand with the least deadwood, before any lay-off."""
        return best_arrangement(self.hand)

    def spreads(self, card: Card) -> tuple[Arrangement, ...]:
        """List the spreads of a knock that throws this card, the automatic one first.

        Raises IllegalAction where the viewer can't knock so.
        """
        if Knock(card) not in self.actions:
            raise IllegalAction("illegal_action", f"No knock with {card} is possible")
        return spreads_within(self.hand ^ card.bit, self.knock_limit)

    def lay_offs(self, done: Sequence[LayOff] = ()) -> tuple[LayOff, ...]:
        """List what the viewer may lay off next, after these.

        Raises IllegalAction where the viewer has no knock to answer, or these can't be laid off.
        """
        return next_lay_offs(self.hand, self._spread_to_answer().melds, done)

    def defend(self, chosen: Sequence[LayOff] | None = None) -> Defence:
        """Try a defence: with exactly these lay-offs, or with the best.

        Raises IllegalAction where the viewer has no knock to answer, or these can't be laid off.
        """
        melds = self._spread_to_answer().melds
        if chosen is None:
            return best_defence(self.hand, melds, gin=False)
        return defence_with(self.hand, melds, chosen)

    def _spread_to_answer(self) -> Arrangement:
        if self.spread is None or Defend() not in self.actions:
            raise IllegalAction("illegal_action", "There is no knock to answer")
        return self.spread


def view_for(state: RoundState, seat: int | None) -> SeatView:
    """Make the view of a seat, or of a spectator.

    >>> from games.rules.cards import DECK
    >>> from games.rules.options import Options
    >>> from games.rules.state import deal
    >>> view = view_for(deal(DECK, dealer=1, options=Options()).state, None)
    >>> view.hand, view.hand_sizes, view.stock_size, view.actions
    (0, (10, 10), 31, ())
    """
    over = state.phase is Phase.OVER
    return SeatView(
        seat=seat,
        phase=state.phase,
        turn=None if over else state.turn,
        dealer=state.dealer,
        upcard=state.upcard,
        knock_limit=state.knock_limit,
        multiplier=state.multiplier,
        ply=state.ply,
        takes=state.takes,
        stock_size=len(state.stock),
        pile=state.pile,
        hand=NO_CARDS if seat is None else state.hands[seat],
        hand_sizes=(state.hands[0].bit_count(), state.hands[1].bit_count()),
        shown=state.shown,
        drawn=state.drawn if seat == state.turn else None,
        taken=state.taken,
        knocker=state.knocker,
        spread=state.spread,
        knock_card=state.knock_card if over or seat == state.knocker else None,
        hands=state.hands if over else None,
        defence=state.defence,
        result=state.result,
        actions=() if seat is None else legal_actions(state, seat),
    )


@dataclass(frozen=True, slots=True)
class TableView:
    """What a viewer may see of the whole table: a board of the running round, and the series.

    `round` is None before the first deal. `sides` says which side of the sheet each board seat
    plays for; `number` counts the rounds of the series from 1.
    """

    round: SeatView | None
    events: tuple[Event, ...]
    number: int
    version: int
    options: Options
    sheet: ScoreSheet
    sides: tuple[int, int] = (0, 1)
    board: int = 0


def table_view(
    state: RoundState,
    events: Iterable[Event],
    seat: int | None,
    *,
    number: int,
    version: int,
    sheet: ScoreSheet,
    sides: tuple[int, int] = (0, 1),
    board: int = 0,
) -> TableView:
    """Make the view of a table for a board seat, or a spectator: the one way to make one.

    `events` are those of the round as they happened; the view has them as the viewer may see them.
    """
    return TableView(
        round=view_for(state, seat),
        events=tuple(event.seen_by(seat) for event in events),
        number=number,
        version=version,
        options=state.options,
        sheet=sheet,
        sides=sides,
        board=board,
    )
