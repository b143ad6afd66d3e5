"""Where somebody stands who may have left series."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models.functions import Now

from games.leavers import REMEMBERED_FOR, DeedKind, Repute, repute_after
from games.models import Deed


@dataclass(frozen=True, slots=True)
class ReputeNow:
    """Somebody's repute, and the database's time when it was read."""

    repute: Repute
    now: datetime

    @property
    def waits(self) -> bool:
        """Whether they may not sit down with strangers yet."""
        return bool(self.repute.wait(self.now))


def repute_of(user_id: int | None) -> ReputeNow | None:
    """How somebody stands; None where there is nothing to be said of."""
    if user_id is None:
        return None
    deeds = Deed.objects.filter(user=user_id, done_at__gt=Now() - REMEMBERED_FOR)
    rows = list(deeds.order_by("done_at", "pk").values_list("kind", "done_at", Now()))
    if not rows:
        return None
    now: datetime = rows[0][2]
    repute = repute_after([(DeedKind(kind), at) for kind, at, _now in rows], now)
    return ReputeNow(repute, now) if repute.step or repute.wait(now) else None
