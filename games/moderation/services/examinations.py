"""Looking at a series that is over for signs of something wrong, afterwards and by the clock.

What is found becomes a signal, and nothing else comes of it: a moderator looks. Nobody who plays
waits for any of this.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.db import DatabaseError, transaction

from accounts.models import User
from accounts.traces import are_related
from games.errors import log_failure
from games.models import Seat, Series
from games.moderation.models import Examination, Signal
from games.moderation.selectors.played import figures_in, lost_lately
from games.moderation.services.signals import note_signal
from games.moderation.signs import feeding, giving, knocks, leaving
from games.moderation.signs.figures import RARE, Figures
from games.selectors.repute import repute_of

logger = logging.getLogger(__name__)

AT_ONCE: Final = 20
USUAL_LIMIT: Final = 10

type Facts = dict[str, int | float | str | None]


@dataclass(frozen=True, slots=True)
class Sign:
    """What was noticed about a player of the series, and with `is_of_both` about the other too.

    `key` says what it is about beside kind and player, so that it is noted once.
    """

    kind: Signal.Kind
    key: str
    facts: Facts
    is_of_both: bool = True


def await_examination(series: Series) -> None:
    """Let it be looked at; runs in the transaction that ends it."""
    if series.source == Series.Source.PLAYED and series.options.players == 2:
        Examination.objects.get_or_create(series=series)


def waiting() -> list[int]:
    """Some of the series that wait to be looked at, the oldest first."""
    return list(Examination.objects.order_by("pk").values_list("series", flat=True)[:AT_ONCE])


@transaction.atomic
def examine(series_id: int) -> bool:
    """Look at a series, and note what there is; False where another process does, or has.

    One that can't be read is left unexamined, and the log says so: it holds up no other.
    """
    due = Examination.objects.select_for_update(skip_locked=True).filter(series=series_id)
    row = due.select_related("series").first()
    if row is None:
        return False
    try:
        with transaction.atomic():
            _look_at(row.series)
    except DatabaseError:
        raise
    except Exception as error:
        log_failure(logger, f"series {series_id} could not be examined", error)
    row.delete()
    return True


def _look_at(series: Series) -> None:
    seats = list(Seat.objects.filter(series=series).select_related("user").order_by("number"))
    if len(seats) != 2 or any(seat.bot or seat.user.kind == User.Kind.BOT for seat in seats):
        return
    figures = figures_in(series)
    for seat, other in (seats, seats[::-1]):
        signs = [*_of_series(seat, other, series), *_of_play(figures[seat.number], series)]
        for sign in signs:
            note_signal(
                sign.kind,
                f"{sign.kind}:{seat.user_id}:{sign.key}",
                seat.user_id,
                other_id=other.user_id if sign.is_of_both else None,
                series_id=series.pk,
                facts=sign.facts,
            )


def _of_play(figures: Figures, series: Series) -> Iterator[Sign]:
    """What the rounds of a series say of one who played them."""
    key = str(series.pk)
    if (chance := feeding.feeding(figures)) < RARE:
        facts: Facts = {"fed": figures.fed, "discards": figures.discards}
        yield Sign(Signal.Kind.FED, key, facts | _one_in(chance))
    # By other rules gin is what one plays for, or the limit is lower.
    if series.options.knock_limit == USUAL_LIMIT:
        if (chance := knocks.gins(figures)) < RARE:
            facts = {"gins": figures.gins, "rounds": figures.rounds}
            yield Sign(Signal.Kind.GINS, key, facts | _one_in(chance))
        if (chance := knocks.early_ends(figures)) < RARE:
            facts = {"early": figures.early, "rounds": figures.rounds}
            yield Sign(Signal.Kind.EARLY, key, facts | _one_in(chance))
    if knocks.let_go(figures) >= knocks.LET_GO_FROM:
        yield Sign(Signal.Kind.LET_GO, key, {"let_go": figures.let_go})


def _one_in(chance: float) -> Facts:
    return {"one_in": round(1 / chance)}


def _of_series(seat: Seat, other: Seat, series: Series) -> Iterator[Sign]:
    """What the series says of this player, with those of theirs before it."""
    assert series.ended_at is not None, "only a series that is over is examined"
    day, month = f"{series.ended_at:%Y-%m-%d}", f"{series.ended_at:%Y-%m}"
    if series.rated and seat.user_id < other.user_id:
        yield from _of_accounts(seat, other, day)
    if seat.is_rated and seat.result == Seat.Result.LOST:
        lost = lost_lately(seat.user_id)
        if (count := giving.given_to(lost, other.user_id)) >= giving.TO_ONE:
            yield Sign(Signal.Kind.GIVEN, f"{other.user_id}:{month}", {"given": count})
        if (count := giving.given_away(lost)) >= giving.TO_MANY:
            yield Sign(Signal.Kind.SANDBAG, month, {"given": count}, is_of_both=False)
    now = repute_of(seat.user_id)
    if (step := leaving.step_of(now.repute if now else None)) >= leaving.STEP:
        yield Sign(Signal.Kind.LEAVING, month, {"step": step}, is_of_both=False)


def _of_accounts(seat: Seat, other: Seat, day: str) -> Iterator[Sign]:
    related = are_related(seat.user_id, other.user_id)
    if related is None:
        return
    facts: Facts = {
        "devices": related.devices,
        "addresses": related.addresses,
        "shared_by": related.shared_by,
    }
    yield Sign(Signal.Kind.RELATED, f"{other.user_id}:{day}", facts)
