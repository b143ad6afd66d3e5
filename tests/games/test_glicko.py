"""Glicko-2 against the paper, and against what it must be whatever the numbers are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.glicko import (
    LEAST_DEVIATION,
    MOST_DEVIATION,
    Rating,
    Result,
    expected_score,
    idle,
    rated,
)

ratings = st.builds(
    Rating,
    value=st.floats(400, 3000),
    deviation=st.floats(LEAST_DEVIATION, MOST_DEVIATION),
    volatility=st.floats(0.03, 0.1),
)


def test_the_example_of_the_paper() -> None:
    results = [
        Result(Rating(1400, 30), 1.0),
        Result(Rating(1550, 100), 0.0),
        Result(Rating(1700, 300), 0.0),
    ]
    after = rated(Rating(1500, 200, 0.06), results)
    assert after.value == pytest.approx(1464.05, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_a_result_makes_less_sure() -> None:
    before = Rating(1700, 100, 0.06)
    after = rated(before, [])
    assert after.value == 1700
    assert after.deviation == pytest.approx((100**2 + (0.06 * 173.7178) ** 2) ** 0.5)
    assert idle(before, 10_000).deviation == MOST_DEVIATION


def test_two_new_players_move_alike() -> None:
    won, lost = (rated(Rating(), [Result(Rating(), score)]) for score in (1.0, 0.0))
    assert won.value - 1500 == pytest.approx(1500 - lost.value)
    assert won.deviation == pytest.approx(lost.deviation)
    assert won.is_provisional


@given(ratings, ratings)
def test_a_win_lifts_a_loss_lowers_and_either_makes_surer(one: Rating, other: Rating) -> None:
    won, lost = rated(one, [Result(other, 1.0)]), rated(one, [Result(other, 0.0)])
    shared = rated(one, [Result(other, 0.5)])
    assert lost.value < one.value < won.value
    assert lost.value < shared.value < won.value
    assert 0 < won.volatility < 0.2
    assert LEAST_DEVIATION <= won.deviation <= MOST_DEVIATION


@given(ratings, ratings)
def test_chances_of_two_are_one(one: Rating, other: Rating) -> None:
    assert expected_score(one, other) + expected_score(other, one) == pytest.approx(1)


@given(ratings, st.floats(0, 1000), st.floats(0, 1000))
def test_waiting_twice_is_waiting_once_as_long(one: Rating, first: float, then: float) -> None:
    apart, together = idle(idle(one, first), then), idle(one, first + then)
    assert apart.deviation == pytest.approx(together.deviation)
