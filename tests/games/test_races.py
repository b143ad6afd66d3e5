"""What happens when several people, or one person several times, act at the same moment.

Threads with connections of their own, on PostgreSQL: SQLite lets one writer in at a time.
"""

import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial

import pytest
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client

from accounts.models import User
from games.doors import answer_request
from games.errors import SeatTaken
from games.models import Process, Round, Seat, Series
from games.rules.actions import Pass, Resign
from games.rules.options import Options
from games.rules.parts import How, promise_of
from games.rules.round import legal_actions
from games.selectors.audit import differences
from games.services.due import carry_out
from games.services.next_round import deal_if_due
from games.services.outcome import Status
from games.services.presence import see_seats
from games.services.process import be_alive
from games.services.request import Wish
from games.services.series import accept_invitation, create_series
from games.window import Window
from tests.at_once import at_once
from tests.fields import action_fields, next_round_fields, part_fields
from tests.long import long_or
from tests.page import elements_of
from tests.tables import Played, hasty, new_table, new_user

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("nobody_is_too_fast"),
]

AT_ONCE = 12
type Fields = Mapping[str, str]


@pytest.fixture(autouse=True)
def _nothing_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No race is worth a line in our log, let alone a traceback (promise R3)."""
    yield
    records = [each for each in caplog.get_records("call") if each.levelno >= logging.WARNING]
    # Django's own line for a refusal's status, as for any 4xx.
    assert [each.getMessage() for each in records if each.name != "django.request"] == []


def by_service(table: Played, user: User, fields: Fields) -> Callable[[], Status]:
    """What both doors call."""
    return lambda: (
        answer_request(
            series_id=table.series.pk, user_id=user.pk, ticket=None, fields=fields
        ).status
    )


def by_socket(table: Played, user: User, fields: Fields) -> Callable[[], Status]:
    """The socket's door, a page of its own open."""
    window = Window(table.series.slug, user.pk, None, "dev")
    window.hello(0, "")
    return lambda: window.act(fields)[0].status


def by_post(table: Played, user: User, fields: Fields) -> Callable[[], Status]:
    """The other door."""
    client = Client()
    client.force_login(user)

    def post() -> Status:
        path = table.series.get_absolute_url()
        answer = client.post(path, fields, headers={"HX-Request": "true"}).content.decode()
        return Status(elements_of(answer)["ack"].attributes["data-status"])

    return post


def choices(table: Played, count: int) -> list[dict[str, str]]:
    """So many different legal requests for the present ply: other actions, or other keys."""
    row, state = table.row, table.state
    actions = [each for each in legal_actions(state, state.turn) if not isinstance(each, Resign)]
    return [action_fields(row, actions[number % len(actions)]) for number in range(count)]


def to_a_discard(table: Played) -> None:
    """Play on until somebody must discard: the ply with most legal actions."""
    chance = random.Random(table.series.pk)
    while table.row.kind or len(legal_actions(table.state, table.state.turn)) < AT_ONCE - 1:
        if table.row.kind:
            for user in table.users:
                table.press_next(user)
        else:
            table.act(hasty(chance)(table.state))


def assert_whole(table: Played) -> None:
    table.series.refresh_from_db()
    assert list(differences(table.series)) == []


class TestOneAction:
    def test_r2_the_same_request_twelve_times_counts_once(self) -> None:
        table = new_table()
        chance = random.Random(2)
        for turn in range(long_or(500, 50)):
            if table.series.status == Series.Status.OVER:
                table = new_table()
            before = table.row
            fields, player = _next_move(table, chance, turn)
            met = Counter(at_once([by_service(table, player, fields)] * AT_ONCE))
            assert met == {Status.DONE: 1, Status.REPEAT: AT_ONCE - 1}, fields
            after = Round.objects.get(pk=before.pk)
            assert after.ply == before.ply + (fields["action"] != "next-round")
            assert by_service(table, player, fields)() is Status.REPEAT
            table.series.refresh_from_db()
        assert_whole(table)

    def test_r2_through_both_doors(self) -> None:
        table = new_table()
        chance = random.Random(3)
        for turn in range(long_or(50, 6)):
            fields, player = _next_move(table, chance, turn)
            doors = [by_socket, by_post] * (AT_ONCE // 2)
            met = Counter(at_once([door(table, player, fields) for door in doors]))
            assert met == {Status.DONE: 1, Status.REPEAT: AT_ONCE - 1}, fields
        assert_whole(table)

    def test_r2_all_are_answered_with_the_same_table(self) -> None:
        table = new_table()
        fields, seat = choices(table, 1)[0], table.users.index(table.turn_user)
        windows = [Window(table.series.slug, table.turn_user.pk, None, "dev") for _ in range(6)]
        for window in windows:
            window.hello(0, "")
        answers = at_once([lambda w=window: w.act(fields)[1] for window in windows])
        shown = {(e["pulse"].attributes["data-stamp"]) for e in map(elements_of, answers)}
        assert shown == {f"2.1.{seat}"}

    def test_r3_of_twelve_different_actions_for_one_ply_one_counts(self) -> None:
        table = new_table()
        for _ in range(long_or(250, 25)):
            to_a_discard(table)
            before, player = table.row, table.turn_user
            calls = [by_service(table, player, each) for each in choices(table, AT_ONCE)]
            met = Counter(at_once(calls))
            late = met[Status.STALE] + met[Status.OVER]
            assert (met[Status.DONE], late) == (1, AT_ONCE - 1), met
            after = Round.objects.get(pk=before.pk)
            assert after.ply == before.ply + 1
            # Only where that one ended the round the others are told that it is over.
            assert bool(met[Status.OVER]) == bool(after.kind)
        assert_whole(table)

    def test_r3_both_players_resign_at_once(self) -> None:
        for _ in range(long_or(50, 5)):
            table = new_table()
            row = table.row
            calls = [by_service(table, user, action_fields(row, Resign())) for user in table.users]
            assert Counter(at_once(calls)) == {Status.DONE: 1, Status.OVER: 1}
            assert_whole(table)

    def test_actions_on_many_tables_at_once_do_not_meet(self) -> None:
        tables = [new_table() for _ in range(AT_ONCE)]
        moves = [(table, choices(table, 1)[0]) for table in tables]
        calls = [by_service(table, table.turn_user, fields) for table, fields in moves]
        assert set(at_once(calls)) == {Status.DONE}

    def test_r17_a_table_that_is_stuck_stops_no_other(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        stuck, free = new_table(), new_table()
        moves = {table.series.pk: choices(table, 1)[0] for table in (stuck, free)}
        locked, answered = threading.Event(), threading.Event()
        order: list[str] = []

        def hold() -> Status | None:
            with transaction.atomic():
                Round.objects.select_for_update().get(series=stuck.series)
                locked.set()
                assert answered.wait(30)
            return None

        def act(table: Played, name: str) -> Status:
            assert locked.wait(30)
            status = by_service(table, table.turn_user, moves[table.series.pk])()
            order.append(name)
            return status

        def act_on_stuck() -> Status:
            try:
                return act(stuck, "stuck")
            finally:
                answered.set()

        done = at_once([hold, act_on_stuck, partial(act, free, "free")])
        assert done == [None, Status.BUSY, Status.DONE]
        assert order == ["free", "stuck"]
        assert by_service(stuck, stuck.turn_user, moves[stuck.series.pk])() is Status.DONE
        caplog.clear()  # one line in the log is right


def _deal_if_due(round_id: int) -> None:
    carry_out(round_id, has_ended=True)


class TestTheDeal:
    def test_fault_52_both_press_next_round_at_once(self) -> None:
        table = new_table()
        for _ in range(long_or(100, 15)):
            table.act(Resign(), user=table.turn_user)
            last = table.row
            if _is_over(table):
                table = new_table()
                continue
            presses = [next_round_fields(last) for _ in table.users]
            calls = [
                by_service(table, user, fields)
                for user, fields in zip(table.users * 3, presses * 3, strict=True)
            ]
            assert Counter(at_once(calls)) == {Status.DONE: 2, Status.REPEAT: 4}
            assert table.row.number == last.number + 1
            assert table.row.version == last.version + 1
            assert table.state.hands[0].bit_count() == table.state.hands[1].bit_count() == 10
        assert_whole(table)

    def test_fault_63_the_due_deal_and_the_presses_at_once(self) -> None:
        table = new_table()
        for _ in range(long_or(100, 15)):
            table.act(Resign(), user=table.turn_user)
            last = table.row
            if _is_over(table):
                table = new_table()
                continue
            Round.objects.filter(pk=last.pk).update(due_at=Now() - timedelta(seconds=1))
            presses = [by_service(table, user, next_round_fields(last)) for user in table.users]
            due: list[Callable[[], object]] = [partial(deal_if_due, last.pk)] * 4
            done = at_once([*presses, *due])
            assert set(done[:2]) <= {Status.DONE, Status.REPEAT}
            assert sum(each is not None for each in done[2:]) <= 1
            assert table.row.number == last.number + 1
        assert_whole(table)

    def test_f2_promises_parts_and_the_end_of_their_time_at_once(self) -> None:
        table, parts = new_table(), ("0a" * 32, "0b" * 32)
        for turn in range(long_or(100, 12)):
            table.act(Resign(), user=table.turn_user)
            last = table.row
            if _is_over(table):
                table = new_table()
                continue
            promises = [next_round_fields(last, promise=promise_of(part)) for part in parts]
            presses = [
                by_service(table, user, fields)
                for user, fields in zip(table.users * 3, promises * 3, strict=True)
            ]
            assert Counter(at_once(presses)) == {Status.DONE: 2, Status.REPEAT: 4}
            assert table.row.number == last.number
            told = [
                by_service(table, user, part_fields(last, part))
                for user, part in zip(table.users * 3, parts * 3, strict=True)
            ]
            if turn % 2:
                Round.objects.filter(pk=last.pk).update(due_at=Now() - timedelta(seconds=1))
                told += [partial(_deal_if_due, last.pk)] * 2
            assert set(at_once(told)) <= {Status.DONE, Status.REPEAT, Status.STALE, None}
            row = table.row
            assert (row.number, row.version) == (last.number + 1, last.version + 1)
            allowed = {How.KEPT, How.WITHHELD} if turn % 2 else {How.KEPT}
            assert {part.how for part in row.parts} <= allowed
        assert_whole(table)

    def test_a_repeat_of_the_last_action_while_the_next_round_is_dealt(self) -> None:
        table = new_table()
        fields, player = action_fields(table.row, Resign()), table.turn_user
        assert by_service(table, player, fields)() is Status.DONE
        presses = [by_service(table, each, next_round_fields(table.row)) for each in table.users]
        done = at_once([*presses, *[by_service(table, player, fields)] * 6])
        assert done == [Status.DONE] * 2 + [Status.REPEAT] * 6
        assert_whole(table)

    def test_a_deal_waits_for_no_sign_of_life_and_the_other_way(self) -> None:
        for _ in range(long_or(50, 5)):
            tables = [new_table() for _ in range(4)]
            for table in tables:
                table.act(Resign(), user=table.turn_user)
                table.press_next(table.users[0])
            seats = [seat.pk for table in tables for seat in table.series.seats.all()]
            deals = [
                by_service(table, table.users[1], next_round_fields(table.row)) for table in tables
            ]
            Process.objects.update_or_create(
                name="before", defaults={"alive_at": Now() - timedelta(seconds=9)}
            )
            signs: list[Callable[[], object]] = [
                *[partial(see_seats, ids) for ids in (seats, seats[::-1])],
                *[partial(be_alive, name) for name in "ab"],
            ]
            assert at_once([*deals, *signs])[:4] == [Status.DONE] * 4


class TestPresence:
    def test_a_seat_that_is_locked_holds_up_no_other(self) -> None:
        table = new_table()
        locked, free = table.series.seats.order_by("number")
        asked, done = threading.Event(), threading.Event()

        def hold() -> None:
            with transaction.atomic():
                Seat.objects.select_for_update().get(pk=locked.pk)
                asked.set()
                assert done.wait(20)

        def see() -> None:
            assert asked.wait(20)
            try:
                see_seats([locked.pk, free.pk])
            finally:
                done.set()

        at_once([hold, see])
        seen = dict(table.series.seats.values_list("number", "seen_at"))
        assert seen[0] is None
        assert seen[1] is not None


class TestSittingDown:
    def test_fault_53_two_accept_one_invitation_at_once(self) -> None:
        for _ in range(long_or(50, 8)):
            series = create_series(user=new_user(), options=Options())
            token = series.invitation.token
            guests = [new_user() for _ in range(4)]
            taken = at_once([partial(_accepts, token, guest) for guest in guests])
            assert sorted(taken) == [False, False, False, True]
            assert [seat.number for seat in series.seats.order_by("number")] == [0, 1]
            assert Round.objects.filter(series=series).count() == 1

    def test_fault_110_one_guest_accepts_twice_at_once(self) -> None:
        series = create_series(user=new_user(), options=Options())
        token, guest = series.invitation.token, new_user()
        assert at_once([partial(_accepts, token, guest)] * 6) == [True] * 6
        assert Seat.objects.filter(series=series).count() == 2


class TestAnOutage:
    def test_fault_65_several_processes_credit_an_outage_once(self) -> None:
        table = new_table()
        table.act(Resign())
        due = table.row.due_at
        assert due is not None
        Process.objects.create(name="before", alive_at=Now() - timedelta(seconds=90))
        credited = at_once([partial(be_alive, name) for name in "abcdef"])
        assert sum(gap is not None for gap in credited) == 1
        moved = table.row.due_at
        assert moved is not None
        assert timedelta(seconds=89) < moved - due < timedelta(seconds=99)


def test_fault_63_an_action_and_the_time_out_at_once_have_one_result() -> None:
    for _ in range(long_or(50, 8)):
        table = new_table(time_control="600+5")
        action = by_service(table, table.turn_user, action_fields(table.row, Pass()))
        row = table.row
        Round.objects.filter(pk=row.pk).update(due_at=Now() + timedelta(seconds=0.02))
        time.sleep(0.02)
        calls: list[Callable[[], Status]] = [action, partial(_times_out, row.pk)]
        found = at_once(calls)
        ended = Series.objects.get(pk=table.series.pk).status == Series.Status.OVER
        assert (found[0], table.row.log) == (("over", "1 v") if ended else ("done", "1 p"))
        assert list(differences(Series.objects.get(pk=table.series.pk))) == []


def test_two_who_resign_at_once_and_one_who_acts_have_one_result() -> None:
    for _ in range(long_or(50, 8)):
        table = new_table()
        action = by_service(table, table.turn_user, action_fields(table.row, Pass()))
        calls: list[Callable[[], Status]] = [partial(_resigns, table, user) for user in table.users]
        found = at_once([*calls, action])
        assert Counter(found[:2])[Status.DONE] == 1, found
        series = Series.objects.get(pk=table.series.pk)
        assert (series.status, series.ending) == ("over", "resigned")
        assert list(differences(series)) == []


def _times_out(round_id: int) -> Status:
    return Status.OVER if carry_out(round_id, has_ended=False) else Status.STALE


def _resigns(table: Played, user: User) -> Status:
    return table.wish(Wish.RESIGN, user).status


def _next_move(table: Played, chance: random.Random, turn: int) -> tuple[dict[str, str], User]:
    row = table.row
    if row.kind:
        seats = list(table.series.seats.order_by("number").select_related("user"))
        waiting = next(seat for seat in seats if seat.ready_after < row.number)
        return next_round_fields(row), waiting.user
    if turn % 10 == 9:
        # Ends of rounds, which touch more rows, come often enough.
        return action_fields(row, Resign()), chance.choice(table.users)
    return action_fields(row, hasty(chance)(table.state)), table.turn_user


def _is_over(table: Played) -> bool:
    table.series.refresh_from_db()
    return table.series.status == Series.Status.OVER


def _accepts(token: str, user: User) -> bool:
    try:
        accept_invitation(token=token, user=user)
    except SeatTaken:
        return False
    return True
