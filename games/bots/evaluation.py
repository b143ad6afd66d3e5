"""What each choice is worth to the seat that has to act, and the parts that make it up.

The strong player and the expert choose by it, and a review of past rounds can be built on it: it
says what a choice was worth, whoever made it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from operator import mul
from types import MappingProxyType
from typing import Final

from games.bots.features import FEATURES, common_numbers, stage_of
from games.bots.judgement import Judgement, numbers_of
from games.bots.model import load_model, model_name
from games.bots.moments import round_to_act
from games.bots.sight import Sight, sight_of
from games.bots.worth import worth_in_points, worth_in_series
from games.rules.actions import Action, BigGin, Discard, Knock, Pass, Resign, Take
from games.rules.cards import cards_in
from games.rules.deadwood import best_discard
from games.rules.options import Options
from games.rules.sheet import ScoreSheet
from games.rules.state import Phase
from games.rules.view import SeatView, TableView


class Worth(StrEnum):
    """What a value counts: points of the round, or hundredths of a chance to win the series."""

    POINTS = "points"
    SERIES = "series"


class Part(StrEnum):
    """What a value is made of."""

    HAND = "hand"
    """The ten cards kept: their deadwood, and the cards that would improve them."""
    DANGER = "danger"
    """The card thrown: what the other player could do with it."""
    SIGNS = "signs"
    """What the other player has shown: cards taken, the last card thrown."""
    TIME = "time"
    """How far the round has gone."""


_PARTS: Final[Mapping[str, Part]] = MappingProxyType(
    {
        "one": Part.TIME,
        "stock": Part.TIME,
        "stock squared": Part.TIME,
        "their known cards": Part.SIGNS,
        "their last discard": Part.SIGNS,
        "free combinations": Part.DANGER,
        "known combinations": Part.DANGER,
        "sure meld": Part.DANGER,
        "near their discards": Part.DANGER,
        "near their refusals": Part.DANGER,
        "high discard": Part.DANGER,
    }
)
_PART_OF: Final = tuple(_PARTS.get(name, Part.HAND) for name in FEATURES)

_FEW: Final = 3
"""How many discards are weighed for each card that may be drawn."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A choice and what it is worth; a throw has the parts of that, a knock its chance to win."""

    action: Action
    value: float
    parts: Mapping[Part, float] = MappingProxyType({})
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the seat to act may do, the best first."""

    choices: tuple[Valued, ...]

    @property
    def best(self) -> Valued:
        """The choice that is worth most."""
        return self.choices[0]


def evaluate(view: TableView, worth: Worth = Worth.POINTS) -> Evaluation:
    """Value what the seat to act may do, but to resign and to defend, which need no judgement.

    Asserts that there is a choice to value.
    """
    seen, sight = round_to_act(view), sight_of(view)
    judgement = judgement_for(view, worth)
    match seen.phase:
        case Phase.DISCARD:
            found = [*_endings(seen, sight, judgement), *_throws(seen, sight, judgement)]
        case Phase.LAST_OFFER:
            found = _last_offer(seen, sight, judgement)
        case _:
            found = _draws(seen, sight, judgement)
    assert found, f"nothing to value in the phase {seen.phase}"
    return Evaluation(tuple(sorted(found, key=lambda valued: -valued.value)))


def judgement_for(view: TableView, worth: Worth) -> Judgement:
    """Return the judgement of the seat to act, by the rules and the score sheet of its table."""
    seen = round_to_act(view)
    assert seen.seat is not None, "a spectator judges nothing"
    sides = (view.sides[seen.seat], view.sides[1 - seen.seat])
    # The last entry says how the sheet stands.
    sheet = replace(view.sheet, entries=view.sheet.entries[-1:])
    if worth is Worth.POINTS:
        sheet = replace(sheet, entries=())
    return _judgement(view.options, sheet, sides, seen.multiplier, worth)


@lru_cache(maxsize=64)
def _judgement(
    options: Options, sheet: ScoreSheet, sides: tuple[int, int], multiplier: int, worth: Worth
) -> Judgement:
    model = load_model(model_name(options))
    if worth is Worth.SERIES:
        return Judgement.of(model, worth_in_series(model, sheet, sides, multiplier))
    return Judgement.of(model, worth_in_points(model, options, multiplier))


def _endings(view: SeatView, sight: Sight, judgement: Judgement) -> list[Valued]:
    found = [
        Valued(action, judgement.knock(sight, 0), chance=1.0)
        for action in view.actions
        if action == BigGin()
    ]
    card, least = best_discard(view.hand, view.taken)
    if least <= view.knock_limit:
        chance = judgement.chance_of_knock(sight, least)
        found.append(Valued(Knock(card), judgement.knock(sight, least), chance=chance))
    return found


def _throws(view: SeatView, sight: Sight, judgement: Judgement) -> list[Valued]:
    common = common_numbers(sight)
    found = []
    for action in view.actions:
        if isinstance(action, Discard):
            kept = view.hand ^ action.card.bit
            numbers = numbers_of(sight, kept, action.card, common)
            stage = stage_of(sight.stock, round(10 * numbers[1]), sight.limit)
            products = list(map(mul, numbers, judgement.positions[stage]))
            found.append(Valued(action, sum(products), _parts(products)))
    return found


def _parts(products: Sequence[float]) -> Mapping[Part, float]:
    parts = dict.fromkeys(Part, 0.0)
    for part, product in zip(_PART_OF, products, strict=True):
        parts[part] += product
    return MappingProxyType(parts)


def _draws(view: SeatView, sight: Sight, judgement: Judgement) -> list[Valued]:
    found = []
    for action in view.actions:
        if action == Take():
            found.append(Valued(action, judgement.taking(sight, view.pile[-1], _FEW)))
        elif not isinstance(action, Resign):
            found.append(Valued(action, judgement.drawing(sight, cards_in(sight.unseen), _FEW)))
    return found


def _last_offer(view: SeatView, sight: Sight, judgement: Judgement) -> list[Valued]:
    top = view.pile[-1]
    least = best_discard(view.hand | top.bit, top)[1]
    worths = {Take(): judgement.knock(sight, least), Pass(): judgement.drawn}
    return [Valued(action, worths[action]) for action in view.actions if action in worths]
