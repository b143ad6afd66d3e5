"""What a player told the moderators about another one."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.moderation.models.case import Case


class Report(models.Model):
    """A rule of conduct, a text, and the evidence as it was at that moment.

    `evidence` is made by the site (`games.moderation.evidence`): where it happened, and the chat
    lines around it; never a hand of a running round.
    """

    LONGEST: ClassVar = 1000

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports_made"
    )
    rule = models.CharField(max_length=32, help_text=_("The rule of conduct, by its code."))
    text = models.CharField(max_length=LONGEST, blank=True, default="")
    series = models.ForeignKey(
        "games.Series", null=True, blank=True, on_delete=models.SET_NULL, related_name="reports"
    )
    evidence = models.JSONField(default=dict, blank=True)
    key = models.CharField(max_length=64, help_text=_("So that a double click reports once."))
    made_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)
    outcome_seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["reporter", "key"], name="one_report_a_form"),
        ]
        indexes: ClassVar = [models.Index(fields=["reporter", "-made_at"])]

    def __str__(self) -> str:
        return f"report {self.pk}"
