"""How urgent a case is: pure figures, so that a moderator can work them out."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

# How much harm is done while nobody looks. What is not named counts 1.
SEVERITY: Final = {
    "respect": 3.0,
    "private": 4.0,
    "attack": 4.0,
    "help": 2.0,
    "collusion": 2.0,
    "accounts": 2.0,
    "spam": 2.0,
}
ACTED_BEFORE: Final = 1.5  # for each earlier case in which something had to be done
NOTICED: Final = 1.0  # for each kind of signal that a moderator has added
GUEST: Final = 0.5  # a guest has nothing to lose by a false report


@dataclass(frozen=True, slots=True)
class Record:
    """How a reporter's earlier reports turned out, and whether they are a guest."""

    upheld: int = 0
    dismissed: int = 0
    is_guest: bool = False

    @property
    def weight(self) -> float:
        """From near 0 to near 2; 1 for somebody of whom nothing is known.

        >>> Record().weight, Record(upheld=8).weight, Record(dismissed=8).weight
        (1.0, 1.8, 0.2)
        """
        share = (self.upheld + 1) / (self.upheld + self.dismissed + 2)
        return 2 * share * (GUEST if self.is_guest else 1.0)


def score(reports: Iterable[tuple[str, Record]], acted_before: int, signals: int = 0) -> float:
    """The score of a case: what was reported, what the site noticed, and what went before.

    `reports` are pairs of a rule's code and its reporter's record, one for each reporter and rule;
    `signals` is how many kinds of them were added to the case.

    >>> score([("stalling", Record()), ("respect", Record())], acted_before=2)
    7.0
    """
    told = sum(SEVERITY.get(rule, 1.0) * record.weight for rule, record in reports)
    return round(told + NOTICED * signals + ACTED_BEFORE * acted_before, 2)
