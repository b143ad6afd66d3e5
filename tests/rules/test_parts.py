"""The players' own parts in a deal, and the proof that all of it makes (promise F2)."""

from dataclasses import replace
from random import Random

import pytest

from games.rules.cards import DECK
from games.rules.deck import commitment, shuffled_deck
from games.rules.parts import How, Part, is_part, promise_of
from games.rules.proof import DealProof

ONE, TWO = "01" * 32, "02" * 32
NOTHING = Part()


def proof(lower: Part = NOTHING, higher: Part = NOTHING) -> DealProof:
    secret = bytes(range(32))
    return DealProof("a1b2", 3, 0, secret, commitment(secret), (lower, higher))


@pytest.mark.parametrize("text", ["", "none", "0f" * 31, "0F" * 32, "0f" * 33, "0g" * 32, "٠" * 64])
def test_a_part_is_32_bytes_in_hex(text):
    assert is_part(ONE)
    assert not is_part(text)


@pytest.mark.parametrize(
    ("part", "how", "word"),
    [
        (Part(), How.NONE, "none"),
        (Part(promise_of(ONE), ONE), How.KEPT, ONE),
        (Part("", ONE), How.WHOLE, ONE),
        (Part(promise_of(ONE), ""), How.WITHHELD, "none"),
    ],
)
def test_how_a_part_was_given_and_what_stands_in_the_message(part, how, word):
    assert (part.how, part.word) == (how, word)
    assert proof(part).message == f"a1b2|3|0|{word}|none"
    assert part.is_kept


def test_the_deck_follows_from_the_secret_and_both_parts():
    both = proof(Part("", ONE), Part("", TWO))
    assert both.deck == shuffled_deck(both.secret, f"a1b2|3|0|{ONE}|{TWO}")
    decks = {
        proof(*parts).deck
        for parts in (
            (Part(), Part()),
            (Part("", ONE), Part()),
            (Part(), Part("", ONE)),
            (Part("", ONE), Part("", TWO)),
            (Part("", TWO), Part("", ONE)),
        )
    }
    assert len(decks) == 5


def test_a_deal_as_it_should_be_has_no_fault():
    good = proof(Part(promise_of(ONE), ONE), Part(promise_of(TWO), ""))
    assert list(good.faults(good.deck)) == []


def test_every_fault_of_a_deal_is_named():
    good = proof(Part(promise_of(ONE), ONE))
    deck = good.deck
    assert list(replace(good, commitment=commitment(b"other")).faults(deck)) == [
        "the commitment is not that of the secret"
    ]
    broken = proof(Part(promise_of(TWO), ONE))
    assert list(broken.faults(broken.deck)) == [
        "the part of seat 0 is not the one that was promised"
    ]
    assert list(good.faults(DECK)) == ["the deck is not the one that follows"]


def test_f2_any_flipped_bit_is_found():
    good = proof(Part(promise_of(ONE), ONE), Part(promise_of(TWO), TWO))
    deck = good.deck
    random = Random(2)
    for bit in range(256):
        assert list(replace(good, secret=flipped(good.secret.hex(), bit, True)).faults(deck))
        assert list(replace(good, commitment=flipped(good.commitment, bit)).faults(deck))
        for seat in (0, 1):
            parts = list(good.parts)
            parts[seat] = Part(parts[seat].promise, flipped(parts[seat].part, bit))
            assert list(replace(good, parts=tuple(parts)).faults(deck))
            parts[seat] = Part(flipped(good.parts[seat].promise, bit), good.parts[seat].part)
            assert list(replace(good, parts=tuple(parts)).faults(deck))
    for _ in range(100):
        one, other = random.sample(range(52), 2)
        changed = list(deck)
        changed[one], changed[other] = changed[other], changed[one]
        assert list(good.faults(changed))


def flipped(text, bit, as_bytes=False):
    value = (int(text, 16) ^ 1 << bit).to_bytes(32)
    return value if as_bytes else value.hex()
