"""How people stand to each other: whom somebody follows, blocks, or will not sit with.

Each is one-sided, and nobody is told; but no two sit at one table where either of them has said so.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.live import tell_relations


class Relation(models.Model):
    """That a user follows, blocks or avoids another one."""

    class Kind(models.TextChoices):
        FOLLOW = "follow", _("follow")
        BLOCK = "block", _("block")
        AVOID = "avoid", _("never seat us together")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="relations"
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="relations_to"
    )
    kind = models.CharField(max_length=8, choices=Kind)
    since = models.DateTimeField(db_default=models.functions.Now(), editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "other", "kind"], name="one_relation_a_kind"),
            models.CheckConstraint(
                condition=~Q(user=models.F("other")), name="nobody_relates_to_themselves"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.other_id}"


APART = (Relation.Kind.BLOCK, Relation.Kind.AVOID)


@transaction.atomic
def relate(user_id: int, other_id: int, kind: Relation.Kind) -> None:
    """Let a user follow, block or avoid another; repeated, it changes nothing.

    Who blocks somebody follows them no longer, and is not followed by them.
    """
    Relation.objects.get_or_create(user_id=user_id, other_id=other_id, kind=kind)
    if kind is Relation.Kind.BLOCK:
        follows = Relation.objects.filter(kind=Relation.Kind.FOLLOW)
        follows.filter(Q(user=user_id, other=other_id) | Q(user=other_id, other=user_id)).delete()
        transaction.on_commit(lambda: tell_relations(user_id))


@transaction.atomic
def unrelate(user_id: int, other_id: int, kind: Relation.Kind) -> None:
    """Take it back; without effect where there is nothing to take back."""
    Relation.objects.filter(user=user_id, other=other_id, kind=kind).delete()
    if kind is Relation.Kind.BLOCK:
        transaction.on_commit(lambda: tell_relations(user_id))


def kinds_between(user_id: int | None, other_id: int) -> frozenset[str]:
    """What a user has said about another one."""
    told = Relation.objects.filter(user=user_id, other=other_id)
    return frozenset(told.values_list("kind", flat=True)) if user_id is not None else frozenset()


def may_meet(one_id: int, other_id: int) -> bool:
    """Whether neither of two people has said that they won't sit with the other."""
    either = Q(user=one_id, other=other_id) | Q(user=other_id, other=one_id)
    return not Relation.objects.filter(either, kind__in=APART).exists()


def kept_apart(user_id: int) -> frozenset[int]:
    """Everybody whom a user may not sit with, whichever of the two has said so."""
    theirs = Relation.objects.filter(kind__in=APART)
    others = theirs.filter(user=user_id).values_list("other", flat=True)
    return frozenset(others.union(theirs.filter(other=user_id).values_list("user", flat=True)))


def has_blocked(user_id: int, other_id: int) -> bool:
    """Whether a user has blocked another one."""
    return Relation.objects.filter(user=user_id, other=other_id, kind=Relation.Kind.BLOCK).exists()
