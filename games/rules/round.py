"""A round, from the deal to its score (docs/rules.md, sections 2 to 6 and 14).

The state never changes: `play` takes an action and returns a new state and what happened.
"""

from dataclasses import replace
from typing import Any, Final

from games.rules.actions import Action, BigGin, Defend, Discard, Draw, Knock, Pass, Resign, Take
from games.rules.cards import Card, CardSet
from games.rules.deadwood import deadwood_points
from games.rules.errors import IllegalAction
from games.rules.events import (
    BrokenOff,
    Discarded,
    Drew,
    Event,
    Knocked,
    LaidOff,
    Passed,
    Resigned,
    Scored,
    Took,
)
from games.rules.knocks import spread_of
from games.rules.lay_offs import Defence, LayOff
from games.rules.legality import (
    LAST_STOCK,
    check,
    could_use_last,
    defence_of,
    lay_offs,
    legal_actions,
    spreads,
)
from games.rules.melds import best_arrangement
from games.rules.scoring import (
    DRAWN_ROUND,
    VOID_ROUND,
    RoundResult,
    score_big_gin,
    score_knock,
    score_resignation,
)
from games.rules.state import Phase, Progress, RoundState, deal

__all__ = [
    "LAST_STOCK",
    "TAKE_LIMIT",
    "Phase",
    "Progress",
    "RoundState",
    "deal",
    "lay_offs",
    "legal_actions",
    "play",
    "spreads",
    "void",
]

TAKE_LIMIT: Final = 50
"""The turn of this take from the discard pile is the round's last (section 6)."""


def play(state: RoundState, seat: int, action: Action) -> Progress:
    """Carry out an action.

    Raises IllegalAction: `not_in_hand`, `over_limit`, or `illegal_action` for whatever else isn't
    allowed to this seat now; the message is safe to show.

    >>> from games.rules.cards import DECK
    >>> from games.rules.options import Options
    >>> play(deal(DECK, dealer=1, options=Options()).state, 0, Take()).events
    (Took(seat=0, card=Card['8D']),)
    """
    check(state, seat, action)
    match action:
        case Draw():
            return _draw(state)
        case Discard(card):
            return _discard(state, card)
        case Take():
            return _take(state)
        case Pass():
            return _pass(state)
        case Knock():
            return _knock(state, action)
        case Defend(lay_offs):
            return _defend(state, lay_offs)
        case BigGin():
            return _big_gin(state)
    assert isinstance(action, Resign), f"no such action: {action}"
    return _resign(state, seat)


def void(state: RoundState) -> Progress:
    """Break the round off because the series has ended; it scores nothing (section 14).

    Raises IllegalAction where it is over already.
    """
    if state.phase is Phase.OVER:
        raise IllegalAction("illegal_action", "The round is over")
    return _end(_next(state), VOID_ROUND, BrokenOff())


def _next(state: RoundState, **changes: Any) -> RoundState:
    return replace(state, ply=state.ply + 1, **changes)


def _with(pair: tuple[CardSet, CardSet], seat: int, cards: CardSet) -> tuple[CardSet, CardSet]:
    return (cards, pair[1]) if seat == 0 else (pair[0], cards)


def _end(state: RoundState, result: RoundResult, *events: Event) -> Progress:
    scored = Scored(result, state.hands, state.knock_card, state.defence)
    return Progress(replace(state, phase=Phase.OVER, result=result), (*events, scored))


def _pass(state: RoundState) -> Progress:
    event = Passed(state.turn)
    if state.phase is Phase.LAST_OFFER:
        return _end(_next(state), DRAWN_ROUND, event)
    phase = Phase.DRAW if state.turn == state.dealer else Phase.OFFER
    return Progress(_next(state, phase=phase, turn=1 - state.turn), (event,))


def _take(state: RoundState) -> Progress:
    seat, card = state.turn, state.pile[-1]
    after = _next(
        state,
        phase=Phase.DISCARD,
        pile=state.pile[:-1],
        hands=_with(state.hands, seat, state.hands[seat] | card.bit),
        shown=_with(state.shown, seat, state.shown[seat] | card.bit),
        taken=card,
        takes=state.takes + 1,
    )
    return Progress(after, (Took(seat, card),))


def _draw(state: RoundState) -> Progress:
    seat, card = state.turn, state.stock[0]
    after = _next(
        state,
        phase=Phase.DISCARD,
        stock=state.stock[1:],
        hands=_with(state.hands, seat, state.hands[seat] | card.bit),
        drawn=card,
    )
    return Progress(after, (Drew(seat, card),))


def _thrown(state: RoundState, card: Card) -> dict[str, Any]:
    seat = state.turn
    return {
        "hands": _with(state.hands, seat, state.hands[seat] & ~card.bit),
        "shown": _with(state.shown, seat, state.shown[seat] & ~card.bit),
        "drawn": None,
        "taken": None,
    }


def _discard(state: RoundState, card: Card) -> Progress:
    event = Discarded(state.turn, card)
    after = _next(
        state,
        phase=Phase.DRAW,
        turn=1 - state.turn,
        pile=(*state.pile, card),
        **_thrown(state, card),
    )
    if after.takes < TAKE_LIMIT:
        if len(after.stock) > LAST_STOCK:
            return Progress(after, (event,))
        if after.options.last_card == "offer" and could_use_last(after):
            return Progress(replace(after, phase=Phase.LAST_OFFER), (event,))
    return _end(after, DRAWN_ROUND, event)


def _knock(state: RoundState, knock: Knock) -> Progress:
    knocker, card = state.turn, knock.card
    kept = state.hands[knocker] ^ card.bit
    spread = spread_of(kept, knock.melds, state.knock_limit)
    after = _next(
        state,
        phase=Phase.DEFENCE,
        turn=1 - knocker,
        knocker=knocker,
        spread=spread,
        knock_card=card,
        **_thrown(state, card),
    )
    event = Knocked(knocker, card, spread)
    defence = defence_of(after, None)
    if defence.lay_offs:
        return Progress(after, (event,))
    return _score(after, defence, event)


def _defend(state: RoundState, chosen: tuple[LayOff, ...] | None) -> Progress:
    defence = defence_of(state, chosen)
    return _score(_next(state), defence, LaidOff(state.turn, defence.lay_offs))


def _score(state: RoundState, defence: Defence, event: Event) -> Progress:
    assert state.knocker is not None, "a score without a knock"
    assert state.spread is not None, "a score without a spread"
    result = score_knock(
        state.options,
        state.upcard,
        knocker=state.knocker,
        knocker_deadwood=state.spread.deadwood_points,
        defender_deadwood=defence.deadwood_points,
    )
    return _end(replace(state, defence=defence), result, event)


def _big_gin(state: RoundState) -> Progress:
    knocker = state.turn
    spread = best_arrangement(state.hands[knocker])
    after = _next(state, turn=1 - knocker, knocker=knocker, spread=spread, drawn=None, taken=None)
    defence = defence_of(after, None)
    result = score_big_gin(
        state.options,
        state.upcard,
        knocker=knocker,
        defender_deadwood=defence.deadwood_points,
    )
    event = Knocked(knocker, None, spread, big_gin=True)
    return _end(replace(after, defence=defence), result, event)


def _resign(state: RoundState, seat: int) -> Progress:
    result = score_resignation(
        state.options, state.upcard, resigner=seat, deadwood=deadwood_points(state.hands[seat])
    )
    return _end(_next(state), result, Resigned(seat))
