"""Quick phrases: stored as a code, so that each reader sees them in their own language."""

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

PHRASES: Final[dict[str, "_StrPromise"]] = {
    "hello": _("Hello!"),
    "good-luck": _("Good luck!"),
    "nice-hand": _("Nice hand!"),
    "well-played": _("Well played."),
    "thanks": _("Thank you."),
    "sorry": _("Sorry!"),
    "one-moment": _("One moment, please."),
    "must-go": _("I must go after this."),
    "goodbye": _("Goodbye!"),
}
"""The words of each code. A code never gets another meaning."""


def phrase_words(code: str) -> str:
    """The words of a phrase; of a code that another version knew, the code."""
    return str(PHRASES.get(code, code))
