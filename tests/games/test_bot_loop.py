"""The loop that plays the bots' turns: finds, asks, plays, rings, and survives what fails."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import DatabaseError

from games import live, poller
from games.bots import Choice
from games.models import Round, Series
from games.rules.view import TableView
from games.selectors.audit import differences
from games.services import bot_loop
from games.services.bot_loop import play_bot_turn, play_due_turns
from games.services.bot_thinker import Thinker
from games.services.bot_turns import bot_turn, due_turns, take_turn
from games.services.outcome import Status
from games.thinking import think
from tests.at_once import at_once
from tests.house import bot_table, to_the_bot
from tests.tables import hasty

type Bell = tuple[int, int]


class Here(Thinker):
    """Thinks in this process; `failures` of its answers are none."""

    def __init__(self, failures: int = 0) -> None:
        super().__init__()
        self.failures = failures

    async def choose(self, name: str, view: TableView, seed: int) -> Choice | None:
        self.failures -= 1
        return None if self.failures >= 0 else think(name, view, seed)


@pytest.fixture(autouse=True)
def _at_once(settings: Any) -> None:
    settings.BOT_PACE = 0


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[Bell]:
    """The bells; the test's transaction is seen by its own connection only."""
    bells: list[Bell] = []

    async def ring(series_id: int, version: int, *, talk: int, by: str = "") -> None:
        bells.append((series_id, version))

    async def here[**P, T](function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await sync_to_async(function, thread_sensitive=True)(*args, **kwargs)

    monkeypatch.setattr(bot_loop, "in_thread", here)
    monkeypatch.setattr(live, "ring", ring)
    return bells


@pytest.mark.django_db
class TestALook:
    def test_every_turn_that_is_due_is_played_and_rung(self, rung: list[Bell]) -> None:
        tables = [to_the_bot(bot_table()) for _ in range(3)]
        versions = {table.series.pk: table.row.version for table in tables}
        assert async_to_sync(play_due_turns)(Here()) == 3
        assert dict(rung) == {pk: version + 1 for pk, version in versions.items()}

    def test_with_nothing_due_nothing_is_started(self, rung: list[Bell]) -> None:
        thinker = Thinker()
        assert async_to_sync(play_due_turns)(thinker) == 0
        assert thinker._pool is None

    def test_a_bot_that_fails_once_is_asked_again(self, rung: list[Bell]) -> None:
        table = to_the_bot(bot_table())
        async_to_sync(play_due_turns)(Here(failures=1))
        assert table.row.reasons

    def test_a_bot_that_fails_always_acts_all_the_same(
        self, rung: list[Bell], caplog: pytest.LogCaptureFixture
    ) -> None:
        table = to_the_bot(bot_table())
        before = table.row.ply
        async_to_sync(play_due_turns)(Here(failures=99))
        assert (table.row.ply, table.row.reasons) == (before + 1, "")
        assert len(rung) == 1
        assert "without a choice" in caplog.text

    @pytest.mark.parametrize("error", [DatabaseError, ValueError])
    def test_one_turn_that_fails_holds_up_no_other(
        self,
        error: type[Exception],
        rung: list[Bell],
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        broken, fine = (to_the_bot(bot_table()) for _ in range(2))
        secret = f"the row of {broken.row.pk}"

        def take(round_id: int) -> Any:
            if round_id == broken.row.pk:
                raise error(secret)
            return take_turn(round_id)

        monkeypatch.setattr(bot_loop, "take_turn", take)
        assert async_to_sync(play_due_turns)(Here()) == 1
        assert rung[0][0] == fine.series.pk
        assert secret not in caplog.text
        assert broken.row.pk in due_turns()


async def test_the_loop_goes_on_after_a_failure_and_stops_its_process(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks: list[Thinker] = []
    stopped: list[Thinker] = []
    looked = asyncio.Event()

    async def look(thinker: Thinker) -> int:
        looks.append(thinker)
        if len(looks) == 1:
            raise DatabaseError("away")
        looked.set()
        return 0

    monkeypatch.setattr(bot_loop, "play_due_turns", look)
    monkeypatch.setattr(bot_loop, "LOOK_EVERY", 0)
    monkeypatch.setattr(Thinker, "stop", lambda thinker: stopped.append(thinker))
    running = asyncio.create_task(bot_loop.run_bots())
    await looked.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert "were not played: DatabaseError" in caplog.text
    assert stopped == [looks[0]]


@pytest.mark.parametrize(("worker", "plays"), [("serve", True), ("work", False)])
async def test_a_web_process_plays_them_unless_another_does(
    monkeypatch: pytest.MonkeyPatch, settings: Any, worker: str, plays: bool
) -> None:
    settings.BOT_WORKER = worker
    started: set[str] = set()
    all_started = asyncio.Event()

    async def repeat(seconds: float, work: Callable[..., Any]) -> None:
        started.add(work.__name__)
        if len(started - {"bots"}) == 3:
            all_started.set()
        await asyncio.Event().wait()

    async def run_bots() -> None:
        started.add("bots")

    monkeypatch.setattr(poller, "_repeat", repeat)
    monkeypatch.setattr(poller, "run_bots", run_bots)
    running = asyncio.create_task(poller.run_poller())
    await all_started.wait()
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert ("bots" in started) is plays


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
class TestSeveralProcesses:
    def test_r3_of_those_who_find_a_turn_due_one_takes_it_on(self) -> None:
        for _ in range(10):
            table = to_the_bot(bot_table())
            taken = at_once([partial(take_turn, table.row.pk)] * 6)
            assert sum(turn is not None for turn in taken) == 1

    def test_r2_two_who_think_about_one_turn_act_once(self) -> None:
        """As when the first was given up for dead, and was only slow."""
        table = to_the_bot(bot_table())
        for _ in range(30):
            row = table.row
            if row.kind:
                break
            if table.state.turn == 0:
                table.act(hasty(random.Random(row.ply))(table.state))
                continue
            turn = bot_turn(row.pk)
            assert turn is not None
            choice = think(turn.bot, turn.view, turn.seed)
            met = Counter(
                each.status for each in at_once([partial(play_bot_turn, turn, choice)] * 4)
            )
            assert met == {Status.DONE: 1, Status.REPEAT: 3}
            after = Round.objects.get(pk=row.pk)
            assert after.ply == row.ply + 1
            assert after.reasons.count("\n") == row.reasons.count("\n") + 1
        assert list(differences(Series.objects.get(pk=table.series.pk))) == []
