"""The weights that were learned, and what they are multiplied with."""

from random import Random

import pytest

from games.bots.features import FEATURES, KNOCK_NUMBERS, STAGES, common_numbers, knock_numbers
from games.bots.judgement import Judgement, numbers_of
from games.bots.model import Model, load_model, model_name
from games.bots.outcomes import OUTCOMES, outcome_place, points_of_outcomes
from games.bots.sight import Sight
from games.bots.worth import usual_scores, worth_in_points, worth_in_series
from games.rules.options import PRESETS, Options
from games.rules.scoring import Ending
from games.rules.sheet import ScoreSheet
from games.training.fits import Fit
from tests.rules.tables import hand

NAMES = sorted({model_name(options) for options in PRESETS.values()})


@pytest.mark.parametrize("name", NAMES)
def test_a_model_has_a_weight_for_every_number(name):
    model = load_model(name)
    assert len(model.positions) == 2 * STAGES
    assert {len(weights) for weights in model.positions} == {len(OUTCOMES)}
    assert {len(row) for weights in model.positions for row in weights} == {len(FEATURES)}
    assert len(model.knocks) == len(model.shares) == len(model.differences) == len(OUTCOMES)
    assert {len(row) for row in model.knocks} == {KNOCK_NUMBERS}
    assert sum(model.shares) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_is_written_and_read_back(name):
    model = load_model(name)
    assert Model.from_json(model.to_json()) == model
    assert Model.from_json(model.to_json()).to_json() == model.to_json()


@pytest.mark.parametrize("options", PRESETS.values(), ids=PRESETS)
def test_outcomes_of_a_position_are_about_certain(options):
    """Whatever happens, something does: the probabilities of all outcomes add up to one."""
    model = load_model(model_name(options))
    judgement = Judgement.of(model, [1.0] * len(OUTCOMES))
    kept = hand("2C 3C 4C 7D 7H 8H 9H 9S KC QD")
    sight = Sight(kept | hand("KD"), (1 << 52) - 1 ^ kept, 0, 0, 0, 10, 25, 10)
    value = judgement.position(sight, kept, 25, common_numbers(sight))
    assert value == pytest.approx(1, abs=0.02)
    assert judgement.knock(sight, 5) == pytest.approx(1, abs=0.02)


def test_numbers_have_their_names():
    kept = hand("2C 3C 4C 7D 7H 8H 9H 9S KC QD")
    sight = Sight(kept | hand("KD"), (1 << 52) - 1 ^ kept, 0, 0, 0, 10, 25, 10)
    numbers = numbers_of(sight, kept, 25, common_numbers(sight))
    assert len(numbers) == len(FEATURES)
    named = dict(zip(FEATURES, numbers, strict=True))
    assert named["one"] == 1
    assert named["deadwood"] == 3.6
    assert named["over limit"] == 2.6
    assert named["loose"] == 0.4
    assert len(knock_numbers(sight, 0)) == len(knock_numbers(sight, 4)) == KNOCK_NUMBERS


def test_every_ending_of_a_played_round_has_a_place():
    for kind in (Ending.GIN, Ending.KNOCK, Ending.UNDERCUT):
        places = {outcome_place(own, kind, d) for own in (True, False) for d in range(100)}
        assert {str(kind) in OUTCOMES[place] for place in places} == {True}
    assert OUTCOMES[outcome_place(False, "drawn", 0)] == "drawn"


def test_points_are_bonus_and_difference_times_the_multiplier():
    differences = [0.0] + [10.0] * (len(OUTCOMES) - 1)
    points = dict(zip(OUTCOMES, points_of_outcomes(Options(), differences, 2), strict=True))
    assert (points["own gin 1"], points["their undercut 0"]) == (70, -40)
    assert (points["own knock 2"], points["drawn"]) == (20, 0)


class TestWorth:
    def test_an_even_sheet_is_worth_half_a_series(self):
        model, options = load_model("hollywood"), PRESETS["hollywood"]
        worth = worth_in_series(model, ScoreSheet(options), (0, 1), 1)
        assert worth[0] == pytest.approx(50)
        own, their = worth[1:8], worth[8:]
        assert [a + b for a, b in zip(own, their, strict=True)] == pytest.approx([100] * 7, abs=1)
        assert min(own) > 50 > max(their)

    def test_what_ends_the_series_is_worth_all_of_it(self):
        options = Options(columns=1)
        sheet = ScoreSheet.of(options, [(0, 98), (1, 98)])
        worth = worth_in_series(load_model("hollywood"), sheet, (1, 0), 1)
        assert worth[1:8] == [100] * 7
        assert worth[8:] == [0] * 7

    def test_of_three_sides_points_are_counted(self):
        options = Options(players=3)
        model = load_model("hollywood")
        worth = worth_in_series(model, ScoreSheet(options), (0, 2), 1)
        assert worth == worth_in_points(model, options, 1)

    def test_scores_come_with_their_chances(self):
        scores = usual_scores(load_model("hollywood"), Options())
        assert sum(chance for _, chance in scores) == pytest.approx(1)
        assert all(0 < score < 150 for score, _ in scores)


class TestFit:
    def test_finds_the_chances_that_rows_came_from(self):
        random, fit = Random(1), Fit(2, 2)
        for _ in range(20_000):
            number = random.random()
            fit.add((1.0, number), int(random.random() < 0.2 + 0.5 * number))
        base, slope = fit.solve(ridge=1e-6)[1]
        assert (base, slope) == (pytest.approx(0.2, abs=0.03), pytest.approx(0.5, abs=0.05))

    def test_two_halves_are_one_fit(self):
        random, whole, halves = Random(2), Fit(3, 2), (Fit(3, 2), Fit(3, 2))
        for number in range(40):
            row = (1.0, random.random(), random.random())
            for fit in (whole, halves[number % 2]):
                fit.add(row, number % 3 // 2)
        halves[0].merge(halves[1])
        assert halves[0].rows == whole.rows == 40
        for one, other in zip(halves[0].solve(1), whole.solve(1), strict=True):
            assert one == pytest.approx(other)
