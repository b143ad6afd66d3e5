"""One line of the rules program's input, read field by field (see `games.rules.program`).

Every field is checked for its type before it is used. A message names the field and quotes text
only: whatever else was sent may be too deep or too long to be written out.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeGuard

from games.rules.cards import (
    NO_CARDS,
    Card,
    CardSet,
    card_set,
    format_cards,
    parse_card,
    parse_cards,
)
from games.rules.errors import UnreadableInput
from games.rules.melds import Meld
from games.rules.options import Options
from games.rules.sheet import ScoreSheet, SheetResult

# So many melds of three can't but share a card of the deck: the rest need not be read.
_MORE_MELDS_THAN_FIT = 18


@dataclass(frozen=True, slots=True)
class Request:
    """The fields of a request; those that nobody asks for are ignored."""

    fields: Mapping[str, Any]

    @classmethod
    def parse(cls, line: bytes) -> Self:
        """Read a line of JSON.

        Raises UnreadableInput: `bad_json` for what is no JSON in UTF-8, `bad_request` for JSON that
        is no object, too deep, or has a number of thousands of digits.

        >>> Request.parse(b'{"op": "arrange"}').text("op")
        'arrange'
        """
        try:
            fields = json.loads(line.decode("utf-8-sig"))
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            raise UnreadableInput("bad_json", f"No JSON in UTF-8: {error}") from None
        except (RecursionError, ValueError):
            raise _bad_request("The request is too deep or has too long a number") from None
        if not isinstance(fields, dict):
            raise _bad_request("A request is an object in one line")
        return cls(fields)

    def text(self, name: str) -> str:
        """Return a field that must be text (`bad_request`)."""
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise _bad_request(f"The field {name!r} must be text")
        return value

    def flag(self, name: str) -> bool:
        """Return a field that is true or false, false where it is left out (`bad_request`)."""
        value = self.fields.get(name, False)
        if not isinstance(value, bool):
            raise _bad_request(f"The field {name!r} must be true or false")
        return value

    def number(self, name: str, default: int) -> int:
        """Return a field that is a whole number, 0 or more (`bad_request`)."""
        value = self.fields.get(name, default)
        if not _is_number(value) or value < 0:
            raise _bad_request(f"The field {name!r} must be a whole number, 0 or more")
        return int(value)

    def card(self, name: str) -> Card | None:
        """Return a field that is a card, None where it is null or left out.

        Raises UnreadableInput (`bad_request`, `bad_card`).
        """
        return None if self.fields.get(name) is None else parse_card(self.text(name))

    def hand(self, name: str, least: int, most: int) -> CardSet:
        """Return a field that is so many cards.

        Raises UnreadableInput (`bad_request`, `bad_card`, `duplicate_card`, `wrong_count`).

        >>> Request({"hand": "3C AC"}).hand("hand", 10, 10)
        Traceback (most recent call last):
        games.rules.errors.UnreadableInput: The field 'hand' must have 10 cards, not 2
        """
        cards = parse_cards(self.text(name))
        if not least <= len(cards) <= most:
            expected = str(most) if least == most else f"{least} to {most}"
            raise UnreadableInput(
                "wrong_count", f"The field {name!r} must have {expected} cards, not {len(cards)}"
            )
        return card_set(cards)

    def melds(self) -> tuple[Meld, ...] | None:
        """Return the field `melds`, None where it is null or left out.

        Raises UnreadableInput (`bad_request`, `bad_card`, `duplicate_card`, `not_a_meld`).
        """
        texts = self.fields.get("melds")
        if texts is None:
            return None
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise _bad_request("The field 'melds' must be a list of texts")
        melds = tuple(map(Meld.parse, texts[:_MORE_MELDS_THAN_FIT]))
        used = NO_CARDS
        for meld in melds:
            check_apart(used, meld.cards)
            used |= meld.cards
        return melds

    def options(self) -> Options:
        """Return the field `options`; left out, those of Hollywood.

        Raises UnreadableInput (`bad_request`, `unknown_option`).
        """
        return Options.from_mapping(self._chosen_options())

    def sheet_options(self) -> Options:
        """Return the field `options` of a sheet, which may say `sides`, 2 or 3, for `players`.

        Raises UnreadableInput (`bad_request`, `unknown_option`).

        >>> Request({"options": {"sides": 3}}).sheet_options().players
        3
        """
        chosen = self._chosen_options()
        if "sides" not in chosen:
            return Options.from_mapping(chosen)
        sides = chosen.pop("sides")
        options = Options.from_mapping({"players": sides, **chosen})
        if sides != ScoreSheet(options).sides:
            raise _bad_request("There are 2 sides, or 3 for three players")
        return options

    def _chosen_options(self) -> dict[str, Any]:
        chosen = self.fields.get("options", {})
        if not isinstance(chosen, dict):
            raise _bad_request("The field 'options' must be an object")
        if any(isinstance(value, list | dict) for value in chosen.values()):
            raise _bad_request("No option is a list or an object")
        return dict(chosen)

    def results(self) -> list[SheetResult]:
        """Return the field `results`: pairs of a side and its points, null for a drawn round.

        Raises UnreadableInput (`bad_request`).
        """
        results = self.fields.get("results")
        if not isinstance(results, list):
            raise _bad_request("The field 'results' must be a list")
        return [None if result is None else _result(result) for result in results]


def check_apart(one: CardSet, other: CardSet) -> None:
    """Refuse cards that are in two places at once: UnreadableInput (`duplicate_card`)."""
    if twice := one & other:
        raise UnreadableInput("duplicate_card", f"In two places: {format_cards(twice)}")


def _result(result: object) -> SheetResult:
    match result:
        case [side, points] if _is_number(side) and _is_number(points):
            return side, points
        case _:
            raise _bad_request("A result must be [side, points], or null for a drawn round")


def _is_number(value: object) -> TypeGuard[int]:
    # bool is an int to Python, but not to who reads the request.
    return isinstance(value, int) and not isinstance(value, bool)


def _bad_request(message: str) -> UnreadableInput:
    return UnreadableInput("bad_request", message)
