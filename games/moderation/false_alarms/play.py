"""Honest play: bots play whole series, and it is counted which signs they set off.

A bot is honest as no person is: it takes what its own cards want and knocks when that pays. The
weak ones feed a strong one more than most people do, so that they are the hard case.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from games.arena.match import MAX_ROUNDS, shuffled
from games.bots import Bot, bot_named
from games.moderation.false_alarms import Count
from games.moderation.signs import feeding, knocks
from games.moderation.signs.figures import RARE, Figures, figures_of
from games.rules.cards import Card
from games.rules.events import Event
from games.rules.options import Options
from games.rules.round import Phase, Progress, deal, play
from games.rules.series import score_round, start_series
from games.rules.sheet import ScoreSheet
from games.rules.view import table_view

PAIRS: Final = (
    ("beginner", "beginner"),
    ("beginner", "club"),
    ("club", "club"),
    ("simple", "club"),
    ("eaai", "club"),
    ("simple", "simple"),
    ("beginner", "expert"),
    ("eaai", "beginner"),
    ("club", "beginner"),
    ("club", "strong"),
)
"""Who plays whom, in turn: equals, and the weak against the strong."""


@dataclass(frozen=True, slots=True)
class Honest:
    """A player's figures in one honest series, and who that was."""

    name: str
    opponent: str
    figures: Figures


def honest_play(count: int, options: Options, seed: int) -> Iterator[tuple[Honest, Honest]]:
    """Play so many series; yields the two players of each. The seed decides everything."""
    for number in range(count):
        names = PAIRS[number % len(PAIRS)]
        bots = (bot_named(names[0]), bot_named(names[1]))
        figures = _series(bots, options, f"{seed}|{number}")
        yield Honest(names[0], names[1], figures[0]), Honest(names[1], names[0], figures[1])


def signs_of(figures: Figures) -> dict[str, bool]:
    """Which signs these figures of one series set off."""
    return {
        "fed": feeding.feeding(figures) < RARE,
        "gins": knocks.gins(figures) < RARE,
        "early": knocks.early_ends(figures) < RARE,
        "let go": knocks.let_go(figures) >= knocks.LET_GO_FROM,
    }


def alarms(count: int, options: Options, seed: int) -> dict[str, Count]:
    """Of so many series those in which either player sets off each sign."""
    hits: Counter[str] = Counter()
    for one, other in honest_play(count, options, seed):
        for name, is_set in signs_of(one.figures).items():
            hits[name] += is_set or signs_of(other.figures)[name]
    return {name: Count(hits[name], count) for name in sorted(hits)}


def _series(bots: tuple[Bot, Bot], options: Options, name: str) -> tuple[Figures, Figures]:
    chances = (Random(f"{name}|0"), Random(f"{name}|1"))  # noqa: S311
    state = start_series(options, lot=Random(name).randrange(2))  # noqa: S311
    one, other = Figures(), Figures()
    while not state.is_over and state.round_number <= MAX_ROUNDS:
        deck = shuffled(f"{name}|{state.round_number}")
        steps = _round(bots, chances, deck, state.boards[0].dealer, state.sheet)
        one, other = one + figures_of(steps, 0), other + figures_of(steps, 1)
        result = steps[-1].state.result
        assert result is not None, "a round without a result"
        state = score_round(state, [result])
    return one, other


def _round(
    bots: tuple[Bot, Bot],
    chances: tuple[Random, Random],
    deck: tuple[Card, ...],
    dealer: int,
    sheet: ScoreSheet,
) -> list[Progress]:
    """As `arena.match.play_round`, with every step kept."""
    steps = [deal(deck, dealer, sheet.options)]
    events: list[Event] = list(steps[0].events)
    number = len(sheet.entries) + 1
    while (state := steps[-1].state).phase is not Phase.OVER:
        view = table_view(state, events, state.turn, number=number, version=state.ply, sheet=sheet)
        choice = bots[state.turn].choose(view, chances[state.turn])
        steps.append(play(state, state.turn, choice.action))
        events += steps[-1].events
    return steps
