"""How many errors the site has logged, day by day."""

from django.db import models


class ErrorDay(models.Model):
    """A day, by UTC, and how many records of level ERROR all processes have logged on it."""

    day = models.DateField(primary_key=True)
    count = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.count} on {self.day}"
