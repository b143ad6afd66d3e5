"""Thinking in another process: it holds up nobody, sees nothing, and is replaced when it fails."""

import asyncio
import logging
import multiprocessing
import os
from collections.abc import AsyncIterator, Awaitable, Callable

import psutil
import pytest

from games.bots import Choice
from games.rules.cards import DECK
from games.rules.options import Options
from games.rules.sheet import ScoreSheet
from games.rules.state import deal
from games.rules.view import TableView, table_view
from games.services.bot_thinker import Thinker
from games.thinking import think
from tests import thoughts

WITHIN = 20.0  # seconds, on a busy machine
type NewThinker = Callable[..., Thinker]


@pytest.fixture
async def new_thinker() -> AsyncIterator[NewThinker]:
    """Make thinkers that are stopped after the test, and have left no process behind."""
    made: list[Thinker] = []

    def make(thought: Callable[..., Choice] = think, within: float = WITHIN) -> Thinker:
        made.append(Thinker(thought, within=within))
        return made[-1]

    yield make
    for thinker in made:
        thinker.stop()
    await until(lambda: not multiprocessing.active_children())


async def until(condition: Callable[[], object]) -> None:
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(WITHIN / 1000)
    raise AssertionError("it never came")


def view() -> TableView:
    """The view of who acts first in a new round."""
    state = deal(DECK, dealer=1, options=Options()).state
    return table_view(state, (), 0, number=1, version=1, sheet=ScoreSheet(Options()))


async def process_of(answer: Awaitable[Choice | None]) -> int:
    choice = await answer
    assert choice is not None
    assert choice.reason.outs is not None
    return choice.reason.outs


async def test_it_chooses_as_the_bot_would_here(new_thinker: NewThinker) -> None:
    thinker = new_thinker()
    for name in ("beginner", "club"):
        assert await thinker.choose(name, view(), 7) == think(name, view(), 7)


async def test_it_thinks_in_one_other_process(new_thinker: NewThinker) -> None:
    thinker = new_thinker(thoughts.tell_process)
    found = {await process_of(thinker.choose("club", view(), 1)) for _ in range(5)}
    assert len(found) == 1
    assert os.getpid() not in found


async def test_s1_that_process_has_nothing_but_the_view(new_thinker: NewThinker) -> None:
    assert await process_of(new_thinker(thoughts.count_django).choose("club", view(), 1)) == 0


async def test_r17_while_it_thinks_the_loop_does_other_things(new_thinker: NewThinker) -> None:
    thinker = new_thinker(thoughts.hang)
    await thinker.start()
    thought = asyncio.create_task(thinker.choose("club", view(), 0))
    for _ in range(1000):
        await asyncio.sleep(0)
    assert not thought.done()
    thinker.stop()  # it would never answer
    assert await thought is None


async def test_who_does_not_answer_in_time_is_replaced(
    new_thinker: NewThinker, caplog: pytest.LogCaptureFixture
) -> None:
    thinker = new_thinker(thoughts.hang, within=2.0)
    before = await process_of(thinker.choose("club", view(), 1))
    assert await thinker.choose("club", view(), 0) is None
    assert "TimeoutError" in caplog.text
    await until(lambda: not psutil.pid_exists(before))
    assert await process_of(thinker.choose("club", view(), 1)) != before


async def test_r1_who_dies_over_it_is_replaced(
    new_thinker: NewThinker, caplog: pytest.LogCaptureFixture
) -> None:
    thinker = new_thinker(thoughts.die)
    before = await process_of(thinker.choose("club", view(), 1))
    assert await thinker.choose("club", view(), 0) is None
    assert "BrokenProcessPool" in caplog.text
    assert await process_of(thinker.choose("club", view(), 1)) != before


async def test_s1_what_fails_names_no_card_in_the_log(
    new_thinker: NewThinker, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    assert await new_thinker(thoughts.fail).choose("club", view(), 1) is None
    assert "ValueError" in caplog.text
    assert "0x" not in caplog.text
    assert not any(record.exc_info for record in caplog.records)


async def test_a_name_that_no_bot_has_is_no_end_of_the_world(new_thinker: NewThinker) -> None:
    assert await new_thinker().choose("nobody", view(), 1) is None
