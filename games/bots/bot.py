"""What every bot is: a name, and a choice from a view with the reason for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from games.rules.actions import Action
from games.rules.cards import Card
from games.rules.view import TableView


class RandomSource(Protocol):
    """Where a bot's chance comes from; `random.Random` is one."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""
        ...

    def choice[T](self, seq: Sequence[T], /) -> T:
        """Return one of these, each as likely."""
        ...


class ReasonCode(StrEnum):
    """Why a bot chose what it did. The set is closed: the site has words for each."""

    MELDS = "melds"
    """Took `card`: it makes or lengthens a meld."""
    LOWERS = "lowers"
    """Took `card`: it makes the hand better, though it melds with nothing yet."""
    TAKES_TO_KNOCK = "takes to knock"
    """Took `card`: with it a knock is possible, with `deadwood`."""
    NO_USE = "no use"
    """Left `card` on the pile: a card from the stock is worth more."""
    NO_CHOICE = "no choice"
    """Nothing else was allowed."""
    HIGHEST_LOOSE = "highest loose"
    """Threw `card`, the highest outside its melds; `deadwood` is left."""
    LEAST_DEADWOOD = "least deadwood"
    """Threw `card`: that leaves the least deadwood, `deadwood`."""
    KEEPS_CHANCES = "keeps chances"
    """Threw `card`: of what is left, `outs` cards would improve the hand; `deadwood` is left."""
    SAFE = "safe"
    """Threw `card`: the other player can hardly use it; `deadwood` is left."""
    WAITS = "waits"
    """Threw `card` and did not knock with `deadwood`: playing on promises more."""
    OVERLOOKED = "overlooked"
    """Threw `card` without looking hard."""
    FIRST_CHANCE = "first chance"
    """Knocked with `deadwood` as soon as that was possible."""
    AHEAD = "ahead"
    """Knocked with `deadwood`: it is ahead with a chance of `percent`."""
    GIN = "gin"
    """Went gin, or big gin."""
    BEST_DEFENCE = "best defence"
    """Laid off what leaves the least, `deadwood`."""
    NO_DEFENCE = "no defence"
    """Laid nothing off, as it never does."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why, with the facts that its code names; a page words it, since bots know no language.

    It may name cards of the bot's own hand: it is for the bot's own eyes until the round is over.
    """

    code: ReasonCode
    card: Card | None = None
    deadwood: int | None = None
    outs: int | None = None
    percent: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """An action, one of the view's (a knock or a defence may say how), and why."""

    action: Action
    reason: Reason


class Bot(Protocol):
    """A player that is a program."""

    @property
    def name(self) -> str:
        """The name it goes by in addresses and commands."""
        ...

    def choose(self, view: TableView, source: RandomSource) -> Choice:
        """Choose for the seat whose view this is, which has to be the one to act.

        The same view and a source in the same state give the same choice.
        """
        ...
