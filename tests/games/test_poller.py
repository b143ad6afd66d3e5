"""What a process does by the clock: heals, deals, credits outages, notes who is here."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import DatabaseError, OperationalError
from django.db.models.functions import Now
from django.utils import timezone

from accounts import leaving
from accounts.sessions import Ticket
from config import asgi
from games import live, one_by_one, poller
from games.live import Stamp
from games.models import Process, Round, Seat, Series
from games.moderation.services import examinations
from games.one_by_one import OneByOne
from games.rules.actions import Pass, Resign
from games.selectors.versions import stamps
from games.services import due, process
from games.services.due import carry_out, rounds_due
from games.services.next_round import deal_if_due
from games.services.outcome import Status
from games.services.presence import see_seats
from games.services.process import be_alive
from games.threads import in_clock_thread, in_thread
from tests.tables import Played, new_table

pytestmark = pytest.mark.django_db

type Bell = tuple[int, int, int]

ALL_OF_IT = (
    *("keep_time", "heal_sockets", "announce", "note_presence", "tell_people", "note_errors"),
    *("see_off", "look_for_signs", "tidy_up", "run_bots"),
)


class FakeSocket:
    """What the poller sees of a consumer, and what it was told."""

    def __init__(self, series_id: int, seat_id: int | None, ticket: Ticket | None, stamp: Stamp):
        self.series_id, self.seat_id, self.ticket, self.stamp = series_id, seat_id, ticket, stamp
        self.user_id: int | None = None
        self.told: list[object] = []

    def catch_up_soon(self, stamp: Stamp) -> None:
        self.told.append(stamp)
        self.stamp = stamp

    def announce_soon(self) -> None:
        pass

    def ping_soon(self) -> None:
        self.told.append("ping")

    def end_session_soon(self) -> None:
        self.told.append("over")


@pytest.fixture(autouse=True)
def _in_this_thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The test's transaction is seen by its own connection only."""

    async def here[**P, T](function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await sync_to_async(function, thread_sensitive=True)(*args, **kwargs)

    monkeypatch.setattr(poller, "in_thread", here)
    monkeypatch.setattr(poller, "in_clock_thread", here)
    # A number of this test is another round's in the next.
    monkeypatch.setattr(poller, "_due", OneByOne[int](poller.logger, "round %s failed"))
    yield
    live.sockets.clear()


@pytest.fixture
def table() -> Played:
    return new_table()


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[Bell]:
    bells: list[Bell] = []

    async def ring(series_id: int, version: int, *, talk: int, by: str = "") -> None:
        bells.append((series_id, version, talk))

    monkeypatch.setattr(live, "ring", ring)
    return bells


def time_in(seconds: float) -> Any:
    """The module `time`, so much later."""
    return SimpleNamespace(monotonic=lambda: time.monotonic() + seconds)


def make_due(table: Played, ago: timedelta = timedelta(seconds=1)) -> Round:
    """The round is over, and the next deal was due that long ago."""
    assert table.act(Resign()).status is Status.DONE
    Round.objects.filter(pk=table.row.pk).update(due_at=Now() - ago)
    return table.row


def stamp_of(table: Played) -> Stamp:
    return stamps([table.series.pk])[table.series.pk]


def watched(table: Played, seat: int | None = None, stamp: Stamp | None = None) -> FakeSocket:
    """A socket on the table that has what there is, unless told otherwise."""
    seats = list(table.series.seats.order_by("number"))
    shown = stamp or stamp_of(table)
    socket = FakeSocket(table.series.pk, None if seat is None else seats[seat].pk, None, shown)
    live.sockets.add(socket)
    return socket


class TestHealing:
    def test_a_socket_that_has_everything_is_left_alone(self, table: Played) -> None:
        socket = watched(table)
        async_to_sync(poller.heal_sockets)()
        assert socket.told == []

    def test_r7_a_lost_bell_is_healed(self, table: Played) -> None:
        socket = watched(table)
        table.act(Pass())
        async_to_sync(poller.heal_sockets)()
        assert socket.told == [Stamp(2, table.series.talk)]

    def test_who_has_come_or_gone_is_told_once(self, table: Played) -> None:
        socket = watched(table)
        see_seats([seat.pk for seat in table.series.seats.filter(number=1)])
        for _ in range(3):
            async_to_sync(poller.heal_sockets)()
        assert socket.told == [Stamp(1, table.series.talk, frozenset({1}))]

    def test_only_the_tables_that_changed_are_read_again(self, table: Played) -> None:
        other = new_table()
        sockets = [watched(table), watched(other), watched(table, 0)]
        other.act(Pass())
        async_to_sync(poller.heal_sockets)()
        assert [len(socket.told) for socket in sockets] == [0, 1, 0]

    def test_it_takes_a_few_queries_however_many_sockets(
        self, table: Played, django_assert_max_num_queries: Any
    ) -> None:
        for _ in range(50):
            watched(table)
            watched(table, 1)
        with django_assert_max_num_queries(4):
            async_to_sync(poller.heal_sockets)()

    def test_without_sockets_it_asks_nothing(self, django_assert_num_queries: Any) -> None:
        with django_assert_num_queries(0):
            async_to_sync(poller.heal_sockets)()


class TestDealing:
    def test_a_due_round_is_dealt_and_rung(self, table: Played, rung: list[Bell]) -> None:
        row = make_due(table)
        async_to_sync(poller.do_what_is_due)()
        assert table.row.number == row.number + 1
        talk = Series.objects.get(pk=table.series.pk).talk
        assert rung == [(table.series.pk, table.row.version, talk)]
        async_to_sync(poller.do_what_is_due)()
        assert len(rung) == 1

    def test_nothing_is_dealt_before_its_time(self, table: Played, rung: list[Bell]) -> None:
        row = make_due(table, -timedelta(seconds=30))
        async_to_sync(poller.do_what_is_due)()
        assert table.row.pk == row.pk
        assert rung == []

    def test_a_deadline_that_was_moved_meanwhile_is_not_reached(self, table: Played) -> None:
        row = make_due(table)
        assert rounds_due() == [(row.pk, True)]
        Round.objects.filter(pk=row.pk).update(due_at=Now() + timedelta(seconds=60))
        assert deal_if_due(row.pk) is None
        assert table.row.pk == row.pk
        assert table.row.due_at

    def test_r17_a_round_that_cannot_be_dealt_keeps_no_other_waiting(
        self,
        rung: list[Bell],
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        stuck, other = new_table(), new_table()
        row = f"the row is locked: {bytes(make_due(stuck).secret).hex()}"
        make_due(other)

        def deal(round_id: int, *, has_ended: bool) -> tuple[int, int, int] | None:
            if round_id == stuck.row.pk:
                raise DatabaseError(row)
            return carry_out(round_id, has_ended=has_ended)

        monkeypatch.setattr(poller, "carry_out", deal)
        async_to_sync(poller.do_what_is_due)()
        assert [series for series, _, _ in rung] == [other.series.pk]
        # The words of the database may quote the row, which holds the secret of a deck.
        assert row not in caplog.text
        assert "DatabaseError" in caplog.text

    def test_r17_a_round_that_can_not_be_read_keeps_no_other_waiting(
        self,
        rung: list[Bell],
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        """It stopped every round behind it, each second, in every process."""
        monkeypatch.setattr(due, "AT_ONCE", 1)
        stuck, other = new_table(), new_table()
        make_due(stuck, timedelta(seconds=9))
        make_due(other)
        Round.objects.filter(pk=stuck.row.pk).update(log="1 nonsense", kind="")
        async_to_sync(poller.do_what_is_due)()
        assert rung == []
        # It waits longest, and would stand before all others for ever.
        async_to_sync(poller.do_what_is_due)()
        assert [series for series, _, _ in rung] == [other.series.pk]
        assert caplog.text.count(f"round {stuck.row.pk} failed") == 1
        assert "nonsense" not in caplog.text
        assert [record.levelname for record in caplog.records] == ["ERROR"]
        monkeypatch.setattr(one_by_one, "time", time_in(61))
        assert poller._due.aside == []

    def test_r17_nor_does_one_for_which_the_database_is_away(
        self, table: Played, rung: list[Bell], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And that is tried again the next second."""
        make_due(table)

        def away(round_id: int, *, has_ended: bool) -> None:
            raise OperationalError

        with monkeypatch.context() as patch:
            patch.setattr(poller, "carry_out", away)
            async_to_sync(poller.do_what_is_due)()
        async_to_sync(poller.do_what_is_due)()
        assert [series for series, _, _ in rung] == [table.series.pk]

    def test_those_that_wait_longest_come_first(self) -> None:
        tables = [new_table() for _ in range(3)]
        for table, seconds in zip(tables, (1, 3, 2), strict=True):
            make_due(table, timedelta(seconds=seconds))
        first, last, middle = (table.row.pk for table in tables)
        assert [pk for pk, _ in rounds_due()] == [last, middle, first]

    def test_a_series_that_is_over_deals_no_more(self, table: Played) -> None:
        table.play_series(lambda state: Resign())
        assert rounds_due() == []
        assert deal_if_due(table.row.pk) is None


class TestAnOutage:
    def test_the_first_process_credits_nothing(self, table: Played) -> None:
        row = make_due(table)
        assert be_alive("first") is None
        assert table.row.due_at == row.due_at

    def test_fault_65_an_outage_is_credited(self, table: Played) -> None:
        row = make_due(table)
        Process.objects.create(name="before", alive_at=Now() - timedelta(seconds=90))
        gap = be_alive("after")
        assert gap is not None
        assert timedelta(seconds=89) < gap < timedelta(seconds=120)
        assert table.row.due_at == row.due_at + gap  # type: ignore[operator]

    def test_fault_65_it_is_measured_from_the_last_sign_of_life(
        self, table: Played, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make_due(table)
        be_alive("before")
        monkeypatch.setattr(process, "OUTAGE", timedelta(milliseconds=20))
        time.sleep(0.1)
        gap = be_alive("after")
        assert gap is not None
        assert timedelta(milliseconds=50) < gap < timedelta(seconds=30)

    def test_fault_65_it_is_credited_once(self, table: Played) -> None:
        make_due(table)
        Process.objects.create(name="before", alive_at=Now() - timedelta(seconds=90))
        assert be_alive("one")
        due = table.row.due_at
        assert [be_alive("one"), be_alive("two"), be_alive("before")] == [None] * 3
        assert table.row.due_at == due

    def test_fault_65_nothing_is_dealt_before_the_outage_is_credited(
        self, table: Played, rung: list[Bell]
    ) -> None:
        row = make_due(table, timedelta(seconds=80))
        Process.objects.create(name="before", alive_at=Now() - timedelta(seconds=90))
        async_to_sync(poller.keep_time)()
        assert (table.row.pk, rung) == (row.pk, [])
        assert table.row.due_at > timezone.now()  # type: ignore[operator]

    def test_fault_65_nor_while_that_fails(
        self, table: Played, rung: list[Bell], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make_due(table)

        def fails(name: str) -> None:
            raise DatabaseError

        monkeypatch.setattr(poller, "be_alive", fails)
        with pytest.raises(DatabaseError):
            async_to_sync(poller.keep_time)()
        assert rung == []

    def test_r12_it_is_credited_before_the_first_request(
        self, table: Played, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make_due(table, timedelta(seconds=80))
        Process.objects.create(name="before", alive_at=Now() - timedelta(seconds=90))
        overdue: list[bool] = []

        async def rest() -> None:
            """No poller: it would come later."""

        async def send(message: dict[str, str]) -> None:
            due = await sync_to_async(lambda: table.row.due_at)()
            overdue.append(due is None or due < timezone.now())

        received = iter(("startup", "shutdown"))

        async def receive() -> dict[str, str]:
            return {"type": f"lifespan.{next(received)}"}

        monkeypatch.setattr(asgi, "run_poller", rest)
        async_to_sync(asgi.lifespan)({}, receive, send)
        assert overdue == [False, False]

    def test_r12_a_process_begins_without_the_database(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fails(name: str) -> None:
            raise DatabaseError

        monkeypatch.setattr(poller, "be_alive", fails)
        async_to_sync(poller.begin)()

    def test_a_short_pause_is_no_outage(self, table: Played) -> None:
        make_due(table)
        Process.objects.create(name="before", alive_at=Now() - timedelta(seconds=2))
        assert be_alive("after") is None

    def test_another_process_was_alive_meanwhile(self, table: Played) -> None:
        make_due(table)
        Process.objects.create(name="dead", alive_at=Now() - timedelta(seconds=90))
        Process.objects.create(name="alive", alive_at=Now())
        assert be_alive("new") is None

    def test_processes_long_gone_are_forgotten(self) -> None:
        Process.objects.create(name="old", alive_at=Now() - timedelta(days=3))
        be_alive("new")
        be_alive("new")
        assert set(Process.objects.values_list("name", flat=True)) <= {"old", "new"}
        Process.objects.filter(name="old").update(alive_at=Now() - timedelta(days=3))
        be_alive("new")
        assert list(Process.objects.values_list("name", flat=True)) == ["new"]


class TestPresence:
    def test_who_has_a_page_open_is_present(self, table: Played) -> None:
        watched(table, 1)
        watched(table)
        async_to_sync(poller.note_presence)()
        assert stamp_of(table).present == {1}

    def test_presence_ends_by_itself(self, table: Played) -> None:
        watched(table, 1)
        async_to_sync(poller.note_presence)()
        Seat.objects.filter(series=table.series).update(seen_at=Now() - timedelta(seconds=13))
        assert stamp_of(table).present == frozenset()

    def test_every_page_is_asked_for_a_sign_of_life(self, table: Played) -> None:
        sockets = [watched(table, 0), watched(table)]
        async_to_sync(poller.note_presence)()
        assert [socket.told for socket in sockets] == [["ping"]] * 2

    def test_nobody_is_here(self, django_assert_num_queries: Any) -> None:
        with django_assert_num_queries(0):
            async_to_sync(poller.note_presence)()


@pytest.mark.parametrize(
    ("error", "level"), [(OperationalError, "WARNING"), (RuntimeError, "ERROR")]
)
async def test_what_fails_is_tried_again(
    error: type[Exception], level: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The log tells a fault of ours from a database that is away, and quotes neither."""
    tries: list[int] = []
    row = f"the secret is {2**64}"

    async def work() -> None:
        tries.append(len(tries))
        if len(tries) == 3:
            raise asyncio.CancelledError
        raise error(row)

    with pytest.raises(asyncio.CancelledError):
        await poller._repeat(0, work)
    assert len(tries) == 3
    assert {record.levelname for record in caplog.records} == {level}
    assert f"work failed: {error.__name__}" in caplog.text
    assert row not in caplog.text
    assert ("Traceback" in caplog.text) == (level == "ERROR")


async def test_one_that_fails_holds_up_nobody_who_leaves_and_nothing_that_is_tidied_up(
    monkeypatch: pytest.MonkeyPatch, rung: list[Bell]
) -> None:
    done: list[object] = []

    def fail(*arguments: object) -> list[Bell]:
        if arguments in ((), (1,), (1, "erase")):
            raise ZeroDivisionError
        done.append(arguments)
        return [live.Bell(7, 0, 1)]

    monkeypatch.setattr(poller, "left_behind", lambda: [1, 2])
    monkeypatch.setattr(leaving, "steps_due", lambda: [(1, "erase"), (2, "erase")])
    monkeypatch.setattr(examinations, "waiting", lambda: [1, 3])
    monkeypatch.setattr(poller, "guests_to_erase", lambda: [1, 4])
    for name in ("leave_tables", "take_step", "forget_deeds", "erase_guest"):
        monkeypatch.setattr(poller, name, fail)
    monkeypatch.setattr(examinations, "examine", fail)
    for work in (poller.see_off, poller.look_for_signs, poller.tidy_up):
        await work()
    assert done == [(2,), (2, "erase"), (3,), (4,)]
    assert len(rung) == 2


async def test_the_poller_does_all_of_it_until_it_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: set[str] = set()
    all_done = asyncio.Event()
    for name in ALL_OF_IT:

        async def work(name: str = name) -> None:
            done.add(name)
            if done == set(ALL_OF_IT):
                all_done.set()

        work.__name__ = name
        monkeypatch.setattr(poller, name, work)
    running = asyncio.create_task(poller.run_poller())
    await all_done.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_fault_65_a_pool_that_is_held_keeps_no_sign_of_life_back() -> None:
    """Three seconds without one are an outage, and move every deadline."""
    held = threading.Event()
    holders = [asyncio.create_task(in_thread(held.wait, 30)) for _ in range(20)]
    try:
        await asyncio.sleep(0)
        async with asyncio.timeout(20):
            assert await in_clock_thread(int, "7") == 7
        assert not any(each.done() for each in holders)
    finally:
        held.set()
    await asyncio.gather(*holders)
