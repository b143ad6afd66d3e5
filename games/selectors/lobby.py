"""What the lobby shows: tables with a free seat, and series that may be watched."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from accounts.relations import kept_apart
from accounts.sanctions import HELD_BACK, under
from games.formats import Format
from games.glicko import Rating as Strength
from games.models import Listing, Rating, Seat, Series
from games.selectors.versions import PRESENT_FOR

SHOWN: Final = 50
CLOCKED: Final = Q(series__time_control__contains="+")  # a bank that runs while nobody is there


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table with a free seat. `strength` is the host's, None where the rules have no rating.

    `is_own`: the viewer's. `fits`: their rating is in the range. `present`: the host is there.
    """

    series: Series
    host: User
    strength: Strength | None
    least: int | None
    most: int | None
    is_own: bool
    fits: bool
    present: bool


@dataclass(frozen=True, slots=True)
class RunningTable:
    """A series that is being played, and who plays it."""

    series: Series
    names: tuple[str, ...]


def free_tables(user_id: int | None) -> QuerySet[Listing]:
    """The listed tables at which this user may meet somebody, oldest first; not their own.

    One with a running clock is free only while its host is there, and none whose host may not
    begin a series.
    """
    host = Seat.objects.filter(series=OuterRef("series"), number=0)
    listed = (
        Listing.objects.filter(series__status=Series.Status.WAITING)
        .annotate(present=Exists(host.filter(seen_at__gt=Now() - PRESENT_FOR)))
        .select_related("series__created_by", "series__invitation")
        .order_by("series")
    )
    free = listed.filter(~CLOCKED | Q(present=True)).exclude(
        series__created_by__in=under(*HELD_BACK)
    )
    if user_id is None:
        return free
    return free.exclude(series__created_by__in={user_id, *kept_apart(user_id)})


def open_tables(user_id: int | None) -> list[OpenTable]:
    """The first `SHOWN` tables of the lobby as this user, or a visitor, finds them; their own too.

    The own ones come first, also those that nobody else is offered while their host is away.
    """
    own = Listing.objects.none() if user_id is None else own_listings(user_id)
    listings = [*own, *free_tables(user_id)[:SHOWN]]
    hosts = _strengths({each.series.created_by_id for each in listings})
    mine = _strengths({user_id} if user_id is not None else set())
    return [_open_table(each, user_id, hosts, mine) for each in listings]


def own_listings(user_id: int) -> QuerySet[Listing]:
    """The tables that a user has in the lobby and that nobody has joined."""
    host = Seat.objects.filter(series=OuterRef("series"), number=0)
    waiting = Listing.objects.filter(
        series__created_by=user_id, series__status=Series.Status.WAITING
    )
    return (
        waiting.annotate(present=Exists(host.filter(seen_at__gt=Now() - PRESENT_FOR)))
        .select_related("series__created_by")
        .order_by("series")
    )


def running_tables() -> list[RunningTable]:
    """The last `SHOWN` series between people that have begun and that anyone may watch."""
    bots = Seat.objects.filter(series=OuterRef("pk")).exclude(bot="")
    rows = (
        Series.objects.filter(
            status=Series.Status.PLAYING, is_private=False, source=Series.Source.PLAYED
        )
        .exclude(Exists(bots))
        .prefetch_related("seats__user")
        .order_by("-started_at", "-pk")[:SHOWN]
    )
    return [RunningTable(series, _names(series)) for series in rows]


def fits(listing: Listing, strength: Strength) -> bool:
    """Whether somebody of this strength may take the free seat.

    >>> fits(Listing(least_rating=1400, most_rating=None), Strength(1500))
    True
    """
    least, most = listing.least_rating, listing.most_rating
    value = round(strength.value)
    return (least is None or value >= least) and (most is None or value <= most)


def strength_at(user_id: int, format_: Format | None) -> Strength:
    """How strong a player is at a format; as everybody begins, while nothing is known."""
    row = Rating.objects.filter(user=user_id, format=str(format_)).first()
    return row.to_domain() if row is not None else Strength()


def format_of(series: Series) -> Format | None:
    """The format of a series, None where its rules have no rating."""
    return Format.of(series.options, series.control)


type _Strengths = dict[tuple[int, str], Strength]


def _strengths(user_ids: Iterable[int]) -> _Strengths:
    rows = Rating.objects.filter(user__in=set(user_ids))
    return {(row.user_id, row.format): row.to_domain() for row in rows}


def _open_table(
    listing: Listing, user_id: int | None, hosts: _Strengths, mine: _Strengths
) -> OpenTable:
    series, host = listing.series, listing.series.created_by
    format_ = format_of(series)
    own = mine.get((user_id, str(format_)), Strength()) if user_id is not None else Strength()
    return OpenTable(
        series=series,
        host=host,
        strength=hosts.get((host.pk, str(format_)), Strength()) if format_ else None,
        least=listing.least_rating,
        most=listing.most_rating,
        is_own=host.pk == user_id,
        fits=fits(listing, own),
        present=listing.present,  # type: ignore[attr-defined] # annotated
    )


def _names(series: Series) -> tuple[str, ...]:
    seats = sorted(series.seats.all(), key=lambda seat: seat.number)
    return tuple(seat.shown_name for seat in seats)
