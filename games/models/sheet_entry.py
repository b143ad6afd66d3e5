"""A line of the score sheet."""

from typing import ClassVar

from django.db import models

from games.models.round import Round
from games.models.series import Series


class SheetEntry(models.Model):
    """A won round entered in one game (column) for one side; lists and statistics read these."""

    series = models.ForeignKey(Series, on_delete=models.PROTECT, related_name="entries")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="entries")
    game = models.PositiveSmallIntegerField(help_text="1, 2 or 3")
    side = models.PositiveSmallIntegerField()
    points = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "sheet entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "game"], name="a_round_once_in_a_game"),
        ]
        indexes: ClassVar = [models.Index(fields=["series", "game", "side"])]

    def __str__(self) -> str:
        return f"{self.points} for side {self.side} in game {self.game}"
