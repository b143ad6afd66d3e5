"""Ways to play that are not honest, for the signs to find, and a plain one beside them."""

import random
from collections.abc import Callable

from games.arena.match import shuffled
from games.rules.actions import Action, BigGin, Discard, Draw, Knock, Pass, Resign, Take
from games.rules.deadwood import best_melds
from games.rules.melds import best_discard, deadwood_points
from games.rules.options import Options
from games.rules.round import Phase, Progress, RoundState, deal, legal_actions, play

type Way = Callable[[RoundState], Action]


def played_out(count: int, zero: Way, one: Way) -> list[list[Progress]]:
    """So many rounds, each from its deal to its end."""
    return [_round(number, (zero, one)) for number in range(count)]


def plain(state: RoundState) -> Action:
    """Takes what helps, throws what helps least, knocks when it may."""
    actions = _actions(state)
    hand = state.hands[state.turn]
    if knocks := [each for each in actions if isinstance(each, Knock | BigGin)]:
        return knocks[0]
    if any(isinstance(each, Discard) for each in actions):
        return Discard(best_discard(hand, state.taken)[0])
    if Take() in actions:
        top = state.pile[-1]
        if best_discard(hand | top.bit, top)[1] < deadwood_points(hand) - 2:
            return Take()
    return next(each for each in (Pass(), Draw(), *actions) if each in actions)


def feeds(state: RoundState) -> Action:
    """Looks at the other's hand, throws what they can meld, and never ends the round."""
    actions = _actions(state)
    discards = [each.card for each in actions if isinstance(each, Discard)]
    if discards:
        other = state.hands[1 - state.turn]
        wanted = [c for c in discards if any(m & c.bit for m in best_melds(other | c.bit))]
        return Discard((wanted or discards)[0])
    return next(each for each in (Pass(), Draw(), *actions) if each in actions)


def lets_gin_go(state: RoundState) -> Action:
    """Plays plainly, but never ends a round."""
    actions = _actions(state)
    hand = state.hands[state.turn]
    if any(isinstance(each, Discard) for each in actions):
        return Discard(best_discard(hand, state.taken)[0])
    return plain(state)


def _actions(state: RoundState) -> list[Action]:
    return [a for a in legal_actions(state, state.turn) if not isinstance(a, Resign)]


def _round(number: int, ways: tuple[Way, Way]) -> list[Progress]:
    steps = [deal(shuffled(f"wrong|{number}"), random.Random(number).randrange(2), Options())]
    while (state := steps[-1].state).phase is not Phase.OVER:
        steps.append(play(state, state.turn, ways[state.turn](state)))
    return steps
