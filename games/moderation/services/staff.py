"""Appointing somebody, and letting them go."""

from django.contrib.auth.models import Group
from django.db import transaction

from accounts.models import User
from games.moderation.models import Case
from games.moderation.roles import ROLES
from games.moderation.services.audit import note_action


@transaction.atomic
def appoint(user: User, role: str, actor_id: int) -> None:
    """Give somebody a role, in place of the one they had; it lets them into the admin."""
    user.groups.remove(*Group.objects.filter(name__in=ROLES))
    user.groups.add(Group.objects.get(name=role))
    User.objects.filter(pk=user.pk).update(is_staff=True)
    note_action(actor_id, "staff.appoint", user, user_id=user.pk, facts={"role": role})


@transaction.atomic
def dismiss(user: User, actor_id: int) -> None:
    """Take every role from somebody; the cases that they had claimed are free again."""
    user.groups.remove(*Group.objects.filter(name__in=ROLES))
    User.objects.filter(pk=user.pk).update(is_staff=False, is_superuser=False)
    held = Case.objects.filter(claimed_by=user, closed_at=None)
    held.update(claimed_by=None, claimed_at=None)
    note_action(actor_id, "staff.dismiss", user, user_id=user.pk)
