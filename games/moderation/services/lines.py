"""Looking at what is said in the chat: what hurts or floods becomes a signal, and passes."""

from games.models import Message
from games.moderation.models import Signal
from games.moderation.services.signals import note_signal
from games.moderation.signs import flood, language


def look_at_line(message: Message, said_lately: int) -> None:
    """Note what a line that was just said is a sign of, once a day for each kind."""
    day = f"{message.sent_at:%Y-%m-%d}"
    if flood.is_flood(said_lately):
        _note(Signal.Kind.FLOOD, message, day, {"lines": said_lately})
    if (hits := language.hits(message.text)) >= language.FROM:
        _note(Signal.Kind.WORDS, message, day, {"line": message.pk, "words": hits})


def _note(
    kind: Signal.Kind, message: Message, day: str, facts: dict[str, int | float | str | None]
) -> None:
    user = message.author_id
    key = f"{kind}:{user}:{day}"
    note_signal(kind, key, user, series_id=message.series_id, facts=facts)
