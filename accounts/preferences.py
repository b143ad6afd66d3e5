"""How people want their pages: kept in the account, and for visitors in a cookie.

Both hold the same short text, so that a visitor's preferences become an account's as they are. What
a text says that is not known here (another version of the site wrote it) is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, Self

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.places import ZONES

COOKIE: Final = "preferences"
LONGEST_TEXT: Final = 300

ALLOWED: Final[dict[str, tuple[str, ...]]] = {
    "theme": ("system", "light", "dark"),
    "contrast": ("normal", "high"),
    "deck": ("two", "four"),
    "cards": ("normal", "large"),
    "sounds": ("off", "on"),
    "motion": ("system", "off"),
    "keys": ("on", "off"),
    "double_tap": ("off", "on"),
    "confirm_discards": ("off", "on"),
    "guide": ("first", "on", "off"),
    "history": ("all", "me"),
    "chat": ("on", "off"),
    "zone": ("browser", *ZONES),
}
"""The values of each preference, the usual one first."""

FOR_THE_SERVER: Final = frozenset({"guide", "history", "chat", "zone"})
"""Those that no style sheet or script looks at."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """One value of `ALLOWED` each. `guide`: "first" is in the first round only.

    `history`: who sees what one has played. `zone`: by whose clocks times are shown.
    """

    theme: str = "system"
    contrast: str = "normal"
    deck: str = "two"
    cards: str = "normal"
    sounds: str = "off"
    motion: str = "system"
    keys: str = "on"
    double_tap: str = "off"
    confirm_discards: str = "off"
    guide: str = "first"
    history: str = "all"
    chat: str = "on"
    zone: str = "browser"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` has written; nothing that it says is an error.

        >>> Preferences.parse("theme:dark.deck:four.hats:on.cards:tiny") == Preferences(
        ...     theme="dark", deck="four"
        ... )
        True
        """
        said = dict(part.partition(":")[::2] for part in text[:LONGEST_TEXT].split("."))
        return cls(
            **{name: said[name] for name in said.keys() & ALLOWED if said[name] in ALLOWED[name]}
        )

    def __str__(self) -> str:
        """Write all of them, in characters that a cookie takes.

        The usual ones too: who has kept them keeps them, whatever the usual will be.
        """
        return ".".join(f"{name}:{value}" for name, value in self._items())

    @property
    def attributes(self) -> SafeString:
        """What style sheets and scripts see: attributes of the page's root, as `data-theme`."""
        shown = (
            (name.replace("_", "-"), value)
            for name, value in self._items()
            if name not in FOR_THE_SERVER
        )
        return format_html_join(" ", 'data-{}="{}"', shown)

    @property
    def color_scheme(self) -> str:
        """The value of the page's `color-scheme`."""
        return "light dark" if self.theme == "system" else self.theme

    def _items(self) -> list[tuple[str, str]]:
        return [(field.name, getattr(self, field.name)) for field in fields(self)]


def preferences_for(user: object, cookies: Mapping[str, str]) -> Preferences:
    """The preferences of an account; where it has kept none, and for visitors, the cookie's.

    They are in the user's own row, so this asks nothing of the database.
    """
    return Preferences.parse(getattr(user, "preferences", "") or cookies.get(COOKIE, ""))
