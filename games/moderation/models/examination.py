"""A series that is over and waits to be looked at for signs."""

from django.db import models


class Examination(models.Model):
    """Made with the end of a series, and removed when it has been looked at."""

    series = models.OneToOneField(
        "games.Series", on_delete=models.CASCADE, related_name="examination"
    )

    def __str__(self) -> str:
        return f"examination of {self.series_id}"
