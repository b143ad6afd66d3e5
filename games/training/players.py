"""Fast players: the yardstick, and the one that learns."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from games.bots.features import common_numbers, stage_of
from games.bots.hands import completing, improvements
from games.bots.judgement import Judgement, Numbers, Throw, candidates, may_want, numbers_of
from games.bots.sight import Sight
from games.rules.cards import DECK, CardSet, cards_in
from games.rules.deadwood import best_discard, deadwood_points

_LOOKS = 5
"""How many of the cards that the stock may hold are looked at before a draw."""
_WIDTH = 5
"""How many discards are weighed."""


class FastEaai:
    """The yardstick `eaai`, on a fast table."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def takes(self, sight: Sight, top: int) -> bool:
        """Take what belongs to any meld."""
        return bool(completing(sight.hand) >> top & 1)

    def throws(self, sight: Sight, barred: int, other: CardSet) -> tuple[int, bool]:
        """Knock at once, or throw one of those that leave least."""
        found = candidates(sight.hand, barred, 11)
        least = found[0][0]
        best = [card for deadwood, card in found if deadwood == least]
        if least <= sight.limit:
            return max(best, key=lambda card: (DECK[card].points, -card)), True
        return self._random.choice(best), False


class Row(NamedTuple):
    """A position that a learner came to, in numbers, and the stage of its weights."""

    stage: int
    numbers: Numbers


class Chance(NamedTuple):
    """A knock that was possible: with what, and against which hand."""

    sight: Sight
    deadwood: int
    kept: CardSet
    other: CardSet


@dataclass
class Learner:
    """Plays by its judgement, or like the club player before it has one, and tries other things.

    `tries` and `knock_tries` say how often. It remembers what it came to; the other hand, which a
    fast table shows, is kept for the knocks alone and no choice depends on it.
    """

    random: Random
    judgement: Judgement | None
    tries: float
    knock_tries: float
    rows: list[Row] = field(default_factory=list)
    chances: list[Chance] = field(default_factory=list)

    def takes(self, sight: Sight, top: int) -> bool:
        """Compare the take with a few cards that the stock may hold."""
        if not may_want(sight, top):
            return False
        if self.random.random() < self.tries / 2:
            return self.random.random() < 0.5
        if self.judgement is None:
            return _club_takes(sight, top)
        unseen = cards_in(sight.unseen)
        some = self.random.sample(unseen, min(_LOOKS, len(unseen)))
        taking = self.judgement.taking(sight, top, 3)
        return taking > self.judgement.drawing(sight, some, 3)

    def throws(self, sight: Sight, barred: int, other: CardSet) -> tuple[int, bool]:
        """Choose, and remember the position that comes of it."""
        thrown = self._throw(sight, barred)
        best, least = best_discard(sight.hand, DECK[barred] if barred >= 0 else None)
        if least <= sight.limit:
            self.chances.append(Chance(sight, least, sight.hand ^ best.bit, other))
            if self._knocks(sight, least, thrown.value):
                return best, True
        card = thrown.card
        if self.random.random() < self.tries:
            _, card = self.random.choice(candidates(sight.hand, barred, 6))
        kept = sight.hand ^ 1 << card
        stage = stage_of(sight.stock, deadwood_points(kept), sight.limit)
        self.rows.append(Row(stage, numbers_of(sight, kept, card, common_numbers(sight))))
        return card, False

    def _knocks(self, sight: Sight, least: int, otherwise: float) -> bool:
        knocks = self.judgement is None or self.judgement.knock(sight, least) > otherwise
        return knocks != (least > 0 and self.random.random() < self.knock_tries)

    def _throw(self, sight: Sight, barred: int) -> Throw:
        if self.judgement is not None:
            return self.judgement.throw(sight, barred, _WIDTH)
        return max(
            Throw(_prospect(sight, card, deadwood), card, deadwood)
            for deadwood, card in candidates(sight.hand, barred, _WIDTH)
        )


def _club_takes(sight: Sight, top: int) -> bool:
    both = sight.hand | 1 << top
    card, least = best_discard(both)
    return card != top and (least <= sight.limit or least < deadwood_points(sight.hand))


def _prospect(sight: Sight, card: int, deadwood: int) -> float:
    _, gained = improvements(sight.hand ^ 1 << card, sight.unseen)
    return 3 * gained / sight.unseen.bit_count() - deadwood
