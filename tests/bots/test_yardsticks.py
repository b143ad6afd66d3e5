"""The fixed players do what they are described to do; and what each bot says of its choices."""

import pytest

from games.bots import ReasonCode
from games.rules.actions import BigGin, Defend, Discard, Draw, Knock, Pass, Take
from games.rules.cards import Card
from tests.bots.seats import ALL_BOTS, asked

FLAT = "3C 5C QC 9D JD KD AH 6H TS QS"
GOOD = "8C 9C TC 7D 7H 7S 2D 2H 4H KC"
LOOSE = "8C 9C 4D 7D 7H KS 2D TH JS KC"
LAYS_OFF = "6C 7C QC 9D JD KD AH 6H TS QS"


class TestSimple:
    def test_takes_what_its_best_melds_want(self):
        assert asked("simple", "", LOOSE, FLAT, "7S").action == Take()
        assert asked("simple", "", LOOSE, FLAT, "8S").action == Pass()

    def test_takes_what_allows_a_knock_though_it_melds_with_nothing(self):
        hand = "8C 9C TC 7D 7H 7S 2D 2S 4H KC"
        choice = asked("simple", "", hand, FLAT, "AC")
        assert choice.action == Take()
        assert (choice.reason.code, choice.reason.deadwood) == (ReasonCode.TAKES_TO_KNOCK, 9)

    def test_leaves_what_only_a_worse_arrangement_would_meld(self):
        # 7S would make a run with 8S 9S, but the nines are worth more as a set.
        hand = "9C 9H 9S 8S KC QD JH TC 5H 3H"
        assert asked("simple", "", hand, FLAT, "7S").action == Pass()

    def test_throws_its_highest_loose_card(self):
        choice = asked("simple", "p p d", LOOSE, FLAT, "8S", "3H")
        assert choice.action == Discard(Card["KS"])
        assert choice.reason.code is ReasonCode.HIGHEST_LOOSE

    def test_knocks_at_the_first_chance_with_the_least(self):
        choice = asked("simple", "p p d", GOOD, FLAT, "8H", "2S")
        assert choice.action == Knock(Card["KC"])
        assert (choice.reason.code, choice.reason.deadwood) == (ReasonCode.FIRST_CHANCE, 4)

    def test_never_lays_off(self):
        choice = asked("simple", "p p d kKC", GOOD, LAYS_OFF, "8H", "2S")
        assert choice.action == Defend(())
        assert choice.reason.code is ReasonCode.NO_DEFENCE


class TestEaai:
    def test_takes_what_any_meld_wants(self):
        hand = "9C 9H 9S 8S KC QD JH TC 5H 3H"
        assert asked("eaai", "", hand, FLAT, "7S").action == Take()

    def test_leaves_what_melds_with_nothing(self):
        hand = "8C 9C TC 7D 7H 7S 2D 2S 4H KC"
        assert asked("eaai", "", hand, FLAT, "AC").action == Pass()

    def test_lays_off_as_is_best(self):
        assert asked("eaai", "p p d kKC", GOOD, LAYS_OFF, "8H", "2S").action == Defend()

    def test_knocks_at_the_first_chance(self):
        assert asked("eaai", "p p d", GOOD, FLAT, "8H", "2S").action == Knock(Card["KC"])

    def test_throws_what_leaves_least(self):
        choice = asked("eaai", "p p d", "8C 9C TC 7D 7H 7S 2D 9H QD KC", FLAT, "8H", "QH")
        assert choice.action.card in {Card["QD"], Card["QH"], Card["KC"]}


@pytest.mark.parametrize("name", ALL_BOTS)
class TestEvery:
    def test_goes_gin(self, name):
        choice = asked(name, "p p d", "8C 9C TC 7D 7H 7S 2D 2H 2S KC", FLAT, "8H", "JC")
        assert choice.action == Knock(Card["KC"])
        assert choice.reason.code is ReasonCode.GIN

    def test_goes_big_gin_where_it_counts(self, name):
        cards = ("8C 9C TC JC 7D 7H 7S 2D 2H 2S", FLAT, "8H", "7C")
        choice = asked(name, "p p d", *cards, big_gin=31)
        assert choice.action == BigGin()
        assert choice.reason.code is ReasonCode.GIN

    def test_draws_where_both_have_left_the_upcard(self, name):
        choice = asked(name, "p p", GOOD, FLAT, "8H")
        assert choice.action == Draw()
        assert choice.reason.code is ReasonCode.NO_CHOICE

    def test_takes_a_card_that_makes_gin(self, name):
        hand = "8C 9C TC 7D 7H 7S 2D 2H 2S KC"
        assert asked(name, "", hand, FLAT, "JC").action == Take()
