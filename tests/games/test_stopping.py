"""Ending a series early: resigning it, agreeing, claiming (docs/rules.md, section 14)."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from games.models import Seat, Series, SheetEntry
from games.rules.actions import Resign
from games.selectors.audit import differences
from games.services.request import Wish
from tests.tables import Played, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


@pytest.fixture
def table() -> Played:
    return new_table()


def ended(table: Played) -> tuple[str, str, int | None]:
    series = Series.objects.get(pk=table.series.pk)
    assert list(differences(series)) == []
    return series.status, series.ending, series.winner_side


def absent(table: Played, seat: int, seconds: float) -> None:
    """The player of a seat was last seen so long ago, the other just now."""
    began = Now() - timedelta(hours=1)
    Series.objects.filter(pk=table.series.pk).update(started_at=began)
    seats = Seat.objects.filter(series=table.series)
    seats.update(seen_at=Now())
    seats.filter(number=seat).update(seen_at=Now() - timedelta(seconds=seconds))


class TestResigning:
    def test_the_other_wins_the_running_round_is_void_the_sheet_stays(self, table: Played) -> None:
        table.act(Resign())
        for user in table.users:
            table.press_next(user)
        entered = SheetEntry.objects.filter(series=table.series).count()
        outcome = table.wish(Wish.RESIGN, table.users[1])
        assert outcome.status == "done"
        assert outcome.version == table.row.version
        assert ended(table) == ("over", "resigned", 0)
        assert table.row.kind == "void"
        assert SheetEntry.objects.filter(series=table.series).count() == entered

    def test_it_may_be_done_while_the_other_is_to_act_and_between_rounds(
        self, table: Played
    ) -> None:
        assert table.wish(Wish.RESIGN, table.waiting_user).status == "done"
        other = new_table()
        other.act(Resign())
        version = other.row.version
        outcome = other.wish(Wish.RESIGN, other.users[0])
        assert (outcome.status, outcome.version) == ("done", version)
        assert ended(other) == ("over", "resigned", 1)

    def test_sent_twice_it_counts_once(self, table: Played) -> None:
        assert table.wish(Wish.RESIGN, table.users[0]).status == "done"
        assert table.wish(Wish.RESIGN, table.users[0]).status == "repeat"
        assert table.wish(Wish.RESIGN, table.users[1]).status == "over"
        assert ended(table) == ("over", "resigned", 1)

    def test_a_watcher_can_t(self, table: Played) -> None:
        assert table.wish(Wish.RESIGN, new_user()).status == "not-seated"
        assert ended(table)[0] == "playing"


class TestAgreeing:
    def test_an_offer_accepted_ends_without_a_winner(self, table: Played) -> None:
        one, other = table.users
        assert table.wish(Wish.OFFER_END, one).status == "done"
        assert table.wish(Wish.ACCEPT_END, other).status == "done"
        assert ended(table) == ("over", "agreed", None)

    def test_two_offers_are_an_agreement(self, table: Played) -> None:
        assert [table.wish(Wish.OFFER_END, user).status for user in table.users] == ["done", "done"]
        assert ended(table) == ("over", "agreed", None)

    def test_nobody_accepts_their_own_offer_or_one_that_is_not_there(self, table: Played) -> None:
        one, other = table.users
        assert table.wish(Wish.ACCEPT_END, other).status == "stale"
        table.wish(Wish.OFFER_END, one)
        assert table.wish(Wish.ACCEPT_END, one).status == "stale"
        assert table.wish(Wish.OFFER_END, one).status == "repeat"
        assert ended(table)[0] == "playing"

    def test_declined_it_is_not_asked_again_in_that_round(self, table: Played) -> None:
        one, other = table.users
        table.wish(Wish.OFFER_END, one)
        assert table.wish(Wish.DECLINE_END, other).status == "done"
        assert table.wish(Wish.DECLINE_END, other).status == "repeat"
        assert table.wish(Wish.OFFER_END, one).status == "illegal"
        table.act(Resign())
        for user in table.users:
            table.press_next(user)
        assert table.wish(Wish.ACCEPT_END, other).status == "stale"
        assert table.wish(Wish.OFFER_END, one).status == "done"


class TestClaiming:
    """Promise R20: judged by whose turn it is."""

    def test_refused_before_its_time_granted_after(self, table: Played) -> None:
        turn = table.state.turn
        absent(table, turn, 50)
        early = table.wish(Wish.CLAIM, table.waiting_user)
        assert early.status == "illegal"
        assert "10 seconds" in str(early.notice)
        absent(table, turn, 61)
        assert table.wish(Wish.CLAIM, table.waiting_user).status == "done"
        assert ended(table) == ("over", "abandoned", 1 - turn)

    def test_who_comes_back_has_not_left(self, table: Played) -> None:
        absent(table, table.state.turn, 0)
        assert table.wish(Wish.CLAIM, table.waiting_user).status == "illegal"

    def test_the_player_who_is_to_act_claims_nothing(self, table: Played) -> None:
        absent(table, 1 - table.state.turn, 1000)
        assert table.wish(Wish.CLAIM, table.turn_user).status == "illegal"

    def test_nobody_is_waited_for_between_rounds_or_over_days(self, table: Played) -> None:
        table.act(Resign())
        absent(table, 0, 1000)
        assert table.wish(Wish.CLAIM, table.users[1]).status == "illegal"
        slow = new_table(time_control="3d")
        absent(slow, slow.state.turn, 10_000)
        assert slow.wish(Wish.CLAIM, slow.waiting_user).status == "illegal"
