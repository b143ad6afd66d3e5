"""What a member of the staff did: written once, never changed, held to that by the database."""

from typing import ClassVar

from django.db import models


class AuditRow(models.Model):
    """One action of one member of the staff.

    Plain ids and codes, no names and no quoted text: people may be erased, and what they wrote with
    them, while the row stays. Triggers refuse UPDATE, DELETE and TRUNCATE
    (`games.moderation.triggers`).
    """

    at = models.DateTimeField(db_default=models.functions.Now(), editable=False)
    actor_id = models.BigIntegerField(help_text="the user who acted; 0 is the site's own command")
    action = models.CharField(max_length=40, help_text="what was done, as a code")
    subject = models.CharField(max_length=40, help_text="what it was done to: a model's label")
    subject_id = models.CharField(max_length=40, help_text="and its key")
    user_id = models.BigIntegerField(null=True, help_text="whom it concerned")
    case_id = models.BigIntegerField(null=True)
    rule = models.CharField(max_length=32, blank=True, default="")
    facts = models.JSONField(default=dict, help_text="ids, codes and figures")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["-at"]),
            models.Index(fields=["user_id", "-at"]),
            models.Index(fields=["actor_id", "-at"]),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject} {self.subject_id}"
