"""What a seat can do, and how the log writes it (docs/rules.md, sections 3 to 5; docs/notation.md).

Cards are always named, never counted by their place in a hand.
"""

import re
from dataclasses import dataclass
from typing import Final

from games.rules.cards import Card, parse_card
from games.rules.errors import UnreadableInput, quoted
from games.rules.lay_offs import LayOff
from games.rules.melds import Meld


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the upcard of the opening, or the last discard where that is offered."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top card of the discard pile, offered or not."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card of the stock."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Throw a card and end the turn."""

    card: Card


@dataclass(frozen=True, slots=True)
class Knock:
    """Throw a card and spread the other ten: as these melds, or as the automatic choice."""

    card: Card
    melds: tuple[Meld, ...] | None = None


@dataclass(frozen=True, slots=True)
class BigGin:
    """Spread eleven melded cards in place of a discard."""


@dataclass(frozen=True, slots=True)
class Defend:
    """Lay off these cards and no others, in this order, or as is best."""

    lay_offs: tuple[LayOff, ...] | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the round to the other side."""


type Action = Pass | Take | Draw | Discard | Knock | BigGin | Defend | Resign

_PLAIN: Final[dict[str, Action]] = {
    "p": Pass(),
    "t": Take(),
    "d": Draw(),
    "b": BigGin(),
    "l": Defend(),
    "r": Resign(),
}
_LETTERS: Final = {type(action): letter for letter, action in _PLAIN.items()}
_LAY_OFF = re.compile(r"([0-9A-Za-z]{2})([0-9])")


def format_action(action: Action) -> str:
    """Write an action as the log does.

    >>> format_action(Knock(Card["9C"], (Meld.parse("7D 7H 7S"),)))
    'k9C=7D7H7S'
    """
    match action:
        case Discard(card):
            return f"x{card}"
        case Knock(card, melds) if melds is not None:
            return f"k{card}=" + "/".join(str(meld).replace(" ", "") for meld in melds)
        case Knock(card):
            return f"k{card}"
        case Defend(lay_offs) if lay_offs is not None:
            return "l=" + ",".join(f"{lay_off.card}{lay_off.meld}" for lay_off in lay_offs)
        case _:
            return _LETTERS[type(action)]


def parse_action(text: str) -> Action:
    """Read an action as `format_action` writes it; cards may be in lower case.

    Raises UnreadableInput: `bad_card`, `duplicate_card`, `not_a_meld`, and `bad_request` for
    whatever is no action at all.

    >>> parse_action("x9c")
    Discard(card=Card['9C'])
    """
    if text in _PLAIN:
        return _PLAIN[text]
    letter, card, equals, rest = text[:1], text[1:3], text[3:4], text[4:]
    if letter == "x" and not equals:
        return Discard(parse_card(card))
    if letter == "k" and not equals:
        return Knock(parse_card(card))
    if letter == "k" and equals == "=":
        return Knock(parse_card(card), tuple(map(_parse_meld, _split(rest, "/"))))
    if text.startswith("l="):
        return Defend(tuple(map(_parse_lay_off, _split(text[2:], ","))))
    raise UnreadableInput("bad_request", f"No such action: {quoted(text)}")


def _split(text: str, separator: str) -> list[str]:
    # One part more than any hand has cards is enough to refuse, however long the text is.
    return text.split(separator, maxsplit=12) if text else []


def _parse_meld(text: str) -> Meld:
    return Meld.parse(" ".join(text[place : place + 2] for place in range(0, len(text), 2)))


def _parse_lay_off(text: str) -> LayOff:
    found = _LAY_OFF.fullmatch(text)
    if found is None:
        raise UnreadableInput("bad_request", f"No such lay-off: {quoted(text)}")
    return LayOff(parse_card(found[1]), int(found[2]))
