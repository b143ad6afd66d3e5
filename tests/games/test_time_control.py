"""Time controls and clocks, as numbers."""

from datetime import timedelta

import pytest

from games.rules.errors import UnreadableInput
from games.time_control import Clocks, TimeControl


@pytest.mark.parametrize("text", ["", "60+0", "600+5", "10800+180", "900+60r", "1d", "14d"])
def test_it_is_read_as_it_is_written(text: str) -> None:
    assert str(TimeControl.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "59+0",
        "10801+0",
        "600",
        "600+181",
        "600+5R",
        "0d",
        "15d",
        "-3d",
        "3d ",
        "６００+5",
        "600+5rr",
    ],
)
def test_what_is_no_time_control(text: str) -> None:
    with pytest.raises(UnreadableInput) as refusal:
        TimeControl.parse(text)
    assert refusal.value.code == "bad_request"


def clocks(text: str) -> Clocks:
    return Clocks.full(TimeControl.parse(text))


def seconds(state: Clocks) -> tuple[float, float]:
    first, second = state.banks
    return first.total_seconds(), second.total_seconds()


def test_an_action_gives_its_increment_to_the_one_who_acted() -> None:
    after = clocks("600+5").acted(1, timedelta(seconds=580), goes_on=True)
    assert seconds(after) == (600, 585)
    assert seconds(after.acted(1, timedelta(seconds=570), goes_on=False)) == (600, 575)
    assert seconds(after.at_deal()) == (600, 585)


def test_a_round_gives_its_increment_to_both_at_the_deal() -> None:
    after = clocks("600+60r").acted(0, timedelta(seconds=580), goes_on=False)
    assert seconds(after) == (580, 600)
    assert seconds(after.at_deal()) == (640, 660)


def test_of_days_each_turn_has_all_whatever_was_left() -> None:
    day = 24 * 3600
    within = clocks("3d").acted(0, timedelta(days=1), goes_on=True)
    assert seconds(within) == (day, 3 * day)
    assert seconds(within.acted(0, timedelta(hours=1), goes_on=False)) == (3 * day, 3 * day)
    assert seconds(within.at_deal()) == (3 * day, 3 * day)


def test_what_is_limited_and_what_is_live() -> None:
    told = [(each.is_limited, each.is_live) for each in map(TimeControl.parse, ("", "600+5", "3d"))]
    assert told == [(False, True), (True, True), (True, False)]
