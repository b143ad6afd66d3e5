"""An action as the table's forms send it: by a socket's frame or by POST, read the same way."""

import re
from collections.abc import Mapping
from typing import Final

from games.rules.actions import Action, BigGin, Defend, Discard, Draw, Knock, Pass, Resign, Take
from games.rules.actions import parse_action as parse_log_action
from games.rules.cards import Card, parse_card
from games.rules.errors import UnreadableInput
from games.rules.parts import is_part
from games.services.request import (
    ActionRequest,
    NextRoundRequest,
    PartRequest,
    SeriesRequest,
    TableRequest,
    Wish,
)

_PLAIN: Final[Mapping[str, Action]] = {
    "pass": Pass(),
    "take": Take(),
    "draw": Draw(),
    "big-gin": BigGin(),
    "resign": Resign(),
}
_WISHES: Final = frozenset(Wish)
_KEY: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_LONGEST_FIELD: Final = 200


def parse_request(fields: Mapping[str, object]) -> TableRequest:
    """Read a form of the table: `action, round, ply, key` and what the action needs beside them.

    That is `card, spread, lay_offs` for cards, `promise` or `part` for a part in the deal. Raises
    UnreadableInput for anything else, whatever its types: the same for every card that is none
    (fault 62). Fields that no form has are passed over (htmx adds HEADERS).
    """
    action = _text(fields, "action")
    round_number, key = _number(fields, "round"), _text(fields, "key")
    if not _KEY.fullmatch(key):
        raise _unreadable()
    if action == "next-round":
        promise, part = _part(fields, "promise"), _part(fields, "part")
        if promise and part:
            raise _unreadable()  # who tells the part has nothing to promise
        return NextRoundRequest(round_number, key, promise, part)
    if action == "part" and (part := _part(fields, "part")):
        return PartRequest(part, round_number, key)
    if action in _WISHES:
        return SeriesRequest(Wish(action), round_number, key)
    return ActionRequest(_action(action, fields), round_number, _number(fields, "ply"), key)


def key_of(fields: Mapping[str, object]) -> str:
    """The key of a form, well-formed as it may be sent back; else "", for nobody waits for it."""
    key = fields.get("key")
    return key if isinstance(key, str) and _KEY.fullmatch(key) else ""


def _action(name: str, fields: Mapping[str, object]) -> Action:
    if name in _PLAIN:
        return _PLAIN[name]
    if name == "discard":
        return Discard(_card(fields))
    if name in ("knock", "gin"):
        spread = _text(fields, "spread")
        tail = f"={spread}" if spread else ""
        return _as(Knock, parse_log_action(f"k{_card(fields)}{tail}"))
    if name == "defend":
        if "lay_offs" not in fields:
            return Defend()
        return _as(Defend, parse_log_action(f"l={_text(fields, 'lay_offs')}"))
    raise _unreadable()


def _as[T](kind: type[T], action: object) -> T:
    # A field may hold text that reads as another action; a form asks for its own kind only.
    if not isinstance(action, kind):
        raise _unreadable()
    return action


def _part(fields: Mapping[str, object], name: str) -> str:
    text = _text(fields, name)
    if text and not is_part(text):
        raise _unreadable()
    return text


def _card(fields: Mapping[str, object]) -> Card:
    text = fields.get("card", "")
    if not isinstance(text, str):
        raise _unreadable()
    # A text that is no card is answered like a card that isn't held, however long it is.
    return parse_card(text[:3])


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str) or len(value) > _LONGEST_FIELD:
        raise _unreadable()
    return value


def _number(fields: Mapping[str, object], name: str) -> int:
    text = _text(fields, name)
    if not _NUMBER.fullmatch(text):
        raise _unreadable()
    return int(text)


def _unreadable() -> UnreadableInput:
    return UnreadableInput("bad_request", "That was no action of this table")
