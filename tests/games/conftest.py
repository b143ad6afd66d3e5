"""Fixtures for visits to a table, by its pages and by its socket."""

import random
from typing import Any

import pytest

from games import live
from games.rules.options import Options
from tests.accounts.people import own_cache
from tests.tables import Played, keen, new_table
from tests.visit import empty_house

__all__ = ["empty_house", "limits_start_anew", "over", "rung"]


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """The bells that the views have rung."""
    bells: list[tuple[int, int, int]] = []

    def ring_now(series_id: int, version: int, *, talk: int) -> None:
        bells.append((series_id, version, talk))

    monkeypatch.setattr(live, "ring_now", ring_now)
    return bells


@pytest.fixture(autouse=True)
def limits_start_anew(settings: Any) -> None:
    """What one test did often is no reason to turn away who has the same number in the next."""
    own_cache(settings)


@pytest.fixture
def over(rung: list[tuple[int, int, int]]) -> Played:
    """A series with a clock that was played out."""
    table = new_table(Options(target=50), "600+5")
    table.play_series(keen(random.Random(1)))
    return table
