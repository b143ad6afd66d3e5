"""Races: two ways to the same answers, timed in turns, and their ratio at the end of the run."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import pytest

type Contestant = Callable[[], object]
type Race = Callable[..., float]

LINES = pytest.StashKey[list[str]]()


@pytest.fixture(autouse=True)
def only_when_asked(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--benchmark-only"):
        pytest.skip("a bench runs with --benchmark-only")


@pytest.fixture
def race(request: pytest.FixtureRequest, benchmark: Any) -> Race:
    """Time ours against another, note the ratio for the summary and return it.

    In turns, and of each the best: what else the machine does then hits both or neither.
    """

    def run(ours: Contestant, theirs: Contestant, against: str, goal: float | None = None) -> float:
        benchmark.pedantic(ours, rounds=5)
        times = [(_time(ours), _time(theirs)) for _ in range(15)]
        ratio = min(our for our, _ in times) / min(their for _, their in times)
        benchmark.extra_info[f"ratio to {against}"] = ratio
        aim = "" if goal is None else f" (goal: at most {goal})"
        name = request.node.name.removeprefix("test_")
        lines = request.config.stash.setdefault(LINES, [])
        lines.append(f"{name}: {ratio:.4f} × {against}{aim}")
        assert goal is None or ratio <= goal, lines[-1]
        return ratio

    return run


def _time(contestant: Contestant) -> float:
    start = perf_counter()
    contestant()
    return perf_counter() - start


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    lines = terminalreporter.config.stash.get(LINES, [])
    if lines:
        terminalreporter.section("ratios")
        terminalreporter.write_line("\n".join(sorted(lines)))
