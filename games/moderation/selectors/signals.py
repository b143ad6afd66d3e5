"""The signals about a person, each in plain words for a moderator."""

from dataclasses import dataclass
from typing import Final

from django.db.models import Q

from accounts.models import User
from games.moderation.models import Signal
from games.moderation.sign_words import explained

MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Told:
    """A signal, the other person it is about if there is one, and what it means."""

    signal: Signal
    other: User | None
    words: str


def signals_about(user_id: int) -> list[Told]:
    """The signals about somebody, the newest first, in one query."""
    about = Signal.objects.filter(Q(user=user_id) | Q(other=user_id))
    rows = about.select_related("user", "other", "series", "seen_by").order_by("-made_at", "-pk")
    return [
        Told(row, row.user if row.other_id == user_id else row.other, explained(row))
        for row in rows[:MOST]
    ]
