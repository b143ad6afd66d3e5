"""A history to measure with: series that were really played, by the rules and for nobody.

One plain player plays both seats, with secrets of their own for every deal, so that each log can be
replayed and each deck checked. What is different from a played series is only that all of it is
written at its end: no bell, no mail, and no tally (`manage.py check_statistics --repair`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Final

from django.db import transaction

from accounts.models import User
from games.models import Round, Seat, Series, SheetEntry
from games.models.fold import deck_of
from games.models.round import result_columns
from games.models.series import SHARED, new_secret
from games.rules.actions import Action, Defend, Discard, Draw, Knock, Pass, Take
from games.rules.deadwood import best_discard, deadwood_points
from games.rules.deck import commitment
from games.rules.legality import upcard_refused
from games.rules.log import EMPTY_LOG, Entry, logged
from games.rules.options import Options
from games.rules.round import deal, play
from games.rules.series import SeriesState, resign_series, score_round, start_series
from games.rules.state import Phase, RoundState
from games.services.history import store_seat_ends
from games.services.rating import rate_series

AT_ONCE: Final = 50  # series in one transaction
BETWEEN: Final = timedelta(minutes=4)  # from one end to the next
RESIGNED: Final = 0.01  # after a round
PRIVATE: Final = 0.02
HIDDEN: Final = 0.01

# How often in a hundred: rules, time control, and whether it is to be rated.
_TERMS: Final = (
    (60, Options(), "", True),
    (20, Options(), "600+5", False),
    (10, Options.from_mapping({"preset": "gin-rummy"}), "3d", True),
    (10, Options(undercut=20), "", False),
)


@dataclass
class Made:
    """A series with its rows, as they are before they are stored."""

    series: Series
    seats: list[Seat]
    state: SeriesState
    rounds: list[Round] = field(default_factory=list)
    entries: list[SheetEntry] = field(default_factory=list)


def make_history(
    users: Sequence[User], count: int, *, chance: Random, end: datetime
) -> Iterator[list[Made]]:
    """Make so many series of these users, the last one ending then, and yield them as stored.

    Half of the seats go to the first quarter of the users.
    """
    for first in range(0, count, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, count))
        batch = [_made(users, chance, end - BETWEEN * (count - 1 - each)) for each in numbers]
        _store(batch)
        yield batch


def _made(users: Sequence[User], chance: Random, ended_at: datetime) -> Made:
    [(_often, options, control, rated)] = chance.choices(_TERMS, [often for often, *_ in _TERMS])
    one, other = _two_of(users, chance)
    lot = chance.randrange(2)
    series = Series(
        created_by=one,
        created_at=ended_at - timedelta(minutes=30),
        started_at=ended_at - timedelta(minutes=29),
        ended_at=ended_at,
        status=Series.Status.OVER,
        preset=options.preset,
        option_values=options.to_mapping(),
        time_control=control,
        rated=rated,
        first_dealer=lot,
        is_private=chance.random() < PRIVATE,
    )
    seats = [
        Seat(series=series, user=user, number=n, side=n, is_hidden=chance.random() < HIDDEN)
        for n, user in enumerate((one, other))
    ]
    made = Made(series, seats, start_series(series.options, lot))
    _play_series(made, chance)
    _end(made)
    return made


def _two_of(users: Sequence[User], chance: Random) -> tuple[User, User]:
    one, other = (int(len(users) * chance.random() ** 2) for _ in range(2))
    return users[one], users[other if other != one else one - 1]


def _play_series(made: Made, chance: Random) -> None:
    version = 0
    while not made.state.is_over:
        row = _play_round(made, version)
        version = row.version
        assert row.result is not None, "it was played out"
        made.rounds.append(row)
        made.state = score_round(made.state, [row.result])
        made.entries += _entries(made, row)
        if not made.state.is_over and chance.random() < RESIGNED:
            made.state = resign_series(made.state, chance.randrange(2))


def _play_round(made: Made, version: int) -> Round:
    [board] = made.state.boards
    row = Round(
        series=made.series,
        number=made.state.round_number,
        first_seat=made.seats[board.seats[0]],
        second_seat=made.seats[board.seats[1]],
        dealer=board.dealer,
        version_before=version,
        secret=new_secret(),
        ended_at=made.series.ended_at,
        log=EMPTY_LOG,
    )
    row.commitment = commitment(bytes(row.secret))
    state = deal(deck_of(row), board.dealer, made.series.options).state
    while state.result is None:
        action = _choose(state)
        row.log = logged(row.log, Entry(state.turn, action))
        state = play(state, state.turn, action).state
    for name, value in result_columns(state.result).items():
        setattr(row, name, value)
    row.ply = state.ply
    return row


def _choose(state: RoundState) -> Action:
    """Take what helps, throw what helps least, knock at the first chance."""
    hand = state.hands[state.turn]
    if state.phase is Phase.DEFENCE:
        return Defend()
    if state.phase is Phase.DISCARD:
        card, deadwood = best_discard(hand, state.taken)
        return Knock(card) if deadwood <= state.knock_limit else Discard(card)
    top = state.pile[-1]
    helps = best_discard(hand | top.bit, top)[1] < deadwood_points(hand) - 2
    if helps and not upcard_refused(state):
        return Take()
    return Pass() if state.phase is Phase.OFFER else Draw()


def _entries(made: Made, row: Round) -> list[SheetEntry]:
    entry = made.state.sheet.entries[-1]
    if entry.side is None:
        return []
    return [
        SheetEntry(
            series=made.series, round=row, game=game + 1, side=entry.side, points=entry.points
        )
        for game in entry.games
    ]


def _end(made: Made) -> None:
    series, state = made.series, made.state
    series.winner_side = SHARED if state.winner == "shared" else state.winner
    series.ended_by_side = state.resigned_side
    is_played = state.resigned_side is None
    series.ending = Series.Ending.PLAYED if is_played else Series.Ending.RESIGNED


@transaction.atomic
def _store(batch: Sequence[Made]) -> None:
    Series.objects.bulk_create(made.series for made in batch)
    Seat.objects.bulk_create(seat for made in batch for seat in made.seats)
    Round.objects.bulk_create(row for made in batch for row in made.rounds)
    SheetEntry.objects.bulk_create(entry for made in batch for entry in made.entries)
    for made in batch:
        rate_series(made.series)
        store_seat_ends(made.series, made.state)
