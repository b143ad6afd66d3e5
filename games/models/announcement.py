"""A word of the operator's to everybody who is here."""

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Announcement(models.Model):
    """What stands under the header of every page for a while: "The site restarts at 22:00"."""

    class Level(models.TextChoices):
        NOTE = "note", _("note")
        WARNING = "warning", _("warning")

    text = models.CharField(_("text"), max_length=300, help_text=_("Plain text."))
    at = models.DateTimeField(
        _("time spoken of"),
        null=True,
        blank=True,
        help_text=_("Stands behind the text, to each reader in their own time. Here: UTC."),
    )
    level = models.CharField(_("level"), max_length=8, choices=Level, default=Level.NOTE)
    shown_from = models.DateTimeField(_("shown from"), default=timezone.now)
    shown_until = models.DateTimeField(_("shown until"), db_index=True)
    closable = models.BooleanField(
        _("can be closed"), default=True, help_text=_("Whether a reader may put it away.")
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(shown_until__gt=F("shown_from")), name="shown_for_a_while"
            ),
        ]

    def __str__(self) -> str:
        return self.text

    def clean(self) -> None:
        super().clean()
        if self.shown_from and self.shown_until and self.shown_until <= self.shown_from:
            raise ValidationError({"shown_until": _("It would end before it begins.")})
