"""Noting what the site noticed by itself."""

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.moderation.models import Signal
from games.moderation.services.audit import note_action


def note_signal(
    kind: Signal.Kind,
    key: str,
    user_id: int,
    *,
    other_id: int | None = None,
    series_id: int | None = None,
    facts: dict[str, int | float | str | None] | None = None,
) -> Signal:
    """Note it, once for each key; the first facts stand. Safe from several processes at once."""
    signal, _ = Signal.objects.get_or_create(
        key=key,
        defaults={
            "kind": kind,
            "user_id": user_id,
            "other_id": other_id,
            "series_id": series_id,
            "facts": facts or {},
        },
    )
    return signal


@transaction.atomic
def mark_as_seen(signals: QuerySet[Signal], actor_id: int) -> None:
    """Take these off the list of what nobody has looked at."""
    for signal in signals.filter(seen_at=None).select_for_update():
        note_action(actor_id, "signal.seen", signal, user_id=signal.user_id)
        Signal.objects.filter(pk=signal.pk).update(seen_at=Now(), seen_by=actor_id)
