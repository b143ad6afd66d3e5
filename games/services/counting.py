"""The running tallies: written in the transaction that ends a series, or made anew from logs."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from games.counts import Counts
from games.models import Series, Tally
from games.selectors.counting import (
    Key,
    Running,
    Share,
    counting,
    counts_of,
    key_of,
    shares_of,
    streak_of,
    tallies_of,
)

_CHANGES: Final = ("counts", "streak", "best_streak", "last_ended_at")


def count_series(series: Series) -> None:
    """Count a series that has just ended for its players and the site, if it was played here.

    The caller holds the series' row, and does nothing slow before it commits: the tallies of a bot
    and of the site are those of many tables at once. They are locked in the order of their ids, so
    that of two series that end at once none waits for the other in a circle.
    """
    if series.source != Series.Source.PLAYED:
        return
    adds = _adds(series)
    rows = _locked(adds)
    for row in rows:
        counts, own = adds[key_of(row)]
        row.counts = (row.to_domain() + counts).to_mapping()
        if own is not None:
            _walk(row, own, series)
    Tally.objects.bulk_update(rows, _CHANGES)


def uncount_series(series: Series) -> None:
    """Take a series that has been declared void out of all tallies that it was counted in.

    The caller holds the series' row, and has written `voided_at`.
    """
    if series.source != Series.Source.PLAYED:
        return
    adds = _adds(series)
    rows = _locked(adds)
    for row in rows:
        counts, own = adds[key_of(row)]
        row.counts = (row.to_domain() - counts).to_mapping()
        if own is not None:
            _set_streak(row, streak_of(key_of(row)))
    Tally.objects.bulk_update(rows, _CHANGES)


def _adds(series: Series) -> dict[Key, tuple[Counts, Share | None]]:
    """What a series adds to which tally, and for a player's own whose share of it that is."""
    shares = shares_of(series)
    adds: dict[Key, tuple[Counts, Share | None]] = {}
    for share, counts in zip(shares, counts_of(series, shares), strict=True):
        adds |= dict.fromkeys(share.keys, (counts, share))
        for key in share.site_keys:
            before, _nobody = adds.get(key, (Counts(), None))
            adds[key] = (before + counts, None)
    return adds


def _locked(keys: Collection[Key]) -> list[Tally]:
    """The rows of these tallies, made where there are none, and locked."""
    if not keys:
        return []
    in_order = sorted(keys, key=lambda key: (key[0] or 0, key[1] or 0, key[2]))
    Tally.objects.bulk_create(map(_new, in_order), ignore_conflicts=True)
    wanted = Q()
    for user, opponent, scope in in_order:
        wanted |= Q(user=user, opponent=opponent, scope=scope)
    return list(Tally.objects.select_for_update().filter(wanted).order_by("pk"))


def _new(key: Key) -> Tally:
    user, opponent, scope = key
    return Tally(user_id=user, opponent_id=opponent, scope=scope)


def _walk(row: Tally, share: Share, series: Series) -> None:
    ended_at = series.ended_at
    assert ended_at is not None, "only a series that is over is counted"
    if row.last_ended_at is not None and row.last_ended_at >= ended_at:
        # Another of their series ended later and was counted sooner.
        running = streak_of(key_of(row))
    else:
        running = Running(streak=row.streak, best_streak=row.best_streak)
        running.walk(won=share.won, ended_at=ended_at)
    _set_streak(row, running)


def _set_streak(row: Tally, running: Running) -> None:
    row.streak, row.best_streak = running.streak, running.best_streak
    row.last_ended_at = running.last_ended_at


@transaction.atomic
def move_counts(series_ids: Iterable[int], *, left: int, joined: int) -> None:
    """Count series whose seats have gone from one account to another for the one they joined.

    Only these are counted, and what is left to the other: an account may have played thousands.
    The caller sees to it that no series of the two ends meanwhile.
    """
    _recount(left)
    adds: dict[Key, Counts] = {}
    for series in counting().filter(pk__in=series_ids):
        shares = shares_of(series)
        for share, counts in zip(shares, counts_of(series, shares), strict=True):
            for key in share.keys:
                if joined in key[:2]:
                    adds[key] = adds.get(key, Counts()) + counts
    rows = _locked(adds)
    for row in rows:
        row.counts = (row.to_domain() + adds[key_of(row)]).to_mapping()
        _set_streak(row, streak_of(key_of(row)))
    Tally.objects.bulk_update(rows, _CHANGES)


def _recount(user: int) -> None:
    """Make the tallies of one player anew, and those of others against them."""
    made = tallies_of(counting().filter(seats__user=user))
    rows = {key: each for key, each in made.items() if user in key[:2]}
    _replace(Tally.objects.filter(Q(user=user) | Q(opponent=user)), rows)


@transaction.atomic
def recount_all() -> int:
    """Make all tallies anew; how many there are. The caller lets nothing end meanwhile."""
    made = tallies_of(counting().iterator(chunk_size=200))
    _replace(Tally.objects.all(), made)
    return len(made)


def _replace(old: QuerySet[Tally], made: Mapping[Key, Running]) -> None:
    old.delete()
    rows = []
    for key, running in made.items():
        row = _new(key)
        row.counts = running.counts.to_mapping()
        _set_streak(row, running)
        rows.append(row)
    Tally.objects.bulk_create(rows, batch_size=500)
