"""Series that somebody gave away: to one person (points dumped), or to whoever it is (sandbagging).

Given away is a rated series that its loser broke off within the first actions, or in which they
gave the other half of the rounds or more by resigning them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

WITHIN: Final = timedelta(days=30)
TO_ONE: Final = 3
TO_MANY: Final = 5
FEW_ACTIONS: Final = 20  # of both together: five turns of each


@dataclass(frozen=True, slots=True)
class Lost:
    """A rated series that somebody has lost; `resigned` of its `rounds` they resigned."""

    to: int
    actions: int
    rounds: int
    resigned: int
    broke_off: bool

    @property
    def was_given(self) -> bool:
        """Whether it was given away.

        >>> Lost(to=7, actions=4, rounds=1, resigned=0, broke_off=True).was_given
        True
        >>> Lost(to=7, actions=300, rounds=14, resigned=1, broke_off=True).was_given
        False
        """
        at_once = self.broke_off and self.actions < FEW_ACTIONS
        return at_once or (self.resigned > 0 and 2 * self.resigned >= self.rounds)


def given_to(lost: Sequence[Lost], to: int) -> int:
    """How many of these series were given to one person; from `TO_ONE` on it is a signal."""
    return sum(each.was_given for each in lost if each.to == to)


def given_away(lost: Sequence[Lost]) -> int:
    """How many were given away to whomever; from `TO_MANY` on it is a signal."""
    return sum(each.was_given for each in lost)
