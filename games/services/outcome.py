"""What became of a request at the table."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
# No word of "nothing has changed": a connection may be lost after the commit.
BUSY: Final = gettext_lazy("The table is busy. Try again in a moment; nothing counts twice.")


class Status(StrEnum):
    """How an action ended (docs/architecture.md, One action's way); both doors say the same."""

    DONE = "done"
    REPEAT = "repeat"
    STALE = "stale"
    ILLEGAL = "illegal"
    UNREADABLE = "unreadable"
    BUSY = "busy"
    OVER = "over"
    NOT_SEATED = "not-seated"
    SESSION_OVER = "session-over"
    SLOW_DOWN = "slow-down"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A status, and words for the person where it is a refusal.

    `rings` says that something was stored that the other viewers don't know of yet. `stored` are
    the columns of the round that an action changed without ending it, so that nobody need read them
    again.
    """

    status: Status
    notice: str | Promise = ""
    rings: bool = False
    version: int = 0
    talk: int = 0
    stored: Mapping[str, Any] = NOTHING
