"""`docs/rules.md`, sections 1 and 5: melds, arrangements and spreads."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError
from itertools import combinations
from random import Random

import pytest

from games.rules.cards import DECK, CardSet, card_set, format_cards, parse_cards, points_of
from games.rules.errors import IllegalAction, UnreadableInput
from games.rules.melds import (
    MELDS,
    Arrangement,
    Meld,
    MeldKind,
    arrangement_with,
    arrangements,
    automatic_spread,
    best_arrangement,
    deadwood_points,
    spreads,
)
from tests.rules import oracle
from tests.rules.hands import KINDS


def hand_of(text: str) -> CardSet:
    return card_set(parse_cards(text))


def oracles(hand: CardSet) -> oracle.Hand:
    return oracle.hand_of(format_cards(hand))


def texts(arrangement: Arrangement) -> list[str]:
    return [str(meld) for meld in arrangement.melds]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("7H 7D 7C", MeldKind.SET),
        ("7H 7D 7C 7S", MeldKind.SET),
        ("AS 2S 3S", MeldKind.RUN),
        ("QS KS JS", MeldKind.RUN),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", MeldKind.RUN),
    ],
)
def test_melds(text, kind):
    assert Meld.parse(text).kind is kind
    assert Meld.parse(text.lower()) == Meld.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7H",
        "7H 7D",
        "AS 2S",
        "QS KS AS",
        "KS AS 2S",
        "2C 3C 5C",
        "2C 3C 4D",
        "7H 7D 8C",
        "JC QC KC AD",
        "QC KC AD 2D",
    ],
)
def test_not_a_meld(text):
    with pytest.raises(UnreadableInput) as refusal:
        Meld.parse(text)
    assert refusal.value.code == "not_a_meld"
    assert format_cards(hand_of(text)) in str(refusal.value)


def test_the_melds_are_65_sets_and_264_runs():
    groups = [[card for card in DECK if card.rank == rank] for rank in range(13)]
    groups += [[card for card in DECK if card.suit == suit] for suit in range(4)]
    expected = {
        card_set(cards)
        for group in groups
        for size in range(3, 14)
        for cards in combinations(group, size)
        if oracle.is_meld(oracle.hand_of(format_cards(cards)))
    }
    assert MELDS.keys() == expected
    kinds = [meld.kind for meld in MELDS.values()]
    assert (kinds.count(MeldKind.SET), kinds.count(MeldKind.RUN)) == (65, 264)


@pytest.mark.parametrize(
    ("meld", "fits"),
    [
        ("7H 7D 7C", "7S"),
        ("7H 7D 7C 7S", ""),
        ("AS 2S 3S", "4S"),
        ("JS QS KS", "TS"),
        ("5D 6D 7D", "4D 8D"),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", ""),
    ],
)
def test_what_fits_a_meld(meld, fits):
    assert format_cards(Meld.parse(meld).fits) == fits


def test_what_fits_a_meld_equals_the_oracles():
    for meld in MELDS.values():
        cards = oracle.hand_of(str(meld))
        outside = [card for card in oracle.DECK if card not in cards]
        fits = [card for card in outside if oracle.is_meld(cards | {card})]
        assert format_cards(meld.fits) == " ".join(fits)


def test_melds_are_values():
    meld = Meld.parse("7H 7D 7C")
    assert pickle.loads(pickle.dumps(meld)) == meld
    assert str(meld) == "7C 7D 7H"
    with pytest.raises(FrozenInstanceError):
        meld.cards = 0
    assert [kind.value for kind in MeldKind] == ["set", "run"]  # written in records


HAND_16 = "7H 7D 7C 8C 9C KS QD 2H 4S JD"


@pytest.mark.parametrize(
    ("melds", "code", "named"),
    [
        (["7H 7D 7D"], "duplicate_card", "7D"),
        (["9C TC JC"], "not_in_hand", "TC JC"),
        (["7H 7D 7C", "7C 8C 9C"], "duplicate_card", "7C"),
        (["7H 7D 7C", "7H 7D 7C"], "duplicate_card", "7C 7D 7H"),
        (["7C 8C 9C TC"], "not_in_hand", "TC"),
        (["7H 7D"], "not_a_meld", "7H"),
    ],
)
def test_fault_16_meld_lists_are_not_trusted(melds, code, named):
    with pytest.raises((UnreadableInput, IllegalAction)) as refusal:
        arrangement_with(hand_of(HAND_16), [Meld.parse(meld) for meld in melds])
    assert refusal.value.code == code
    assert named in str(refusal.value)


def test_chosen_melds_keep_their_order():
    hand = hand_of("7H 7D 7C 2S 3S 4S KS")
    arrangement = arrangement_with(hand, [Meld.parse("2S 3S 4S"), Meld.parse("7H 7D 7C")])
    assert texts(arrangement) == ["2S 3S 4S", "7C 7D 7H"]
    assert format_cards(arrangement.deadwood) == "KS"
    assert arrangement.deadwood_points == 10


def test_a_hand_may_be_laid_down_without_melds():
    assert arrangement_with(hand_of("AS 2S 3S"), []) == Arrangement((), hand_of("AS 2S 3S"))


@pytest.mark.parametrize("kind", KINDS)
def test_best_arrangement_leaves_the_least_and_can_be_laid_down(kind):
    random = Random(kind.__name__)
    for _ in range(300):
        hand = kind(random, random.choice([9, 10, 11]))
        arrangement = best_arrangement(hand)
        assert arrangement.deadwood_points == deadwood_points(hand)
        assert arrangement_with(hand, arrangement.melds) == arrangement
        assert best_arrangement(hand) == arrangement


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spare", [0, 10])
def test_arrangements_are_all_that_stay_within_the_limit(kind, spare):
    random = Random(f"{kind.__name__} {spare}")
    for _ in range(60):
        hand = kind(random, 10)
        limit = deadwood_points(hand) + spare
        found = arrangements(hand, limit)
        assert sorted(sorted(texts(each)) for each in found) == sorted(
            sorted(map(oracle.text_of, melds))
            for melds, loose in oracle.arrangements(oracles(hand))
            if oracle.points_of(loose) <= limit
        )
        order = [(each.deadwood_points, sorted(texts(each))) for each in found]
        assert order == sorted(order)
        for each in found:
            assert arrangement_with(hand, each.melds) == each


def test_no_arrangement_is_within_too_low_a_limit():
    assert arrangements(hand_of("AS 3S 5S"), 8) == ()
    assert arrangements(0, 0) == (Arrangement((), 0),)


@pytest.mark.parametrize("kind", KINDS)
def test_automatic_spread_equals_the_oracles(kind):
    random = Random(kind.__name__)
    for _ in range(200):
        hand = kind(random, 10)
        spread = automatic_spread(hand)
        assert sorted(texts(spread)) == oracle.automatic_spread(oracles(hand)), format_cards(hand)
        assert spread.deadwood_points == deadwood_points(hand)


@pytest.mark.parametrize(
    ("hand", "melds"),
    [
        # Fewest cards that fit: 8D, TD, 7C, JS, against 7D and JD and more beside them.
        ("4C 4D 4H 4S 5D 6D 7D 5S 6S 7S", ["4C 4D 4H 4S", "5D 6D 7D", "5S 6S 7S"]),
        # A run of six whole, open at two ends, and not as two runs of three.
        ("2C 3C 4C 5C 6C 7C KD KH KS AS", ["2C 3C 4C 5C 6C 7C", "KD KH KS"]),
    ],
)
def test_automatic_spread(hand, melds):
    assert texts(automatic_spread(hand_of(hand))) == melds
    assert oracle.automatic_spread(oracle.hand_of(hand)) == sorted(melds)


@pytest.mark.parametrize("kind", KINDS)
def test_spreads_are_the_automatic_one_and_then_the_other_choices(kind):
    random = Random(kind.__name__)
    for _ in range(60):
        hand = kind(random, 10)
        choices = spreads(hand, 10)
        assert sorted(map(texts, choices)) == sorted(map(texts, arrangements(hand, 10)))
        if choices:
            assert choices[0] == automatic_spread(hand)
            points = [each.deadwood_points for each in choices]
            assert points == sorted(points)


def test_a_whole_meld_may_be_left_in_the_deadwood():
    choices = spreads(hand_of("AC 2C 3C 7D 7H 7S KC KD KS 4S"), 10)
    assert ["KC KD KS", "7D 7H 7S"] in map(texts, choices)
    assert max(points_of(each.deadwood) for each in choices) == 10


def test_no_spread_where_the_hand_is_over_the_limit():
    assert spreads(hand_of(HAND_16), 10) == ()
