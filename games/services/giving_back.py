"""Undoing what series made of ratings: the rating is then the fold of the changes that are left."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models.functions import Now

from games.glicko import MOST_DEVIATION, Result, idle, rated
from games.glicko import Rating as Strength
from games.models import Rating, RatingChange
from games.services.rating import PERIOD


@dataclass(frozen=True, slots=True)
class Moved:
    """A rating that stands elsewhere than before."""

    user_id: int
    before: float
    after: float


def give_back(changes: Iterable[RatingChange]) -> list[Moved]:
    """Undo these changes, which the caller has locked; each other one keeps its weight.

    What was shown of later series stays as it was told: only where the player stands now is another
    place.
    """
    undone = list(changes)
    RatingChange.objects.filter(pk__in=[each.pk for each in undone]).update(given_back_at=Now())
    # In the order of users, as games.services.rating locks them.
    ratings = sorted({(each.user_id, each.format) for each in undone})
    return [refold(user_id, format_) for user_id, format_ in ratings]


def refold(user_id: int, format_: str) -> Moved:
    """Work a rating out again from the changes that count."""
    row = Rating.objects.select_for_update().get(user=user_id, format=format_)
    counting = RatingChange.objects.filter(user=user_id, format=format_, given_back_at=None)
    strength, last, count = Strength(), None, 0
    for change in counting.order_by("rated_at", "pk"):
        waited = max((change.rated_at - last) / PERIOD, 0.0) if last else 0.0
        # Of the first changes that were ever stored the opponent's deviation is not known.
        deviation = change.opponent_deviation or MOST_DEVIATION
        opponent = Strength(change.opponent_value, deviation)
        strength = rated(idle(strength, waited), [Result(opponent, change.score)])
        last, count = change.rated_at, count + 1
    Rating.objects.filter(pk=row.pk).update(
        value=strength.value,
        deviation=strength.deviation,
        volatility=strength.volatility,
        series_count=count,
        rated_at=last or row.rated_at,
    )
    return Moved(user_id, row.value, strength.value)
