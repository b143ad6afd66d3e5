"""What choices are worth, by parts, and that the thinking bots do what is worth most."""

from random import Random

import pytest

from games.bots import ReasonCode
from games.bots.evaluation import Part, Worth, evaluate
from games.bots.sight import sight_of
from games.rules.actions import BigGin, Discard, Draw, Knock, Pass, Take
from games.rules.cards import Card
from games.rules.notation import fold
from games.rules.round import Phase
from games.thinking import think
from tests.bots.seats import asked, view_of
from tests.bots.test_bots_play import views
from tests.rules.tables import hand, table
from tests.rules.test_view import moments

FLAT = "3C 5C QC 9D JD KD AH 6H TS QS"
STRAY = "4C 6C QC 9D JD KD AH 6H JS QS"
GOOD = "8C 9C TC 7D 7H 7S 2D 2H 4H KC"
# Seat 0 has thrown two sevens, and seat 1 has taken both.
SEVENS = ("p p d x7D t xKD d x7H t xJD d", "7C 7D 7H KC 2D 4S 9H JS QH 3D", FLAT, "8H", "2C 2S 3H")


def values(view, worth=Worth.POINTS):
    return {valued.action: valued for valued in evaluate(view, worth).choices}


def test_every_choice_of_a_turn_is_valued_the_best_first():
    found = evaluate(view_of(table("p p d", GOOD, FLAT, "8H", "2S")))
    order = [valued.value for valued in found.choices]
    assert order == sorted(order, reverse=True)
    assert found.best is found.choices[0]
    thrown = {valued.action for valued in found.choices if isinstance(valued.action, Discard)}
    assert len(thrown) == 11
    assert Knock(Card["KC"]) in {valued.action for valued in found.choices}


@pytest.mark.parametrize("log", ["", "p p d x8C"])
def test_taking_is_valued_against_leaving(log):
    view = view_of(table(log, GOOD, FLAT, "8H", "2S"))
    assert set(values(view)) == {Take(), Pass() if not log else Draw()}


def test_the_parts_of_a_discard_add_up():
    for valued in values(view_of(table("p p d", GOOD, FLAT, "8H", "2S"))).values():
        if isinstance(valued.action, Discard):
            assert set(valued.parts) == set(Part)
            assert sum(valued.parts.values()) == pytest.approx(valued.value)


def test_a_card_that_melds_with_nothing_is_the_safest():
    # All that the king of clubs could meld with lies open or in the own hand.
    cards = ("7C 7D 7H KC 2D 4S 9H KD JH QC", "3C 5C JC 9D JD KS AH 6H TS QS", "KH", "2C 2S 3H")
    found = values(view_of(table("p p d x7D d xKS d", *cards)))
    danger = {str(action.card): found[action].parts[Part.DANGER] for action in found}
    assert danger["KC"] == max(danger.values()) > danger["9H"]


def test_what_the_other_did_is_seen():
    sight = sight_of(view_of(table(*SEVENS)))
    assert sight.theirs == hand("7D 7H")
    assert sight.thrown == hand("KD JD")
    assert sight.last == 10
    assert sight.left == hand("8H")
    assert not sight.unseen & hand("7C 7D 7H KD JD 8H 2C 2S 3H")
    assert sight.unseen.bit_count() == 52 - 11 - 2 - 3


def test_less_deadwood_makes_a_better_knock():
    knocks = [
        values(view_of(table("p p d", cards, FLAT, "8H", "2S")))[Knock(Card["KC"])]
        for cards in (GOOD, "8C 9C TC 7D 7H 7S 2D 2H 8D KC")
    ]
    assert knocks[0].value > knocks[1].value > 0
    assert 1 >= knocks[0].chance >= knocks[1].chance > 0.3


def test_a_win_that_ends_the_series_is_worth_all_of_it():
    view = view_of(
        table("p p d", "8C 9C TC 7D 7H 7S 2D 2H 2S KC", FLAT, "8H", "JC", columns=1),
        results=((0, 95), (1, 95)),
    )
    assert values(view, Worth.SERIES)[Knock(Card["KC"])].value == pytest.approx(100, abs=2)
    assert values(view, Worth.POINTS)[Knock(Card["KC"])].value > 25


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("bot", ["strong", "expert"])
def test_fault_gin_was_let_go_once_the_series_was_decided(bot, winner):
    """All outcomes were worth the same chance, and the discards a little more by rounding."""
    gin = table("p p d", "AC 2C 3C 7C TC 5D 6D 8D TH TS", STRAY, "8H", "7D")
    view = view_of(gin, results=((winner, 60),) * 3)
    assert view.sheet.games_won[winner] == 2
    assert not view.sheet.is_over
    choice = think(bot, view, 1)
    assert choice.action == Knock(Card["7C"])
    assert choice.reason.code is ReasonCode.GIN


def test_the_last_offer_is_valued_by_the_knock():
    folded = (fold(log, deck, dealer, options) for deck, dealer, options, log in moments(Random(1)))
    offer = next(each for each in folded if each.state.phase is Phase.LAST_OFFER)
    assert set(values(view_of(offer))) == {Take(), Pass()}


def test_there_is_nothing_to_value_for_who_is_not_to_act():
    with pytest.raises(AssertionError):
        evaluate(view_of(table("", GOOD, FLAT, "8H"), seat=1))


@pytest.mark.parametrize(("name", "worth"), [("strong", Worth.POINTS), ("expert", Worth.SERIES)])
def test_thinkers_do_what_is_worth_most(name, worth):
    for view in views(25):
        if view.round.phase in (Phase.DISCARD, Phase.LAST_OFFER):
            choice = think(name, view, Random(1).randrange(9))
            assert choice.action == evaluate(view, worth).best.action


@pytest.mark.parametrize("name", ["strong", "expert"])
class TestReasons:
    def test_a_card_for_a_meld(self, name):
        choice = asked(name, "", "8C 9C 4D 7D 7H KS 2D TH JS KC", FLAT, "7S")
        assert choice.action == Take()
        assert (choice.reason.code, choice.reason.card) == (ReasonCode.MELDS, Card["7S"])

    def test_a_card_that_is_of_no_use(self, name):
        choice = asked(name, "", "8C 9C 4D 7D 7H KS 2D TH JS KC", FLAT, "QH")
        assert choice.action == Pass()
        assert choice.reason.code is ReasonCode.NO_USE

    def test_a_discard_says_what_it_keeps(self, name):
        choice = asked(name, "p p d", "8C 9C 4D 7D 7H KS 2D TH JS KC", FLAT, "QH", "7S")
        assert isinstance(choice.action, Discard)
        assert choice.reason.code in (ReasonCode.KEEPS_CHANCES, ReasonCode.SAFE)
        assert choice.reason.card is choice.action.card
        assert choice.reason.deadwood is not None
        assert choice.reason.outs is not None

    def test_a_knock_says_how_likely_it_wins(self, name):
        choice = asked(name, "p p d", "8C 9C TC 7D 7H 7S 2D AC 4H KC", FLAT, "8H", "2S")
        assert choice.action == Knock(Card["KC"])
        assert choice.reason.code is ReasonCode.AHEAD
        assert 50 < choice.reason.percent <= 100

    def test_big_gin(self, name):
        cards = ("8C 9C TC JC 7D 7H 7S 2D 2H 2S", FLAT, "8H", "7C")
        assert asked(name, "p p d", *cards, big_gin=31).action == BigGin()
