"""What a score sheet is worth, against series that are played out."""

from random import Random

import pytest

from games.bots.equity import chance_of_series, game_chances, together
from games.rules.options import Options
from games.rules.sheet import ScoreSheet

SCORES = ((6.0, 0.3), (15.0, 0.3), (30.0, 0.3), (50.0, 0.1))

SHEETS = [
    [],
    [(0, 30)],
    [(0, 6), (0, 6), (0, 6)],
    [(0, 50), (0, 30), (1, 30)],
    [(0, 50), (0, 50), (1, 15)],
    [(0, 50), (0, 50), (0, 6), (1, 30), (1, 30)],
    [(0, 80), (0, 6), (1, 70), (1, 6), (0, 15)],
    [(1, 90), (0, 15), (1, 15), (0, 50), (0, 40)],
]


def played_out(sheet: ScoreSheet, random: Random) -> ScoreSheet:
    points, chances = [int(score) for score, _ in SCORES], [chance for _, chance in SCORES]
    while not sheet.is_over:
        sheet = sheet.with_result((random.randrange(2), random.choices(points, chances)[0]))
    return sheet


@pytest.mark.parametrize("entry", ["late", "strict"])
@pytest.mark.parametrize("results", SHEETS, ids=str)
def test_the_chance_is_about_how_often_such_series_are_won(results, entry):
    random = Random(5)
    sheet = ScoreSheet.of(Options(entry=entry), results)
    won = sum(played_out(sheet, random).winner == 0 for _ in range(1500)) / 1500
    assert chance_of_series(sheet, 0, SCORES) == pytest.approx(won, abs=0.09)


@pytest.mark.parametrize("results", [[], [(0, 40)], [(0, 40), (1, 90), (0, 30)]], ids=str)
def test_one_game_is_worked_out(results):
    random = Random(6)
    sheet = ScoreSheet.of(Options(columns=1), results)
    won = sum(played_out(sheet, random).winner == 0 for _ in range(4000)) / 4000
    assert chance_of_series(sheet, 0, SCORES) == pytest.approx(won, abs=0.03)


@pytest.mark.parametrize("results", SHEETS, ids=str)
def test_both_sides_have_all_of_it(results):
    sheet = ScoreSheet.of(Options(), results)
    both = [chance_of_series(sheet, side, SCORES) for side in (0, 1)]
    assert sum(both) == pytest.approx(1, abs=0.01)


def test_points_are_worth_having():
    sheet = ScoreSheet.of(Options(), [(0, 20), (1, 20)])
    chances = [
        chance_of_series(sheet.with_result((0, points)), 0, SCORES) for points in (5, 20, 40, 70)
    ]
    assert chances == sorted(chances)
    assert chances[0] > chance_of_series(sheet, 0, SCORES)


def test_a_series_that_is_over_is_certain():
    sheet = ScoreSheet.of(Options(), [(0, 99), (0, 99), (0, 99), (0, 99)])
    assert [chance_of_series(sheet, side, SCORES) for side in (0, 1)] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("games", "chance"),
    [
        ((1.0, 1.0, 0.3), 1.0),
        ((0.0, 0.0, 0.9), 0.0),
        ((1.0, 0.0, 0.3), 0.3),
        ((0.0, 1.0, 0.3), 0.3),
    ],
)
def test_games_that_have_ended_leave_nothing_to_guess(games, chance):
    assert together(games, 0.5) == chance


def test_an_ended_game_is_won_or_lost():
    sheet = ScoreSheet.of(Options(), [(0, 100)])
    assert game_chances(sheet, 0, SCORES)[0] == 1.0
    assert game_chances(sheet, 1, SCORES)[0] == 0.0
