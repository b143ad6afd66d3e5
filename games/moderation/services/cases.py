"""What moderators do with a case. Each step locks the case and leaves a row in the audit trail."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now

from accounts.models import User
from games.moderation import roles
from games.moderation.access import may_handle
from games.moderation.errors import (
    IsClosed,
    Meanwhile,
    NotAllowed,
    NotClaimed,
    NoText,
    Taken,
)
from games.moderation.models import AuditRow, Case, Note
from games.moderation.services.audit import note_action


@contextmanager
def as_seen(case_id: int, stamp: int) -> Iterator[None]:
    """Do something with a case only if it is as the moderator saw it: one step for one click.

    `stamp` is what `stamp_of` said when the page was made. Raises Meanwhile.
    """
    with transaction.atomic():
        case = Case.objects.select_for_update().get(pk=case_id)
        if stamp_of(case) != stamp:
            raise Meanwhile
        yield


def stamp_of(case: Case) -> int:
    """A number that is another one after each step of a moderator with this case."""
    rows = AuditRow.objects.filter(user_id=case.person_id, case_id=case.pk)
    return rows.aggregate(last=Max("pk"))["last"] or 0


@transaction.atomic
def claim(case_id: int, moderator: User) -> Case:
    """Take a case, so that no two work on it. Raises what `case_for` does, or Taken."""
    case = case_for(case_id, moderator)
    if case.claimed_by_id not in (None, moderator.pk):
        raise Taken
    if case.claimed_by_id is None:
        case.claimed_by = moderator
        case.claimed_at = Now()
        case.snoozed_until = None
        case.save(update_fields=["claimed_by", "claimed_at", "snoozed_until"])
        _note(moderator, "case.claim", case)
    return case


@transaction.atomic
def take_over(case_id: int, moderator: User) -> None:
    """A senior moderator takes a case from another one, who is away or asked for it.

    Raises what `case_for` does, NotAllowed, or NotClaimed where nobody has it.
    """
    case = case_for(case_id, moderator)
    if not moderator.has_perm(roles.SHUT_OUT):
        raise NotAllowed
    if case.claimed_by_id in (None, moderator.pk):
        raise NotClaimed
    case.claimed_by = moderator
    case.claimed_at = Now()
    case.save(update_fields=["claimed_by", "claimed_at"])
    _note(moderator, "case.take_over", case)


@transaction.atomic
def release(case_id: int, moderator: User) -> None:
    """Give it back to the others."""
    case = claimed_by(case_id, moderator)
    _let_go(case)
    _note(moderator, "case.release", case)


@transaction.atomic
def snooze(case_id: int, moderator: User, until: datetime) -> None:
    """Put it aside until then; a report about the person brings it back by its score only."""
    case = claimed_by(case_id, moderator)
    case.snoozed_until = until
    case.save(update_fields=["snoozed_until"])
    _let_go(case)
    _note(moderator, "case.snooze", case)


@transaction.atomic
def escalate(case_id: int, moderator: User) -> None:
    """Hand it to the senior moderators."""
    case = claimed_by(case_id, moderator)
    case.escalated_at = Now()
    case.save(update_fields=["escalated_at"])
    _let_go(case)
    _note(moderator, "case.escalate", case)


@transaction.atomic
def write_note(case_id: int, moderator: User, text: str) -> Note:
    """Write something down for the other moderators; no claim is needed for that."""
    case = case_for(case_id, moderator)
    if not text.strip():
        raise NoText
    note = Note.objects.create(case=case, author=moderator, text=text.strip()[: Note.LONGEST])
    _note(moderator, "case.note", case)
    return note


@transaction.atomic
def close(case_id: int, moderator: User, outcome: Case.Outcome) -> None:
    """Be done with it; every reporter finds the outcome among their notices."""
    case = claimed_by(case_id, moderator)
    case.closed_at = Now()
    case.outcome = outcome
    case.save(update_fields=["closed_at", "outcome"])
    _note(moderator, f"case.{outcome}", case)


def case_for(case_id: int, moderator: User) -> Case:
    """An open case, locked, for a moderator who may handle it.

    Raises IsClosed, and what `may_handle` does.
    """
    case = Case.objects.select_for_update(of=("self",)).select_related("person").get(pk=case_id)
    if case.closed_at is not None:
        raise IsClosed
    may_handle(case, moderator)
    return case


def claimed_by(case_id: int, moderator: User) -> Case:
    """The same, of a case that this moderator has claimed. Raises NotClaimed as well."""
    case = case_for(case_id, moderator)
    if case.claimed_by_id != moderator.pk:
        raise NotClaimed
    return case


def _let_go(case: Case) -> None:
    case.claimed_by = None
    case.claimed_at = None
    case.save(update_fields=["claimed_by", "claimed_at"])


def _note(moderator: User, action: str, case: Case) -> None:
    note_action(moderator.pk, action, case, user_id=case.person_id, case_id=case.pk)
