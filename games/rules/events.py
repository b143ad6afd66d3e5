"""What has happened in a round, and who may see how much of it.

`event.seen_by(seat)` is the event as that seat may see it; `None` is a spectator. Everybody learns
that something happened; cards that are not theirs to know are left out (`None`, or no cards).
"""

from dataclasses import dataclass, replace
from typing import Self

from games.rules.cards import NO_CARDS, Card, CardSet
from games.rules.lay_offs import Defence, LayOff
from games.rules.melds import Arrangement
from games.rules.scoring import RoundResult


class _Public:
    __slots__ = ()

    def seen_by(self, seat: int | None) -> Self:
        """Return the event as it is: there is nothing to hide in it."""
        return self


@dataclass(frozen=True, slots=True)
class Dealt:
    """Ten cards each and the upcard; the other seat's hand is hidden."""

    dealer: int
    hands: tuple[CardSet, CardSet]
    upcard: Card

    def seen_by(self, seat: int | None) -> "Dealt":
        """Hide the hand of the other seat, both from a spectator."""
        hands = (
            self.hands[0] if seat == 0 else NO_CARDS,
            self.hands[1] if seat == 1 else NO_CARDS,
        )
        return replace(self, hands=hands)


@dataclass(frozen=True, slots=True)
class Passed(_Public):
    """The upcard, or the last discard, was left."""

    seat: int


@dataclass(frozen=True, slots=True)
class Took(_Public):
    """The top card of the discard pile was taken."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Drew:
    """The top card of the stock was drawn; only who drew it sees it."""

    seat: int
    card: Card | None

    def seen_by(self, seat: int | None) -> "Drew":
        """Hide the card from everybody else."""
        return self if seat == self.seat else replace(self, card=None)


@dataclass(frozen=True, slots=True)
class Discarded(_Public):
    """A card was thrown face up."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Knocked:
    """A knock, gin or big gin: the spread is public, the discard lies face down.

    `card` is None for big gin, which has no discard, and for everybody but the knocker.
    """

    seat: int
    card: Card | None
    spread: Arrangement
    big_gin: bool = False

    def seen_by(self, seat: int | None) -> "Knocked":
        """Hide the discard from everybody else; `Scored` shows it."""
        return self if seat == self.seat else replace(self, card=None)


@dataclass(frozen=True, slots=True)
class LaidOff(_Public):
    """The defence is confirmed: what was laid off, if anything."""

    seat: int
    lay_offs: tuple[LayOff, ...]


@dataclass(frozen=True, slots=True)
class Resigned(_Public):
    """The seat gave the round to the other side."""

    seat: int


@dataclass(frozen=True, slots=True)
class BrokenOff(_Public):
    """The series ended in the middle of the round."""


@dataclass(frozen=True, slots=True)
class Scored(_Public):
    """The round is over: everything is shown, the knocker's discard too."""

    result: RoundResult
    hands: tuple[CardSet, CardSet]
    knock_card: Card | None = None
    defence: Defence | None = None


type Event = (
    Dealt | Passed | Took | Drew | Discarded | Knocked | LaidOff | Resigned | BrokenOff | Scored
)
