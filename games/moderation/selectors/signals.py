"""The signals that a moderator may know of, each in plain words."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from django.db.models import Q, QuerySet

from accounts.models import User
from games.moderation.access import signals_for
from games.moderation.alarms import alarm_words
from games.moderation.models import Signal
from games.moderation.sign_words import explained

MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Told:
    """A signal, what it means, and how often it is wrong about honest people."""

    signal: Signal
    words: str
    alarms: str

    @classmethod
    def of(cls, signal: Signal) -> Self:
        return cls(signal, explained(signal), alarm_words(signal.kind))


def signals_about(user_id: int, moderator: User) -> list[Told]:
    """The signals about somebody, the newest first, in one query."""
    about = signals_for(moderator).filter(Q(user=user_id) | Q(other=user_id))
    return told(_with_people(about)[:MOST])


def signal_pile(moderator: User, *, seen: bool) -> QuerySet[Signal]:
    """The signals that somebody has looked at, or nobody yet; the newest first."""
    return _with_people(signals_for(moderator).filter(seen_at__isnull=not seen))


def told(signals: Iterable[Signal]) -> list[Told]:
    """Each of them in words."""
    return [Told.of(signal) for signal in signals]


def _with_people(signals: QuerySet[Signal]) -> QuerySet[Signal]:
    related = signals.select_related("user", "other", "series", "seen_by")
    return related.order_by("-made_at", "-pk")
