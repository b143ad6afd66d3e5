"""Results of rounds played with real cards (issue 6, sheet-only series)."""

import pytest

from games.rules.by_hand import BY_HAND, ByHand, endings_by_hand, result_by_hand
from games.rules.cards import parse_card
from games.rules.errors import IllegalAction
from games.rules.options import PRESETS, Options
from games.rules.scoring import DRAWN_ROUND, Ending, score_big_gin, score_knock

TOURNAMENT = PRESETS["tournament-hollywood"]


@pytest.mark.parametrize("upcard", ["KD", "KS"])
@pytest.mark.parametrize(
    ("knocker_deadwood", "defender_deadwood"), [(0, 0), (0, 38), (8, 3), (9, 9), (4, 30)]
)
def test_told_by_deadwood_it_is_what_the_rules_score(
    upcard: str, knocker_deadwood: int, defender_deadwood: int
) -> None:
    played = score_knock(
        TOURNAMENT,
        parse_card(upcard),
        knocker=1,
        knocker_deadwood=knocker_deadwood,
        defender_deadwood=defender_deadwood,
    )
    undercut = played.kind is Ending.UNDERCUT
    winners, losers = knocker_deadwood, defender_deadwood
    if undercut:
        winners, losers = losers, winners
    told = ByHand(played.kind, played.winner, None, winners, losers, doubled=upcard == "KS")
    assert result_by_hand(TOURNAMENT, told) == played


def test_big_gin() -> None:
    played = score_big_gin(TOURNAMENT, parse_card("2H"), knocker=0, defender_deadwood=50)
    assert result_by_hand(TOURNAMENT, ByHand(Ending.BIG_GIN, 0, loser_deadwood=50)) == played
    assert result_by_hand(TOURNAMENT, ByHand(Ending.BIG_GIN, 0, points=81)) == played


@pytest.mark.parametrize(
    ("kind", "points", "difference"),
    [
        (Ending.GIN, 63, 38),
        (Ending.KNOCK, 4, 4),
        (Ending.UNDERCUT, 10, 0),
        (Ending.UNDERCUT, 20, 10),
    ],
)
def test_told_by_points(kind: Ending, points: int, difference: int) -> None:
    result = result_by_hand(Options(), ByHand(kind, 0, points))
    assert (result.points, result.difference, result.winner) == (points, difference, 0)


def test_a_drawn_round_is_drawn_whatever_else_is_told() -> None:
    assert result_by_hand(Options(), ByHand(Ending.DRAWN, 1, 63)) == DRAWN_ROUND


@pytest.mark.parametrize(
    "told",
    [
        ByHand(Ending.GIN, None, 40),
        ByHand(Ending.GIN, 2, 40),
        ByHand(Ending.GIN, 0),
        ByHand(Ending.GIN, 0, 24),
        ByHand(Ending.GIN, 0, 25 + 99),
        ByHand(Ending.GIN, 0, winner_deadwood=1, loser_deadwood=20),
        ByHand(Ending.GIN, 0, loser_deadwood=-1),
        ByHand(Ending.BIG_GIN, 0, 40),
        ByHand(Ending.KNOCK, 0, 0),
        ByHand(Ending.KNOCK, 0, 98),
        ByHand(Ending.KNOCK, 0, winner_deadwood=11, loser_deadwood=20),
        ByHand(Ending.KNOCK, 0, winner_deadwood=0, loser_deadwood=20),
        ByHand(Ending.KNOCK, 0, winner_deadwood=8, loser_deadwood=8),
        ByHand(Ending.KNOCK, 0, winner_deadwood=5, loser_deadwood=99),
        ByHand(Ending.KNOCK, 0, loser_deadwood=20),
        ByHand(Ending.KNOCK, 0, 13, 8, 20),
        ByHand(Ending.UNDERCUT, 0, 9),
        ByHand(Ending.UNDERCUT, 0, 21),
        ByHand(Ending.UNDERCUT, 0, winner_deadwood=5, loser_deadwood=4),
        ByHand(Ending.RESIGNED, 0, 40),
        ByHand(Ending.VOID),
    ],
)
def test_what_can_not_have_been_is_refused(told: ByHand) -> None:
    with pytest.raises(IllegalAction):
        result_by_hand(Options(), told)


def test_doubled_points_are_even() -> None:
    with pytest.raises(IllegalAction):
        result_by_hand(TOURNAMENT, ByHand(Ending.KNOCK, 0, 15, doubled=True))
    assert result_by_hand(TOURNAMENT, ByHand(Ending.KNOCK, 0, 16, doubled=True)).difference == 8
    assert result_by_hand(Options(), ByHand(Ending.KNOCK, 0, 15, doubled=True)).multiplier == 1


def test_which_endings_there_are() -> None:
    assert endings_by_hand(TOURNAMENT) == BY_HAND
    assert endings_by_hand(PRESETS["straight-gin"]) == (Ending.GIN, Ending.DRAWN)
