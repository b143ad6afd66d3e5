"""Values of positions and knocks for one seat, and of the choices that lead to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

from games.bots.features import (
    common_numbers,
    discard_numbers,
    hand_numbers,
    knock_numbers,
    position_numbers,
    stage_of,
)
from games.bots.hands import completing
from games.bots.model import Model, Weights
from games.bots.outcomes import OUTCOMES
from games.bots.sight import Sight
from games.rules.cards import DECK, CardSet
from games.rules.deadwood import best_discard, deadwood_points

type Numbers = tuple[float, ...]


class Throw(NamedTuple):
    """A discard without a knock: what it is worth, the card, and the deadwood it leaves."""

    value: float
    card: int
    deadwood: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """A model's weights, summed up by what each outcome is worth: a weight a number.

    `positions` are by stage. `wins` foretell the chance to win a knocked round, `drawn` is what a
    drawn one is worth.
    """

    positions: Sequence[Sequence[float]]
    knocks: Sequence[float]
    wins: Sequence[float]
    drawn: float

    @classmethod
    def of(cls, model: Model, worth: Sequence[float]) -> Judgement:
        """Sum up a model, where `worth` values each outcome."""
        positions = [_summed(weights, worth) for weights in model.positions]
        own = [float(name.startswith("own")) for name in OUTCOMES]
        return cls(
            positions,
            knocks=_summed(model.knocks, worth),
            wins=_summed(model.knocks, own),
            drawn=worth[0],
        )

    def position(self, sight: Sight, kept: CardSet, card: int, common: Numbers) -> float:
        """Value a position after this card was thrown and these ten were kept."""
        numbers = numbers_of(sight, kept, card, common)
        stage = stage_of(sight.stock, round(10 * numbers[1]), sight.limit)
        return _dot(numbers, self.positions[stage])

    def knock(self, sight: Sight, deadwood: int) -> float:
        """Value a knock with this deadwood."""
        return _dot(knock_numbers(sight, deadwood), self.knocks)

    def chance_of_knock(self, sight: Sight, deadwood: int) -> float:
        """Say how likely a knock with this deadwood wins the round."""
        return min(max(_dot(knock_numbers(sight, deadwood), self.wins), 0.0), 1.0)

    def throw(self, sight: Sight, barred: int, width: int) -> Throw:
        """Return the best discard of eleven cards, among those of least deadwood.

        `barred` is the card that was taken from the pile, -1 where none was.
        """
        common = common_numbers(sight)
        return max(
            Throw(self.position(sight, sight.hand ^ 1 << card, card, common), card, deadwood)
            for deadwood, card in candidates(sight.hand, barred, width)
        )

    def eleven(self, sight: Sight, barred: int, width: int) -> float:
        """Value eleven cards in hand, knocking where that is worth more."""
        value = self.throw(sight, barred, width).value
        least = best_discard(sight.hand, DECK[barred] if barred >= 0 else None)[1]
        return value if least > sight.limit else max(value, self.knock(sight, least))

    def taking(self, sight: Sight, top: int, width: int) -> float:
        """Value taking the top card of the pile."""
        return self.eleven(sight._replace(hand=sight.hand | 1 << top), top, width)

    def drawing(self, sight: Sight, cards: Sequence[int], width: int) -> float:
        """Value drawing from the stock, where each of these cards is as likely."""
        total = 0.0
        for card in cards:
            bit = 1 << card
            drawn = sight._replace(hand=sight.hand | bit, unseen=sight.unseen ^ bit)
            total += self.eleven(drawn, -1, width)
        return total / len(cards)


def _summed(weights: Weights, worth: Sequence[float]) -> list[float]:
    return [_dot(column, worth) for column in zip(*weights, strict=True)]


def _dot(numbers: Sequence[float], weights: Sequence[float]) -> float:
    return sum(map(mul, numbers, weights), 0.0)


def numbers_of(sight: Sight, kept: CardSet, card: int, common: Numbers) -> Numbers:
    """Put a position in numbers, those that are common to all discards given."""
    return position_numbers(
        hand_numbers(kept, sight.unseen, sight.theirs, sight.limit),
        discard_numbers(sight, card),
        common,
    )


def candidates(hand: CardSet, barred: int, width: int) -> list[tuple[int, int]]:
    """List the discards that leave least deadwood, as (deadwood, card), at most so many."""
    found = []
    rest = hand
    while rest:
        bit = rest & -rest
        rest ^= bit
        card = bit.bit_length() - 1
        if card != barred:
            found.append((deadwood_points(hand ^ bit), card))
    found.sort()
    return found[:width]


def may_want(sight: Sight, top: int) -> bool:
    """Tell whether taking the pile's card is worth a thought: it melds, or allows a knock."""
    if completing(sight.hand) >> top & 1:
        return True
    return best_discard(sight.hand | 1 << top, DECK[top])[1] <= sight.limit
