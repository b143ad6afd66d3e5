"""All that was reported about one person since somebody last dealt with it."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Case(models.Model):
    """Reports on one person in one place, with what moderators did about them.

    A person has one open case at most; a report on them merges into it and raises its score.
    """

    class Outcome(models.TextChoices):
        ACTED = "acted", _("something was done")
        DISMISSED = "dismissed", _("nothing against the rules")

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="cases"
    )
    score = models.FloatField(default=0.0, help_text=_("How urgent it is; games.moderation.score."))
    opened_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    snoozed_until = models.DateTimeField(null=True, blank=True)
    escalated_at = models.DateTimeField(
        null=True, blank=True, help_text=_("From then on it is for senior moderators.")
    )
    closed_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=9, choices=Outcome, blank=True, default="")

    class Meta:
        permissions: ClassVar = [
            ("handle_case", "Handles cases, imposes what lasts up to 30 days"),
            ("shut_out", "Closes accounts, handles what is passed on, and the staff"),
            ("mend", "Voids series, gives ratings back, renames, removes texts"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["person"],
                condition=models.Q(closed_at=None),
                name="one_open_case_a_person",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["-score", "opened_at"],
                condition=models.Q(closed_at=None),
                name="cases_to_handle",
            ),
        ]

    def __str__(self) -> str:
        return f"case {self.pk}"


class Note(models.Model):
    """What a moderator wrote down for the others; the person never sees it."""

    LONGEST: ClassVar = 2000

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="notes")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    text = models.CharField(max_length=LONGEST)
    made_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)

    def __str__(self) -> str:
        return f"note {self.pk}"
