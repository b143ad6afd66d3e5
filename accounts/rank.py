"""Who of the staff may touch whose account: nobody that of somebody who may do more than they."""

from accounts.models import User


def outranks(one: User, other: User) -> bool:
    """Whether `one` may do something that `other` may not."""
    if other.is_superuser:
        return False
    return one.is_superuser or bool(one.get_all_permissions() - other.get_all_permissions())
