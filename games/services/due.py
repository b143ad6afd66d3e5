"""What stands in the database with its due time, and is carried out by whoever gets to it first."""

from django.db.models.functions import Now

from games.models import Round
from games.services.next_round import deal_if_due
from games.services.time_out import Rung, time_out


def rounds_due() -> list[tuple[int, bool]]:
    """The rounds for which something is due, each with whether it has ended: then it is a deal."""
    rows = Round.objects.filter(due_at__lte=Now()).values_list("pk", "kind")[:100]
    return [(pk, bool(kind)) for pk, kind in rows]


def carry_out(round_id: int, *, has_ended: bool) -> Rung | None:
    """Do what is due for a round; return what to ring, None where another was first."""
    return deal_if_due(round_id) if has_ended else time_out(round_id)
