"""The tallies that the pages of statistics show: a few rows, never a sum over what was played."""

from collections.abc import Mapping
from typing import Final

from accounts.models import User
from games.models import Rating, Tally
from games.selectors.counting import ALL, OPEN, band_of

LEAST_LIKE: Final = 200
"""Rounds of players of like rating from which on they are a measure for others."""

type Tallies = Mapping[str, Tally]
"""By scope."""


def tallies_of_player(user_id: int) -> Tallies:
    """The tallies of a player."""
    return {row.scope: row for row in Tally.objects.filter(user=user_id, opponent=None)}


def tallies_of_pair(one: int, other: int, *, is_among_them: bool) -> tuple[Tally, Tally] | None:
    """The tallies of two against each other, None where they never played.

    What they played in private counts for themselves only.
    """
    scope = ALL if is_among_them else OPEN
    pair = Tally.objects.filter(user__in=(one, other), opponent__in=(one, other), scope=scope)
    rows = {row.user_id: row for row in pair}
    return (rows[one], rows[other]) if len(rows) == 2 else None


def tallies_of_site() -> Tallies:
    """The site's: the sums over all players."""
    return {row.scope: row for row in Tally.objects.filter(user=None)}


def tallies_of_bots() -> list[Tally]:
    """All that each bot has played."""
    rows = Tally.objects.filter(user__kind=User.Kind.BOT, opponent=None, scope=ALL)
    return list(rows.select_related("user").order_by("pk"))


def tally_of_like(user_id: int, site: Tallies) -> tuple[Tally, int | None] | None:
    """Whom to measure a player against: those of like rating, and from which on; else all."""
    best = Rating.objects.filter(user=user_id).order_by("-series_count", "format").first()
    if best is not None:
        like = site.get(band_of(best.value))
        if like is not None and sum(like.to_domain().rounds) >= LEAST_LIKE:
            return like, int(like.scope.rpartition(" ")[2])
    return (site[ALL], None) if ALL in site else None
