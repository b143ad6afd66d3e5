"""How strong a player is at a format, and what each rated series made of that."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from games import glicko
from games.models.series import Series


class Rating(models.Model):
    """A player's rating at one format (games.formats). A row exists from the first rated series."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings"
    )
    format = models.CharField(max_length=32)
    value = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    series_count = models.PositiveIntegerField(default=0)
    rated_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "format"], name="one_rating_a_format"),
        ]
        # A leaderboard is the head of this index.
        indexes: ClassVar = [models.Index(fields=["format", "-value"])]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.format}: {self.value:.0f}"

    def to_domain(self) -> glicko.Rating:
        return glicko.Rating(self.value, self.deviation, self.volatility)


class RatingChange(models.Model):
    """What a series made of a player's rating, so that it can be shown, and taken back."""

    series = models.ForeignKey(Series, on_delete=models.PROTECT, related_name="rating_changes")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rating_changes"
    )
    format = models.CharField(max_length=32)
    opponent_value = models.FloatField()
    opponent_deviation = models.FloatField(
        null=True, blank=True, help_text="with it a rating is the fold of its changes"
    )
    score = models.FloatField(help_text="1, 0, or 0.5 where the series was shared")
    before = models.FloatField()
    after = models.FloatField()
    deviation_after = models.FloatField()
    rated_at = models.DateTimeField()
    given_back_at = models.DateTimeField(
        null=True, blank=True, help_text="when moderators undid it; the rating is without it since"
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "user"], name="a_series_is_rated_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "format", "-rated_at"])]

    def __str__(self) -> str:
        return f"{self.series_id}: {self.before:.0f} to {self.after:.0f}"
