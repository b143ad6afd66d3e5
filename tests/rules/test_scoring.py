"""What a round scores: docs/rules.md, sections 6, 8, 11, 13 and 14."""

import pytest

from games.rules.cards import Card
from games.rules.options import Options
from games.rules.scoring import (
    DRAWN_ROUND,
    VOID_ROUND,
    Ending,
    RoundResult,
    score_big_gin,
    score_knock,
    score_resignation,
)

SPADE, HEART = Card["7S"], Card["7H"]


@pytest.mark.parametrize(
    ("preset", "k", "d", "kind", "winner", "points"),
    [
        ("hollywood", 0, 21, Ending.GIN, 0, 46),
        ("hollywood", 0, 0, Ending.GIN, 0, 25),  # even when the defender has nothing left
        ("hollywood", 3, 12, Ending.KNOCK, 0, 9),
        ("hollywood", 10, 11, Ending.KNOCK, 0, 1),
        ("hollywood", 10, 10, Ending.UNDERCUT, 1, 10),
        ("hollywood", 10, 6, Ending.UNDERCUT, 1, 14),
        ("hollywood", 1, 0, Ending.UNDERCUT, 1, 11),
        ("hollywood-20", 0, 21, Ending.GIN, 0, 41),
        ("gin-rummy", 0, 21, Ending.GIN, 0, 46),
        ("gin-rummy", 3, 12, Ending.KNOCK, 0, 9),
        ("gin-rummy", 10, 10, Ending.UNDERCUT, 1, 25),
        ("gin-rummy", 10, 6, Ending.UNDERCUT, 1, 29),
        ("gin-rummy-classic", 0, 21, Ending.GIN, 0, 41),
        ("gin-rummy-classic", 10, 6, Ending.UNDERCUT, 1, 14),
    ],
)
def test_a_knock(preset, k, d, kind, winner, points):
    options = Options.from_mapping({"preset": preset})
    result = score_knock(options, HEART, knocker=0, knocker_deadwood=k, defender_deadwood=d)
    assert (result.kind, result.winner, result.points) == (kind, winner, points)
    assert (result.knocker, result.knocker_deadwood, result.defender_deadwood) == (0, k, d)


def test_an_undercut_goes_to_the_defender_in_either_seat():
    result = score_knock(Options(), HEART, knocker=1, knocker_deadwood=8, defender_deadwood=3)
    assert (result.winner, result.knocker, result.points) == (0, 1, 15)


def test_a_result_carries_its_sum():
    options = Options.from_mapping({"preset": "oklahoma"})
    result = score_knock(options, SPADE, knocker=0, knocker_deadwood=0, defender_deadwood=38)
    assert (result.bonus, result.difference, result.multiplier, result.points) == (25, 38, 2, 126)


def test_spades_double_in_oklahoma_only():
    for preset, points in (("oklahoma", 18), ("hollywood", 9)):
        options = Options.from_mapping({"preset": preset})
        result = score_knock(options, SPADE, knocker=0, knocker_deadwood=3, defender_deadwood=12)
        assert result.points == points


def test_big_gin_scores_31_in_place_of_the_gin_bonus():
    options = Options.from_mapping({"big_gin": 31})
    result = score_big_gin(options, HEART, knocker=1, defender_deadwood=41)
    assert (result.kind, result.winner, result.points) == (Ending.BIG_GIN, 1, 72)
    assert (result.knocker_deadwood, result.defender_deadwood) == (0, 41)


def test_a_resigned_round_scores_the_gin_bonus_and_the_deadwood_doubled_as_the_round_is():
    options = Options.from_mapping({"preset": "oklahoma"})
    result = score_resignation(options, SPADE, resigner=0, deadwood=30)
    assert (result.kind, result.winner, result.points) == (Ending.RESIGNED, 1, 110)
    assert result.knocker is None


@pytest.mark.parametrize("result", [DRAWN_ROUND, VOID_ROUND])
def test_nobody_scores_a_drawn_or_void_round(result):
    assert (result.winner, result.points) == (None, 0)


def test_endings_are_stored_by_these_values():
    assert [ending.value for ending in Ending] == [
        "gin",
        "big gin",
        "knock",
        "undercut",
        "drawn",
        "resigned",
        "void",
    ]
    assert RoundResult(Ending.VOID) == VOID_ROUND
