"""Noting what the site noticed by itself, and what moderators make of it."""

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.models import User
from games.moderation.access import may_handle, signals_for
from games.moderation.errors import NothingThere
from games.moderation.models import Case, Signal
from games.moderation.services.audit import note_action
from games.moderation.services.reports import open_case, rescore


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
    for signal in signals.filter(seen_at=None).select_for_update(of=("self",)):
        note_action(actor_id, "signal.seen", signal, user_id=signal.user_id)
        Signal.objects.filter(pk=signal.pk).update(seen_at=Now(), seen_by=actor_id)


@transaction.atomic
def open_from_signal(signal_id: int, moderator: User) -> Case:
    """The case that a signal is added to: the open one of its person, or a new one.

    Repeated, it changes nothing. Raises NothingThere, and what `may_handle` does.
    """
    known = signals_for(moderator).select_for_update(of=("self",))
    # Its case is asked for afterwards: joined, it would be that of before the wait for the lock.
    signal = known.filter(pk=signal_id).first()
    if signal is None:
        raise NothingThere
    case = signal.case or open_case(signal.user_id)
    may_handle(case, moderator)
    if signal.case is None:
        signal.case = case
        if signal.seen_at is None:
            signal.seen_at, signal.seen_by = Now(), moderator
        signal.save(update_fields=["case", "seen_at", "seen_by"])
        rescore(case)
        note_action(moderator.pk, "signal.case", signal, user_id=signal.user_id, case_id=case.pk)
    return case
