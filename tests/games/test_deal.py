"""A deal that nobody chooses: promises, parts, and what becomes of them (promise F2)."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from games.live import Stamp
from games.models import Round, Seat, Series, fold
from games.models.fold import deck_of
from games.moderation.models import Signal
from games.rendering import regions, render_region
from games.rules.deck import commitment, deal_message, shuffled_deck
from games.rules.options import Options
from games.rules.parts import How, promise_of
from games.selectors.audit import differences
from games.selectors.table import Table, load_sitting, table_for
from games.services.deal import draw_lot
from games.services.due import carry_out, rounds_due
from games.services.lobby import LOBBY, set_table
from games.services.next_round import PARTS_WITHIN, give_part, press_next_round
from games.services.outcome import Outcome, Status
from games.services.request import NextRoundRequest, PartRequest, Wish
from games.services.series import Terms, accept_invitation, create_series
from tests.house import bot_table, play_round
from tests.tables import Played, new_table, new_user, next_key

pytestmark = pytest.mark.django_db

A, B, C = ("0a" * 32, "0b" * 32, "0c" * 32)


@pytest.fixture
def table() -> Played:
    """A table whose first round is over."""
    table = new_table()
    table.play_round()
    return table


def press(table: Played, seat: int, promised: str = "", whole: str = "") -> Outcome:
    """Press Next round with the promise of a part, with a whole part, or with nothing."""
    promise = promise_of(promised) if promised else ""
    request = NextRoundRequest(table.row.number, next_key(), promise, whole)
    user = table.users[seat]
    return press_next_round(series_id=table.series.pk, user_id=user.pk, request=request)


def give(table: Played, seat: int, part: str, number: int | None = None) -> Outcome:
    last = table.row.number if number is None else number
    request = PartRequest(part, last, next_key())
    user = table.users[seat]
    return give_part(series_id=table.series.pk, user_id=user.pk, request=request)


def time_passes(table: Played) -> None:
    """What is due for the round on the table is due now, and a process finds it."""
    Round.objects.filter(pk=table.row.pk).update(due_at=Now() - timedelta(seconds=1))
    for pk, has_ended in rounds_due():
        assert carry_out(pk, has_ended=has_ended) is not None


def seen(table: Played, seat: int | None) -> Table:
    """The table as somebody sees it; None is a spectator."""
    series = Series.objects.get(pk=table.series.pk)
    user_id = None if seat is None else table.users[seat].pk
    return table_for(load_sitting(series), user_id)


def shown(table: Played, seat: int | None) -> str:
    """Everything that this viewer's page is made of."""
    contexts = regions(seen(table, seat))
    return "".join(
        render_region(name, context, stamp=Stamp(1, 0), key="k", csrf="c")
        for name, context in contexts.items()
    )


class TestBothPromise:
    def test_the_parts_are_asked_for_and_with_the_last_one_the_cards_are_dealt(
        self, table: Played
    ) -> None:
        assert press(table, 0, promised=A).status is Status.DONE
        assert not seen(table, 0).part_asked
        assert press(table, 1, promised=B).status is Status.DONE
        assert table.row.number == 1
        assert [seen(table, viewer).part_asked for viewer in (0, 1, None)] == [True, True, False]
        assert give(table, 0, A).status is Status.DONE
        assert [seen(table, viewer).part_asked for viewer in (0, 1)] == [False, True]
        last = give(table, 1, B)
        assert (last.status, last.rings, last.version) == (Status.DONE, True, table.row.version)
        row = table.row
        assert row.number == 2
        assert [part.how for part in row.parts] == [How.KEPT, How.KEPT]
        message = deal_message(table.series.slug, 2, 0, A, B)
        assert deck_of(row) == shuffled_deck(bytes(row.secret), message)
        assert list(differences(table.series)) == []

    def test_the_secret_was_fixed_before_the_promises(self, table: Played) -> None:
        before = seen(table, 0).next_commitment
        press(table, 0, promised=A)
        press(table, 1, promised=B)
        give(table, 0, A)
        give(table, 1, B)
        assert commitment(bytes(table.row.secret)) == table.row.commitment == before

    def test_nothing_is_left_for_the_deal_after(self, table: Played) -> None:
        press(table, 0, promised=A)
        press(table, 1, promised=B)
        give(table, 1, B)
        give(table, 0, A)
        assert not Seat.objects.exclude(promise="", part="").exists()
        table.play_round()
        press(table, 0)
        press(table, 1)
        assert [part.how for part in table.row.parts] == [How.NONE, How.NONE]

    def test_they_are_due_in_ten_seconds_whatever_comes(self, table: Played) -> None:
        press(table, 0, promised=A)
        press(table, 1, promised=B)
        ends = table.row.due_at
        assert ends is not None
        left = Round.objects.filter(pk=table.row.pk, due_at__lte=Now() + PARTS_WITHIN)
        assert left.exists()
        give(table, 0, A)
        press(table, 0, promised=C)
        assert table.row.due_at == ends

    def test_after_the_time_the_cards_are_dealt_without(self, table: Played) -> None:
        press(table, 0, promised=A)
        press(table, 1, promised=B)
        give(table, 1, B)
        time_passes(table)
        row = table.row
        assert row.number == 2
        assert [part.how for part in row.parts] == [How.WITHHELD, How.KEPT]
        assert row.proof.message.endswith(f"|none|{B}")

    def test_a_part_that_comes_late_is_none(self, table: Played) -> None:
        press(table, 0, promised=A)
        press(table, 1)
        time_passes(table)
        assert give(table, 0, A, number=1).status is Status.STALE
        assert table.row.parts[0].how is How.WITHHELD

    def test_what_was_not_promised_is_refused_and_the_right_one_still_taken(
        self, table: Played
    ) -> None:
        press(table, 0, promised=A)
        press(table, 1, promised=B)
        assert give(table, 0, B).status is Status.ILLEGAL
        assert give(table, 0, A).status is Status.DONE
        assert give(table, 1, C).status is Status.ILLEGAL
        time_passes(table)
        assert [part.how for part in table.row.parts] == [How.KEPT, How.WITHHELD]

    def test_nobody_tells_a_part_before_both_have_promised(self, table: Played) -> None:
        press(table, 0, promised=A)
        assert give(table, 0, A).status is Status.ILLEGAL
        assert give(table, 1, B).status is Status.ILLEGAL
        assert not Seat.objects.exclude(part="").exists()

    def test_two_pages_of_one_player_give_one_part(self, table: Played) -> None:
        press(table, 0, promised=A)
        assert press(table, 0, promised=C).status is Status.REPEAT
        press(table, 1, promised=B)
        assert give(table, 0, C).status is Status.ILLEGAL
        assert give(table, 0, A).status is Status.DONE
        assert give(table, 0, A).status is Status.REPEAT
        give(table, 1, B)
        assert table.row.parts[0].part == A

    def test_a_spectator_has_none(self, table: Played) -> None:
        request = PartRequest(A, 1, next_key())
        outcome = give_part(series_id=table.series.pk, user_id=new_user().pk, request=request)
        assert outcome.status is Status.NOT_SEATED

    def test_the_series_may_end_meanwhile(self, table: Played) -> None:
        press(table, 0, promised=A)
        press(table, 1, promised=B)
        table.wish(Wish.RESIGN, table.users[1])
        assert give(table, 0, A).status is Status.OVER
        assert not rounds_due()
        assert not seen(table, 0).part_asked


class TestOneOrNoneDoes:
    def test_without_any_promise_the_cards_are_dealt_at_once(self, table: Played) -> None:
        press(table, 0)
        press(table, 1)
        assert table.row.number == 2
        assert table.row.proof.message.endswith("|none|none")

    def test_who_has_none_is_not_waited_for(self, table: Played) -> None:
        press(table, 0, promised=A)
        press(table, 1)
        assert not seen(table, 1).part_asked
        give(table, 0, A)
        assert [part.how for part in table.row.parts] == [How.KEPT, How.NONE]

    def test_where_one_has_not_pressed_the_part_of_the_other_is_asked_for_in_time(
        self, table: Played
    ) -> None:
        press(table, 1, promised=B)
        time_passes(table)
        assert table.row.number == 1
        assert [seen(table, viewer).part_asked for viewer in (0, 1)] == [False, True]
        assert press(table, 0, promised=A).status is Status.REPEAT
        give(table, 1, B)
        assert [part.how for part in table.row.parts] == [How.NONE, How.KEPT]
        assert list(differences(table.series)) == []

    def test_and_there_too_the_deal_does_not_wait_longer(self, table: Played) -> None:
        press(table, 1, promised=B)
        time_passes(table)
        time_passes(table)
        assert [part.how for part in table.row.parts] == [How.NONE, How.WITHHELD]


class TestWholeParts:
    def test_with_days_a_turn_the_press_brings_it_and_nobody_is_asked(self) -> None:
        table = new_table(time_control="3d")
        table.play_round()
        assert seen(table, 0).whole_parts
        press(table, 0, whole=A)
        for viewer in (0, 1, None):
            assert A not in shown(table, viewer)
            assert "handed over; the server keeps it unseen until the deal" in shown(table, viewer)
        press(table, 1, whole=B)
        assert [part.how for part in table.row.parts] == [How.WHOLE, How.WHOLE]
        assert table.row.proof.message.endswith(f"|{A}|{B}")

    def test_against_a_bot_too(self, settings: Any) -> None:
        settings.BOT_PACE = 0
        table = bot_table()
        play_round(table)
        assert seen(table, 0).whole_parts
        press(table, 0, whole=A)
        assert table.row.number == 2
        assert [part.how for part in table.row.parts] == [How.WHOLE, How.NONE]

    def test_at_a_live_table_a_promise_comes_first(self, table: Played) -> None:
        assert not seen(table, 0).whole_parts


class TestTheFirstDeal:
    def test_who_waits_and_who_sits_down_give_whole_parts(self) -> None:
        host, guest = new_user(), new_user()
        series = create_series(user=host, options=Options())
        table = Played(series, (host, guest))
        view = table_for(load_sitting(series), host.pk)
        assert view.part_asked
        assert view.next_commitment == commitment(bytes(series.next_secret))
        assert give(table, 0, A, number=0).status is Status.DONE
        assert give(table, 0, B, number=0).status is Status.REPEAT
        accept_invitation(token=series.invitation.token, user=guest, part=B)
        row = table.row
        assert [part.how for part in row.parts] == [How.WHOLE, How.WHOLE]
        assert deck_of(row) == shuffled_deck(
            bytes(row.secret), deal_message(series.slug, 1, 0, A, B)
        )
        assert row.commitment == view.next_commitment
        assert give(table, 0, C, number=0).status is Status.STALE

    @pytest.mark.parametrize(("sent", "kept"), [(B, B), ("", ""), ("x" * 64, "")])
    def test_the_invitation_brings_it(
        self, rung: object, sent: str, kept: str, client: Client
    ) -> None:
        guest = new_user()
        series = create_series(user=new_user(), options=Options())
        client.force_login(guest)
        path = f"/invitation/{series.invitation.token}/"
        assert commitment(bytes(series.next_secret)) in client.get(path).content.decode()
        assert client.post(path, {"part": sent}).status_code == 302
        assert Round.objects.get(series=series).second_part == kept

    @pytest.mark.parametrize("door", ["join", "quick"])
    def test_the_lobby_brings_it_and_has_the_commitment(
        self, rung: object, door: str, client: Client
    ) -> None:
        series = set_table(user=new_user(), terms=Terms(Options()), company=LOBBY)
        fixed = commitment(bytes(series.next_secret))
        client.force_login(new_user())
        seen = f'data-table="{series.get_absolute_url()}" data-seen="{fixed}"'
        assert seen in client.get("/lobby/").content.decode()
        path = "quick" if door == "quick" else f"{series.slug}/join"
        answer = client.post(f"/lobby/{path}/", {"preset": "hollywood", "part": B})
        assert answer.status_code == 302
        row = Round.objects.get(series=series)
        assert (row.commitment, row.second_part) == (fixed, B)


class TestWhatIsShown:
    def test_s2_no_part_leaves_before_the_deal(self, table: Played, client: Client) -> None:
        press(table, 0, promised=A)
        press(table, 1, promised=B)
        give(table, 0, A)
        boss = new_user()
        type(boss).objects.filter(pk=boss.pk).update(is_staff=True, is_superuser=True)
        for user in (None, boss, *table.users):
            client.logout()
            if user is not None:
                client.force_login(user)
            text = client.get(table.series.get_absolute_url()).content.decode()
            assert A not in text
            assert promise_of(A) in text
            seat = Seat.objects.get(series=table.series, number=0)
            for path in (f"series/{table.series.pk}/change/", f"round/{table.row.pk}/change/"):
                page = client.get(f"/admin/games/{path}", follow=True).content.decode()
                assert seat.part not in page

    def test_promise_and_part_stand_in_the_panel_from_the_deal_on(self, table: Played) -> None:
        press(table, 0, promised=A)
        press(table, 1, promised=B)
        give(table, 0, A)
        time_passes(table)
        for viewer in (0, 1, None):
            text = shown(table, viewer)
            assert A in text
            assert "promised by its fingerprint, then told" in text
            assert "promised by its fingerprint, but not told in time: none" in text
            assert bytes(table.row.secret).hex() not in text

    def test_the_form_for_the_part_is_there_while_it_is_asked_for(self, table: Played) -> None:
        press(table, 0, promised=A)
        assert 'data-action="part"' not in shown(table, 0)
        press(table, 1, promised=B)
        assert f'data-promise="{promise_of(A)}"' in shown(table, 0)
        assert 'data-action="part"' not in shown(table, None)
        assert "The next round is being dealt." in shown(table, 0)


class TestTheRecord:
    def test_no_record_changes_its_meaning(self) -> None:
        """Rounds dealt before there were parts have none, and the deck that they always had."""
        row = new_table().row
        old = deal_message(row.series.slug, 1, 0)
        assert row.proof.message == old
        assert deck_of(row) == shuffled_deck(bytes(row.secret), old)

    @pytest.mark.parametrize("change", [{"first_part": C}, {"second_promise": promise_of(C)}])
    def test_a_part_that_was_changed_is_found(self, table: Played, change: dict[str, str]) -> None:
        press(table, 0, promised=A)
        press(table, 1, promised=B)
        give(table, 0, A)
        give(table, 1, B)
        table.play_round()
        Round.objects.filter(series=table.series, number=2).update(**change)
        fold._folded.clear()
        assert any("is not the one that was promised" in line for line in differences(table.series))


type Door = Callable[[Played, Client], str]


def table_page(table: Played, client: Client) -> str:
    return client.get(table.series.get_absolute_url()).content.decode()


def draft_of(table: Played, client: Client) -> str:
    return client.get(f"{table.series.get_absolute_url()}draft/").content.decode()


def check_page(table: Played, client: Client) -> str:
    answer = client.get(f"/verify/{table.series.slug}/{table.row.number}/")
    assert answer.status_code == 404
    return answer.content.decode()


def check_record(table: Played, client: Client) -> str:
    answer = client.get(f"/verify/{table.series.slug}/{table.row.number}/record/")
    assert answer.status_code == 404
    return answer.content.decode()


def archive(table: Played, client: Client) -> str:
    from games.selectors.export import PARTS

    return "".join(str(part(user)) for user in table.users for _table, part in PARTS.values())


def command(table: Played, client: Client) -> str:
    from io import StringIO

    from django.core.management import CommandError, call_command

    out = StringIO()
    call_command("verify_deal", table.series.slug, stdout=out)
    with pytest.raises(CommandError, match="still being played") as refused:
        call_command("verify_deal", table.series.slug, str(table.row.number), stdout=out)
    return f"{out.getvalue()}{refused.value}"


def admin(table: Played, client: Client) -> str:
    pages = ("round/", f"round/{table.row.pk}/change/", f"series/{table.series.pk}/change/")
    return "".join(client.get(f"/admin/games/{page}").content.decode() for page in pages)


@pytest.mark.parametrize(
    "door", [table_page, draft_of, check_page, check_record, archive, command, admin]
)
def test_f2_the_secret_asked_for_in_mid_round_is_refused(door: Door, table: Played) -> None:
    press(table, 0, promised=A)
    press(table, 1, promised=B)
    give(table, 0, A)
    give(table, 1, B)
    assert not table.row.kind
    secrets = [bytes(table.row.secret).hex()]
    secrets.append(bytes(Series.objects.get(pk=table.series.pk).next_secret).hex())
    boss = new_user()
    type(boss).objects.filter(pk=boss.pk).update(is_staff=True, is_superuser=True)
    for user in (None, boss, *table.users):
        client = Client()
        if user is not None:
            client.force_login(user)
        text = door(table, client)
        assert not any(secret in text for secret in secrets)


class TestWithheldAgain:
    def withhold(self, table: Played, *seats: int) -> None:
        """Play on to the next deal, to which these give no part in spite of their promise."""
        if not table.row.kind:
            table.play_round()
        for seat in (0, 1):
            press(table, seat, promised=A if seat in seats else "")
        if seats:
            time_passes(table)

    def test_once_is_nothing(self, table: Played) -> None:
        self.withhold(table, 0)
        self.withhold(table)
        self.withhold(table, 0)
        assert not Signal.objects.exists()

    def test_twice_running_is_a_signal_once_in_a_series(self, table: Played) -> None:
        for _ in range(3):
            self.withhold(table, 0)
        signal = Signal.objects.get()
        assert (signal.kind, signal.user_id) == (Signal.Kind.WITHHELD, table.users[0].pk)
        assert (signal.series_id, signal.facts) == (table.series.pk, {"round": 3})

    def test_two_players_in_turn_are_none(self, table: Played) -> None:
        self.withhold(table, 0)
        self.withhold(table, 1)
        assert not Signal.objects.exists()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_f1_the_lot_is_even(players: int) -> None:
    """What always said 0 passed every test."""
    drawn = Counter(draw_lot(players) for _ in range(600 * players))
    assert set(drawn) == set(range(players))
    assert all(400 < count < 800 for count in drawn.values())  # eight sigmas and more


def test_f1_the_lot_says_who_deals_first() -> None:
    dealers = {new_table().row.dealer for _ in range(60)}
    assert dealers == {0, 1}
