"""A hint for moderators that something may be wrong; never a verdict."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Signal(models.Model):
    """What the site noticed by itself, about one person or two.

    `key` says what it is about in words of the program (`pair:12:15:2026-11-30`), so that the
    same thing is noted once; `facts` holds ids, codes and figures only, no names and no text.
    """

    class Kind(models.TextChoices):
        PAIR = "pair", _("one pair plays too many rated series")
        WITHHELD = "withheld", _("promises parts in the deal and does not tell them")
        RELATED = "related", _("related accounts play a rated series")
        FED = "fed", _("discards that feed the other")
        GINS = "gins", _("more gin than the cards explain")
        EARLY = "early", _("knocks earlier than the cards explain")
        LET_GO = "let go", _("lets gin go")
        GIVEN = "given", _("gives series to one person")
        SANDBAG = "sandbag", _("gives series away")
        LEAVING = "leaving", _("leaves series again and again")
        FLOOD = "flood", _("floods the chat")
        WORDS = "words", _("words that hurt")

    kind = models.CharField(max_length=16, choices=Kind)
    key = models.CharField(max_length=80, unique=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="signals"
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="signals_as_other",
    )
    series = models.ForeignKey(
        "games.Series", null=True, blank=True, on_delete=models.CASCADE, related_name="signals"
    )
    facts = models.JSONField(default=dict, blank=True)
    case = models.ForeignKey(
        "moderation.Case",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="signals",
        help_text=_("The case that a moderator has added it to."),
    )
    made_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)
    seen_at = models.DateTimeField(null=True, blank=True)
    seen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    class Meta:
        indexes: ClassVar = [models.Index(fields=["seen_at", "-made_at"])]

    def __str__(self) -> str:
        return self.key
