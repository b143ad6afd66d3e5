"""Settling the games of a series in points: rules sections 8, 9 and 14."""

import pytest
from hypothesis import given

from games.rules.options import Options
from games.rules.settlement import Claim, settle
from games.rules.sheet import ScoreSheet
from tests.rules import sheet_oracle
from tests.rules.sheet_strategies import score_sheets

A, B, C = 0, 1, 2
CLASSIC = Options(settlement="classic")


def settled(options, *results):
    return settle(ScoreSheet.of(options, results))


def per_game(settlement):
    return [(game.winner, game.points) for game in settlement.games]


def test_the_second_example_of_section_7():
    result = settled(CLASSIC, (A, 40), (A, 35), (A, 30), (B, 20), (B, 28), None, (A, 40), (B, 75))
    assert per_game(result) == [(A, 560), (A, 182), (B, 133)]
    assert result.net == (609, -609)


def test_hollywood_settles_by_games_won():
    assert settled(Options(), (A, 100)) is None


def test_one_game_is_always_settled_in_points():
    assert settled(Options(columns=1, settlement="games"), (A, 100)).net == (450, -450)


def test_a_shutout_of_200_in_gin_rummy():
    options = Options.from_mapping({"preset": "gin-rummy"})
    result = settled(options, (A, 46), (A, 29), (A, 25))
    # 100 points, the game bonus, three boxes of 20, 100 more for the shutout.
    assert result.games[0].claims == (Claim(B, 100, 100, 60, 100),)
    assert result.net == (360, -360)


def test_who_reaches_the_target_may_still_pay():
    options = Options.from_mapping({"preset": "gin-rummy"})
    four_for_a_hundred = [(A, 25)] * 3 + [(B, 9)] * 9 + [(B, 18), (A, 25)]
    sheet = ScoreSheet.of(options, four_for_a_hundred)
    assert sheet.totals == ((100,), (99,))
    assert sheet.winner == A
    assert settle(sheet).net == (280 - 299, 299 - 280)


@pytest.mark.parametrize(("shutout", "points"), [("double", 450), ("flat", 325)])
def test_what_a_shutout_adds(shutout, points):
    options = Options(settlement="classic", shutout=shutout)
    assert per_game(settled(options, (A, 100))) == [(A, points)]


def test_an_entry_of_one_point_is_no_shutout():
    assert per_game(settled(CLASSIC, (B, 1), (A, 100))) == [(A, 199)]


def test_boxes_count_only_rounds_entered_in_the_game():
    result = settled(CLASSIC, (A, 50), (B, 10), (A, 50), (B, 10), (A, 50))
    assert per_game(result) == [
        (A, 90 + 100 + 25),  # two rounds to one
        (A, 90 + 100 + 25),  # B's second is entered in games 2 and 3
    ]


def test_open_games_count_nothing():
    result = settled(CLASSIC, (A, 60), (A, 55))
    assert per_game(result) == [(A, 530)]
    assert result.net == (530, -530)
    assert settled(CLASSIC).games == ()
    assert settled(CLASSIC).net == (0, 0)


def test_a_third_game_left_open_by_two_won_counts_nothing():
    options = Options(settlement="classic", series_end="two")
    result = settled(options, (A, 60), (A, 55), (A, 50))
    assert [game.game for game in result.games] == [0, 1]


def test_of_three_players_the_winner_settles_with_each_of_the_others():
    options = Options(players=3, columns=1)
    result = settled(options, (A, 40), (B, 30), (A, 70))
    (game,) = result.games
    assert game.winner == A
    assert game.claims == (
        Claim(loser=B, difference=80, game_bonus=100, boxes=25, shutout=0),
        Claim(loser=C, difference=110, game_bonus=100, boxes=50, shutout=260),
    )
    assert game.points == 205 + 520
    assert result.net == (725, -205, -520)


@given(score_sheets())
def test_the_settlement_equals_the_oracles_and_cancels_out(sheet):
    options = sheet.options
    settlement = settle(sheet)
    assert list(settlement.net) == sheet_oracle.settle(
        sheet.totals,
        sheet.ended,
        sheet.standing.boxes,
        box=options.box,
        shutout=options.shutout,
    )
    assert sum(settlement.net) == 0
