"""A round that was played with real cards: its result from what people know of it afterwards.

They give the deadwood, the points, or both; nothing that the rules could not have brought about.
"""

from dataclasses import dataclass
from typing import Final

from games.rules.errors import IllegalAction
from games.rules.options import Options
from games.rules.scoring import DRAWN_ROUND, Ending, RoundResult

MOST_DEADWOOD: Final = 98  # two each of K Q J 10 9, without a run
BY_HAND: Final = (Ending.GIN, Ending.KNOCK, Ending.UNDERCUT, Ending.BIG_GIN, Ending.DRAWN)
"""How a round can have ended that is entered by hand."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """What is known of a round. `doubled`: a spade turned up, where the options look at it.

    The deadwood is what was counted, lay-offs done; None where it was not noted.
    """

    kind: Ending
    winner: int | None = None
    points: int | None = None
    winner_deadwood: int | None = None
    loser_deadwood: int | None = None
    doubled: bool = False


def endings_by_hand(options: Options) -> tuple[Ending, ...]:
    """How a round can end under these rules.

    >>> [str(each) for each in endings_by_hand(Options())]
    ['gin', 'knock', 'undercut', 'drawn']
    """
    out = set() if options.big_gin else {Ending.BIG_GIN}
    if options.knock_limit == 0:
        out |= {Ending.KNOCK, Ending.UNDERCUT}
    return tuple(kind for kind in BY_HAND if kind not in out)


def result_by_hand(options: Options, told: ByHand) -> RoundResult:
    """The result of a round by what is told of it. Raises IllegalAction where that can't be.

    >>> result_by_hand(Options(), ByHand(Ending.GIN, winner=1, loser_deadwood=21)).points
    46
    >>> result_by_hand(Options(), ByHand(Ending.KNOCK, winner=0, points=120))
    Traceback (most recent call last):
    games.rules.errors.IllegalAction: No round that ends so can bring that many points
    """
    if told.kind not in endings_by_hand(options):
        raise _refused("No round ends so under these rules")
    if told.kind is Ending.DRAWN:
        return DRAWN_ROUND
    if told.winner not in (0, 1):
        raise _refused("Who won the round?")
    difference = _difference(options, told)
    knocker = 1 - told.winner if told.kind is Ending.UNDERCUT else told.winner
    winner_deadwood, loser_deadwood = _deadwood(told, difference)
    own, other = (
        (loser_deadwood, winner_deadwood)
        if told.kind is Ending.UNDERCUT
        else (winner_deadwood, loser_deadwood)
    )
    return RoundResult(
        told.kind,
        told.winner,
        _bonus(options, told.kind),
        difference,
        _multiplier(options, told),
        knocker,
        own,
        other,
    )


def _difference(options: Options, told: ByHand) -> int:
    """By how much the loser's deadwood is more, from the deadwood, or from the points."""
    least, most = _range(options, told.kind)
    counted = _counted(options, told)
    if counted is None and told.points is None:
        raise _refused("Enter the deadwood, or the points")
    by_points = None if told.points is None else _from_points(options, told)
    if counted is not None and by_points is not None and counted != by_points:
        raise _refused("The points and the deadwood don't agree")
    difference = by_points if counted is None else counted
    if difference is None or not least <= difference <= most:
        raise _refused("No round that ends so can bring that many points")
    return difference


def _counted(options: Options, told: ByHand) -> int | None:
    winner, loser = _deadwood(told, None)
    if winner is None or loser is None:
        return None
    knocked_with = loser if told.kind is Ending.UNDERCUT else winner
    if told.kind in (Ending.GIN, Ending.BIG_GIN):
        if winner:
            raise _refused("Who has gone gin has no deadwood")
    elif not 1 <= knocked_with <= _limit(options):
        raise _refused("Nobody can knock with that deadwood")
    if max(winner, loser) > MOST_DEADWOOD:
        raise _refused("No ten cards are that much deadwood")
    if winner > loser:
        raise _refused("Who wins has the lower deadwood")
    return loser - winner


def _from_points(options: Options, told: ByHand) -> int | None:
    """What the points leave for the difference; None where they are no such sum."""
    assert told.points is not None, "asked for what was given"
    base, rest = divmod(told.points, _multiplier(options, told))
    return None if rest else base - _bonus(options, told.kind)


def _deadwood(told: ByHand, difference: int | None) -> tuple[int | None, int | None]:
    """The winner's and the loser's, as far as they are known: gin is none, and so tells both."""
    if told.kind not in (Ending.GIN, Ending.BIG_GIN):
        if told.winner_deadwood is None or told.loser_deadwood is None:
            return None, None
        return told.winner_deadwood, told.loser_deadwood
    loser = told.loser_deadwood if told.loser_deadwood is not None else difference
    return told.winner_deadwood or 0, loser


def _range(options: Options, kind: Ending) -> tuple[int, int]:
    if kind is Ending.UNDERCUT:
        return 0, _limit(options)
    return (1, MOST_DEADWOOD - 1) if kind is Ending.KNOCK else (0, MOST_DEADWOOD)


def _limit(options: Options) -> int:
    return 10 if options.knock_limit == "upcard" else options.knock_limit


def _bonus(options: Options, kind: Ending) -> int:
    bonuses = {
        Ending.GIN: options.gin,
        Ending.BIG_GIN: options.big_gin,
        Ending.UNDERCUT: options.undercut,
    }
    return bonuses.get(kind, 0)


def _multiplier(options: Options, told: ByHand) -> int:
    return 2 if told.doubled and options.spades_double else 1


def _refused(message: str) -> IllegalAction:
    return IllegalAction("illegal_action", message)
