"""The running figures of a player, of two against each other, and of the site."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.counts import Counts


class Tally(models.Model):
    """What was counted of series that are over (games.counts), so that a page reads one row.

    With an opponent it is of the two against each other. Without a user it is the site's: the sum
    over all players. `scope` says of which series (games.selectors.counting).
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="tallies",
    )
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    scope = models.CharField(max_length=32)
    counts = models.JSONField(default=dict)
    streak = models.IntegerField(
        default=0, help_text="series won in a row till now; negative: lost"
    )
    best_streak = models.PositiveIntegerField(default=0)
    last_ended_at = models.DateTimeField(
        null=True, blank=True, help_text="when the last series ended that was counted"
    )

    class Meta:
        verbose_name_plural = "tallies"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["scope"], condition=Q(user=None), name="one_tally_of_the_site"
            ),
            models.UniqueConstraint(
                fields=["user", "scope"],
                condition=Q(user__isnull=False, opponent=None),
                name="one_tally_a_player",
            ),
            models.UniqueConstraint(
                fields=["user", "opponent", "scope"],
                condition=Q(opponent__isnull=False),
                name="one_tally_a_pair",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id or 'site'} / {self.opponent_id or 'all'}: {self.scope}"

    def to_domain(self) -> Counts:
        return Counts.from_mapping(self.counts)
