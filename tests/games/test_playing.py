"""The use cases of a series, from the invitation to the winner."""

import pytest

from games import access
from games.errors import NotFound, SeatTaken, SelfInvited
from games.models import Round, Seat, Series, SheetEntry
from games.rules.actions import Discard, Draw, Pass, Resign, Take
from games.rules.cards import DECK
from games.rules.options import Options
from games.selectors.audit import differences
from games.services.due import rounds_due
from games.services.next_round import deal_if_due
from games.services.outcome import Status
from games.services.series import accept_invitation, create_series
from tests.tables import Played, new_table, new_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Played:
    return new_table()


def draw_first(table: Played) -> None:
    """Both leave the upcard; the non-dealer has drawn."""
    for action in (Pass(), Pass(), Draw()):
        assert table.act(action).status is Status.DONE


class TestSittingDown:
    def test_the_maker_sits_and_waits(self) -> None:
        series = create_series(user=new_user(), options=Options())
        assert series.status == Series.Status.WAITING
        assert [seat.number for seat in series.seats.all()] == [0]
        assert not Round.objects.exists()

    def test_the_guest_sits_down_and_the_first_round_is_dealt(self, table: Played) -> None:
        assert table.series.status == Series.Status.PLAYING
        assert table.row.number == 1
        assert table.row.version == 1
        assert table.state.hands[0].bit_count() == table.state.hands[1].bit_count() == 10

    def test_the_committed_secret_is_the_one_that_is_dealt(self) -> None:
        series = create_series(user=new_user(), options=Options())
        promised = bytes(series.next_secret)
        accept_invitation(token=series.invitation.token, user=new_user())
        row = Round.objects.get(series=series)
        assert bytes(row.secret) == promised
        series.refresh_from_db()
        assert bytes(series.next_secret) != promised

    def test_accepting_twice_changes_nothing(self, table: Played) -> None:
        accept_invitation(token=table.series.invitation.token, user=table.users[1])
        assert Seat.objects.filter(series=table.series).count() == 2
        assert Round.objects.filter(series=table.series).count() == 1

    def test_fault_53_no_third_player(self, table: Played) -> None:
        with pytest.raises(SeatTaken):
            accept_invitation(token=table.series.invitation.token, user=new_user())

    def test_fault_55_nobody_meets_themselves(self) -> None:
        host = new_user()
        series = create_series(user=host, options=Options())
        with pytest.raises(SelfInvited):
            accept_invitation(token=series.invitation.token, user=host)

    def test_the_address_of_the_table_is_no_invitation(self, table: Played) -> None:
        with pytest.raises(NotFound):
            access.invitation_for(table.series.slug)


class TestActing:
    def test_an_action_is_appended_to_the_log(self, table: Played) -> None:
        outcome = table.act(Pass())
        assert outcome.status is Status.DONE
        assert (table.row.log, table.row.ply, table.row.version) == ("1 p", 1, 2)
        assert outcome.version == 2

    def test_fault_48_the_same_request_again_is_a_repeat(self, table: Played) -> None:
        draw_first(table)
        player, request = table.turn_user, table.request(Discard(_loose(table)), "once")
        assert table.act(request.action, key="once").status is Status.DONE
        for _ in range(3):
            again = _send(table, player.pk, request)
            assert (again.status, again.notice, again.rings) == (Status.REPEAT, "", False)
        assert table.row.ply == 4

    def test_fault_49_the_second_of_two_quick_actions_is_told_stale(self, table: Played) -> None:
        draw = table.request(Pass(), "first")
        other = table.request(Take(), "second")
        player = table.turn_user.pk
        assert _send(table, player, draw).status is Status.DONE
        refused = _send(table, player, other)
        assert refused.status is Status.STALE
        assert refused.notice

    def test_fault_50_an_early_action_is_refused_for_ever(self, table: Played) -> None:
        early = table.request(Pass(), "early")
        waiting = table.waiting_user.pk
        assert _send(table, waiting, early).status is Status.ILLEGAL
        table.act(Pass())
        assert _send(table, waiting, early).status is Status.STALE
        assert table.row.log == "1 p"

    def test_fault_62_no_answer_tells_where_a_card_is(self, table: Played) -> None:
        draw_first(table)
        state = table.state
        mine, theirs = state.hands[state.turn], state.hands[1 - state.turn]
        elsewhere = [card for card in DECK if not card.bit & mine]
        answers = {
            (outcome.status, str(outcome.notice))
            for card in (
                next(card for card in elsewhere if card.bit & theirs),
                state.stock[0],
                state.stock[-1],
                state.pile[-1],
            )
            if (outcome := table.act(Discard(card)))
        }
        assert len(answers) == 1
        assert table.row.ply == 3

    def test_a_spectator_is_told_so(self, table: Played) -> None:
        assert table.act(Pass(), user=new_user()).status is Status.NOT_SEATED

    def test_an_action_after_the_result_comes_too_late(self, table: Played) -> None:
        late = table.request(Pass(), "late")
        table.act(Resign())
        outcome = _send(table, table.users[0].pk, late)
        assert outcome.status is Status.OVER
        assert table.act(Draw(), user=table.users[0]).status is Status.OVER

    def test_fault_67_the_state_is_that_of_the_log_in_a_fresh_process(self, table: Played) -> None:
        from games.models.fold import _folded

        draw_first(table)
        before = table.state
        _folded.clear()
        assert table.state == before


class TestTheNextRound:
    def test_it_is_dealt_when_both_are_ready(self, table: Played) -> None:
        table.act(Resign())
        assert table.press_next(table.users[0]).status is Status.DONE
        assert table.row.number == 1
        outcome = table.press_next(table.users[1])
        assert outcome.status is Status.DONE
        assert table.row.number == 2
        assert table.row.version == outcome.version == 3

    def test_fault_52_pressing_again_deals_no_second_time(self, table: Played) -> None:
        table.act(Resign())
        for user in (*table.users, *table.users):
            table.press_next(user, number=1)
        assert Round.objects.filter(series=table.series).count() == 2
        assert table.press_next(table.users[0], number=1).status is Status.REPEAT

    def test_not_while_the_round_is_played(self, table: Played) -> None:
        assert table.press_next(table.users[0]).status is Status.ILLEGAL

    def test_not_for_a_spectator(self, table: Played) -> None:
        table.act(Resign())
        assert table.press_next(new_user()).status is Status.NOT_SEATED

    def test_nobody_pressed_and_the_time_is_up(self, table: Played) -> None:
        table.act(Resign())
        assert rounds_due() == []
        row = table.row
        Round.objects.filter(pk=row.pk).update(due_at="2020-01-01T00:00Z")
        assert rounds_due() == [(row.pk, True)]
        assert deal_if_due(row.pk) == (table.series.pk, 3, table.series.talk + 1)
        assert deal_if_due(row.pk) is None
        assert table.row.number == 2

    def test_fault_37_the_winner_deals_the_next(self, table: Played) -> None:
        resigner = table.turn_user
        table.act(Resign())
        for user in table.users:
            table.press_next(user)
        assert table.users[table.row.dealer] != resigner


class TestAWholeSeries:
    def test_it_ends_with_a_winner_and_nothing_differs_from_its_replay(self, table: Played) -> None:
        series = table.play_series()
        assert series.winner_side in (0, 1)
        assert series.ended_at
        assert list(differences(series)) == []
        assert SheetEntry.objects.filter(series=series).exists()
        assert not rounds_due()
        assert table.press_next(table.users[0]).status is Status.OVER
        assert {seat.ended_at for seat in series.seats.all()} == {series.ended_at}

    def test_fault_34_every_deal_has_52_cards_and_nothing_is_left_over(self, table: Played) -> None:
        table.play_series()
        for row in Round.objects.filter(series=table.series).select_related("series"):
            dealt = row.folded().events[0][0]
            assert dealt.hands[0].bit_count() == dealt.hands[1].bit_count() == 10

    def test_the_audit_finds_what_was_changed(self, table: Played) -> None:
        table.play_series()
        won = SheetEntry.objects.filter(series=table.series)[0]
        SheetEntry.objects.filter(pk=won.pk).update(points=won.points + 1)
        Round.objects.filter(series=table.series, number=1).update(log="1 p p")
        found = list(differences(table.series))
        assert any("sheet" in line for line in found)
        assert any("round 1: ply" in line for line in found)


def _send(table: Played, user_id: int, request: object) -> object:
    from games.services.action import play_action

    return play_action(series_id=table.series.pk, user_id=user_id, request=request)


def _loose(table: Played) -> object:
    state = table.state
    return max(card for card in DECK if card.bit & state.hands[state.turn])
