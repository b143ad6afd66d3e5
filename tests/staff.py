"""People who work here, each with a second factor."""

from secrets import token_hex

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.auth.models import Group

from accounts.models import User
from games.moderation import roles
from games.moderation.roles import make_roles
from games.moderation.services.audit import THE_SITE
from games.moderation.services.staff import appoint


def new_boss(name: str = "boss") -> User:
    """Somebody who may do everything."""
    return with_second_factor(User.objects.create_superuser(name))


def new_staff(name: str = "helper") -> User:
    """Somebody who may enter, and nothing more."""
    return with_second_factor(User.objects.create(username=name, is_staff=True))


def new_moderator(name: str = "", role: str = roles.MODERATOR) -> User:
    """Somebody with a role."""
    group_of(role)
    user = with_second_factor(User.objects.create(username=name or f"staff-{token_hex(4)}"))
    appoint(user, role, THE_SITE)
    return User.objects.get(pk=user.pk)


def group_of(role: str) -> Group:
    """The group of a role: a test with transactions of its own may have emptied every table."""
    if not Group.objects.filter(name=role).exists():
        make_roles(apps)
    return Group.objects.get(name=role)


def with_second_factor(user: User) -> User:
    """The same, with a code generator."""
    kind = Authenticator.Type.TOTP
    Authenticator.objects.create(user=user, type=kind, data={"secret": "JBSWY3DPEHPK3PXP"})
    return user
