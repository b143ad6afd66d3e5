"""Clocks: the database's time alone counts, and running out ends the series (promise R19)."""

from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db.models import F
from django.db.models.functions import Now

from games.models import Process, Round, Seat, Series
from games.rules.actions import Draw, Pass, Resign
from games.rules.log import played
from games.rules.options import Options
from games.rules.round import play
from games.rules.scoring import Ending
from games.selectors.audit import differences
from games.selectors.versions import stamps
from games.services.action import play_action
from games.services.due import carry_out, rounds_due
from games.services.process import be_alive, tell_of_credit
from games.services.request import Wish
from games.services.series import accept_invitation, create_series
from games.services.time_out import time_out
from games.time_control import TimeControl
from tests.tables import Played, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


OFFER = Wish.OFFER_END


@pytest.fixture
def table() -> Played:
    return new_table(time_control="600+5")


def left(table: Played) -> timedelta:
    """What the player whose turn it is has left."""
    row = Round.objects.annotate(now=Now()).get(pk=table.row.pk)
    assert row.due_at is not None
    span: timedelta = row.due_at - row.now
    return span


def think(table: Played, **span: float) -> None:
    """Let this time pass while somebody thinks."""
    Round.objects.filter(pk=table.row.pk).update(due_at=F("due_at") - timedelta(**span))


def banks(table: Played) -> list[int]:
    row = table.row
    assert row.first_bank is not None
    assert row.second_bank is not None
    return [round(bank.total_seconds()) for bank in (row.first_bank, row.second_bank)]


def about(seconds: float) -> object:
    return pytest.approx(seconds, abs=3)


def do_what_is_due() -> None:
    for round_id, has_ended in rounds_due():
        carry_out(round_id, has_ended=has_ended)


def test_no_limit_no_clock() -> None:
    table = new_table()
    table.act(Pass())
    assert (table.row.due_at, table.row.first_bank) == (None, None)


def test_the_clock_of_the_first_to_act_runs_from_the_deal(table: Played) -> None:
    assert left(table).total_seconds() == about(600)
    assert banks(table) == [600, 600]


def test_an_action_costs_what_was_thought_and_gives_the_increment(table: Played) -> None:
    seat = table.state.turn
    think(table, seconds=100)
    table.act(Pass())
    assert banks(table)[seat] == about(505)
    assert banks(table)[1 - seat] == 600
    assert left(table).total_seconds() == about(600)


def test_no_clock_runs_between_rounds_and_banks_go_on(table: Played) -> None:
    seat = table.state.turn
    think(table, seconds=100)
    table.act(Resign())
    assert banks(table)[seat] == about(505)
    assert left(table).total_seconds() == about(30)
    think(table, seconds=29)
    for user in table.users:
        table.press_next(user)
    assert banks(table)[seat] == about(505)
    assert left(table).total_seconds() == about(banks(table)[table.state.turn])


def test_with_days_a_turn_the_next_round_waits_half_a_day() -> None:
    table = new_table(time_control="3d")
    assert left(table) > timedelta(days=2, hours=23)
    table.act(Resign())
    assert left(table).total_seconds() == about(12 * 3600)


def test_fault_63_who_runs_out_has_lost_though_nobody_is_there(table: Played) -> None:
    late = table.row.first_seat if table.state.turn == 0 else table.row.second_seat
    think(table, seconds=601)
    assert rounds_due() == [(table.row.pk, False)]
    do_what_is_due()
    series = Series.objects.get(pk=table.series.pk)
    assert (series.status, series.ending) == ("over", "time")
    assert series.winner_side == 1 - late.side
    assert (table.row.kind, table.row.points) == (Ending.VOID, 0)
    assert rounds_due() == []
    assert list(differences(series)) == []


def test_an_action_after_its_time_ends_the_series_and_does_not_count(table: Played) -> None:
    player = table.turn_user
    think(table, seconds=601)
    outcome = table.act(Pass(), player)
    assert outcome.status == "over"
    assert outcome.rings
    assert outcome.version == table.row.version
    assert table.row.log == "1 v"
    assert table.act(Pass(), player).status == "over"


def test_fault_63_an_action_and_the_time_out_in_one_moment_have_one_result(table: Played) -> None:
    """The time-out has read the round when an action is stored: the action counts."""
    think(table, seconds=601)
    row = table.row

    def meanwhile(*arguments: Any) -> Any:
        Round.objects.filter(pk=row.pk).update(log="1 p", ply=1)
        return played(*arguments)

    with patch("games.services.ending.played", meanwhile):
        assert time_out(row.pk) is None
    assert (table.row.kind, table.row.log) == ("", "1 p")
    assert Series.objects.get(pk=table.series.pk).status == "playing"


def test_fault_63_an_action_that_was_overtaken_by_the_time_out_is_told(table: Played) -> None:
    request, player = table.request(Pass()), table.turn_user
    row = table.row

    def slow(*arguments: Any) -> Any:
        Round.objects.filter(pk=row.pk).update(due_at=Now() - timedelta(seconds=1))
        assert time_out(row.pk) is not None
        return play(*arguments)

    with patch("games.services.action.play", slow):
        outcome = play_action(series_id=table.series.pk, user_id=player.pk, request=request)
    assert outcome.status == "over"
    assert table.row.log == "1 v"


def test_fault_65_an_outage_is_credited_to_who_was_thinking(table: Played) -> None:
    think(table, seconds=540)
    Process.objects.create(name="before", alive_at=Now() - timedelta(seconds=90))
    think(table, seconds=90)  # the time of the outage: 30 seconds too much
    be_alive("after")
    assert rounds_due() == []
    assert left(table).total_seconds() == about(60)


@pytest.mark.parametrize("what", ["action", "wish"])
def test_r12_who_comes_before_the_credit_loses_nothing(table: Played, what: str) -> None:
    """The page sent its action again before a sign of life, and its player had run out of time."""
    Process.objects.create(name="before", alive_at=Now() - timedelta(seconds=20))
    think(table, seconds=585 + 20)  # 15 were left when the database went away
    player = table.turn_user
    tries = {"action": lambda: table.act(Pass(), player), "wish": lambda: table.wish(OFFER, player)}
    assert tries[what]().status == "busy"
    assert left(table).total_seconds() == about(-5)
    be_alive("after")
    assert tries[what]().status == "done"
    assert what == "wish" or about(20) in banks(table)


def test_r20_nobody_leaves_while_the_site_is_away(table: Played) -> None:
    """After it was away for a minute, whoever was first could claim the series."""
    seats = Seat.objects.filter(series=table.series)
    Series.objects.filter(pk=table.series.pk).update(started_at=Now() - timedelta(hours=1))
    here, gone = 1, 61  # seconds before the outage
    absence = {table.state.turn: here, 1 - table.state.turn: gone}
    for number, seconds in absence.items():
        ago = timedelta(seconds=seconds + 90)
        seats.filter(number=number).update(seen_at=Now() - ago)
    Process.objects.create(name="before", alive_at=Now() - timedelta(seconds=90))
    assert table.wish(Wish.CLAIM, table.waiting_user).status == "busy"
    be_alive("after")
    assert table.wish(Wish.CLAIM, table.waiting_user).status == "illegal"
    left = dict(seats.annotate(ago=Now() - F("seen_at")).values_list("number", "ago"))
    assert left[table.state.turn].total_seconds() == about(here)
    assert left[1 - table.state.turn].total_seconds() == about(gone + 90)


def test_r12_pages_are_told_of_an_outage_that_was_credited(table: Played) -> None:
    Process.objects.create(name="before", alive_at=Now() - timedelta(seconds=90))
    before = stamps([table.series.pk])[table.series.pk]
    assert be_alive("after") is not None
    tell_of_credit()
    after = stamps([table.series.pk])[table.series.pk]
    assert (after.version, after.talk) == (before.version, before.talk + 1)


class TestWhoWasAwayAtTheBeginning:
    """The host of a link has closed the page; then somebody follows it."""

    def begun(self, *, away: bool, first: int) -> Played:
        host, guest = new_user(), new_user()
        control = TimeControl.parse("60+0")
        series = create_series(user=host, options=Options(), control=control)
        ago = timedelta(hours=2 if away else 0)
        Seat.objects.filter(series=series).update(joined_at=Now() - ago, seen_at=Now() - ago)
        with patch("games.services.series.draw_lot", lambda players: 1 - first):
            accept_invitation(token=series.invitation.token, user=guest)
        series.refresh_from_db()
        return Played(series, (host, guest))

    def test_their_clock_stands_five_minutes(self) -> None:
        assert left(self.begun(away=True, first=0)).total_seconds() == about(360)
        assert left(self.begun(away=False, first=0)).total_seconds() == about(60)

    def test_whoever_comes_keeps_nothing_of_it(self) -> None:
        table = self.begun(away=True, first=0)
        table.act(Pass())
        assert banks(table)[0] == about(60)

    def test_also_when_the_other_acts_first(self) -> None:
        table = self.begun(away=True, first=1)
        assert left(table).total_seconds() == about(60)
        table.act(Pass())
        assert left(table).total_seconds() == about(360)

    def test_nobody_can_say_before_that_they_have_left(self) -> None:
        table = self.begun(away=True, first=0)
        refused = table.wish(Wish.CLAIM, table.users[1])
        assert refused.status == "illegal"
        assert "300 seconds" in str(refused.notice) or "299" in str(refused.notice)
        Series.objects.filter(pk=table.series.pk).update(started_at=Now() - timedelta(minutes=6))
        assert table.wish(Wish.CLAIM, table.users[1]).status == "done"


def test_it_is_nobody_s_loss_while_the_result_is_looked_at(table: Played) -> None:
    table.act(Resign())
    think(table, seconds=31)
    assert rounds_due() == [(table.row.pk, True)]
    assert time_out(table.row.pk) is None
    do_what_is_due()
    assert table.row.number == 2
    assert left(table).total_seconds() == about(banks(table)[table.state.turn])


def test_drawing_goes_on_with_what_is_left_of_a_day() -> None:
    table = new_table(time_control="1d")
    for _ in range(2):
        table.act(Pass())
    think(table, hours=20)
    table.act(Draw())
    assert left(table) < timedelta(hours=4, minutes=1)
