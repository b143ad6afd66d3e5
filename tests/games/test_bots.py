"""Bots at tables: they sit down, their turns come due, are taken on once, and are played."""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from accounts.names import RESERVED
from games.bots import BOTS, Choice, Reason, ReasonCode
from games.house import PERSONAS, USUAL_BOT
from games.models import Round, Seat, Series
from games.models.reasons import read_reasons
from games.rules.actions import Action, Discard, Draw, Pass, Resign
from games.rules.cards import Card
from games.rules.options import PRESETS, Options
from games.rules.round import legal_actions
from games.rules.sheet import ScoreSheet
from games.rules.state import Phase
from games.rules.view import table_view
from games.selectors.audit import differences
from games.selectors.table import load_sitting, table_for
from games.services import bot_turns
from games.services.bot_loop import play_bot_turn
from games.services.bot_series import bot_user, last_bot, play_bot
from games.services.bot_turns import LEASE, bot_turn, due_turns, plain_action, take_turn
from games.services.outcome import Status
from games.services.request import SeriesRequest, Wish
from games.services.series import accept_invitation, create_series
from games.services.stopping import grant_wish
from games.thinking import think
from tests.house import bot_table, play_round, think_and_play, to_the_bot
from tests.tables import Played, hasty, new_table, new_user
from tests.worlds import worlds

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at_once(settings: Any) -> None:
    settings.BOT_PACE = 0


class TestSittingDown:
    def test_the_bot_accepts_and_the_cards_are_dealt(self) -> None:
        table = bot_table()
        assert table.series.status == Series.Status.PLAYING
        seats = list(table.series.seats.order_by("number").select_related("user"))
        assert [(seat.bot, seat.user.kind) for seat in seats] == [("", "person"), ("club", "bot")]
        assert table.state.hands[1].bit_count() == 10

    @pytest.mark.parametrize("slug", BOTS)
    def test_every_bot_is_somebody(self, slug: str) -> None:
        persona = PERSONAS[slug]
        user = bot_user(slug)
        assert (user.username, user.kind) == (persona.name, User.Kind.BOT)
        assert bot_user(slug) == user
        assert not user.has_usable_password()
        assert persona.name.lower() in RESERVED
        assert persona.about
        assert persona.thinks

    def test_fault_110_asked_for_twice_it_is_one_series(self) -> None:
        user = new_user()
        made = [
            play_bot(user=user, bot="club", options=Options(), slug="TwiceAsked12") for _ in "12"
        ]
        assert made[0] == made[1]
        assert Round.objects.filter(series=made[0]).count() == 1

    def test_the_same_form_with_another_bot_is_another_series(self) -> None:
        user = new_user()
        made = [
            play_bot(user=user, bot=bot, options=Options(), slug="GoneBackTo12")
            for bot in ("club", "beginner")
        ]
        assert [series.seats.get(number=1).bot for series in made] == ["club", "beginner"]

    def test_the_last_one_is_offered_again(self) -> None:
        user = new_user()
        assert last_bot(user.pk) == last_bot(None) == USUAL_BOT
        play_bot(user=user, bot="beginner", options=Options())
        assert last_bot(user.pk) == "beginner"
        accept_invitation(
            token=create_series(user=new_user(), options=Options()).invitation.token, user=user
        )
        assert last_bot(user.pk) == "beginner"

    def test_a_bot_is_always_here(self) -> None:
        table = bot_table()
        for user_id in (table.users[0].pk, None):
            shown = table_for(load_sitting(table.series), user_id)
            assert [chair.present for chair in shown.chairs] == [False, True]
            assert [chair.bot for chair in shown.chairs] == ["", "club"]


class TestATurn:
    def test_it_is_due_only_when_it_is_the_bot_s(self) -> None:
        table = to_the_bot(bot_table())
        assert due_turns() == [table.row.pk]
        assert think_and_play(table.row.pk) is Status.DONE
        while table.state.turn == 1:
            assert due_turns() == [table.row.pk]
            think_and_play(table.row.pk)
        assert due_turns() == []
        assert table.row.bot_due_at is None

    def test_who_plays_with_people_waits_for_no_bot(self) -> None:
        table = new_table()
        for _ in range(8):
            assert table.row.bot_due_at is None
            table.act(hasty(random.Random(1))(table.state))

    def test_it_comes_after_a_human_pause(self, settings: Any) -> None:
        settings.BOT_PACE = 60
        table = to_the_bot(bot_table())
        due = table.row.bot_due_at
        assert due is not None
        assert timedelta(seconds=20) < due - timezone.now() < timedelta(minutes=4)
        assert due_turns() == []
        assert take_turn(table.row.pk) is None

    def test_one_process_takes_it_on(self) -> None:
        table = to_the_bot(bot_table())
        assert take_turn(table.row.pk) is not None
        assert take_turn(table.row.pk) is None
        assert due_turns() == []

    def test_r1_it_comes_due_again_when_who_took_it_on_has_died(self) -> None:
        table = to_the_bot(bot_table())
        take_turn(table.row.pk)
        due = table.row.bot_due_at
        assert due is not None
        assert due - timezone.now() > LEASE / 2
        Round.objects.filter(pk=table.row.pk).update(bot_due_at=Now() - timedelta(seconds=1))
        assert think_and_play(table.row.pk) is Status.DONE

    def test_r2_who_comes_second_with_it_changes_nothing(self) -> None:
        table = to_the_bot(bot_table())
        first = take_turn(table.row.pk)
        second = bot_turn(table.row.pk)
        assert first is not None
        assert first == second
        choice = think(first.bot, first.view, first.seed)
        assert play_bot_turn(first, choice).status is Status.DONE
        before = table.row
        outcome = play_bot_turn(first, choice)
        assert (outcome.status, outcome.rings) == (Status.REPEAT, False)
        assert (table.row.log, table.row.reasons) == (before.log, before.reasons)

    def test_a_turn_that_is_over_is_given_up(self) -> None:
        table = to_the_bot(bot_table())
        turn = take_turn(table.row.pk)
        assert turn is not None
        assert table.act(Resign(), table.users[0]).status is Status.DONE
        assert play_bot_turn(turn, None).status is Status.OVER
        assert table.row.bot_due_at is None

    def test_a_due_time_that_was_left_behind_is_cleared(self) -> None:
        table = to_the_bot(bot_table())
        table.act(Resign(), table.users[0])
        Round.objects.filter(pk=table.row.pk).update(bot_due_at=Now())
        assert take_turn(table.row.pk) is None
        assert table.row.bot_due_at is None

    def test_the_bot_resigns_never_and_can_be_resigned_against(self) -> None:
        table = to_the_bot(bot_table())
        assert table.act(Resign(), table.users[0]).status is Status.DONE
        result = table.row.result
        assert result is not None
        assert result.winner is not None

    @pytest.mark.parametrize("preset", PRESETS)
    @pytest.mark.parametrize("bot", ["beginner", "club"])
    def test_it_plays_every_preset(self, preset: str, bot: str) -> None:
        table = bot_table(bot, Options.from_mapping({"preset": preset}))
        row = play_round(table)
        assert row.reasons
        assert list(differences(Series.objects.get(pk=table.series.pk))) == []

    def test_the_seed_is_another_for_every_action_and_the_same_for_each(self) -> None:
        table = bot_table()
        row = table.row
        seeds = [bot_turns.seed_of(row, ply) for ply in range(100)]
        assert len(set(seeds)) == 100
        assert seeds == [bot_turns.seed_of(table.row, ply) for ply in range(100)]


class TestFailing:
    def test_a_bot_without_a_choice_does_something_plain(self) -> None:
        table = bot_table()
        while not table.row.kind and table.state.ply < 60:
            row = table.row
            if table.state.turn == 0:
                table.act(hasty(random.Random(1))(table.state), table.users[0])
                continue
            turn = take_turn(row.pk)
            assert turn is not None
            assert play_bot_turn(turn, None).status is Status.DONE
        assert table.row.ply > 10

    @pytest.mark.parametrize("action", [Resign(), Discard(Card["AS"]), Draw(), Pass()])
    def test_an_action_that_is_not_allowed_is_replaced(self, action: Action) -> None:
        table = to_the_bot(bot_table())
        turn = take_turn(table.row.pk)
        assert turn is not None
        choice = Choice(action, Reason(ReasonCode.NO_CHOICE))
        assert play_bot_turn(turn, choice).status is Status.DONE

    def test_something_plain_is_legal_in_every_phase(self) -> None:
        met = set()
        for world in worlds(random.Random(3)):
            state = world.state
            if state.phase is not Phase.OVER:
                sheet = ScoreSheet(world.options)
                view = table_view(state, (), state.turn, number=1, version=1, sheet=sheet)
                assert plain_action(view) in legal_actions(state, state.turn)
                met.add(state.phase)
            if met == set(Phase) - {Phase.OVER}:
                return


class TestBetweenRounds:
    def test_the_bot_is_ready_and_deals_nothing(self) -> None:
        table = bot_table()
        last = play_round(table)
        shown = table_for(load_sitting(Series.objects.get(pk=table.series.pk)), None)
        assert [chair.ready for chair in shown.chairs] == [False, True]
        assert table.row.pk == last.pk
        assert due_turns() == []

    def test_one_press_deals(self) -> None:
        table = bot_table()
        last = play_round(table)
        assert table.press_next(table.users[0]).status is Status.DONE
        assert table.row.number == last.number + 1

    def test_a_whole_series_is_played_and_nothing_differs(self) -> None:
        table = bot_table("beginner", Options(target=50))
        while True:
            play_round(table)
            table.series.refresh_from_db()
            if table.series.status == Series.Status.OVER:
                break
            table.press_next(table.users[0])
        assert due_turns() == []
        assert list(differences(table.series)) == []

    def test_two_bots_play_each_other(self) -> None:
        series = create_series(user=bot_user("club"), options=Options())
        Seat.objects.filter(series=series).update(bot="club")
        accept_invitation(token=series.invitation.token, user=bot_user("beginner"), bot="beginner")
        row = Round.objects.get(series=series)
        while not row.kind:
            assert think_and_play(row.pk) is Status.DONE
            row.refresh_from_db()
        assert row.due_at is not None  # the next deal comes by itself
        series.refresh_from_db()
        assert list(differences(series)) == []


class TestTheEndOfASeries:
    def ask(self, table: Played, wish: Wish) -> Status:
        request = SeriesRequest(wish, table.row.number, "key")
        user = table.users[0]
        return grant_wish(series_id=table.series.pk, user_id=user.pk, request=request).status

    def test_the_person_may_resign_in_the_bot_s_turn(self) -> None:
        table = to_the_bot(bot_table())
        assert self.ask(table, Wish.RESIGN) is Status.DONE
        assert due_turns() == []
        assert list(differences(Series.objects.get(pk=table.series.pk))) == []

    def test_a_bot_agrees_to_stop(self) -> None:
        table = to_the_bot(bot_table())
        assert self.ask(table, Wish.OFFER_END) is Status.DONE
        assert due_turns() == []
        series = Series.objects.get(pk=table.series.pk)
        assert series.ending == Series.Ending.AGREED

    def test_a_bot_that_takes_its_time_has_not_left(self) -> None:
        table = to_the_bot(bot_table())
        Seat.objects.filter(series=table.series).update(joined_at=Now() - timedelta(hours=1))
        assert self.ask(table, Wish.CLAIM) is Status.ILLEGAL
        assert Series.objects.get(pk=table.series.pk).status == Series.Status.PLAYING

    def test_another_series_begins_at_once_and_the_bot_may_be_first(self) -> None:
        table = bot_table()
        self.ask(table, Wish.RESIGN)
        assert self.ask(table, Wish.REMATCH) is Status.DONE
        series = Series.objects.get(pk=table.series.pk).rematch
        assert series is not None
        assert [seat.bot for seat in series.seats.order_by("number")] == ["club", ""]
        again = Played(series, (table.users[1], table.users[0]))
        choose = hasty(random.Random(1))
        while not again.row.kind:
            if again.state.turn == 0:
                assert think_and_play(again.row.pk) is Status.DONE
            else:
                again.act(choose(again.state))
        assert list(differences(series)) == []


class TestReasons:
    def test_each_action_of_the_bot_has_one(self) -> None:
        table = bot_table()
        row = play_round(table)
        entries = row.folded().entries
        plies = [each.ply for each in read_reasons(row.reasons)]
        assert plies == [ply for ply, entry in enumerate(entries) if entry.seat == 1]

    def test_they_are_told_when_the_round_is_over_and_not_before(self) -> None:
        table = bot_table()
        choose: Callable[..., Action] = hasty(random.Random(1))
        while not table.row.kind:
            shown = [
                table_for(load_sitting(Series.objects.get(pk=table.series.pk)), user_id).reasons
                for user_id in (table.users[0].pk, table.users[1].pk, None)
            ]
            assert shown == [(), (), ()]
            if table.state.turn == 1:
                think_and_play(table.row.pk)
            else:
                table.act(choose(table.state), table.users[0])
        told = table_for(load_sitting(Series.objects.get(pk=table.series.pk)), None).reasons
        assert len(told) == len(read_reasons(table.row.reasons)) > 0
        assert {each.seat for each in told} == {1}
