"""Leaving has consequences that grow and fade (promise M2): the exact terms, as tables."""

from datetime import UTC, datetime, timedelta

import pytest

from games.leavers import (
    LADDER,
    REMEMBERED_FOR,
    WITHDRAWALS,
    Deed,
    DeedKind,
    Repute,
    repute_after,
)

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
LETTERS = {
    "L": DeedKind.LEFT,
    "T": DeedKind.RAN_OUT,
    "F": DeedKind.FINISHED,
    "W": DeedKind.WITHDREW,
}


def after(deeds: str, *, apart: timedelta = timedelta(minutes=1)) -> Repute:
    """Where these deeds lead to, one after the other; `now` is the last one's moment."""
    done: list[Deed] = [(LETTERS[each], START + n * apart) for n, each in enumerate(deeds)]
    return repute_after(done, START + (len(deeds) - 1) * apart)


@pytest.mark.parametrize(
    ("deeds", "step", "minutes"),
    [
        ("", 0, 0),
        ("F", 0, 0),
        ("L", 1, 0),  # a friendly word
        ("LL", 2, 5),
        ("LLL", 3, 30),
        ("LLLL", 4, 2 * 60),
        ("LLLLL", 5, 24 * 60),
        ("LLLLLLL", 5, 24 * 60),  # that is the end of the ladder
        ("LT", 2, 5),
        ("TT", 2, 5),
        ("LF", 0, 0),
        ("LFL", 1, 0),
        ("LLFL", 2, 5),
        ("LLFFFF", 0, 1),  # four minutes of the five are over; what was set runs on
        ("FFFFLL", 2, 5),  # nobody saves them up
        ("LFLFLFLFLF", 0, 0),
        ("LLLLLFFL", 4, 24 * 60 - 3),  # the longer wait of before holds
    ],
)
def test_m2_each_leaving_is_a_step_and_each_fair_end_takes_one_back(
    deeds: str, step: int, minutes: int
) -> None:
    repute = after(deeds)
    now = START + timedelta(minutes=len(deeds) - 1)
    assert repute.step == step
    assert repute.wait(now) == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("deeds", "days", "step"),
    [
        ("L", 6, 1),
        ("L", 7, 0),
        ("LLL", 6, 3),
        ("LLL", 7, 2),
        ("LLL", 14, 1),
        ("LLL", 21, 0),
        ("LLLLL", 34, 1),
        ("LLLLL", 35, 0),
    ],
)
def test_m2_a_step_fades_with_each_week(deeds: str, days: int, step: int) -> None:
    done: list[Deed] = [(LETTERS[each], START) for each in deeds]
    assert repute_after(done, START + timedelta(days=days)).step == step


def test_m2_after_a_week_the_next_leaving_comes_one_step_lower() -> None:
    assert after("LLL", apart=timedelta(days=7)).step == 1
    assert after("LLL", apart=timedelta(days=3)).step == 3


@pytest.mark.parametrize(
    ("times", "step", "minutes"),
    [(1, 0, 0), (9, 0, 0), (10, 1, 0), (19, 1, 0), (20, 2, 5), (30, 3, 30)],
)
def test_fault_71_one_withdrawal_is_harmless_and_thirty_are_not(
    times: int, step: int, minutes: int
) -> None:
    repute = after("W" * times, apart=timedelta(seconds=10))
    assert repute.step == step
    assert repute.wait(START + timedelta(seconds=10) * (times - 1)) == timedelta(minutes=minutes)


def test_fault_71_now_and_then_it_is_never_a_step() -> None:
    assert after("W" * 100, apart=timedelta(minutes=7)).step == 0
    assert after("W" * WITHDRAWALS, apart=timedelta(minutes=6)).step == 1


def test_what_is_forgotten_has_faded() -> None:
    worst = after("L" * len(LADDER), apart=timedelta())
    assert worst.faded(START + REMEMBERED_FOR).step == 0


def test_codes_are_stored_and_stay() -> None:
    assert [each.value for each in DeedKind] == ["finished", "left", "ran out", "withdrew"]
