"""What a seat may do (docs/rules.md, sections 3 to 5 and 14).

`check` alone decides it: `play` calls it first, and `legal_actions` lists what passes it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from games.rules.actions import Action, BigGin, Defend, Discard, Draw, Knock, Pass, Resign, Take
from games.rules.cards import DECK, Card, cards_in
from games.rules.deadwood import deadwood_points, is_big_gin, knock_discards
from games.rules.errors import IllegalAction
from games.rules.knocks import check_limit, spread_of
from games.rules.lay_offs import Defence, LayOff, best_defence, defence_with, next_lay_offs
from games.rules.melds import Arrangement, Meld
from games.rules.melds import spreads as spreads_within
from games.rules.state import Phase, RoundState

LAST_STOCK: Final = 2
"""With so many cards left in the stock, a discard without a knock ends the round."""

_EXPECTED: Final[dict[Phase, tuple[type, ...]]] = {
    Phase.OFFER: (Pass, Take),
    Phase.DRAW: (Draw, Take),
    Phase.DISCARD: (Discard, Knock, BigGin),
    Phase.LAST_OFFER: (Pass, Take),
    Phase.DEFENCE: (Defend,),
    Phase.OVER: (),
}
_WAITING: Final = {
    Phase.OFFER: "The upcard is to be taken or left",
    Phase.DRAW: "A card is to be drawn or taken first",
    Phase.DISCARD: "A card is to be thrown now",
    Phase.LAST_OFFER: "The last discard is to be taken or left",
    Phase.DEFENCE: "The knock is to be answered",
}

# Actions are values: each is made once.
_DISCARDS: Final = tuple(Discard(card) for card in DECK)
_KNOCKS: Final = tuple(Knock(card) for card in DECK)
_RESIGN: Final = Resign()
_WITHOUT_CARD: Final[dict[Phase, tuple[Action, ...]]] = {
    phase: tuple(kind() for kind in kinds if kind not in (Discard, Knock))
    for phase, kinds in _EXPECTED.items()
}


def legal_actions(state: RoundState, seat: int) -> tuple[Action, ...]:
    """List what the seat may do: a knock once for each discard, and a defence once.

    `play` accepts these and, beyond them, a knock or a defence that says how (`spreads`,
    `lay_offs`).

    >>> from games.rules.options import Options
    >>> from games.rules.state import deal
    >>> state = deal(DECK, dealer=1, options=Options()).state
    >>> legal_actions(state, 0)
    (Pass(), Take(), Resign())
    >>> legal_actions(state, 1)
    (Resign(),)
    """
    return tuple(action for action in _candidates(state, seat) if _passes(state, seat, action))


def _candidates(state: RoundState, seat: int) -> Iterator[Action]:
    if seat == state.turn:
        if state.phase is Phase.DISCARD:
            hand = state.hands[seat]
            for card in cards_in(hand):
                yield _DISCARDS[card]
            for card in knock_discards(hand, state.knock_limit, state.taken):
                yield _KNOCKS[card]
        yield from _WITHOUT_CARD[state.phase]
    yield _RESIGN


def _passes(state: RoundState, seat: int, action: Action) -> bool:
    try:
        check(state, seat, action)
    except IllegalAction:
        return False
    return True


def check(state: RoundState, seat: int, action: Action) -> None:
    """Refuse what isn't allowed to this seat now, in words that are safe to show.

    Raises IllegalAction: `not_in_hand`, `over_limit`, `duplicate_card` for a card in two melds,
    or `illegal_action`.
    """
    if state.phase is Phase.OVER:
        raise _illegal("The round is over")
    if isinstance(action, Resign):
        if state.phase is Phase.DEFENCE:
            raise _illegal("After a knock the round can't be resigned")
        return
    if seat != state.turn:
        raise _illegal("It is the other player's turn")
    if not isinstance(action, _EXPECTED[state.phase]):
        raise _illegal(_WAITING[state.phase])
    match action:
        case Discard(card):
            _check_discard(state, card)
        case Knock(card, melds):
            _check_knock(state, card, melds)
        case Take() if upcard_refused(state):
            raise _illegal("Both have left the upcard: a card is to be drawn from the stock")
        case BigGin() if not (state.options.big_gin and is_big_gin(state.hands[seat])):
            raise _illegal("This is no big gin")
        case Defend(chosen) if chosen is not None:
            defence_of(state, chosen)


def _check_discard(state: RoundState, card: Card) -> None:
    _check_thrown(state, card)
    # Such a take was the offered one: otherwise the round ends before so few cards are left.
    if state.taken is not None and len(state.stock) <= LAST_STOCK:
        raise _illegal("The last discard can be taken to knock only")


def _check_knock(state: RoundState, card: Card, melds: Sequence[Meld] | None) -> None:
    _check_thrown(state, card)
    kept = state.hands[state.turn] ^ card.bit
    if melds is None:  # the limit alone: finding the automatic spread takes longer
        check_limit(deadwood_points(kept), state.knock_limit)
    else:
        spread_of(kept, melds, state.knock_limit)


def _check_thrown(state: RoundState, card: Card) -> None:
    if not state.hands[state.turn] & card.bit:
        # The same words wherever the card is: a refusal must not tell.
        raise IllegalAction("not_in_hand", f"Not in the hand: {card}")
    if card is state.taken:
        raise _illegal(f"{card} was taken from the discard pile in this turn")


def _illegal(message: str) -> IllegalAction:
    return IllegalAction("illegal_action", message)


def upcard_refused(state: RoundState) -> bool:
    """Tell whether both have just left the upcard, so that it can't be taken (section 3)."""
    return state.phase is Phase.DRAW and not state.takes and state.pile == (state.upcard,)


def could_use_last(state: RoundState) -> bool:
    """Tell whether the seat to act could take the last discard and knock (section 13)."""
    card = state.pile[-1]
    hand = state.hands[state.turn] | card.bit
    # Where eleven cards meld, ten of them do too: big gin needs no look of its own.
    return bool(knock_discards(hand, state.knock_limit, card))


def defence_of(state: RoundState, chosen: Sequence[LayOff] | None) -> Defence:
    """Lay off these cards, or as is best for the defender, whose turn it is.

    Raises IllegalAction (`not_in_hand`, `illegal_action`) for what can't be laid off.
    """
    assert state.spread is not None, "a defence without a knock"
    hand, melds = state.hands[state.turn], state.spread.melds
    if chosen is None:
        return best_defence(hand, melds, gin=not state.spread.deadwood)
    return defence_with(hand, melds, chosen)


def spreads(state: RoundState, seat: int, card: Card) -> tuple[Arrangement, ...]:
    """List the spreads of a knock that throws this card, the automatic one first (section 5).

    Raises IllegalAction where the seat can't knock so.
    """
    check(state, seat, Knock(card))
    return spreads_within(state.hands[seat] ^ card.bit, state.knock_limit)


def lay_offs(state: RoundState, seat: int, done: Sequence[LayOff] = ()) -> tuple[LayOff, ...]:
    """List what the defender may lay off next, after these (section 5).

    Raises IllegalAction where the seat has no knock to answer, or these can't be laid off.
    """
    check(state, seat, Defend(tuple(done)))
    assert state.spread is not None, "a defence without a knock"
    return next_lay_offs(state.hands[seat], state.spread.melds, done)
