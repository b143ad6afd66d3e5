"""What stands in the database with its due time, and is carried out by whoever gets to it first."""

from collections.abc import Collection
from typing import Final

from django.db.models.functions import Now

from games.live import Bell
from games.models import Round
from games.services.next_round import deal_if_due
from games.services.time_out import time_out

AT_ONCE: Final = 100  # so that a process gives its sign of life in between


def rounds_due(without: Collection[int] = ()) -> list[tuple[int, bool]]:
    """The rounds for which something is due, each with whether it has ended: then it is a deal.

    Those that wait longest come first; `without` are rounds that are set aside.
    """
    due = Round.objects.filter(due_at__lte=Now()).exclude(pk__in=without).order_by("due_at")
    return [(pk, bool(kind)) for pk, kind in due.values_list("pk", "kind")[:AT_ONCE]]


def carry_out(round_id: int, *, has_ended: bool) -> Bell | None:
    """Do what is due for a round; return what to ring, None where another was first."""
    return deal_if_due(round_id) if has_ended else time_out(round_id)
