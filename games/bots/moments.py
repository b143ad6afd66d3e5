"""What bots of every strength do alike: see what is asked, and answer what leaves no choice."""

from games.bots.bot import Choice, Reason, ReasonCode
from games.rules.actions import BigGin, Defend, Discard, Draw, Knock, Take
from games.rules.cards import Card
from games.rules.deadwood import deadwood_points
from games.rules.view import SeatView, TableView


def round_to_act(view: TableView) -> SeatView:
    """Return the round of a view whose seat has to act, which bots are asked for alone."""
    seat_view = view.round
    assert seat_view is not None, "no round to act in"
    assert seat_view.seat is not None, "a spectator has no choice"
    assert seat_view.seat == seat_view.turn, "it is the other seat's turn"
    return seat_view


def discards(view: SeatView) -> list[Card]:
    """List what may be thrown without a knock."""
    return [action.card for action in view.actions if isinstance(action, Discard)]


def knocks(view: SeatView) -> dict[Card, int]:
    """List what may be thrown with a knock, each with the deadwood it leaves."""
    return {
        action.card: deadwood_points(view.hand ^ action.card.bit)
        for action in view.actions
        if isinstance(action, Knock)
    }


def least_knock(view: SeatView) -> tuple[Card, int] | None:
    """Return the knock of least deadwood and that deadwood; None where none is possible.

    Among equals the card of most points, which helps a defender least.
    """
    possible = knocks(view)
    if not possible:
        return None
    card = min(possible, key=lambda card: (possible[card], -card.points, card))
    return card, possible[card]


def big_gin(view: SeatView) -> Choice | None:
    """Go big gin wherever it is possible: no other ending of the round is worth more."""
    return Choice(BigGin(), Reason(ReasonCode.GIN)) if BigGin() in view.actions else None


def knock(card: Card, deadwood: int, code: ReasonCode, percent: int | None = None) -> Choice:
    """Knock, spread the automatic way; without deadwood it is gin, whatever the reason."""
    code = code if deadwood else ReasonCode.GIN
    return Choice(Knock(card), Reason(code, card, deadwood, percent=percent))


def at_first_chance(view: SeatView) -> Choice | None:
    """Go big gin or knock with the least deadwood as soon as that is possible."""
    if found := big_gin(view):
        return found
    if least := least_knock(view):
        return knock(*least, ReasonCode.FIRST_CHANCE)
    return None


def draw_or_leave(view: SeatView) -> Choice:
    """Leave the top card of the pile: pass where it is offered, else draw."""
    left = next(action for action in view.actions if action != Take())
    if left == Draw() and Take() not in view.actions:
        return Choice(left, Reason(ReasonCode.NO_CHOICE))
    return Choice(left, Reason(ReasonCode.NO_USE, view.pile[-1]))


def best_defence(view: SeatView) -> Choice:
    """Lay off what leaves the least deadwood."""
    deadwood = view.defend().deadwood_points
    return Choice(Defend(), Reason(ReasonCode.BEST_DEFENCE, deadwood=deadwood))
