"""The rules of hands once more, slow and obvious, to judge the solver by.

Cards are texts and nothing of `games.rules` is used, so that a mistake there can't hide here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

type Hand = frozenset[str]
type Melds = tuple[Hand, ...]

RANKS = "A23456789TJQK"
SUITS = "CDHS"
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)


def hand_of(text: str) -> Hand:
    return frozenset(text.split())


def text_of(cards: Hand) -> str:
    return " ".join(sorted(cards, key=DECK.index))


def points_of(cards: Hand) -> int:
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


def is_meld(cards: Hand) -> bool:
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    suits = {card[1] for card in cards}
    if len(cards) < 3:
        return False
    if len(set(ranks)) == 1:
        return True
    return len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def melds_in(hand: Hand) -> list[Hand]:
    groups = [[card for card in hand if card[0] == rank] for rank in RANKS]
    groups += [[card for card in hand if card[1] == suit] for suit in SUITS]
    return [
        frozenset(cards)
        for group in groups
        for size in range(3, len(group) + 1)
        for cards in combinations(group, size)
        if is_meld(frozenset(cards))
    ]


def arrangements(hand: Hand) -> Iterator[tuple[Melds, Hand]]:
    """Every choice of melds that share no card, and the cards left."""
    return _arrangements(hand, melds_in(hand))


def _arrangements(hand: Hand, melds: Sequence[Hand]) -> Iterator[tuple[Melds, Hand]]:
    yield (), hand
    for index, meld in enumerate(melds):
        # Only later melds may follow, so that each choice is tried once.
        later = [other for other in melds[index + 1 :] if not other & meld]
        for rest, loose in _arrangements(hand - meld, later):
            yield (meld, *rest), loose


def deadwood(hand: Hand) -> int:
    return min(points_of(loose) for _, loose in arrangements(hand))


def deadwood_by_discard(hand: Hand) -> dict[str, int]:
    return {card: deadwood(hand - {card}) for card in sorted(hand, key=DECK.index)}


def best_discard(hand: Hand, barred: str | None = None) -> tuple[str, int]:
    left = deadwood_by_discard(hand)
    card = min(left.keys() - {barred}, key=lambda c: (left[c], -points_of({c}), DECK.index(c)))
    return card, left[card]


def automatic_spread(hand: Hand) -> list[str]:
    """The texts of its melds, sorted."""
    least = deadwood(hand)
    choices = [melds for melds, loose in arrangements(hand) if points_of(loose) == least]
    return min(_gift(hand, melds) for melds in choices)[-1]


def _gift(hand: Hand, melds: Melds) -> tuple[int, int, int, list[str]]:
    outside = [card for card in DECK if card not in hand]
    fits = {card for card in outside if any(is_meld(meld | {card}) for meld in melds)}
    return len(fits), points_of(frozenset(fits)), len(melds), sorted(map(text_of, melds))


def defence(hand: Hand, melds: Melds, gin: bool) -> int:
    """The least deadwood over all own arrangements and, for each, all ways to lay off."""
    return min(least_loose(loose, () if gin else melds) for _, loose in arrangements(hand))


def least_loose(loose: Hand, melds: Melds) -> int:
    left = [points_of(loose)]
    for card in loose:
        for index, meld in enumerate(melds):
            if is_meld(meld | {card}):
                extended = (*melds[:index], meld | {card}, *melds[index + 1 :])
                left.append(least_loose(loose - {card}, extended))
    return min(left)
