"""That somebody wants no chat in a series."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from games.models.series import Series


class ChatOff(models.Model):
    """A user who has turned the chat of one series off; for good it is a preference."""

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "user"], name="chat_is_off_once"),
        ]

    def __str__(self) -> str:
        return f"no chat in {self.series_id} for {self.user_id}"
