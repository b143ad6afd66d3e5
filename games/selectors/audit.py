"""Does what is stored agree with itself? Rounds, sheets, seats and tallies against their replay."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from games.models import Round, Series, SheetEntry, Tally
from games.models.fold import deck_of
from games.models.reasons import read_reasons
from games.models.series import SHARED
from games.rules.cards import Card
from games.rules.errors import RulesError
from games.rules.log import fold
from games.rules.scoring import Ending
from games.rules.series import SeriesState
from games.rules.state import RoundState
from games.selectors.counting import Running, counting, key_of, tallies_of
from games.selectors.seat_end import SeatEnd, seat_ends
from games.selectors.standing import played_state, series_state


def differences(series: Series) -> Iterator[str]:
    """What is wrong with a series, a sentence each; nothing where all is well."""
    rounds = list(
        Round.objects.filter(series=series)
        .select_related("series", "first_seat", "second_seat")
        .order_by("number", "board")
    )
    yield from _seat_differences(series, rounds)
    for row in rounds:
        yield from _round_differences(row)
    if any(_is_garbled(row) for row in rounds):
        return
    if series.first_dealer is None:
        if rounds:
            yield "rounds are stored, but no dealer"
        yield from _seat_end_differences(series, None)
        return
    yield from _series_differences(series, rounds)


def _is_garbled(row: Round) -> bool:
    return row.dealer not in (0, 1) or row.kind not in ("", *Ending)


def _seat_differences(series: Series, rounds: list[Round]) -> Iterator[str]:
    seats = list(series.seats.order_by("number"))
    players = 1 if series.status == Series.Status.WAITING else series.options.players
    if [seat.number for seat in seats] != list(range(players)):
        yield f"seats {[seat.number for seat in seats]} are taken, not {players}"
    last = rounds[-1].number if rounds else 0
    for seat in seats:
        if seat.ready_after > last:
            yield f"seat {seat.number}: ready after round {seat.ready_after}, the last is {last}"


def _seat_end_differences(series: Series, state: SeriesState | None) -> Iterator[str]:
    for seat, end in seat_ends(series, list(series.seats.order_by("number")), state):
        stored = SeatEnd.stored(seat)
        for name, true in asdict(end).items():
            if getattr(stored, name) != true:
                yield f"seat {seat.number}: {name} is {getattr(stored, name)!r}, not {true!r}"


def _round_differences(row: Round) -> Iterator[str]:
    if _is_garbled(row):
        yield f"round {row.number}: no such dealer, or no such ending: {row.dealer}, {row.kind!r}"
        return
    source = row.series.source
    if source == Series.Source.ENTERED or (source == Series.Source.IMPORTED and not row.has_cards):
        yield from _entered_differences(row)
        return
    try:
        deck = deck_of(row)
        yield from _deal_differences(row, deck)
        state = fold(row.log, deck, row.dealer, row.series.options).state
    except RulesError as error:
        yield f"round {row.number}: the log can't be replayed: {error}"
        return
    if state.ply != row.ply:
        yield f"round {row.number}: ply {row.ply} is stored, the log has {state.ply}"
    yield from _bot_differences(row, state)
    if state.result != row.result:
        yield f"round {row.number}: {row.result} is stored, the log gives {state.result}"
    elif state.result is not None and state.result.points != row.points:
        yield f"round {row.number}: {row.points} points are stored, not {state.result.points}"


def _deal_differences(row: Round, deck: Sequence[Card]) -> Iterator[str]:
    if row.series.source == Series.Source.IMPORTED:
        if row.secret or row.commitment:
            yield f"round {row.number}: it was imported, but a deal is stored"
        return
    for fault in row.proof.faults(deck):
        yield f"round {row.number}: {fault}"


def _entered_differences(row: Round) -> Iterator[str]:
    if row.has_cards or row.ply or row.secret or row.commitment or row.deck:
        yield f"round {row.number}: it was entered by hand, but a deal or a log is stored"
    if row.result is None:
        yield f"round {row.number}: it was entered by hand, but without a result"
    elif row.result.points != row.points:
        yield f"round {row.number}: {row.points} points are stored, not {row.result.points}"


def _bot_differences(row: Round, state: RoundState) -> Iterator[str]:
    seats = (row.first_seat, row.second_seat)
    to_act = not row.kind and bool(seats[state.turn].bot)
    if (row.bot_due_at is not None) != to_act:
        yield f"round {row.number}: a bot is to act: {to_act}, but it is due at {row.bot_due_at}"
    for each in read_reasons(row.reasons):
        if each.ply >= row.ply or not any(seat.bot for seat in seats):
            yield f"round {row.number}: a reason for ply {each.ply}, which no bot has played"


def _series_differences(series: Series, rounds: list[Round]) -> Iterator[str]:
    state = played_state(series, [])
    version = 0
    for row in rounds:
        if row.version_before != version:
            yield f"round {row.number}: version before is {row.version_before}, not {version}"
        version = row.version
        if state.is_over or row.number != state.round_number:
            yield f"round {row.number} is stored, {state.round_number} was to follow"
            return
        if row.dealer != state.boards[0].dealer:
            yield f"round {row.number}: dealer {row.dealer}, not {state.boards[0].dealer}"
        state = played_state(series, [each for each in rounds if each.number <= row.number])
    yield from _ending_differences(series, rounds, played_out=state.is_over)
    state = series_state(series, rounds)
    yield from _sheet_differences(series, state)
    yield from _seat_end_differences(series, state)
    if (series.status == Series.Status.OVER) != state.is_over:
        yield f"the status is {series.status}, but the sheet says over: {state.is_over}"
    winner = SHARED if state.winner == "shared" else state.winner
    if series.winner_side != winner:
        yield f"the winner is stored as {series.winner_side}, not {winner}"


def _ending_differences(series: Series, rounds: list[Round], *, played_out: bool) -> Iterator[str]:
    early = series.ending not in ("", Series.Ending.PLAYED)
    if early == played_out and series.ending:
        yield f"the ending is {series.ending}, but the sheet says over: {played_out}"
    if early and any(not row.kind for row in rounds):
        yield f"the ending is {series.ending}, but a round still runs"
    if (series.ended_by_side is None) == (early and series.ending != Series.Ending.AGREED):
        yield f"the ending is {series.ending}, by side {series.ended_by_side}"


def _sheet_differences(series: Series, state: SeriesState) -> Iterator[str]:
    stored = set(
        SheetEntry.objects.filter(series=series).values_list(
            "round__number", "game", "side", "points"
        )
    )
    replayed = {
        (number, game + 1, entry.side, entry.points)
        for number, entry in enumerate(state.sheet.entries, start=1)
        for game in entry.games
    }
    for line in sorted(stored ^ replayed):
        yield f"sheet: {line} is {'stored' if line in stored else 'missing'}"


def tally_differences() -> Iterator[str]:
    """Which tallies are not what the series that are over come to, a sentence each."""
    made = tallies_of(counting().iterator(chunk_size=200))
    for row in Tally.objects.order_by("pk").iterator(chunk_size=200):
        stored = Running(row.to_domain(), row.streak, row.best_streak, row.last_ended_at)
        found = made.pop(key_of(row), Running())
        if stored != found:
            yield f"tally {row}: {_told(stored)} is stored, not {_told(found)}"
    for user, opponent, scope in made:
        yield f"tally {user or 'site'} / {opponent or 'all'}: {scope} is missing"


def _told(running: Running) -> str:
    streaks = f"streaks {running.streak}, {running.best_streak}, till {running.last_ended_at}"
    return f"{running.counts.to_mapping()}, {streaks}"
