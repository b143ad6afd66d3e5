"""Faults that other programs had in the play of a round (shared catalogue, by its numbers)."""

import pickle
from dataclasses import fields

import pytest

from games.rules.actions import Discard, Draw, Knock, Pass, Take
from games.rules.cards import DECK, Card
from games.rules.errors import IllegalAction, UnreadableInput
from games.rules.events import Drew
from games.rules.melds import Meld
from games.rules.notation import fold
from games.rules.options import Options
from games.rules.round import Phase, RoundState, deal, legal_actions, play
from games.rules.scoring import Ending, score_knock
from games.rules.view import view_for
from tests.rules.tables import deck_of, hand, table

FLAT = "3C 5C QC 9D JD KD AH 6H TS QS"
GOOD = "8C 9C TC 7D 7H 7S 2D 2H 4H KC"
LAYS_OFF = "6C 7C QC 9D JD KD AH 6H TS QS"
UPCARD = "8H"


@pytest.mark.parametrize(
    ("melds", "code"),
    [
        ("9C TC JC", "not_in_hand"),
        ("7H 7D 7C / 7C 8C 9C", "duplicate_card"),  # 36 if the seven counted twice
        ("7C 8C 9C", "over_limit"),
    ],
)
def test_fault_16_melds_are_not_trusted(melds, code):
    first = "7H 7D 7C 8C 9C KS QD 2H 4S JD"
    state = table("p p d", first, "3C 5C QC 9D KD AH 6H TS QS KC", UPCARD, "TC").state
    copy = pickle.dumps(state)
    chosen = tuple(map(Meld.parse, melds.split(" / ")))
    with pytest.raises(IllegalAction) as caught:
        play(state, 0, Knock(Card["TC"], chosen))
    assert caught.value.code == code
    assert pickle.dumps(state) == copy


def test_fault_16_a_meld_has_no_card_twice():
    with pytest.raises(UnreadableInput):
        Meld.parse("7H 7D 7D")


def test_fault_17_nothing_of_a_knock_is_in_the_state_before_it_is_made():
    state = table("p p d", GOOD, FLAT, UPCARD, "2S").state
    copy = pickle.dumps(state)
    view_for(state, 0).spreads(Card["KC"])
    legal_actions(state, 0)
    assert pickle.dumps(state) == copy
    assert state.hands[0] == hand(f"{GOOD} 2S")


def test_fault_18_a_refused_knock_changes_nothing_and_cards_go_by_name():
    state = table("p p d", GOOD, FLAT, UPCARD, "2S").state
    copy = pickle.dumps(state)
    with pytest.raises(IllegalAction):
        play(state, 0, Knock(Card["9C"]))
    assert pickle.dumps(state) == copy
    assert play(state, 0, Discard(Card["9C"])).state.pile[-1] == Card["9C"]


@pytest.mark.parametrize(("preset", "points"), [("hollywood", 15), ("gin-rummy", 30)])
def test_fault_27_the_bonus_comes_from_the_options(preset, points):
    options = Options.from_mapping({"preset": preset})
    result = score_knock(options, Card["8H"], knocker=0, knocker_deadwood=8, defender_deadwood=3)
    assert result.points == points
    assert result.bonus == options.undercut


def test_fault_30_exactly_29_cards_are_drawn():
    state = table("p p", FLAT, GOOD, UPCARD).state
    drawers = []
    while state.phase is not Phase.OVER:
        drawers.append(state.turn)
        state = play(state, state.turn, Draw()).state
        last = state
        state = play(state, state.turn, Discard(state.drawn)).state
    assert (len(drawers), drawers[-1], len(state.stock)) == (29, 0, 2)
    assert (state.result.kind, state.result.points) == (Ending.DRAWN, 0)
    assert last.phase is Phase.DISCARD


def test_fault_30_the_29th_drawer_may_still_knock():
    stock = [card for card in DECK if str(card) not in f"{GOOD} {FLAT} {UPCARD} 2S".split()]
    stock.insert(28, Card["2S"])
    state = table("p p", GOOD, FLAT, UPCARD, " ".join(map(str, stock))).state
    while len(state.stock) > 3:
        state = play(state, state.turn, Draw()).state
        state = play(state, state.turn, Discard(state.drawn)).state
    state = play(state, 0, Draw()).state
    assert play(state, 0, Knock(Card["KC"])).state.result.kind is Ending.KNOCK


def test_fault_32_an_exchange_of_discards_ends():
    state = table("", FLAT, "2C 4C KC 8D TD QD 3H 5H 7S 9S", UPCARD).state
    for _ in range(50):
        state = play(state, state.turn, Take()).state
        thrown = [a for a in legal_actions(state, state.turn) if isinstance(a, Discard)]
        state = play(state, state.turn, thrown[state.takes % 10]).state
    assert (state.phase, state.result.kind, len(state.stock)) == (Phase.OVER, Ending.DRAWN, 31)
    assert state.ply == 100


@pytest.mark.parametrize(
    ("log", "seat", "action"),
    [
        ("", 0, Draw()),  # (a) the non-dealer tries the stock first
        ("p p", 0, Take()),  # (b) a refused upcard
        ("p", 0, Pass()),  # (e) a second pass by one side
        ("p p", 0, Pass()),
        ("t xKD", 1, Pass()),  # (f) a pass after the first turn
    ],
)
def test_fault_33_the_order_of_the_opening(log, seat, action):
    with pytest.raises(IllegalAction):
        play(table(log, FLAT, GOOD, UPCARD).state, seat, action)


def test_fault_33_after_the_dealer_took_the_choice_is_free():
    state = table("p t xKC", FLAT, GOOD, UPCARD).state  # (c)
    assert {Draw(), Take()} < set(legal_actions(state, 0))


def test_fault_33_the_upcard_may_be_taken_to_knock_at_once():
    assert table("t kKC", GOOD, FLAT, "2S").state.result.kind is Ending.KNOCK  # (d)


@pytest.mark.parametrize(
    ("log", "first", "ending"),
    [
        ("p p d kKC", GOOD, Ending.KNOCK),
        ("p p d r1", GOOD, Ending.RESIGNED),
        ("p p d b", "8C 9C TC JC 7D 7H 7S 2C 2D 2H", Ending.BIG_GIN),
    ],
)
def test_fault_34_nothing_is_left_from_the_last_round(log, first, ending):
    assert table(log, first, FLAT, UPCARD, "2S", big_gin=31).state.result.kind is ending
    fresh = deal(deck_of(FLAT, GOOD, UPCARD), 1, Options()).state
    cards = [*fresh.stock, *fresh.pile]
    assert (len(cards), fresh.hands[0].bit_count(), fresh.hands[1].bit_count()) == (32, 10, 10)
    defaults = {field.name: field.default for field in fields(RoundState)}
    for name in ("shown", "drawn", "taken", "takes", "ply", "knocker", "spread", "knock_card"):
        assert getattr(fresh, name) == defaults[name]
    assert fresh.result is None


def test_fault_35_the_eleventh_card_can_be_thrown():
    state = table("p p d", FLAT, GOOD, UPCARD, "KS").state
    assert state.drawn == Card["KS"]  # sorted last in the hand
    assert play(state, 0, Discard(Card["KS"])).state.pile[-1] == Card["KS"]


def test_fault_48_the_same_discard_twice_is_refused():
    state = table("p p d x9D", FLAT, GOOD, UPCARD).state
    with pytest.raises(IllegalAction):
        play(state, 0, Discard(Card["9D"]))


def test_fault_50_one_card_a_turn():
    state = table("p p d", FLAT, GOOD, UPCARD).state
    for seat in (0, 1):
        with pytest.raises(IllegalAction):
            play(state, seat, Draw())


def test_fault_58_the_knocker_does_not_see_the_defenders_cards():
    folded = table("p p d kKC", GOOD, LAYS_OFF, UPCARD, "2S")
    assert folded.state.phase is Phase.DEFENCE
    for viewer in (0, None):
        view = view_for(folded.state, viewer)
        assert (view.hands, view.defence, view.hand_sizes[1]) == (None, None, 10)
        assert view.hand in (0, folded.state.hands[0])
    assert view_for(folded.state, 1).spread == folded.state.spread
    assert view_for(folded.state, 1).knock_card is None


def test_fault_60_a_card_from_the_stock_has_no_name_for_others():
    folded = table("p p d", FLAT, GOOD, UPCARD, "2S")
    drew = folded.events[-1][0]
    assert drew.seen_by(0) == Drew(0, Card["2S"])
    assert drew.seen_by(1) == drew.seen_by(None) == Drew(0, None)


def test_fault_62_a_refusal_does_not_tell_where_a_card_is():
    state = table("p p d xKD d", FLAT, GOOD, UPCARD, "2S 3S").state
    messages = set()
    # In the other hand, on the pile, under another card, next in the stock, deep in the stock.
    for card in ("QC", "KD", "8H", "AC", "KH"):
        for action in (Discard(Card[card]), Knock(Card[card])):
            with pytest.raises(IllegalAction) as caught:
                play(state, 1, action)
            messages.add(str(caught.value).replace(card, "…"))
            assert caught.value.code == "not_in_hand"
    assert len(messages) == 1


@pytest.mark.parametrize("text", ["x1X", "x", "x" + "9" * 300_000, "xKD ", "x\u212aD"])
def test_fault_62_what_is_no_card_can_not_be_read(text):
    with pytest.raises(UnreadableInput):
        fold(f"1 p p d {text}", deck_of(FLAT, GOOD, UPCARD), 1, Options())
