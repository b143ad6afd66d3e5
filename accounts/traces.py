"""From where somebody has logged in, as keyed hashes: which accounts may be one person's.

Never the address itself, only a hash of its network; of the browser a hash of the name that its
cookie has (accounts.devices). Both are made with the site's key: with a new one the old match
nothing any more. They are forgotten 180 days after the last log in, and with the account.
"""

from dataclasses import dataclass
from datetime import timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Count
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts import keyed

KEPT_FOR: Final = timedelta(days=180)
MOST_BEHIND: Final = 20
"""Accounts behind one trace; where there are more (a school, a mobile network) it says nothing."""

_PREFIXES: Final = {4: 24, 6: 48}


class Trace(models.Model):
    """That somebody has logged in from a network, or from a browser."""

    class Kind(models.TextChoices):
        DEVICE = "device", _("browser")
        ADDRESS = "address", _("network")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="traces"
    )
    kind = models.CharField(max_length=7, choices=Kind)
    digest = models.CharField(max_length=64, editable=False)
    last_seen = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "digest"], name="a_trace_is_left_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["digest"]), models.Index(fields=["last_seen"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.digest[:12]}"


@dataclass(frozen=True, slots=True)
class Related:
    """An account that shares traces with another: browsers say much, networks little.

    `shared_by` counts the accounts behind the one of these traces that has the fewest, both of
    them with it.
    """

    user_id: int
    devices: int
    addresses: int
    shared_by: int

    @property
    def is_close(self) -> bool:
        """Whether they have used one browser."""
        return self.devices > 0


def leave_traces(user_id: int, address: str, device: str) -> None:
    """Note from where somebody logs in; "" or what is no address of a network leaves none."""
    found = {Trace.Kind.ADDRESS: network_of(address), Trace.Kind.DEVICE: device}
    rows = [
        Trace(user_id=user_id, kind=kind, digest=_digest(kind, text), last_seen=Now())
        for kind, text in found.items()
        if text
    ]
    Trace.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["user", "digest"],
        update_fields=["last_seen"],
    )


def related_accounts(user_id: int) -> list[Related]:
    """The accounts that share traces with this one, the closest first, in two queries."""
    own = Trace.objects.filter(user=user_id, last_seen__gt=Now() - KEPT_FOR)
    recent = Trace.objects.filter(last_seen__gt=Now() - KEPT_FOR)
    behind = dict(
        recent.filter(digest__in=own.values("digest"))
        .values_list("digest")
        .annotate(people=Count("user"))
        .filter(people__gt=1, people__lte=MOST_BEHIND)
    )
    shared: dict[int, list[tuple[str, str]]] = {}
    others = recent.filter(digest__in=behind).exclude(user=user_id)
    for other, kind, digest in others.values_list("user", "kind", "digest"):
        shared.setdefault(other, []).append((kind, digest))
    found = [_related(other, traces, behind) for other, traces in shared.items()]
    return sorted(found, key=lambda each: (-each.devices, each.shared_by, each.user_id))


def are_related(one_id: int, other_id: int) -> Related | None:
    """How the other account is related to the one; None where nothing says so."""
    return next((each for each in related_accounts(one_id) if each.user_id == other_id), None)


def forget_traces() -> None:
    """Delete what has not been seen for so long."""
    Trace.objects.filter(last_seen__lte=Now() - KEPT_FOR).delete()


def network_of(address: str) -> str:
    """The network of an address, as much of it as is hashed; "" for this machine's own, or none.

    >>> network_of("203.0.113.77"), network_of("2001:db8:7:1::5"), network_of("127.0.0.1")
    ('203.0.113.0/24', '2001:db8:7::/48', '')
    """
    try:
        found: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    if found.is_loopback:
        return ""
    return str(ip_network((found, _PREFIXES[found.version]), strict=False))


def _related(other: int, traces: list[tuple[str, str]], behind: dict[str, int]) -> Related:
    devices = sum(kind == Trace.Kind.DEVICE for kind, _digest in traces)
    fewest = min(behind[digest] for _kind, digest in traces)
    return Related(other, devices, len(traces) - devices, fewest)


def _digest(kind: str, text: str) -> str:
    # With the present key only: a new key of the site forgets who was where.
    return keyed.digests(f"accounts.traces.{kind}", text)[0]
