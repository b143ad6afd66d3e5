"""Learning by playing: what positions and knocks came to, fitted; then better play; and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from random import Random
from typing import NamedTuple

from games.bots.features import FEATURES, KNOCK_NUMBERS, STAGES, knock_numbers
from games.bots.judgement import Judgement
from games.bots.model import Model
from games.bots.outcomes import OUTCOMES, outcome_place
from games.bots.worth import worth_in_points
from games.rules.cards import DECK
from games.rules.options import PRESETS, Options
from games.training.fits import Fit
from games.training.players import FastEaai, Learner
from games.training.table import FastPlayer, Outcome, knock_outcome, play_fast

_CHUNK = 200  # rounds
_COMMON_ROWS = 60.0


class Lesson(NamedTuple):
    """How to learn: from which model (None: from the club player), by which rules, how bold."""

    model: Model | None
    preset: str
    seed: str
    tries: float
    knock_tries: float


@dataclass
class Harvest:
    """What was seen: rows for the fits, how often each outcome came.

    `points` are those of the learner in `rounds` against the yardstick."""

    positions: list[Fit] = field(
        default_factory=lambda: [Fit(len(FEATURES), len(OUTCOMES)) for _ in range(2 * STAGES)]
    )
    knocks: Fit = field(default_factory=lambda: Fit(KNOCK_NUMBERS, len(OUTCOMES)))
    counts: list[int] = field(default_factory=lambda: [0] * len(OUTCOMES))
    differences: list[int] = field(default_factory=lambda: [0] * len(OUTCOMES))
    rounds: int = 0
    points: int = 0

    def merge(self, other: Harvest) -> None:
        """Add what another process saw."""
        for mine, theirs in zip(self.positions, other.positions, strict=True):
            mine.merge(theirs)
        self.knocks.merge(other.knocks)
        for place in range(len(OUTCOMES)):
            self.counts[place] += other.counts[place]
            self.differences[place] += other.differences[place]
        self.rounds += other.rounds
        self.points += other.points

    def note(self, outcome: Outcome, player: Learner, seat: int) -> None:
        """Take in what a learner came to in a round that ended so."""
        place = outcome_place(outcome.winner == seat, outcome.kind, outcome.difference)
        self.counts[place] += 1
        self.differences[place] += outcome.difference
        for stage, numbers in player.rows:
            self.positions[stage].add(numbers, place)
        for sight, deadwood, kept, other in player.chances:
            end = knock_outcome(seat, kept, other)
            own = end.winner == seat
            self.knocks.add(
                knock_numbers(sight, deadwood), outcome_place(own, end.kind, end.difference)
            )

    def model(self) -> Model:
        """Fit the weights."""
        rounds = sum(self.counts)
        sums = zip(self.differences, self.counts, strict=True)
        return Model(
            positions=[*_by_stage(self.positions[:STAGES]), *_by_stage(self.positions[STAGES:])],
            knocks=self.knocks.solve(ridge=1.0),
            shares=[count / rounds for count in self.counts],
            differences=[total / max(1, count) for total, count in sums],
        )


def _by_stage(fits: Sequence[Fit]) -> list[list[list[float]]]:
    """Fit each stage, those with few rows much like all stages together."""
    together = Fit(len(FEATURES), len(OUTCOMES))
    for fit in fits:
        together.merge(fit)
    common = together.solve(ridge=1.0)
    return [fit.solve(ridge=_COMMON_ROWS, towards=common) for fit in fits]


def learn(lesson: Lesson, rounds: int, jobs: int) -> Harvest:
    """Play so many rounds, half against the yardstick and half against oneself."""
    total = Harvest()
    lessons = [lesson._replace(seed=f"{lesson.seed}|{n}") for n in range(-(-rounds // _CHUNK))]
    with get_context("spawn").Pool(jobs) as pool:
        # In order, so that the sums are the same to the last digit whatever the jobs.
        for part in pool.imap(harvest, lessons):
            total.merge(part)
    return total


def harvest(lesson: Lesson) -> Harvest:
    """Play some rounds and see what comes of them."""
    random = Random(lesson.seed)  # noqa: S311
    result = Harvest()
    for number in range(_CHUNK):
        deck = list(range(52))
        random.shuffle(deck)
        _play_round(result, lesson, random, deck, number)
    return result


def _play_round(
    result: Harvest, lesson: Lesson, random: Random, deck: list[int], number: int
) -> None:
    options, upcard = PRESETS[lesson.preset], DECK[deck[20]]
    judgement = None
    if lesson.model is not None:
        worth = worth_in_points(lesson.model, options, options.multiplier_for(upcard))
        judgement = Judgement.of(lesson.model, worth)
    learners = [
        Learner(random, judgement, lesson.tries, lesson.knock_tries)
        for _ in range(1 if number % 2 else 2)
    ]
    players: tuple[FastPlayer, FastPlayer] = (
        learners[0],
        FastEaai(random) if number % 2 else learners[1],
    )
    limit = options.limit_for(upcard)
    outcome = play_fast(players, deck, dealer=number // 2 % 2, limit=limit)
    for seat, learner in enumerate(learners):
        result.note(outcome, learner, seat)
    if number % 2:
        result.rounds += 1
        result.points += _points(outcome, options)


def _points(outcome: Outcome, options: Options) -> int:
    if outcome.winner < 0:
        return 0
    bonuses = {"gin": options.gin, "undercut": options.undercut}
    points = outcome.difference + bonuses.get(outcome.kind, 0)
    return -points if outcome.winner else points
