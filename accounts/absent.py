"""The one user behind every seat whose player is but a name (Seat.name): it never logs in."""

from typing import Final

from django.contrib.auth.hashers import make_password

from accounts.models import User

# No name that could be registered: it has signs that names may not have.
USERNAME: Final = "(absent)"


def absent_user() -> User:
    """The user of the kind `absent`, made when it is first wanted."""
    user, _ = User.objects.get_or_create(
        username=USERNAME,
        kind=User.Kind.ABSENT,
        defaults={"password": make_password(None), "is_active": False},
    )
    return user
