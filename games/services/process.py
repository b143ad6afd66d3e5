"""Signs of life of the processes, and what an outage costs nobody.

A deadline must not run out while no process could take an action (faults 65, R12): whoever finds
that no process was alive for more than three seconds moves every running deadline by that gap. And
for some minutes after a start or an outage nobody is blamed for being away.
"""

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import DateTimeField, Exists, ExpressionWrapper, F, Q
from django.db.models.functions import Now

from games.models import Process, Round, Seat, Series
from games.time_control import CLAIM_AFTER

OUTAGE: Final = timedelta(seconds=3)
FORGET_AFTER: Final = timedelta(days=1)
LENIENT_FOR: Final = timedelta(minutes=10)


@transaction.atomic
def be_alive(name: str) -> timedelta | None:
    """Note a sign of life; return the length of an outage that this call has credited, or None."""
    gap = _outage()
    if gap is not None:
        moved = ExpressionWrapper(F("due_at") + gap, output_field=DateTimeField())
        Round.objects.filter(due_at__isnull=False).update(due_at=moved)
        _credit_presence(gap)
    Process.objects.update_or_create(name=name, defaults={"alive_at": Now()})
    Process.objects.filter(alive_at__lt=Now() - FORGET_AFTER).delete()
    return gap


def _credit_presence(gap: timedelta) -> None:
    """Nobody was seen while nobody could be: who was just here has not left meanwhile (R20).

    A seat that is being written is passed over, as by all who note a presence.
    """
    playing = Series.objects.filter(status=Series.Status.PLAYING).values("pk")
    here = Seat.objects.filter(series__in=playing, seen_at__gt=Now() - gap - CLAIM_AFTER)
    free = here.select_for_update(skip_locked=True, no_key=True)
    moved = ExpressionWrapper(F("seen_at") + gap, output_field=DateTimeField())
    Seat.objects.filter(pk__in=free).update(seen_at=moved)


def uncredited() -> Q:
    """Whether an outage is over that nobody has credited yet; for a query of rounds."""
    lately = Process.objects.filter(alive_at__gte=Now() - OUTAGE)
    return Q(Exists(Process.objects.all())) & ~Q(Exists(lately))


def tell_of_credit() -> None:
    """Let every page that shows a running deadline be brought up to date, after `be_alive`.

    By the poll of each process, as `talk` has moved on. A series that somebody holds is being
    changed anyhow, and read again then.
    """
    running = Series.objects.filter(rounds__due_at__isnull=False)
    free = Series.objects.select_for_update(skip_locked=True).filter(pk__in=running.values("pk"))
    with transaction.atomic():
        Series.objects.filter(pk__in=list(free.values_list("pk", flat=True))).update(
            talk=F("talk") + 1
        )


def is_lenient() -> bool:
    """Whether the site was started, or away, so lately that being away may be its fault."""
    lately = Now() - LENIENT_FOR
    unsettled = Process.objects.filter(Q(started_at__gt=lately) | Q(outage_at__gt=lately))
    return unsettled.exists()


def _outage() -> timedelta | None:
    newest = Process.objects.order_by("-alive_at").first()
    if newest is None:
        return None
    # By key: SQLite stores a time in more than one spelling, which are not equal.
    dead = Process.objects.filter(pk=newest.pk, alive_at__lt=Now() - OUTAGE)
    # Of several processes that find the gap at once, the one that closes it counts.
    found = dead.select_for_update().annotate(now=Now()).first()
    if found is None:
        return None
    Process.objects.filter(pk=found.pk).update(alive_at=Now(), outage_at=Now())
    gap: timedelta = found.now - found.alive_at
    return gap
