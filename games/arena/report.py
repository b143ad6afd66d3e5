"""What a measurement says: rates with intervals that respect the pairing."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from games.arena.match import Clock, Tally


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and half the width of its 95 % interval."""

    mean: float
    margin: float


@dataclass(frozen=True, slots=True)
class Report:
    """How the first bot did: its share of the series, and its net points a round."""

    pairs: int
    rounds: int
    wins: Estimate
    points: Estimate
    clocks: tuple[Clock, Clock]


def report(tallies: Sequence[Tally]) -> Report:
    """Sum up; the pair is the unit, since its two series share their decks.

    >>> report([Tally(won=2, points=30, rounds=9), Tally(won=1, points=-3, rounds=9)]).wins.mean
    0.75
    """
    assert tallies, "nothing was played"
    rounds = sum(tally.rounds for tally in tallies)
    a_round = sum(tally.points for tally in tallies) / rounds
    # The interval of a ratio: by each pair's difference from what its rounds were worth.
    rest = [len(tallies) * (tally.points - a_round * tally.rounds) / rounds for tally in tallies]
    return Report(
        pairs=len(tallies),
        rounds=rounds,
        wins=_estimate([tally.won / 2 for tally in tallies]),
        points=Estimate(a_round, _estimate(rest).margin),
        clocks=(_sum([tally.clocks[0] for tally in tallies]), _sum([t.clocks[1] for t in tallies])),
    )


def _estimate(values: Sequence[float]) -> Estimate:
    count = len(values)
    mean = sum(values) / count
    if count == 1:
        return Estimate(mean, float("inf"))
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    return Estimate(mean, 1.96 * sqrt(variance / count))


def _sum(clocks: Sequence[Clock]) -> Clock:
    return Clock(
        decisions=sum(clock.decisions for clock in clocks),
        total=sum(clock.total for clock in clocks),
        worst=max(clock.worst for clock in clocks),
    )
