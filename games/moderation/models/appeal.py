"""What somebody says against a sanction, and what they are answered."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from accounts.models import Sanction


class Appeal(models.Model):
    """One a sanction; answered by another moderator than the one who imposed it."""

    LONGEST: ClassVar = 2000

    sanction = models.OneToOneField(Sanction, on_delete=models.CASCADE, related_name="appeal")
    text = models.CharField(max_length=LONGEST)
    made_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(max_length=LONGEST, blank=True, default="")
    granted = models.BooleanField(null=True, blank=True)
    answer_seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["made_at"],
                condition=models.Q(answered_at=None),
                name="appeals_to_answer",
            ),
        ]

    def __str__(self) -> str:
        return f"appeal {self.pk}"
