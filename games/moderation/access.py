"""The guarded door of moderation: what may be looked at and handled by whom."""

from django.db.models import Q, QuerySet

from accounts.models import Sanction, User
from accounts.sanctions import SHUT_OUT
from games.moderation import roles
from games.moderation.errors import NotAllowed, NotYours
from games.moderation.models import Appeal, Case, Report, Signal


def may_look_up(person: User, moderator: User) -> None:
    """Whether this moderator may see what is known of somebody.

    Raises NotYours for themselves; NotAllowed of one of the staff, who is for senior moderators.
    """
    if person.pk == moderator.pk:
        raise NotYours
    if not moderator.has_perm(roles.SHUT_OUT if person.is_staff else roles.HANDLE):
        raise NotAllowed


def may_handle(case: Case, moderator: User) -> None:
    """Whether this moderator may see a case, and work on it while it is open.

    Raises what `may_look_up` does, NotYours also for a case that they have reported, NotAllowed
    also after it was passed on to senior moderators.
    """
    if case.reports.filter(reporter=moderator).exists():
        raise NotYours
    may_look_up(case.person, moderator)
    if case.escalated_at is not None and not moderator.has_perm(roles.SHUT_OUT):
        raise NotAllowed


def may_judge(sanction: Sanction, moderator: User) -> None:
    """Whether this moderator may lift a sanction, or answer an appeal against it.

    Raises what `may_look_up` does, NotYours also where they have reported in the case that it came
    from, NotAllowed also where it is for senior moderators.
    """
    reports = Report.objects.filter(case=sanction.case_id, reporter=moderator)
    if sanction.case_id is not None and reports.exists():
        raise NotYours
    may_look_up(sanction.user, moderator)
    heavy = sanction.kind in SHUT_OUT
    if not moderator.has_perm(roles.SHUT_OUT if heavy else roles.HANDLE):
        raise NotAllowed


def cases_for(moderator: User) -> QuerySet[Case]:
    """All cases that this moderator may know of: nobody sees what was said about themselves."""
    cases = Case.objects.exclude(person=moderator)
    cases = cases.exclude(pk__in=Case.objects.filter(reports__reporter=moderator).values("pk"))
    if moderator.has_perm(roles.SHUT_OUT):
        return cases
    return cases.exclude(person__is_staff=True)


def appeals_for(moderator: User) -> QuerySet[Appeal]:
    """All appeals that this moderator may know of, as of the cases: nothing of their own."""
    appeals = Appeal.objects.exclude(sanction__user=moderator)
    reported = Report.objects.filter(reporter=moderator).values("case")
    appeals = appeals.filter(Q(sanction__case_id=None) | ~Q(sanction__case_id__in=reported))
    if moderator.has_perm(roles.SHUT_OUT):
        return appeals
    return appeals.exclude(sanction__user__is_staff=True)


def signals_for(moderator: User) -> QuerySet[Signal]:
    """All signals that this moderator may know of: none in which they themselves are named."""
    signals = Signal.objects.exclude(user=moderator).exclude(other=moderator)
    if moderator.has_perm(roles.SHUT_OUT):
        return signals
    return signals.exclude(user__is_staff=True).exclude(other__is_staff=True)
