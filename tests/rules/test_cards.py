"""`docs/rules.md`, section 1: cards and their texts."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import (
    ALL_CARDS,
    DECK,
    Card,
    Suit,
    card_set,
    cards_in,
    format_cards,
    parse_card,
    parse_cards,
    points_of,
)
from games.rules.errors import (
    ERROR_CODES,
    IllegalAction,
    RulesError,
    UnreadableInput,
    quoted,
)

LONG = pytest.param("x" * 300_000, id="long")
card_sets = st.integers(min_value=0, max_value=ALL_CARDS)


def test_the_deck_holds_52_cards_by_suit_then_rank():
    assert format_cards(DECK[:14]) == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD"
    assert [card.value for card in DECK] == list(range(52))
    assert card_set(DECK) == ALL_CARDS


@pytest.mark.parametrize(
    ("text", "points"),
    [("AS", 1), ("2C", 2), ("9H", 9), ("TD", 10), ("JC", 10), ("QH", 10), ("KS", 10)],
)
def test_card_values(text, points):
    assert parse_card(text).points == points


def test_a_card_knows_its_rank_and_suit():
    card = parse_card("TD")
    assert (card.rank, card.suit, card.value, card.bit) == (9, Suit.DIAMONDS, 22, 1 << 22)
    assert (str(card), f"{card}", repr(card)) == ("TD", "TD", "Card['TD']")


@pytest.mark.parametrize("card", DECK)
def test_a_card_survives_its_text_and_its_copies(card):
    assert parse_card(str(card)) is card
    assert parse_card(str(card).lower()) is card
    assert pickle.loads(pickle.dumps(card)) is copy.deepcopy(card) is card


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1X",
        "1C",
        "10C",
        "T",
        "CT",
        "A♠",
        "AſC",
        "Aſ",
        "2С",
        "AS ",
        LONG,
        None,
        7,
        ["AS"],
    ],
)
def test_fault_62_what_is_no_card_is_refused_in_few_words(text):
    with pytest.raises(UnreadableInput) as refusal:
        parse_card(text)
    assert refusal.value.code == "bad_card"
    assert len(str(refusal.value)) < 100


def test_cards_keep_the_order_given():
    assert format_cards(parse_cards("  kh AS\t7d\n")) == "KH AS 7D"
    assert parse_cards("") == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("7H 7H 2C", "duplicate_card"),
        ("7H 7h", "duplicate_card"),
        ("7H7D", "bad_card"),
        ("7H,7D", "bad_card"),
        ("7H 1X 7H", "bad_card"),
        pytest.param("AS " * 100_000, "bad_card", id="long"),
        (None, "bad_card"),
        (["7H"], "bad_card"),
    ],
)
def test_lists_of_cards_refused(text, code):
    with pytest.raises(UnreadableInput) as refusal:
        parse_cards(text)
    assert refusal.value.code == code
    assert len(str(refusal.value)) < 100


def test_a_refusal_names_the_card():
    with pytest.raises(UnreadableInput, match="'1X'"):
        parse_cards("AS 1X")
    with pytest.raises(UnreadableInput, match="7H"):
        parse_cards("7H 2C 7H")


@given(card_sets)
def test_a_set_of_cards_survives_its_text(cards):
    assert card_set(parse_cards(format_cards(cards))) == cards
    assert card_set(cards_in(cards)) == cards
    assert list(cards_in(cards)) == sorted(cards_in(cards))


@given(card_sets)
def test_the_points_of_a_set_are_the_sum_of_its_cards(cards):
    assert points_of(cards) == sum(card.points for card in cards_in(cards))


def test_every_card_of_the_deck_counts_340():
    assert points_of(ALL_CARDS) == 4 * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 10 + 10 + 10)


def test_errors_say_their_code_and_survive_pickling():
    error = pickle.loads(pickle.dumps(IllegalAction("over_limit", "11 is over the knock limit 10")))
    assert isinstance(error, IllegalAction)
    assert isinstance(error, ValueError)
    assert (error.code, error.message) == ("over_limit", "11 is over the knock limit 10")
    assert str(error) == error.message


def test_unreadable_and_illegal_are_told_apart():
    assert not issubclass(UnreadableInput, IllegalAction)
    assert not issubclass(IllegalAction, UnreadableInput)


def test_an_unknown_error_code_is_our_own_mistake():
    with pytest.raises(AssertionError, match="no_such_code"):
        RulesError("no_such_code", "")


def test_error_codes_are_pinned():
    assert sorted(ERROR_CODES) == [
        "bad_card",
        "bad_json",
        "bad_request",
        "duplicate_card",
        "illegal_action",
        "not_a_meld",
        "not_in_hand",
        "over_limit",
        "series_over",
        "unknown_op",
        "unknown_option",
        "wrong_count",
    ]


def test_a_quotation_is_short_whatever_is_quoted():
    for value in ("9" * 300_000, 10**4000, [[[[[[[[1]]]]]]]], {"a": "b" * 1000}):
        assert len(quoted(value)) < 100


@pytest.mark.parametrize("card", [DECK[0], DECK[1]])
def test_a_card_is_never_taken_for_none(card):
    assert card


def test_cards_can_be_reached_by_name():
    assert Card["KS"] is DECK[51]
    with pytest.raises(KeyError):
        Card["1X"]
