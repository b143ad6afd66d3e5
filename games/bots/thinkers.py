"""The strong player and the expert: each choice by what was learned of positions like it.

The strong player counts the points of the round; the expert counts chances to win the series, and
so reads the score sheet that it plays on.
"""

from dataclasses import dataclass

from games.bots.bot import Choice, RandomSource, Reason, ReasonCode
from games.bots.evaluation import Evaluation, Part, Valued, Worth, evaluate
from games.bots.hands import improvements, unseen_by
from games.bots.judgement import may_want
from games.bots.moments import best_defence, draw_or_leave, round_to_act
from games.bots.sight import sight_of
from games.rules.actions import BigGin, Discard, Knock, Take
from games.rules.cards import Card
from games.rules.deadwood import best_discard, deadwood_points
from games.rules.state import Phase
from games.rules.view import SeatView, TableView


@dataclass(frozen=True, slots=True)
class Thinker:
    """Does what is worth most by its evaluation; no chance is in it."""

    name: str
    worth: Worth

    def choose(self, view: TableView, source: RandomSource) -> Choice:
        """Choose for the seat to act; see `Bot`. The source isn't used."""
        seen = round_to_act(view)
        if seen.phase is Phase.DEFENCE:
            return best_defence(seen)
        if seen.phase is Phase.DISCARD:
            return _end_turn(seen, evaluate(view, self.worth))
        if Take() not in seen.actions or not may_want(sight_of(view), seen.pile[-1]):
            return draw_or_leave(seen)
        if evaluate(view, self.worth).best.action == Take():
            return _take(seen)
        return draw_or_leave(seen)


def _take(view: SeatView) -> Choice:
    card = view.pile[-1]
    both = view.hand | card.bit
    least = best_discard(both, card)[1]
    if least <= view.knock_limit:
        return Choice(Take(), Reason(ReasonCode.TAKES_TO_KNOCK, card, least))
    melds = least < deadwood_points(view.hand)
    return Choice(Take(), Reason(ReasonCode.MELDS if melds else ReasonCode.LOWERS, card, least))


def _end_turn(view: SeatView, found: Evaluation) -> Choice:
    match found.best:
        case Valued(BigGin() as action):
            return Choice(action, Reason(ReasonCode.GIN))
        case Valued(Knock(card) as action, chance=chance):
            deadwood = deadwood_points(view.hand ^ card.bit)
            code = ReasonCode.AHEAD if deadwood else ReasonCode.GIN
            percent = None if chance is None else round(100 * chance)
            return Choice(action, Reason(code, card, deadwood, percent=percent))
        case Valued(Discard(card) as action):
            return Choice(action, _why_thrown(view, card, found))
        case best:
            raise AssertionError(f"no way to end a turn: {best.action}")


def _why_thrown(view: SeatView, card: Card, found: Evaluation) -> Reason:
    kept = view.hand ^ card.bit
    outs, _ = improvements(kept, unseen_by(view))
    return Reason(_code(card, found), card, deadwood_points(kept), outs)


def _code(card: Card, found: Evaluation) -> ReasonCode:
    if any(isinstance(valued.action, Knock | BigGin) for valued in found.choices):
        return ReasonCode.WAITS
    throws = [valued for valued in found.choices if isinstance(valued.action, Discard)]
    for_the_hand = max(throws, key=lambda valued: valued.parts[Part.HAND])
    return ReasonCode.KEEPS_CHANCES if for_the_hand.action == Discard(card) else ReasonCode.SAFE
