"""What somebody has said at a table."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.series import Series
from games.phrases import phrase_words

LONGEST_LINE: Final = 200


class Message(models.Model):
    """A line of the chat: words of one's own, or a quick phrase by its code. Kept for moderators.

    Its key, of its form and its words, makes it one line, however often it is sent.
    """

    class Room(models.TextChoices):
        PLAYERS = "players", _("players")
        WATCHERS = "watchers", _("spectators")

    series = models.ForeignKey(Series, on_delete=models.PROTECT, related_name="messages")
    room = models.CharField(max_length=8, choices=Room)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="messages"
    )
    text = models.CharField(max_length=LONGEST_LINE, blank=True, default="")
    phrase = models.CharField(
        max_length=16, blank=True, default="", help_text="a code of games.phrases"
    )
    sent_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)
    hidden_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When a moderator took it from the page.")
    )
    key = models.CharField(max_length=64, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["author", "key"], name="a_line_is_said_once"),
            models.CheckConstraint(
                condition=(Q(text="") & ~Q(phrase="")) | (~Q(text="") & Q(phrase="")),
                name="a_line_is_words_or_a_phrase",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["series", "room", "id"]),
            models.Index(fields=["author", "-sent_at"]),
        ]

    def __str__(self) -> str:
        return f"line {self.pk} of {self.series_id}"

    @property
    def words(self) -> str:
        """What was said, as it is read."""
        return self.text or phrase_words(self.phrase)

    @property
    def said(self) -> str:
        """What was said, as it is compared with other lines."""
        return self.text or self.phrase
