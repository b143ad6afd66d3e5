"""A round, from the deal to its score: docs/rules.md, sections 2 to 6 and 11 to 14.

Seat 1 deals everywhere but where it is said, so seat 0 begins.
"""

import pytest

from games.rules.actions import (
    BigGin,
    Defend,
    Discard,
    Draw,
    Knock,
    Pass,
    Resign,
    Take,
    format_action,
)
from games.rules.cards import DECK, Card, format_cards
from games.rules.errors import IllegalAction, UnreadableInput
from games.rules.events import (
    BrokenOff,
    Dealt,
    Discarded,
    Drew,
    Knocked,
    LaidOff,
    Passed,
    Resigned,
    Scored,
    Took,
)
from games.rules.lay_offs import LayOff
from games.rules.melds import Meld
from games.rules.options import Options
from games.rules.round import (
    TAKE_LIMIT,
    Phase,
    deal,
    lay_offs,
    legal_actions,
    play,
    spreads,
    void,
)
from games.rules.scoring import Ending
from tests.rules.tables import deck_of, hand, table

FLAT = "3C 5C QC 9D JD KD AH 6H TS QS"  # no meld, no two neighbours
GOOD = "8C 9C TC 7D 7H 7S 2D 2H 4H KC"  # deadwood 18; with 2S 14, of which one card goes
UPCARD = "8H"


def legal(state, seat):
    """What a seat may do as the log writes it."""
    return " ".join(map(format_action, legal_actions(state, seat)))


def refused(state, seat, action):
    """The code with which an action is refused; it isn't listed either."""
    assert action not in legal_actions(state, seat)
    with pytest.raises(IllegalAction) as caught:
        play(state, seat, action)
    return caught.value.code


# The deal (section 2)


@pytest.mark.parametrize("dealer", [0, 1])
def test_cards_are_dealt_one_at_a_time_beginning_with_the_non_dealer(dealer):
    progress = deal(DECK, dealer, Options())
    state = progress.state
    assert format_cards(state.hands[1 - dealer]) == "AC 3C 5C 7C 9C JC KC 2D 4D 6D"
    assert format_cards(state.hands[dealer]) == "2C 4C 6C 8C TC QC AD 3D 5D 7D"
    assert (state.upcard, state.pile) == (Card["8D"], (Card["8D"],))
    assert state.stock == DECK[21:]
    assert (state.phase, state.turn, state.ply) == (Phase.OFFER, 1 - dealer, 0)
    assert progress.events == (Dealt(dealer, state.hands, Card["8D"]),)


@pytest.mark.parametrize(
    ("deck", "code"),
    [
        (DECK[:51], "wrong_count"),
        ((*DECK, DECK[0]), "wrong_count"),
        ((*DECK[:51], DECK[0]), "duplicate_card"),
        ((), "wrong_count"),
    ],
)
def test_what_is_no_deck_is_refused(deck, code):
    with pytest.raises(UnreadableInput) as caught:
        deal(deck, 0, Options())
    assert caught.value.code == code


# The opening (section 3)


def test_the_non_dealer_takes_the_upcard_or_leaves_it():
    state = table("", FLAT, GOOD, UPCARD).state
    assert legal(state, 0) == "p t r"
    assert legal(state, 1) == "r"


def test_then_the_dealer_takes_it_or_leaves_it():
    state = table("p", FLAT, GOOD, UPCARD).state
    assert (state.phase, state.turn) == (Phase.OFFER, 1)
    assert legal(state, 1) == "p t r"


def test_when_both_left_it_the_non_dealer_draws():
    state = table("p p", FLAT, GOOD, UPCARD).state
    assert (state.phase, state.turn) == (Phase.DRAW, 0)
    assert legal(state, 0) == "d r"


def test_whoever_takes_the_upcard_completes_the_turn():
    folded = table("t", FLAT, GOOD, UPCARD)
    assert (folded.state.phase, folded.state.turn, folded.state.pile) == (Phase.DISCARD, 0, ())
    assert folded.events[-1] == (Took(0, Card["8H"]),)
    after = table("t xKD", FLAT, GOOD, UPCARD).state
    assert (after.phase, after.turn, after.pile) == (Phase.DRAW, 1, (Card["KD"],))


def test_after_the_dealer_took_it_the_non_dealer_chooses_freely():
    state = table("p t xKC", FLAT, GOOD, UPCARD).state
    assert legal(state, 0) == "d t r"


def test_the_upcard_can_be_taken_when_it_is_thrown_again():
    state = table("t xKD t x4H t x8H", FLAT, GOOD, UPCARD).state
    assert state.pile == (Card["8H"],)  # like a refused upcard, but it was taken before
    assert legal(state, 1) == "d t r"


# A turn (section 4)


def test_the_drawn_card_can_be_thrown():
    state = table("p p d", FLAT, GOOD, UPCARD, "2S").state
    assert state.drawn == Card["2S"]
    assert Discard(Card["2S"]) in legal_actions(state, 0)
    assert len([action for action in legal_actions(state, 0) if isinstance(action, Discard)]) == 11


@pytest.mark.parametrize("log", ["t", "p p d xKD t"])
def test_the_taken_card_can_not_be_thrown_in_the_same_turn(log):
    state = table(log, FLAT, GOOD, UPCARD).state
    assert refused(state, state.turn, Discard(state.taken)) == "illegal_action"
    assert refused(state, state.turn, Knock(state.taken)) == "illegal_action"


def test_the_taken_card_can_be_thrown_later():
    state = table("t xKD d xKC d", FLAT, GOOD, UPCARD).state
    assert Discard(Card["8H"]) in legal_actions(state, 0)


def test_a_taken_card_is_known_to_lie_in_the_hand_until_it_is_thrown():
    state = table("t xKD d xKC d", FLAT, GOOD, UPCARD).state
    assert state.shown == (hand("8H"), 0)
    assert table("t xKD d xKC d x8H", FLAT, GOOD, UPCARD).state.shown == (0, 0)


def test_what_a_turn_tells():
    folded = table("p p d xKD t xKC", FLAT, GOOD, UPCARD, "2S")
    assert folded.all_events[1:] == (
        Passed(0),
        Passed(1),
        Drew(0, Card["2S"]),
        Discarded(0, Card["KD"]),
        Took(1, Card["KD"]),
        Discarded(1, Card["KC"]),
    )


@pytest.mark.parametrize(
    ("log", "seat", "action"),
    [
        ("", 0, Draw()),
        ("", 0, Discard(Card["KD"])),
        ("", 1, Pass()),
        ("p", 0, Pass()),
        ("p", 0, Take()),
        ("p p", 0, Pass()),
        ("p p", 0, Take()),
        ("p p", 1, Draw()),
        ("p p", 0, Discard(Card["KD"])),
        ("p p", 0, Knock(Card["KD"])),
        ("p p d", 0, Draw()),
        ("p p d", 0, Take()),
        ("p p d", 0, BigGin()),
        ("p p d", 0, Defend()),
        ("p p d", 1, Discard(Card["KC"])),
        ("t xKD", 1, Pass()),
    ],
)
def test_nothing_else_is_possible(log, seat, action):
    state = table(log, FLAT, GOOD, UPCARD).state
    assert refused(state, seat, action) == "illegal_action"


# Knocking (section 5)


def test_a_knock_throws_a_card_and_keeps_ten():
    folded = table("p p d kKC", GOOD, FLAT, UPCARD, "2S")
    state = folded.state
    assert (state.knocker, state.knock_card, state.spread.deadwood_points) == (0, Card["KC"], 4)
    assert state.pile == (Card["8H"],)  # the thrown card lies face down
    assert folded.events[-1][0] == Knocked(0, Card["KC"], state.spread)


def test_nobody_is_obliged_to_knock():
    state = table("p p d", GOOD, FLAT, UPCARD, "2S").state
    assert Knock(Card["KC"]) in legal_actions(state, 0)
    assert Discard(Card["KC"]) in legal_actions(state, 0)


def test_a_knock_is_listed_once_for_each_card_that_leaves_little_enough():
    state = table("p p d", GOOD, FLAT, UPCARD, "2S").state
    assert [str(a) for a in legal(state, 0).split() if a[0] == "k"] == ["kKC", "k4H"]


def test_a_knock_over_the_limit_is_refused():
    state = table("p p d", GOOD, FLAT, UPCARD, "2S").state
    assert refused(state, 0, Knock(Card["2S"])) == "over_limit"


def test_a_knock_on_the_first_turn_with_the_upcard():
    state = table("t kKC", GOOD, FLAT, "2S").state
    assert state.spread.deadwood_points == 4


def test_without_a_lay_off_that_helps_the_round_is_scored_at_once():
    folded = table("p p d kKC", GOOD, FLAT, UPCARD, "2S")
    result = folded.state.result
    assert (folded.state.phase, result.kind, result.winner) == (Phase.OVER, Ending.KNOCK, 0)
    assert (result.knocker_deadwood, result.defender_deadwood, result.points) == (4, 74, 70)
    scored = folded.events[-1][1]
    assert scored == Scored(result, folded.state.hands, Card["KC"], folded.state.defence)
    assert legal(folded.state, 0) == legal(folded.state, 1) == ""


LAYS_OFF = "6C 7C QC 9D JD KD AH 6H TS QS"  # lays off 7C and 6C on 8C 9C TC: 79 become 66


def test_with_a_lay_off_that_helps_the_defender_is_asked():
    state = table("p p d kKC", GOOD, LAYS_OFF, UPCARD, "2S").state
    assert (state.phase, state.turn, state.result) == (Phase.DEFENCE, 1, None)
    assert legal(state, 1) == "l"
    assert legal(state, 0) == ""


def test_the_defence_lays_off_as_is_best():
    folded = table("p p d kKC l", GOOD, LAYS_OFF, UPCARD, "2S")
    laid = (LayOff(Card["7C"], 0), LayOff(Card["6C"], 0))
    assert folded.state.spread.melds[0] == Meld.parse("8C 9C TC")
    assert folded.events[-1][0] == LaidOff(1, laid)
    assert folded.state.defence.lay_offs == laid
    assert (folded.state.result.defender_deadwood, folded.state.result.points) == (66, 62)


@pytest.mark.parametrize(
    ("log", "points"), [("l=", 75), ("l=7C0", 68), ("l=7C0,6C0", 62), ("l=7C2", 68)]
)
def test_the_defender_may_lay_off_less(log, points):
    state = table(f"p p d kKC {log}", GOOD, LAYS_OFF, UPCARD, "2S").state
    assert state.result.points == points


@pytest.mark.parametrize(
    ("laid", "code"),
    [
        ("6C 0", "illegal_action"),  # only after 7C
        ("QS 0", "illegal_action"),
        ("7C 1", "illegal_action"),
        ("7C 3", "illegal_action"),  # there are three melds: 0, 1, 2
        ("7S 1", "not_in_hand"),
    ],
)
def test_a_lay_off_that_does_not_fit_is_refused(laid, code):
    state = table("p p d kKC", GOOD, LAYS_OFF, UPCARD, "2S").state
    card, meld = laid.split()
    assert refused(state, 1, Defend((LayOff(Card[card], int(meld)),))) == code


def test_what_may_be_laid_off_is_told_step_by_step():
    state = table("p p d kKC", GOOD, LAYS_OFF, UPCARD, "2S").state
    first = lay_offs(state, 1)
    assert first == (LayOff(Card["7C"], 0), LayOff(Card["7C"], 2))
    assert lay_offs(state, 1, first[:1]) == (LayOff(Card["6C"], 0),)
    for seat, done in ((0, ()), (1, (LayOff(Card["6C"], 0),))):
        with pytest.raises(IllegalAction):
            lay_offs(state, seat, done)


def test_gin_when_the_spread_leaves_nothing_and_nothing_is_laid_off():
    gin = "8C 9C TC 7D 7H 7S 2D 2H 2S 2C"
    state = table("p p d kKC", gin, LAYS_OFF, UPCARD, "KC").state
    assert (state.phase, state.result.kind) == (Phase.OVER, Ending.GIN)
    assert state.defence.lay_offs == ()
    assert (state.result.defender_deadwood, state.result.points) == (79, 25 + 79)


@pytest.mark.parametrize(
    ("loose", "kind", "winner", "points"),
    [
        ("JS", Ending.UNDERCUT, 1, 10 + 0),  # a tie is an undercut
        ("AS", Ending.UNDERCUT, 1, 10 + 9),
        ("3H", Ending.UNDERCUT, 1, 10 + 7),
    ],
)
def test_an_undercut_goes_to_the_defender(loose, kind, winner, points):
    defender = f"3S 4S 5S TD TH TS QD QH QS {loose}"
    result = table("p p d k4H", GOOD, defender, UPCARD, "2S").state.result
    assert (result.knocker_deadwood, result.kind, result.winner) == (10, kind, winner)
    assert result.points == points


CHOICE = "2C 3C 4C 5C 7D 7H 7S KC KD KS"  # 2C or 5C may be left out of the run
OTHER = "8C QC 9D JD 4D AH 6H 9H TS QS"


def test_the_knocker_may_choose_another_spread():
    state = table("p p d", CHOICE, OTHER, UPCARD, "TH").state
    assert [format_cards(spread.deadwood) for spread in spreads(state, 0, Card["TH"])] == [
        "",
        "2C",
        "5C",
    ]
    worse = Knock(
        Card["TH"], (Meld.parse("3C 4C 5C"), Meld.parse("7D 7H 7S"), Meld.parse("KC KD KS"))
    )
    after = play(state, 0, worse).state
    assert after.spread.melds == worse.melds  # in the order given
    assert (after.result.kind, after.result.knocker_deadwood) == (Ending.KNOCK, 2)  # no gin


def test_spreads_are_told_for_a_knock_that_is_possible_only():
    state = table("p p d", CHOICE, OTHER, UPCARD, "TH").state
    for seat, card, code in ((1, "QC", "illegal_action"), (0, "KC", "over_limit")):
        with pytest.raises(IllegalAction) as caught:
            spreads(state, seat, Card[card])
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("melds", "code"),
    [
        ("2C 3C 4C / 7D 7H 7S", "over_limit"),  # a whole meld left out is too much here
        ("", "over_limit"),
        ("2C 3C 4C 5C / 7D 7H 7S / KC KD KH", "not_in_hand"),
        ("2C 3C 4C / 3C 4C 5C / 7D 7H 7S / KC KD KS", "duplicate_card"),
        ("2C 3C 4C 5C / 7D 7H 7S / TH JH QH", "not_in_hand"),  # TH is thrown
    ],
)
def test_a_spread_that_is_none_is_refused(melds, code):
    state = table("p p d", CHOICE, OTHER, UPCARD, "TH").state
    chosen = tuple(Meld.parse(meld) for meld in melds.split(" / ") if meld)
    assert refused(state, 0, Knock(Card["TH"], chosen)) == code


# How a round ends (section 6)


def drawn_out(state):
    """Both draw and throw what they drew, until the stock ends it."""
    while state.phase is Phase.DRAW:
        state = play(state, state.turn, Draw()).state
        if len(state.stock) == 2:
            return state
        state = play(state, state.turn, Discard(state.drawn)).state
    return state


def stock_with(last: str, *hands: str) -> str:
    """A stock of which this card is the 29th to be drawn."""
    free = [card for card in DECK if str(card) not in " ".join((*hands, last)).split()]
    return format_cards((*free[:28], Card[last], *free[28:]))


def before_the_last_discard(last: str, first: str, second: str, **options: object):
    stock = stock_with(last, first, second, UPCARD)
    return drawn_out(table("p p", first, second, UPCARD, stock, **options).state)


def test_the_round_is_drawn_when_two_cards_are_left():
    state = before_the_last_discard("2S", FLAT, GOOD)
    assert (state.turn, state.drawn, len(state.stock)) == (0, Card["2S"], 2)
    progress = play(state, 0, Discard(Card["2S"]))
    assert (progress.state.phase, progress.state.result.kind) == (Phase.OVER, Ending.DRAWN)
    assert progress.events == (
        Discarded(0, Card["2S"]),
        Scored(progress.state.result, progress.state.hands),
    )


def test_the_drawer_of_the_last_card_may_knock():
    state = before_the_last_discard("2S", GOOD, FLAT)
    assert play(state, 0, Knock(Card["KC"])).state.result.kind is Ending.KNOCK


def test_the_last_discard_is_offered_where_that_is_agreed():
    state = before_the_last_discard("2S", FLAT, GOOD, last_card="offer")
    offered = play(state, 0, Discard(Card["2S"])).state
    assert (offered.phase, offered.turn) == (Phase.LAST_OFFER, 1)
    assert legal(offered, 1) == "p t r"
    taken = play(offered, 1, Take()).state
    assert legal(taken, 1) == "kKC k4H r"
    assert refused(taken, 1, Discard(Card["KC"])) == "illegal_action"
    assert refused(taken, 1, Knock(Card["2S"])) == "illegal_action"
    assert play(taken, 1, Knock(Card["KC"])).state.result.winner == 1


def test_who_leaves_the_last_discard_draws_the_round():
    state = before_the_last_discard("2S", FLAT, GOOD, last_card="offer")
    progress = play(play(state, 0, Discard(Card["2S"])).state, 1, Pass())
    assert progress.state.result.kind is Ending.DRAWN
    assert progress.events[0] == Passed(1)


@pytest.mark.parametrize("last", ["JH", "3S"])
def test_a_last_discard_of_no_use_is_not_offered(last):
    state = before_the_last_discard(last, FLAT, GOOD, last_card="offer")
    assert play(state, 0, Discard(Card[last])).state.result.kind is Ending.DRAWN


def test_the_last_discard_can_make_a_big_gin():
    ten = "8D 9D TD JC JD JH JS 2C 2D 2H"
    state = before_the_last_discard(
        "2S", "3C 5C QC 9H AD KD AH 6H TS QS", ten, last_card="offer", big_gin=31
    )
    taken = play(play(state, 0, Discard(Card["2S"])).state, 1, Take()).state
    assert BigGin() in legal_actions(taken, 1)


def test_the_50th_take_is_the_last():
    state = table("", FLAT, "2C 4C KC 8D TD QD 3H 5H 7S 9S", UPCARD).state
    while state.takes < TAKE_LIMIT:
        assert state.phase is not Phase.OVER
        state = play(state, state.turn, Take()).state
        last = state
        discards = [a for a in legal_actions(state, state.turn) if isinstance(a, Discard)]
        state = play(state, state.turn, discards[state.takes % 10]).state
    assert (state.takes, len(state.stock)) == (50, 31)
    assert (state.phase, state.result.kind) == (Phase.OVER, Ending.DRAWN)
    assert last.phase is Phase.DISCARD


def test_the_turn_of_the_50th_take_may_end_in_a_knock():
    # Three kings go round: each seat keeps one and takes the one that the other threw.
    nine = "8C 9C TC 7D 7H 7S 2D 2H 2S"
    state = table("", FLAT, f"{nine} KS", "KH").state
    kings = [Discard(Card[king]) for king in ("KD", "KH", "KS")]
    while state.takes < TAKE_LIMIT - 1:
        state = play(state, state.turn, Take()).state
        thrown = next(king for king in kings if king in legal_actions(state, state.turn))
        state = play(state, state.turn, thrown).state
    state = play(state, 1, Take()).state
    thrown = next(king for king in kings if king in legal_actions(state, 1))
    assert play(state, 1, thrown).state.result.kind is Ending.DRAWN
    assert play(state, 1, Knock(thrown.card)).state.result.kind is Ending.KNOCK


# Variants (sections 11 to 13)


def test_oklahoma_takes_the_limit_from_the_upcard():
    state = table("p p d", GOOD, FLAT, "4D", "2S", preset="oklahoma").state
    assert (state.knock_limit, state.multiplier) == (4, 1)
    assert [a for a in legal(state, 0).split() if a[0] == "k"] == ["kKC"]
    state = table("p p d", GOOD, FLAT, "3S", "2S", preset="oklahoma").state
    assert (state.knock_limit, state.multiplier) == (3, 2)
    assert refused(state, 0, Knock(Card["KC"])) == "over_limit"


def test_the_limit_stays_that_of_the_first_upcard():
    state = table("t kKC", GOOD, FLAT, "2S", preset="oklahoma", knock_limit=10).state
    assert state.result.points == 2 * (74 - 4)
    state = table("t xKC", GOOD, FLAT, "2S", preset="oklahoma").state
    assert (state.pile[-1], state.knock_limit) == (Card["KC"], 2)


def test_straight_gin_knows_no_knock_with_deadwood():
    state = table("p p d", GOOD, FLAT, UPCARD, "2S", preset="straight-gin").state
    assert not [a for a in legal(state, 0).split() if a[0] == "k"]
    gin = "8C 9C TC 7D 7H 7S 2D 2H 2S 2C"
    state = table("p p d", gin, FLAT, UPCARD, "KC", preset="straight-gin").state
    assert play(state, 0, Knock(Card["KC"])).state.result.kind is Ending.GIN
    ungainly = (Meld.parse("8C 9C TC"), Meld.parse("7D 7H 7S"), Meld.parse("2D 2H 2S"))
    assert refused(state, 0, Knock(Card["KC"], ungainly)) == "over_limit"


ELEVEN = "8C 9C TC 7D 7H 7S 2D 2H 2S 2C"  # and JC


def test_big_gin_is_declared_in_place_of_a_discard():
    folded = table("p p d b", ELEVEN, FLAT, UPCARD, "JC", big_gin=31)
    state = folded.state
    assert (state.result.kind, state.result.points) == (Ending.BIG_GIN, 31 + 74)
    assert (state.hands[0].bit_count(), state.knock_card) == (11, None)
    assert folded.events[-1][0] == Knocked(0, None, state.spread, big_gin=True)
    assert state.spread.deadwood == 0


def test_big_gin_with_the_upcard():
    assert table("t b", ELEVEN, FLAT, "JC", big_gin=31).state.result.kind is Ending.BIG_GIN


def test_big_gin_needs_the_option_and_eleven_melded_cards():
    state = table("p p d", ELEVEN, FLAT, UPCARD, "JC").state
    assert refused(state, 0, BigGin()) == "illegal_action"
    state = table("p p d", ELEVEN, FLAT, UPCARD, "QH", big_gin=31).state
    assert refused(state, 0, BigGin()) == "illegal_action"


# When people stop (section 14)


@pytest.mark.parametrize("log", ["", "p", "p p", "p p d", "p p d xKC"])
@pytest.mark.parametrize("seat", [0, 1])
def test_either_seat_may_resign_until_a_knock(log, seat):
    state = table(log, GOOD, FLAT, UPCARD, "2S").state
    progress = play(state, seat, Resign())
    result = progress.state.result
    assert (result.kind, result.winner) == (Ending.RESIGNED, 1 - seat)
    assert progress.events == (Resigned(seat), Scored(result, state.hands))


def test_a_resigned_round_counts_the_resigners_least_deadwood():
    state = table("p p d", GOOD, FLAT, UPCARD, "2S").state
    assert play(state, 1, Resign()).state.result.points == 25 + 74
    assert play(state, 0, Resign()).state.result.points == 25 + 14  # all eleven cards
    state = table("p p d", GOOD, FLAT, "7C", "2S", spades_double=True).state
    assert play(state, 0, Resign()).state.result.multiplier == 1
    state = table("p p d", GOOD, FLAT, "9S", "2S", spades_double=True).state
    assert play(state, 0, Resign()).state.result.points == 2 * (25 + 14)


def test_nobody_resigns_after_a_knock():
    state = table("p p d kKC", GOOD, LAYS_OFF, UPCARD, "2S").state
    assert refused(state, 0, Resign()) == refused(state, 1, Resign()) == "illegal_action"
    over = play(state, 1, Defend()).state
    assert refused(over, 0, Resign()) == refused(over, 1, Resign()) == "illegal_action"


@pytest.mark.parametrize("log", ["", "p p d", "p p d kKC"])
def test_a_round_is_void_when_the_series_ends_in_it(log):
    state = table(log, GOOD, LAYS_OFF, UPCARD, "2S").state
    progress = void(state)
    result = progress.state.result
    assert (result.kind, result.winner, result.points) == (Ending.VOID, None, 0)
    assert progress.state.ply == state.ply + 1
    assert progress.events == (BrokenOff(), Scored(result, state.hands, state.knock_card))
    with pytest.raises(IllegalAction):
        void(progress.state)


def test_a_round_that_is_over_takes_no_action():
    state = table("p p d kKC l", GOOD, LAYS_OFF, UPCARD, "2S").state
    for action in (Pass(), Take(), Draw(), Discard(Card["4H"]), Knock(Card["4H"]), Defend()):
        assert refused(state, state.turn, action) == "illegal_action"


def test_the_ply_counts_the_actions():
    assert table("p p d kKC l", GOOD, LAYS_OFF, UPCARD, "2S").state.ply == 5


def test_phases_are_stored_by_these_values():
    assert [phase.value for phase in Phase] == [
        "offer",
        "draw",
        "discard",
        "last offer",
        "defence",
        "over",
    ]


def test_a_deck_for_the_tests_is_a_deck():
    assert sorted(deck_of(FLAT, GOOD, UPCARD)) == list(DECK)
