"""A player's own part in a deal, and the promise that comes before it.

A part is 32 random bytes in hex that the player's browser makes; its promise is their SHA-256. The
promises are given before either part is told, and the secret was fixed before both
(games.rules.deck): so nobody, the server included, can choose a deck.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.rules.deck import NO_PART, commitment

_HEX: Final = re.compile(r"[0-9a-f]{64}")


def is_part(text: str) -> bool:
    """Whether this reads as a part, or as a promise: 32 bytes in hex.

    >>> is_part("0f" * 32), is_part("0F" * 32), is_part("0f")
    (True, False, False)
    """
    return _HEX.fullmatch(text) is not None


def promise_of(part: str) -> str:
    """The promise of a part: its SHA-256, as `games.rules.deck.commitment` makes it.

    >>> promise_of("00" * 32)[:16]
    '66687aadf862bd77'
    """
    return commitment(bytes.fromhex(part))


class How(StrEnum):
    """How a player took part in a deal."""

    KEPT = "kept"
    """Promised first, and told when it was asked for."""
    WHOLE = "whole"
    """Handed over without a promise before it; the server kept it unseen until the deal."""
    WITHHELD = "withheld"
    """Promised, and not told in time."""
    NONE = "none"
    """A bot, a page without JavaScript, or nobody there."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one player gave to a deal: a promise, a part, both or nothing."""

    promise: str = ""
    part: str = ""

    @property
    def word(self) -> str:
        """The part as the deal's message has it."""
        return self.part or NO_PART

    @property
    def how(self) -> How:
        """How the player took part.

        >>> Part(promise_of("00" * 32), "").how
        <How.WITHHELD: 'withheld'>
        """
        if self.part:
            return How.KEPT if self.promise else How.WHOLE
        return How.WITHHELD if self.promise else How.NONE

    @property
    def is_kept(self) -> bool:
        """Whether it is what was promised, where something was."""
        return not (self.part and self.promise) or promise_of(self.part) == self.promise
