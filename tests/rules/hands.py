"""Hands to try: random ones, and ones in which melds abound and compete."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from games.rules.cards import ALL_CARDS, DECK, CardSet, card_set, cards_in
from games.rules.deadwood import deadwood_points
from games.rules.melds import MELDS, Meld, arrangements

_MELDS = tuple(MELDS)


def random_hand(random: Random, size: int) -> CardSet:
    return card_set(random.sample(DECK, size))


def melds_united(random: Random, size: int) -> CardSet:
    """All of the cards lie in melds, of which some overlap."""
    hand = 0
    while hand.bit_count() != size:
        hand |= random.choice(_MELDS)
        if hand.bit_count() > size:
            hand = 0
    return hand


def few_ranks(random: Random, size: int) -> CardSet:
    """Four ranks in a row: sets and runs compete for each card."""
    start = random.randrange(10)
    return card_set(random.sample([card for card in DECK if start <= card.rank < start + 4], size))


def few_suits(random: Random, size: int) -> CardSet:
    suits = random.sample(range(4), 2)
    return card_set(random.sample([card for card in DECK if card.suit in suits], size))


def one_strange_card(random: Random, size: int) -> CardSet:
    """Melds and one card from anywhere."""
    hand = melds_united(random, size - 1)
    return hand | random.choice(cards_in(ALL_CARDS ^ hand)).bit


KINDS: tuple[Callable[[Random, int], CardSet], ...] = (
    random_hand,
    melds_united,
    few_ranks,
    few_suits,
    one_strange_card,
)


def a_knock(random: Random) -> tuple[list[Meld], CardSet]:
    """A spread of some hand rich in melds, and ten other cards, many of which fit it."""
    knocker = random.choice(KINDS[1:])(random, 10)
    melds = list(random.choice(arrangements(knocker, deadwood_points(knocker) + 10)).melds)
    defender = 0
    for meld in melds:
        around = meld.cards | meld.cards << 1 | meld.cards >> 1 | meld.cards << 2 | meld.cards >> 2
        near = (around | meld.fits) & ALL_CARDS & ~knocker
        defender |= card_set(card for card in cards_in(near) if random.random() < 0.7)
    others = list(cards_in(ALL_CARDS & ~knocker & ~defender))
    kept = random.sample(cards_in(defender), min(10, defender.bit_count()))
    return melds, card_set(kept + random.sample(others, 10 - len(kept)))
