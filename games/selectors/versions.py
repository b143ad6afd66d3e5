"""Where series stand, as numbers: what the sockets of a process are compared with every second."""

from collections.abc import Collection

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce, Now

from games.live import Stamp
from games.models import Round, Seat, Series
from games.time_control import PRESENT_FOR as PRESENT_FOR


def stamps(series_ids: Collection[int]) -> dict[int, Stamp]:
    """The stamp of each of these series that there is."""
    if not series_ids:
        return {}
    last = Round.objects.filter(series=OuterRef("pk")).order_by("-number")
    rows = Series.objects.filter(pk__in=series_ids).annotate(
        version=Coalesce(
            Subquery(last.annotate(v=F("version_before") + 1 + F("ply")).values("v")[:1]), 0
        )
    )
    present = present_seats(series_ids)
    return {
        pk: Stamp(version, talk, present.get(pk, frozenset()))
        for pk, version, talk in rows.values_list("pk", "version", "talk")
    }


def present_seats(series_ids: Collection[int]) -> dict[int, frozenset[int]]:
    """The numbers of the seats whose user has a page of the series open."""
    seats = Seat.objects.filter(series__in=series_ids, seen_at__gt=Now() - PRESENT_FOR)
    found: dict[int, frozenset[int]] = {}
    for series_id, number in seats.values_list("series_id", "number"):
        found[series_id] = found.get(series_id, frozenset()) | {number}
    return found
