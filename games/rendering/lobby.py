"""Contexts of the pages on which people find each other: `lobby`, `people`, `players`."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from django.forms import Form
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from games.formats import Format
from games.glicko import Rating as Strength
from games.leaver_words import LeaverWords

type Words = str | Promise


def rating_words(strength: Strength) -> str:
    """A rating as it is shown, with a question mark while too little is known.

    >>> rating_words(Strength())
    '1500?'
    """
    return f"{strength.value:.0f}{'?' if strength.is_provisional else ''}"


def format_words(format_: Format, presets: Mapping[str, Words]) -> str:
    """Name a format: "Oklahoma, live"."""
    pace = _("live") if format_.live else _("days a turn")
    return _("%(preset)s, %(pace)s") % {"preset": presets[format_.preset], "pace": pace}


@dataclass(frozen=True, slots=True)
class OpenRow:
    """A table with a free seat. `rating` and `range` are "" where there is none.

    `commitment` is that of its first deal, so that who sits down has seen it before.
    `changed`: how many single rules differ from the preset. `away`: it is the viewer's own, has a
    clock, and is offered only while they are at it.
    """

    slug: str
    url: str
    commitment: str
    host: str
    preset: str
    changed: int
    time: str
    rated: bool
    rating: str
    range: str
    is_own: bool
    fits: bool
    away: bool


@dataclass(frozen=True, slots=True)
class RunningRow:
    """A series that may be watched."""

    url: str
    names: tuple[str, ...]
    preset: str
    time: str
    rated: bool

    @property
    def players(self) -> str:
        return _(" – ").join(self.names)


@dataclass(frozen=True, slots=True)
class LobbyTables:
    """`templates/games/_lobby_tables.html`, as `tables`: what is brought up to date.

    `may_join`: the viewer has an account, and need not wait; else they are told what to do.
    """

    open: tuple[OpenRow, ...]
    running: tuple[RunningRow, ...]
    may_join: bool

    @property
    def stamp(self) -> str:
        """The same for two looks that show the same."""
        return hashlib.sha256(repr((self.open, self.running, self.may_join)).encode()).hexdigest()[
            :16
        ]


@dataclass(frozen=True, slots=True)
class LobbyPage:
    """`templates/games/lobby.html`, as `lobby`. `leaver`: for who has left series."""

    tables: LobbyTables
    form: Form | None
    notice: str = ""
    leaver: LeaverWords | None = None


@dataclass(frozen=True, slots=True)
class InvitedRow:
    """An invitation by name that waits for the viewer's answer; `token` is that of its address."""

    token: str
    host: str
    preset: Words
    time: str
    rated: bool


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """`templates/games/people.html`, as `people`: names to invite.

    `found` is None while nothing was searched for.
    """

    text: str
    found: tuple[str, ...] | None
    recent: tuple[str, ...]
    followed: tuple[str, ...]
    notice: str = ""


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A line of a leaderboard."""

    place: int
    name: str
    rating: int
    series: int


@dataclass(frozen=True, slots=True)
class PlayersPage:
    """`templates/games/players.html`, as `players`: a leaderboard, and the choice of one."""

    format: str
    period: str
    formats: tuple[tuple[str, str], ...]
    periods: tuple[tuple[str, Words], ...]
    places: tuple[PlaceRow, ...]
    least_series: int


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A rating on a profile."""

    format: str
    rating: str
    provisional: bool
    series: int


@dataclass(frozen=True, slots=True)
class StandingPart:
    """`standing` in `templates/accounts/profile.html`: ratings, and what the viewer may do.

    `kinds` are the relations that the viewer has to the person; None where they can have none.
    """

    ratings: tuple[RatingRow, ...]
    kinds: frozenset[str] | None
    can_invite: bool
