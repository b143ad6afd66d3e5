"""What the rules refuse, and why: a stable code and a message that is safe to show."""

from __future__ import annotations

import reprlib

ERROR_CODES = frozenset(
    {
        "bad_json",
        "unknown_op",
        "bad_request",
        "bad_card",
        "duplicate_card",
        "wrong_count",
        "not_a_meld",
        "not_in_hand",
        "over_limit",
        "unknown_option",
        "illegal_action",
        "series_over",
    }
)


class RulesError(ValueError):
    """Anything that the rules refuse; catch a subclass where the difference matters.

    >>> error = RulesError("bad_card", "No such card: '1X'")
    >>> error.code, str(error)
    ('bad_card', "No such card: '1X'")
    """

    def __init__(self, code: str, message: str) -> None:
        assert code in ERROR_CODES, f"unknown error code {code!r}"
        # Both arguments go to the base class, so that the error survives pickling.
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message


class UnreadableInput(RulesError):
    """The text or value means nothing: it could not be right in any position."""


class IllegalAction(RulesError):
    """The action can be read, but the rules do not allow it in this position."""


def quoted(value: object) -> str:
    """Quote what was refused, cut short, so that a message can never grow with the input.

    >>> quoted("1X"), quoted("9" * 300_000)
    ("'1X'", "'999999999999...9999999999999'")
    """
    return reprlib.repr(value)
