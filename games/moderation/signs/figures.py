"""What the signs look at in the rounds that somebody has played: figures that can be added up."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise
from math import comb
from typing import Final

from games.rules.deadwood import best_discard, best_melds
from games.rules.events import Discarded, Drew, Knocked, Took
from games.rules.scoring import Ending
from games.rules.state import Progress, RoundState

EARLY_TURNS: Final = 3
RARE: Final = 1e-5
"""What is less likely than this in one honest series is a signal."""

_GINS: Final = (Ending.GIN, Ending.BIG_GIN)


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one player: `discards` are those that the other might take, `fed` those that went at once
    into a meld of theirs; `early` are knocks and gins by the third turn; `let_go` counts turns that
    could have ended the round with gin and did not.
    """

    rounds: int = 0
    discards: int = 0
    fed: int = 0
    gins: int = 0
    early: int = 0
    let_go: int = 0

    def __add__(self, other: "Figures") -> "Figures":
        """Add figure by figure.

        >>> Figures(rounds=2, fed=1) + Figures(rounds=1)
        Figures(rounds=3, discards=0, fed=1, gins=0, early=0, let_go=0)
        """
        return Figures(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def figures_of(steps: Sequence[Progress], seat: int) -> Figures:
    """Look at a finished round, from its deal on, for its seat 0 or 1."""
    open_discard = False
    turns = discards = fed = early = let_go = 0
    for before, after in pairwise(steps):
        for event in after.events:
            match event:
                case Discarded(by) if by == seat:
                    turns += 1
                    open_discard = True
                    let_go += _could_gin(before.state, seat)
                case Knocked() if event.seat == seat:
                    turns += 1
                    early += turns <= EARLY_TURNS
                case Took(by, card) if by != seat and open_discard:
                    discards += 1
                    open_discard = False
                    melds = best_melds(after.state.hands[by])
                    fed += any(meld & card.bit for meld in melds)
                case Drew() if event.seat != seat and open_discard:
                    discards += 1
                    open_discard = False
    result = steps[-1].state.result
    won_by_gin = result is not None and result.winner == seat and result.kind in _GINS
    return Figures(1, discards, fed, int(won_by_gin), early, let_go)


def chance_of(hits: int, tries: int, rate: float) -> float:
    """How likely so many hits, or more, are where each of the tries is one at this rate.

    >>> chance_of(2, 2, 0.1) < 0.011, chance_of(0, 5, 0.1), chance_of(0, 0, 0.1)
    (True, 1.0, 1.0)
    """
    missing = sum(comb(tries, k) * rate**k * (1 - rate) ** (tries - k) for k in range(hits))
    # Of numbers near 1 the difference is no better than this.
    return max(1 - missing, 1e-12) if hits else 1.0


def _could_gin(state: RoundState, seat: int) -> bool:
    return best_discard(state.hands[seat], state.taken)[1] == 0
