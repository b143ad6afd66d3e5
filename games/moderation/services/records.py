"""What moderators know of somebody, when their account goes or becomes another one."""

from django.db import transaction
from django.db.models import Q

from games.moderation.models import Case, Letter, Note, Report, Signal
from games.moderation.services.reports import rescore


@transaction.atomic
def forget_records(user_id: int) -> None:
    """When somebody is erased: what was said about them and to them, and what they wrote of others.

    The audit trail keeps that something was done, by ids and codes.
    """
    Case.objects.filter(person=user_id).delete()
    Signal.objects.filter(Q(user=user_id) | Q(other=user_id)).delete()
    Letter.objects.filter(user=user_id).delete()
    Report.objects.filter(reporter=user_id).update(text="", evidence={})
    Note.objects.filter(author=user_id).update(author=None)


@transaction.atomic
def move_records(*, left: int, joined: int) -> None:
    """A guest becomes an account: what was said about them and by them goes along."""
    merged = _merge_open_cases(left, joined)
    Case.objects.filter(person=left).update(person=joined)
    known = Report.objects.filter(reporter=joined).values("key")
    Report.objects.filter(reporter=left).exclude(key__in=known).update(reporter=joined)
    Signal.objects.filter(user=left).update(user=joined)
    Signal.objects.filter(other=left).update(other=joined)
    Letter.objects.filter(user=left).update(user=joined)
    if merged is not None:
        rescore(merged)


def _merge_open_cases(left: int, joined: int) -> Case | None:
    """Where both have an open case the account's takes in the guest's."""
    held = Case.objects.select_for_update().filter(closed_at=None, person__in=(left, joined))
    cases = {case.person_id: case for case in held.order_by("pk")}
    if cases.keys() != {left, joined}:
        return None
    for table in (Report, Note, Signal):
        table.objects.filter(case=cases[left]).update(case=cases[joined])
    cases[left].delete()
    return cases[joined]
