"""One pair of series on mirrored deals: each bot plays the same decks from both seats."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from time import process_time

from games.bots import Bot
from games.rules.cards import DECK, Card
from games.rules.events import Event
from games.rules.options import Options
from games.rules.round import Phase, deal, play
from games.rules.scoring import RoundResult
from games.rules.series import SeriesState, score_round, start_series
from games.rules.sheet import ScoreSheet
from games.rules.view import table_view

MAX_ROUNDS = 500
"""After so many rounds a series counts half for each: two who never knock would play for ever."""


@dataclass(slots=True)
class Clock:
    """What a bot's decisions took, in seconds of CPU."""

    decisions: int = 0
    total: float = 0.0
    worst: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one decision."""
        self.decisions += 1
        self.total += seconds
        self.worst = max(self.worst, seconds)


@dataclass(slots=True)
class Tally:
    """What a pair of series came to, for the first bot: `won` of two, net `points` in `rounds`."""

    won: float = 0.0
    points: int = 0
    rounds: int = 0
    clocks: tuple[Clock, Clock] = field(default_factory=lambda: (Clock(), Clock()))


@dataclass(frozen=True, slots=True)
class Player:
    """A bot at its seat, with its own chance, and the clock that its decisions are counted on."""

    bot: Bot
    chance: Random
    clock: Clock


def play_pair(bots: tuple[Bot, Bot], options: Options, seed: int, pair: int) -> Tally:
    """Play one sequence of decks twice, the second time with the bots' seats changed.

    The seed and the number of the pair decide everything but the times.
    """
    tally = Tally()
    for first in (0, 1):
        players = _players(bots, tally.clocks, f"{seed}|{pair}|{first}")
        seated = (players[first], players[1 - first])
        state, points = play_series(seated, options, f"{seed}|{pair}")
        tally.won += _share(state, first)
        tally.points += points[first] - points[1 - first]
        tally.rounds += len(state.sheet.entries)
    return tally


def _players(
    bots: tuple[Bot, Bot], clocks: tuple[Clock, Clock], name: str
) -> tuple[Player, Player]:
    one, other = (
        Player(bots[number], Random(f"{name}|{number}"), clocks[number])  # noqa: S311
        for number in (0, 1)
    )
    return one, other


def _share(state: SeriesState, side: int) -> float:
    return float(state.winner == side) if state.is_over else 0.5


def play_series(
    players: Sequence[Player], options: Options, deals: str
) -> tuple[SeriesState, tuple[int, int]]:
    """Play a series of two; `deals` names its decks. Returns its end, and each side's points."""
    assert options.players == 2, "the arena is for two players"
    state = start_series(options, lot=Random(deals).randrange(2))  # noqa: S311
    points = [0, 0]
    while not state.is_over and state.round_number <= MAX_ROUNDS:
        deck = shuffled(f"{deals}|{state.round_number}")
        result = play_round(players, deck, state.boards[0].dealer, state.sheet)
        if result.winner is not None:
            points[result.winner] += result.points
        state = score_round(state, [result])
    return state, (points[0], points[1])


def shuffled(name: str) -> tuple[Card, ...]:
    """Return the deck of this name."""
    return tuple(Random(name).sample(DECK, 52))  # noqa: S311


def play_round(
    players: Sequence[Player], deck: Sequence[Card], dealer: int, sheet: ScoreSheet
) -> RoundResult:
    """Play a round; each player is given nothing but its view."""
    progress = deal(deck, dealer, sheet.options)
    state = progress.state
    events: list[Event] = list(progress.events)
    number = len(sheet.entries) + 1
    while state.phase is not Phase.OVER:
        player = players[state.turn]
        view = table_view(state, events, state.turn, number=number, version=state.ply, sheet=sheet)
        began = process_time()
        choice = player.bot.choose(view, player.chance)
        player.clock.add(process_time() - began)
        progress = play(state, state.turn, choice.action)
        state = progress.state
        events += progress.events
    assert state.result is not None, "a round without a result"
    return state.result
