"""The end of a series because somebody's time is out (docs/rules.md, section 14)."""

from django.db import transaction
from django.db.models.functions import Now

from games.live import Bell
from games.models import Round, Series
from games.services.clock import has_run_out
from games.services.ending import break_off


@transaction.atomic
def time_out(round_id: int, *, wait: bool = False) -> Bell | None:
    """End the series of a round whose player has run out of time; None where that isn't so.

    Without `wait` a series that somebody else holds is left to them.

    An action that comes in the same moment counts, or this does: each is one UPDATE that asks for
    the ply (fault 63).
    """
    locked = Series.objects.select_for_update(skip_locked=not wait, of=("self",))
    series = locked.filter(rounds=round_id, status=Series.Status.PLAYING).first()
    if series is None:
        return None
    rounds = Round.objects.select_related("series", "first_seat", "second_seat")
    row = rounds.annotate(now=Now()).get(pk=round_id)
    if not has_run_out(row):
        return None
    late = row.seat_at(row.folded().state.turn)
    if not break_off(series, row, Series.Ending.TIME, late.side):
        return None
    return Bell(series.pk, row.version + 1, series.talk + 1)
