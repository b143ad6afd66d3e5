"""That a series is offered in the lobby."""

from django.db import models

from games.models.series import Series


class Listing(models.Model):
    """Whoever comes by may take the free seat, if their rating lies in the range (if there is one).

    A series without it is found by its invitation only.
    """

    series = models.OneToOneField(Series, on_delete=models.CASCADE, related_name="listing")
    least_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    most_rating = models.PositiveSmallIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.series_id} in the lobby"
