"""The deck of a round: uniform (promise F1 of reliability, fault 84), final and provable."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import comb, sqrt
from random import Random

import pytest

from games.rules.cards import DECK, Card, format_cards
from games.rules.deck import commitment, deal_message, shuffled_deck

DECKS = 20_000
type Deck = Sequence[Card]


# Final: what is pinned here must never change, for stored rounds are dealt by it.


def test_the_message_names_series_round_board_and_parts():
    assert deal_message("a1b2", 3, 1) == "a1b2|3|1|none|none"
    assert deal_message("a1b2", 12, 0, "00ff", "none") == "a1b2|12|0|00ff|none"


def test_the_commitment_is_the_sha_256_of_the_secret():
    assert (
        commitment(b"secret") == "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
    )


@pytest.mark.parametrize(
    ("secret", "message", "deck"),
    [
        (
            bytes(32),
            "a1b2|1|0|none|none",
            "5S 3C QH JC KC JH 2D 9D 2H 2S 8S 8D 6C JD 7D 8C 9S 4C 4S 8H AS KH TD 5C 4D 2C "
            "7S AC 9H QD AH 6S JS QC 5D 3S 7H QS AD KS 3H 6D 7C TS TC KD 4H 6H 5H TH 3D 9C",
        ),
        (
            bytes(range(32)),
            "a1b2|1|0|none|none",
            "3D QH 7D JS 3S QS AS QC 6D 8S TD 8D 2D 5S KS AD JH 4H KC QD JC 4D 7S AC 6S 2C "
            "TH TC 8H 2H JD 7C 7H 6C KH 5H 9D 4S 5D 2S 5C 3C 3H AH 8C 9H 4C 6H KD 9C 9S TS",
        ),
        (
            bytes(range(32)),
            "a1b2|1|1|00ff|none",
            "AD JS QC 4C 3S 4H 6D KS 7H 2D 3C TS TD 7S 8D AS 9D 9C 3D 4D 9H 9S 2S 5S 6C AC "
            "JD QS 8S 5D TC 5H JH 8H 6S AH QH QD 2H 2C KD 3H TH 4S 7C 8C JC 5C 6H KH KC 7D",
        ),
    ],
)
def test_the_deck_of_a_secret_is_final(secret, message, deck):
    assert format_cards(shuffled_deck(secret, message)) == deck


def checked_deck(secret: bytes, message: str) -> list[str]:
    """The deck as somebody else would work it out, from the words of the promise alone."""
    stream = b"".join(
        hmac.new(secret, f"{message}|{n}".encode(), hashlib.sha256).digest() for n in range(20)
    )
    deck, at = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"], 0
    for i in reversed(range(1, 52)):
        while stream[at] >= 256 // (i + 1) * (i + 1):
            at += 1
        j = stream[at] % (i + 1)
        at += 1
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def test_anybody_can_work_the_deck_out():
    random = Random(2)
    for number in range(500):
        secret, message = random.randbytes(32), deal_message("a1b2", number, 0)
        assert [str(card) for card in shuffled_deck(secret, message)] == checked_deck(
            secret, message
        )


def test_any_change_of_secret_or_message_changes_the_deck():
    random = Random(3)
    secret = random.randbytes(32)
    deck = shuffled_deck(secret, "a1b2|1|0|none|none")
    for bit in range(256):
        other = (int.from_bytes(secret) ^ 1 << bit).to_bytes(32)
        assert shuffled_deck(other, "a1b2|1|0|none|none") != deck
        assert commitment(other) != commitment(secret)
    for message in ("a1b2|2|0|none|none", "a1b2|1|1|none|none", "a1b2|1|0|00|none"):
        assert shuffled_deck(secret, message) != deck


# Uniform: each statistic of many decks is one chi-square, turned into a z by Wilson and Hilferty.


def z(chi_square: float, freedom: int) -> float:
    spread = 2 / (9 * freedom)
    return ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)


def chi_square(found: Sequence[float], expected: Sequence[float]) -> float:
    assert sum(found) == pytest.approx(sum(expected))
    return sum((f - e) ** 2 / e for f, e in zip(found, expected, strict=True))


def flat(counter: Counter[int], cells: Sequence[int]) -> float:
    """How far the counts of these cells are from being equal, as z."""
    found = [counter[cell] for cell in cells]
    return z(chi_square(found, [sum(found) / len(cells)] * len(cells)), len(cells) - 1)


def card_at_place(decks: Sequence[Deck]) -> float:
    counts = Counter(place * 52 + card for deck in decks for place, card in enumerate(deck))
    found = [counts[cell] for cell in range(52 * 52)]
    # Each row and each column of the table has a fixed sum: 51 × 51 degrees, scaled to fit.
    return z(chi_square(found, [len(decks) / 52] * 52 * 52) * 51 / 52, 51 * 51)


def neighbours(decks: Sequence[Deck]) -> float:
    steps = Counter((b - a) % 52 for deck in decks for a, b in pairwise(deck))
    return flat(steps, range(1, 52))


def suits_in_a_hand(decks: Sequence[Deck]) -> float:
    spades = Counter(min(sum(card >= 39 for card in deck[0:20:2]), 6) for deck in decks)
    chance = [comb(13, n) * comb(39, 10 - n) / comb(52, 10) for n in range(6)]
    expected = [len(decks) * share for share in (*chance, 1 - sum(chance))]
    return z(chi_square([spades[n] for n in range(7)], expected), 6)


def deck_to_deck(decks: Sequence[Deck]) -> float:
    moves = Counter(
        (after.index(DECK[number % 52]) - before.index(DECK[number % 52])) % 52
        for number, (before, after) in enumerate(pairwise(decks))
    )
    return flat(moves, range(52))


STATISTICS = (card_at_place, neighbours, suits_in_a_hand, deck_to_deck)


def all_z(shuffle: Callable[[int], Deck]) -> dict[str, float]:
    decks = [shuffle(number) for number in range(DECKS)]
    return {statistic.__name__: statistic(decks) for statistic in STATISTICS}


def test_f1_fault_84_the_shuffle_is_uniform():
    random = Random(84)
    found = all_z(lambda number: shuffled_deck(random.randbytes(32), deal_message("f1", number, 0)))
    assert all(abs(value) <= 4 for value in found.values()), found


def naive(random: Random) -> Deck:
    """Each place changes with any place."""
    return swapped(random, [(i, 52) for i in range(52)])


def ends_one_early(random: Random) -> Deck:
    return swapped(random, [(i, i + 1) for i in range(51, 1, -1)])


def sattolo(random: Random) -> Deck:
    """No card stays where it was."""
    return swapped(random, [(i, i) for i in range(51, 0, -1)])


def right(random: Random) -> Deck:
    return swapped(random, [(i, i + 1) for i in range(51, 0, -1)])


def swapped(random: Random, choices: Sequence[tuple[int, int]]) -> Deck:
    deck = list(DECK)
    for i, below in choices:
        j = int(random.random() * below)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


@pytest.mark.parametrize("mutant", [naive, ends_one_early, sattolo])
def test_f1_a_wrong_shuffle_is_found(mutant):
    random = Random(84)
    found = all_z(lambda _: mutant(random))
    assert max(found.values()) >= 15, found


def test_f1_the_statistics_accept_a_right_shuffle():
    random = Random(84)
    found = all_z(lambda _: right(random))
    assert all(abs(value) <= 4 for value in found.values()), found
