"""How a round keeps its bots' reasons: a line each, the ply first, compact and readable."""

from dataclasses import dataclass

from games.bots import Reason, ReasonCode
from games.rules.cards import parse_card


@dataclass(frozen=True, slots=True)
class PliedReason:
    """The reason for the action that a round's log has at this ply."""

    ply: int
    reason: Reason


def write_reason(ply: int, reason: Reason) -> str:
    """Write a line.

    >>> from games.rules.cards import parse_card
    >>> write_reason(4, Reason(ReasonCode.KEEPS_CHANCES, parse_card("KD"), deadwood=31, outs=9))
    '4|keeps chances|KD|31|9|\\n'
    """
    facts = (ply, reason.code, reason.card, reason.deadwood, reason.outs, reason.percent)
    return "|".join("" if fact is None else str(fact) for fact in facts) + "\n"


def read_reasons(text: str) -> tuple[PliedReason, ...]:
    """Read the lines that were written; what only another version knows is left out.

    >>> [each.ply for each in read_reasons("4|keeps chances|KD|31|9|\\n6|moon phase||||\\n")]
    [4]
    """
    lines = (line.split("|") for line in text.splitlines())
    return tuple(_read(line) for line in lines if line[1] in _KNOWN)


_KNOWN = frozenset(ReasonCode)


def _read(parts: list[str]) -> PliedReason:
    ply, code, card, *numbers = parts
    deadwood, outs, percent = (int(each) if each else None for each in numbers)
    reason = Reason(ReasonCode(code), parse_card(card) if card else None, deadwood, outs, percent)
    return PliedReason(int(ply), reason)
