"""Honest absence: people who are called away, and connections that break.

Supposed is that each series, or each deal, is broken off with the same probability, by itself. Who
has a bad connection, or a small child, comes to more.
"""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Final

from games.leavers import Deed, DeedKind, repute_after
from games.moderation.false_alarms import Count
from games.moderation.signs import giving, leaving
from games.moderation.signs.giving import Lost

_START: Final = datetime(2026, 1, 1, tzinfo=UTC)
_APART: Final = timedelta(days=30) / 40  # forty series a month, more than most people play
_GONE: Final = Lost(to=1, actions=4, rounds=1, resigned=0, broke_off=True)
_LOST: Final = Lost(to=1, actions=300, rounds=14, resigned=0, broke_off=False)


def given(called_away: float, series: int, months: int, seed: int) -> tuple[Count, Count]:
    """Of so many months those with the signals "given" and "sandbag".

    Somebody plays `series` rated series in a month with one friend, loses every other, and is
    called away from so many before 20 actions are done.
    """
    chance = Random(f"given|{seed}")  # noqa: S311
    to_one = to_many = 0
    for _ in range(months):
        lost = [each for _ in range(series) if (each := _series(called_away, chance))]
        to_one += giving.given_to(lost, 1) >= giving.TO_ONE
        to_many += giving.given_away(lost) >= giving.TO_MANY
    return Count(to_one, months), Count(to_many, months)


def _series(called_away: float, chance: Random) -> Lost | None:
    if chance.random() < called_away:
        return _GONE
    return _LOST if chance.random() < 0.5 else None


def left(gone: float, series: int, seed: int) -> Count:
    """Of so many series, one after the other, those after which somebody stands high on the ladder.

    They are gone from so many until the other claims, and finish the rest.
    """
    chance = Random(f"left|{seed}")  # noqa: S311
    hits, deeds = 0, list[Deed]()
    for number in range(series):
        now = _START + number * _APART
        kind = DeedKind.LEFT if chance.random() < gone else DeedKind.FINISHED
        # What is older has faded, whatever it was.
        deeds = [*deeds[-200:], (kind, now)]
        if kind is DeedKind.LEFT:
            hits += leaving.step_of(repute_after(deeds, now)) >= leaving.STEP
    return Count(hits, series)


def withheld(lost: float, deals: int, series: int, seed: int) -> Count:
    """Of so many series those with two deals running whose parts somebody did not tell.

    Their page loses the promise, or the connection, in so many of the deals.
    """
    chance = Random(f"withheld|{seed}")  # noqa: S311
    hits = 0
    for _ in range(series):
        parts = [chance.random() < lost for _ in range(deals)]
        hits += any(one and other for one, other in pairwise(parts))
    return Count(hits, series)
