"""What a player asks of the table."""

from dataclasses import dataclass
from enum import StrEnum

from games.bots import Reason
from games.rules.actions import Action


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """An action on the round that a page showed at this ply, and the one-use key of its form.

    `reason` is a bot's; it is kept for after the round.
    """

    action: Action
    round: int
    ply: int
    key: str
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class NextRoundRequest:
    """The press of Next round after the result of a round.

    With it comes the promise of the player's part in the deal to come, or the part as a whole.
    """

    round: int
    key: str
    promise: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class PartRequest:
    """A player's part in the deal after this round, 0 being before the first."""

    part: str
    round: int
    key: str


class Wish(StrEnum):
    """What a player may ask of the series as a whole (docs/rules.md, section 14)."""

    RESIGN = "resign-series"
    OFFER_END = "offer-end"
    ACCEPT_END = "accept-end"
    DECLINE_END = "decline-end"
    CLAIM = "claim"
    REMATCH = "rematch"


@dataclass(frozen=True, slots=True)
class SeriesRequest:
    """A wish about the series, pressed while this round was on the table."""

    wish: Wish
    round: int
    key: str


type TableRequest = ActionRequest | NextRoundRequest | PartRequest | SeriesRequest
