"""What somebody is told when moderators have mended something that was theirs."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Letter(models.Model):
    """What was done, by which rule, and the moderator's words if there are any.

    `quote` is what the person themselves wrote, of a text that was removed, and the name that they
    had. A sanction is a letter of its own (accounts.sanctions).
    """

    LONGEST: ClassVar = 1000

    class Kind(models.TextChoices):
        RENAMED = "renamed", _("another name")
        LINE = "line", _("a line was removed")
        PROFILE = "profile", _("the profile was emptied")
        VOID = "void", _("a series was declared void")
        REFUND = "refund", _("ratings were given back")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="letters"
    )
    kind = models.CharField(max_length=8, choices=Kind)
    rule = models.CharField(max_length=32, help_text=_("The rule of conduct, by its code."))
    text = models.CharField(max_length=LONGEST, blank=True, default="")
    quote = models.CharField(max_length=LONGEST, blank=True, default="")
    series = models.ForeignKey(
        "games.Series", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    facts = models.JSONField(default=dict, blank=True, help_text=_("ids, codes and figures"))
    made_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "-made_at"]),
            # What every page of a person asks.
            models.Index(
                fields=["user"], condition=models.Q(seen_at=None), name="letters_not_read"
            ),
        ]

    def __str__(self) -> str:
        return f"letter {self.pk}"
