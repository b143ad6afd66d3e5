"""A position in numbers: what the weights of the better bots are multiplied with.

A position here is one after a discard: ten cards in hand, the other to act. `FEATURES` names the
numbers in order; the parts of an evaluation are sums over those that belong together.
"""

from typing import Final

from games.bots.hands import EVERY_SUIT, completing
from games.bots.sight import Sight
from games.rules.cards import ALL_CARDS, DECK, CardSet, points_of
from games.rules.deadwood import best_discard, best_melds, deadwood_points

FEATURES: Final = (
    "one",
    "deadwood",
    "over limit",
    "after a draw",
    "knock next",
    "knock in two",
    "gin next",
    "outs",
    "loose",
    "neighbours",
    "lay-offs",
    "free combinations",
    "known combinations",
    "sure meld",
    "near their discards",
    "near their refusals",
    "high discard",
    "their known cards",
    "their last discard",
    "stock",
    "stock squared",
    "knock by stock",
    "deadwood by last discard",
)

_NO_ACES: Final[CardSet] = ALL_CARDS ^ EVERY_SUIT
# By points: the cards of at most so many.
UP_TO: Final = tuple(
    sum(card.bit for card in DECK if card.points <= points) for points in range(11)
)
_NEAR: Final = tuple(
    sum(
        other.bit
        for other in DECK
        if other is not card
        and (
            other.rank == card.rank
            or (other.suit == card.suit and abs(other.rank - card.rank) <= 2)
        )
    )
    for card in DECK
)


def _pairs_to_meld(number: int) -> tuple[tuple[CardSet, CardSet], ...]:
    card = DECK[number]
    runs = [
        (card + one, card + two)
        for one, two in ((-2, -1), (-1, 1), (1, 2))
        if card.rank + one >= 0 and card.rank + two <= 12
    ]
    suits = [other for other in DECK if other.rank == card.rank and other is not card]
    sets = [(one, two) for one in suits for two in suits if one < two]
    return tuple((1 << one, 1 << two) for one, two in (*runs, *sets))


_PAIRS: Final = tuple(_pairs_to_meld(number) for number in range(52))


def neighbours(cards: CardSet) -> CardSet:
    """The cards of the same rank as one of these, or within two of it in its suit."""
    above = cards << 1 & _NO_ACES
    below = (cards & _NO_ACES) >> 1
    near = above | above << 1 & _NO_ACES | below | (below & _NO_ACES) >> 1
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & 0x1FFF
    return (near | ranks * EVERY_SUIT) & ALL_CARDS & ~cards


def hand_numbers(hand: CardSet, unseen: CardSet, theirs: CardSet, limit: int) -> tuple[float, ...]:
    """The numbers that the ten cards kept decide: `deadwood` to `lay-offs`."""
    deadwood = deadwood_points(hand)
    count = unseen.bit_count() or 1
    melding = completing(hand) & unseen
    saved = deadwood - best_discard(hand)[1]
    gained = outs = knock = gin = 0
    rest = melding
    while rest:
        bit = rest & -rest
        rest ^= bit
        after = best_discard(hand | bit)[1]
        if after < deadwood:
            gained += deadwood - after
            outs += 1
            knock += after <= limit
            gin += after == 0
    lower = UP_TO[max(saved - 1, 0)] & unseen & ~melding
    gained += saved * lower.bit_count() - points_of(lower)
    low_enough = limit - deadwood + saved
    if low_enough > 0:
        knock += (UP_TO[min(low_enough, 10)] & unseen & ~melding).bit_count()
    loose = hand ^ sum(best_melds(hand))
    next_knock = knock / count
    return (
        deadwood / 10,
        max(0, deadwood - limit) / 10,
        (deadwood - gained / count) / 10,
        next_knock,
        next_knock * (1 - next_knock),
        gin / count,
        outs / 10,
        loose.bit_count() / 10,
        (neighbours(loose) & unseen).bit_count() / 20,
        points_of(loose & completing(theirs)) / 10,
    )


def discard_numbers(sight: Sight, card: int) -> tuple[float, ...]:
    """The numbers that the card thrown decides: `free combinations` to `high discard`."""
    free = known = sure = 0
    unseen, theirs = sight.unseen, sight.theirs
    for one, two in _PAIRS[card]:
        if one & theirs:
            if two & theirs:
                sure = 1
            elif two & unseen:
                known += 1
        elif one & unseen:
            if two & unseen:
                free += 1
            elif two & theirs:
                known += 1
    near = _NEAR[card]
    return (
        free / 6,
        min(known, 3) / 3,
        sure,
        min((near & sight.thrown).bit_count(), 3) / 3,
        min((near & sight.left).bit_count(), 3) / 3,
        free * min(card % 13 + 1, 10) / 60,
    )


def common_numbers(sight: Sight) -> tuple[float, ...]:
    """The numbers that are the same whatever is thrown."""
    stock = sight.stock / 31
    return (
        min(sight.theirs.bit_count(), 6) / 6,
        sight.last / 10,
        stock,
        stock * stock,
    )


def position_numbers(
    hand: tuple[float, ...], discard: tuple[float, ...], common: tuple[float, ...]
) -> tuple[float, ...]:
    """Put the numbers of a position together, in the order of `FEATURES`."""
    return (
        1.0,
        *hand,
        *discard,
        *common,
        hand[3] * common[2],
        hand[0] * common[1],
    )


STAGES: Final = 4


def stage_of(stock: int, deadwood: int, limit: int) -> int:
    """Say which weights a position is for: by the stock, and whether its hand could knock."""
    early = 0 if stock >= 24 else 1 if stock >= 17 else 2 if stock >= 10 else 3
    return early + (STAGES if deadwood <= limit else 0)


KNOCK_NUMBERS: Final = 22


def knock_numbers(sight: Sight, deadwood: int) -> tuple[float, ...]:
    """What decides how a knock with this deadwood comes out; gin and others share no number."""
    knock, stock = deadwood / 10, sight.stock / 31
    known, last = min(sight.theirs.bit_count(), 6) / 6, sight.last / 10
    common = (
        1.0,
        stock,
        stock * stock,
        known,
        known * stock,
        last,
        last * stock,
    )
    if not deadwood:
        return (*common, *(0.0,) * (KNOCK_NUMBERS - 7))
    return (
        *(0.0,) * 7,
        *common,
        last * last,
        knock,
        knock * knock,
        knock * stock,
        knock * stock * stock,
        knock * known,
        knock * last,
        knock * knock * last,
    )
