"""`docs/rules.md`, section 5: what a defender lays off on the knocker's melds."""

from __future__ import annotations

from random import Random

import pytest

from games.rules.cards import (
    Card,
    CardSet,
    card_set,
    cards_in,
    format_cards,
    parse_cards,
    points_of,
)
from games.rules.deadwood import deadwood_points
from games.rules.errors import IllegalAction
from games.rules.lay_offs import (
    Defence,
    LayOff,
    best_defence,
    defence_with,
    extended_melds,
    next_lay_offs,
)
from games.rules.melds import Meld
from tests.rules import oracle
from tests.rules.hands import a_knock


def hand_of(text: str) -> CardSet:
    return card_set(parse_cards(text))


def melds_of(*texts: str) -> list[Meld]:
    return [Meld.parse(text) for text in texts]


def lay_offs_of(*texts: str) -> list[LayOff]:
    """From texts such as `9S0`: the card and the meld."""
    return [LayOff(Card[text[:2]], int(text[2:])) for text in texts]


def texts(defence: Defence) -> list[str]:
    return [f"{lay_off.card}{lay_off.meld}" for lay_off in defence.lay_offs]


def the_oracles(melds: list[Meld]) -> oracle.Melds:
    return tuple(oracle.hand_of(str(meld)) for meld in melds)


@pytest.mark.parametrize("seed", range(20))
def test_best_defence_equals_the_oracles(seed):
    random = Random(seed)
    for _ in range(10):
        melds, hand = a_knock(random)
        defence = best_defence(hand, melds, gin=False)
        expected = oracle.defence(oracle.hand_of(format_cards(hand)), the_oracles(melds), gin=False)
        assert defence.deadwood_points == expected, (format_cards(hand), [*map(str, melds)])


@pytest.mark.parametrize("seed", range(10))
def test_best_defence_can_be_played_and_lays_off_no_more_than_it_must(seed):
    random = Random(f"played {seed}")
    for _ in range(50):
        melds, hand = a_knock(random)
        defence = best_defence(hand, melds, gin=False)
        assert defence_with(hand, melds, defence.lay_offs) == defence
        assert bool(defence.lay_offs) == (defence.deadwood_points < deadwood_points(hand))
        least = min((deadwood_points(hand ^ laid), laid.bit_count()) for laid in ways(hand, melds))
        assert (defence.deadwood_points, len(defence.lay_offs)) == least


def ways(hand: CardSet, melds: list[Meld]) -> set[CardSet]:
    """All that can be laid off together, one card after the other."""
    found = {frozenset[LayOff]()}
    todo: list[tuple[LayOff, ...]] = [()]
    while todo:
        done = todo.pop()
        for lay_off in next_lay_offs(hand, melds, done):
            # The order does not matter, but the meld that a card goes to does.
            if {*done, lay_off} not in found:
                found.add(frozenset({*done, lay_off}))
                todo.append((*done, lay_off))
    return {card_set(each.card for each in done) for done in found}


@pytest.mark.parametrize("seed", range(10))
def test_next_lay_offs_are_the_cards_that_fit_the_melds_as_they_lie(seed):
    random = Random(f"next {seed}")
    for _ in range(30):
        melds, hand = a_knock(random)
        lying, held, done = list(the_oracles(melds)), list(cards_in(hand)), list[LayOff]()
        while following := next_lay_offs(hand, melds, done):
            assert [(each.card, each.meld) for each in following] == [
                (card, index)
                for card in held
                for index, meld in enumerate(lying)
                if oracle.is_meld(meld | {str(card)})
            ]
            lay_off = random.choice(following)
            done.append(lay_off)
            held.remove(lay_off.card)
            lying[lay_off.meld] |= {str(lay_off.card)}


@pytest.mark.parametrize("seed", range(5))
def test_there_is_no_lay_off_against_gin(seed):
    random = Random(f"gin {seed}")
    for _ in range(20):
        melds, hand = a_knock(random)
        defence = best_defence(hand, melds, gin=True)
        assert defence.lay_offs == ()
        assert defence.deadwood_points == deadwood_points(hand)


@pytest.mark.parametrize(
    ("melds", "hand", "lay_offs", "points"),
    [
        # The fourth card of a set, and then no fifth.
        (["9C 9D 9S"], "9H 2C", ["9H0"], 2),
        (["9C 9D 9H 9S"], "8C TC", [], 18),
        # The next card at either end of a run, and on the run so extended.
        (["5H 6H 7H"], "3H 4H 8H TH", ["4H0", "3H0", "8H0"], 10),
        (["5H 6H 7H"], "3H 9H", [], 12),
        # No run goes round the corner, and none goes on in the next suit.
        (["JH QH KH"], "AH AS", [], 2),
        (["AH 2H 3H"], "KH KD", [], 20),
        # Nothing on the defender's own melds: three sevens and a seven that fits the run.
        (["4S 5S 6S"], "7C 7D 7H 7S", [], 0),
        # The four kings are a meld; one of them is a lay-off only when it is needed there.
        (["TS JS QS"], "KC KD KH KS", [], 0),
        (["TS JS QS"], "KC KD KS", [], 0),
        # A set of four can spare the card that the eight must wait for.
        (["4S 5S 6S"], "7C 7D 7H 7S 8S", ["7S0", "8S0"], 0),
        (["5C 6C 7C", "9S TS JS"], "8C 8D 8H 8S 9C", ["8C0", "9C0"], 0),
        # The nine fits a set too, but the ten can follow only if it goes to the run.
        (["9C 9D 9S", "6H 7H 8H"], "9H TH", ["9H1", "TH1"], 0),
        (["6H 7H 8H", "9C 9D 9S"], "9H TH", ["9H0", "TH0"], 0),
        # Between two runs of a suit the cards go to either.
        (["3S 4S 5S", "8S 9S TS"], "6S 7S", ["6S0", "7S0"], 0),
        (["8S 9S TS", "3S 4S 5S"], "7S 2S", ["2S1", "7S0"], 0),
    ],
)
def test_best_defence(melds, hand, lay_offs, points):
    defence = best_defence(hand_of(hand), melds_of(*melds), gin=False)
    assert (texts(defence), defence.deadwood_points) == (lay_offs, points)
    knocker = tuple(oracle.hand_of(meld) for meld in melds)
    assert oracle.defence(oracle.hand_of(hand), knocker, gin=False) == points


def test_own_melds_first_is_not_the_best_defence():
    # The best melds alone are the run, with two loose fives; the set frees 6D and 7D to go.
    hand, melds = hand_of("5S 5H 5D 6D 7D"), melds_of("8D 9D TD")
    assert deadwood_points(hand) == 10
    defence = best_defence(hand, melds, gin=False)
    assert (texts(defence), defence.deadwood_points) == (["7D0", "6D0"], 0)


def test_a_spread_without_melds_leaves_nothing_to_lay_off_on():
    defence = best_defence(hand_of("AS 2S KD"), [], gin=False)
    assert (defence.lay_offs, defence.deadwood_points) == ((), 13)
    assert next_lay_offs(hand_of("AS 2S KD"), [], []) == ()


MELDS = ("5H 6H 7H", "9C 9D 9S")
HAND = "3H 4H 8H 9H TH 2S"


@pytest.mark.parametrize(
    ("lay_offs", "points"),
    [
        ([], 36),
        (["4H0"], 15 + 17),
        (["9H1"], 27),
        (["8H0", "9H0", "TH0", "4H0", "3H0"], 2),
    ],
)
def test_a_defender_may_lay_off_less_than_the_best(lay_offs, points):
    defence = defence_with(hand_of(HAND), melds_of(*MELDS), lay_offs_of(*lay_offs))
    laid = [each.card for each in defence.lay_offs]
    assert list(defence.lay_offs) == lay_offs_of(*lay_offs)
    assert defence.deadwood_points == deadwood_points(hand_of(HAND) ^ card_set(laid))


@pytest.mark.parametrize(
    ("lay_offs", "code", "named"),
    [
        (["KS0"], "not_in_hand", "KS"),
        (["4H0", "4H0"], "not_in_hand", "4H"),
        (["5H1"], "not_in_hand", "5H"),
        (["3H0"], "illegal_action", "3H"),
        (["9H1", "TH0"], "illegal_action", "TH"),
        (["2S1"], "illegal_action", "2S"),
        (["4H2"], "illegal_action", "2"),
        (["4H-1"], "illegal_action", "-1"),
    ],
)
def test_lay_offs_refused(lay_offs, code, named):
    for refuse in (defence_with, next_lay_offs):
        with pytest.raises(IllegalAction) as refusal:
            refuse(hand_of(HAND), melds_of(*MELDS), lay_offs_of(*lay_offs))
        assert refusal.value.code == code
        assert named in str(refusal.value)


def test_melds_as_they_lie_after_the_lay_offs():
    extended = extended_melds(melds_of(*MELDS), lay_offs_of("8H0", "9H1", "4H0"))
    assert [str(meld) for meld in extended] == ["4H 5H 6H 7H 8H", "9C 9D 9H 9S"]


def test_what_is_laid_off_and_what_is_kept_make_up_the_hand():
    hand = hand_of(HAND)
    defence = best_defence(hand, melds_of(*MELDS), gin=False)
    laid = card_set(each.card for each in defence.lay_offs)
    kept = sum(meld.cards for meld in defence.arrangement.melds) | defence.arrangement.deadwood
    assert (laid & kept, laid | kept) == (0, hand)
    assert points_of(defence.arrangement.deadwood) == defence.deadwood_points == 2
