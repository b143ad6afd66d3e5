"""Finding people by their names."""

from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Lower

from accounts.models import User
from accounts.relations import Relation, may_meet

LEAST_LETTERS: Final = 2
MOST_FOUND: Final = 10


def users_named(name: str) -> QuerySet[User]:
    """Who has this name, in whatever case: one, or nobody. As the index has it, unlike `iexact`."""
    return User.objects.alias(lower=Lower("username")).filter(lower=name.lower())


def person_named(name: str) -> User | None:
    """Who has this name and can be found; their profile comes along."""
    person = users_named(name).select_related("profile").first()
    return person if person is not None and person.has_profile else None


def people_to_meet(asker: int) -> QuerySet[User]:
    """All whom somebody may find and invite: people who are here and have not blocked them."""
    blocked_by = Relation.objects.filter(other=asker, kind=Relation.Kind.BLOCK).values("user")
    return (
        User.objects.filter(kind=User.Kind.PERSON, is_active=True, disabled_at=None)
        .exclude(pk=asker)
        .exclude(pk__in=blocked_by)
        .order_by("username")
    )


def people_beginning(text: str, *, asker: int) -> list[User]:
    """The first people whose names begin so, in whatever case; none for less than two letters."""
    if len(text) < LEAST_LETTERS:
        return []
    found = people_to_meet(asker).alias(lower=Lower("username"))
    return list(found.filter(lower__startswith=text.lower())[:MOST_FOUND])


def everybody_beginning(text: str) -> list[User]:
    """The same for moderators: guests as well, and whoever has closed their account or is out."""
    if len(text) < LEAST_LETTERS:
        return []
    named = User.objects.exclude(kind=User.Kind.BOT).alias(lower=Lower("username"))
    return list(named.filter(lower__startswith=text.lower()).order_by("username")[:MOST_FOUND])


def person_to_invite(name: str, *, asker: int) -> User | None:
    """Who has this name and may be asked to a table; None says no more than that."""
    person = people_to_meet(asker).filter(pk__in=users_named(name)).first()
    return person if person is not None and may_meet(asker, person.pk) else None


def followed_by(user_id: int) -> list[User]:
    """Whom somebody follows and may find, by name."""
    follows = Relation.objects.filter(user=user_id, kind=Relation.Kind.FOLLOW).values("other")
    return list(people_to_meet(user_id).filter(pk__in=follows))
