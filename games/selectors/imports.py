"""What somebody has imported, also where they played in none of it."""

from django.db.models import Prefetch

from games.models import Seat, Series


def imports_of(user_id: int) -> list[tuple[Series, str]]:
    """Their imported series, newest import first, each with the names of its players."""
    own = Series.objects.filter(created_by=user_id, source=Series.Source.IMPORTED)
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
    return [
        (series, " – ".join(seat.shown_name for seat in series.seats.all()))
        for series in own.prefetch_related(seats).order_by("-pk")
    ]
