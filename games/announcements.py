"""What the operator announces now, as this process knows it.

Each process looks every two seconds (games.poller), and pages are made from what it has found: they
ask nothing of the database.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models.functions import Now

from games.models import Announcement

COOKIE: Final = "announcements"
MOST_CLOSED: Final = 20


@dataclass(frozen=True, slots=True)
class Announced:
    """An announcement as readers get it; `at` is the time that it speaks of."""

    pk: int
    text: str
    at: datetime | None
    is_warning: bool
    closable: bool


@dataclass(frozen=True, slots=True)
class Announcements:
    """`announcements` in `templates/games/_announcements.html`: what one reader is shown."""

    shown: tuple[Announced, ...] = ()

    @property
    def stamp(self) -> str:
        """The same for pages that show the same; "" for those that show nothing."""
        text = repr(self.shown).encode()
        return hashlib.sha256(text).hexdigest()[:12] if self.shown else ""


_known: tuple[Announced, ...] = ()


def look() -> None:
    """Find out what is announced now, warnings first."""
    global _known
    rows = Announcement.objects.filter(shown_from__lte=Now(), shown_until__gt=Now())
    warning = Announcement.Level.WARNING
    found = [
        Announced(row.pk, row.text, row.at, row.level == warning, row.closable) for row in rows
    ]
    _known = tuple(sorted(found, key=lambda each: (not each.is_warning, each.pk)))


def announcements_for(cookies: Mapping[str, str]) -> Announcements:
    """What is announced now to a browser with these cookies: all but what it has closed."""
    if not _known:
        return Announcements()
    closed = closed_by(cookies)
    return Announcements(
        tuple(each for each in _known if not (each.closable and each.pk in closed))
    )


def closed_by(cookies: Mapping[str, str]) -> tuple[int, ...]:
    """The announcements that a browser has closed, by its cookie.

    >>> closed_by({COOKIE: "3.x.14"})
    (3, 14)
    """
    return numbers_in(cookies.get(COOKIE, "").split("."))


def numbers_in(texts: list[str]) -> tuple[int, ...]:
    """The last `MOST_CLOSED` numbers among these texts, each once."""
    # Nothing that a browser says may cost much to read.
    said = (text for text in texts[-4 * MOST_CLOSED :] if text.isascii() and text.isdigit())
    return tuple(dict.fromkeys(int(text[:9]) for text in said))[-MOST_CLOSED:]
