"""A finished round looked back on, action by action: nothing in it is hidden any more."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from games.bots import Reason
from games.luck.deal import Luck, luck_of
from games.models import Round, Series
from games.models.fold import deck_of
from games.models.reasons import read_reasons
from games.rules.melds import best_discard, deadwood_points
from games.rules.notation import RoundRecord, replay
from games.rules.round import Progress, RoundState
from games.rules.scoring import Ending
from games.rules.sheet import Entry
from games.selectors.standing import finished_rounds, series_state

HAND_AND_ONE = 11


@dataclass(frozen=True, slots=True)
class Replay:
    """The round after its deal and after each action: `steps[ply]`.

    `deadwood` has for each step what both hands count: eleven cards after their best discard, and
    open hands as they are scored. `reasons` are the bots', by the ply of their action.
    """

    steps: tuple[Progress, ...]
    deadwood: tuple[tuple[int, int], ...]
    reasons: Mapping[int, Reason]

    @property
    def last(self) -> int:
        """The ply of the last action."""
        return len(self.steps) - 1


@dataclass(frozen=True, slots=True)
class Place:
    """Where a round stands in its series: the rounds beside it that are over, and its entry."""

    before: int | None
    after: int | None
    entry: Entry | None


def replay_of(row: Round) -> Replay:
    """Play a finished round out; each process remembers those it met last."""
    assert row.kind, "a running round is nobody's to replay"
    record = RoundRecord(row.series.options, row.dealer, deck_of(row), row.folded().entries)
    steps, deadwood = _played_out(record)
    # An action's reason is stored with the ply at which it was chosen, one before it was done.
    reasons = {each.ply + 1: each.reason for each in read_reasons(row.reasons)}
    return Replay(steps, deadwood, reasons)


@lru_cache(maxsize=128)
def _played_out(
    record: RoundRecord,
) -> tuple[tuple[Progress, ...], tuple[tuple[int, int], ...]]:
    steps = replay(record)
    return steps, tuple((_deadwood(each.state, 0), _deadwood(each.state, 1)) for each in steps)


def _deadwood(state: RoundState, seat: int) -> int:
    if state.spread is not None and seat == state.knocker:
        return state.spread.deadwood_points
    if state.defence is not None:
        return state.defence.deadwood_points
    hand = state.hands[seat]
    if hand.bit_count() == HAND_AND_ONE:
        return best_discard(hand, state.taken)[1]
    return deadwood_points(hand)


def place_of(row: Round) -> Place:
    """Find a finished round's place in its series, in one query."""
    rounds = finished_rounds(row.series)
    numbers = [each.number for each in rounds]
    here = numbers.index(row.number)
    entries = series_state(row.series, rounds).sheet.entries
    return Place(
        before=numbers[here - 1] if here else None,
        after=numbers[here + 1] if here + 1 < len(numbers) else None,
        # A round that was broken off has no entry; it is the last one.
        entry=None if row.kind == Ending.VOID else entries[here],
    )


def lucks_of(rows: Iterable[Round]) -> tuple[tuple[Luck, Luck], ...]:
    """What the deck decided in finished rounds, for board seats 0 and 1."""
    found = []
    for row in rows:
        assert row.kind, "of a running round the deck is nobody's to know"
        deck = deck_of(row)
        zero, one = (luck_of(deck, is_dealer=seat == row.dealer) for seat in (0, 1))
        found.append((zero, one))
    return tuple(found)


def rounds_dealt(series: Series) -> list[Round]:
    """The finished rounds of a series that was played here, for their decks; else none."""
    if series.source != Series.Source.PLAYED or series.options.players != 2:
        return []
    rows = Round.objects.filter(series=series).exclude(kind__in=("", Ending.VOID))
    rounds = list(rows.defer("log", "reasons").order_by("number"))
    for row in rounds:
        row.series = series  # it names the deck
    return rounds
