"""How the other player comes to the table: by the link, perhaps asked by name."""

import secrets

from django.conf import settings
from django.db import models
from django.urls import reverse

from games.models.series import Series


def new_token() -> str:
    return secrets.token_urlsafe(15)


class Invitation(models.Model):
    """Whoever has the link may take the free seat, once. The table's own address only watches.

    `invited` is who was asked by name: then nobody else may, and they may decline.
    """

    series = models.OneToOneField(Series, on_delete=models.CASCADE, related_name="invitation")
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    created_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    accepted_at = models.DateTimeField(null=True, blank=True)
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="invitations",
    )
    declined_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"invitation to {self.series_id}"

    def get_absolute_url(self) -> str:
        return reverse("invitation", args=[self.token])
