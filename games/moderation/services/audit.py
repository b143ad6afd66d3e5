"""Writing the trail of what staff did."""

from typing import Final

from django.db import connection
from django.db.models import Model

from games.moderation.models import AuditRow

THE_SITE: Final = 0  # who acts by a command of the operator


def note_action(
    actor_id: int,
    action: str,
    subject: Model,
    *,
    user_id: int | None = None,
    case_id: int | None = None,
    rule: str = "",
    facts: dict[str, int | str | bool | list[str] | None] | None = None,
) -> AuditRow:
    """Write what was done, in the transaction that does it: both happen, or neither.

    `facts` may hold ids, codes and figures; no names, and no text that somebody wrote.
    """
    assert connection.in_atomic_block, "a staff action and its audit row are one transaction"
    return AuditRow.objects.create(
        actor_id=actor_id,
        action=action,
        subject=subject._meta.label_lower,
        subject_id=str(subject.pk),
        user_id=user_id,
        case_id=case_id,
        rule=rule,
        facts=facts or {},
    )
