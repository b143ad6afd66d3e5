"""How often the signs are wrong: bots play whole series as honest players, and it is counted.

A bot is honest as no person is: it takes what its own cards want and knocks when that pays. The
weak ones feed a strong one more than most people do, so that they are the hard case.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from games.arena.match import MAX_ROUNDS, shuffled
from games.bots import Bot, bot_named
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


def most_likely(hits: int, tries: int) -> float:
    """The upper end of the 95 % interval of a rate (Wilson's, and of none in `tries` 3 of them).

    >>> round(most_likely(0, 3000), 4), round(most_likely(3, 3000), 4)
    (0.001, 0.0029)
    """
    if hits == 0:
        return min(3 / tries, 1.0)
    z, rate = 1.96, hits / tries
    middle = rate + z * z / (2 * tries)
    half: float = z * (rate * (1 - rate) / tries + (z / (2 * tries)) ** 2) ** 0.5
    return (middle + half) / (1 + z * z / tries)


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
