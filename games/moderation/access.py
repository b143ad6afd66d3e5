"""The guarded door of moderation: which case may be looked at and handled by whom."""

from django.db.models import Q, QuerySet

from accounts.models import User
from games.moderation import roles
from games.moderation.errors import NotAllowed, NotYours
from games.moderation.models import Case


def may_handle(case: Case, moderator: User) -> None:
    """Whether this moderator may see a case, and work on it while it is open.

    Raises NotYours for a case about them or reported by them; NotAllowed where it is for senior
    moderators: after it was passed on to them, or where it is about one of the staff.
    """
    if case.person_id == moderator.pk or case.reports.filter(reporter=moderator).exists():
        raise NotYours
    for_seniors = case.escalated_at is not None or case.person.is_staff
    if not moderator.has_perm(roles.SHUT_OUT if for_seniors else roles.HANDLE):
        raise NotAllowed


def cases_for(moderator: User) -> QuerySet[Case]:
    """All cases that this moderator may know of: nobody sees what was said about themselves."""
    cases = Case.objects.exclude(person=moderator)
    cases = cases.exclude(pk__in=Case.objects.filter(reports__reporter=moderator).values("pk"))
    if moderator.has_perm(roles.SHUT_OUT):
        return cases
    return cases.exclude(Q(person__is_staff=True))
