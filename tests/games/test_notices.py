"""Telling people that a series waits for them: once, in time, and never a card (fault 60)."""

import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.core import mail
from django.db.models import DateTimeField, ExpressionWrapper, F
from django.db.models.functions import Now

from accounts import leaving
from accounts.models import User
from accounts.preferences import Preferences
from accounts.relations import Relation, relate
from accounts.subscriptions import Subscription
from accounts.turn_mail import MOST_TRIES as MOST_MAILS
from accounts.turn_mail import TurnMail, switch_mail
from accounts.web_push import Sent
from games import messenger
from games.models import Notice, Push, Round, Seat, Series
from games.rendering.notices import mail_text
from games.rules.actions import Draw, Pass, Resign
from games.rules.options import Options
from games.selectors.waiting import turns_waiting, what_waits
from games.services.leaving import close_account
from games.services.lobby import Company, join_table, set_table
from games.services.notices import MOST_TRIES, fall_due, notices_due
from games.services.process import be_alive
from games.services.request import Wish
from games.services.series import Terms, accept_invitation
from games.time_control import TimeControl
from tests.accounts.people import new_person
from tests.cards_named import cards_named
from tests.tables import Played, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

DAYS = Terms(Options(), TimeControl.parse("3d"))


class Services:
    """The push services and the mail server of the world outside, and what they answer."""

    def __init__(self) -> None:
        self.pushed: list[tuple[str, dict[str, Any]]] = []
        self.answer = Sent.DONE

    def push(self, subscription: Subscription, message: dict[str, Any]) -> Sent:
        self.pushed.append((subscription.user.username, message))
        return self.answer

    @property
    def titles(self) -> list[str]:
        return [message["title"] for _name, message in self.pushed]


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Services:
    services = Services()

    async def here(function: Any, *arguments: Any, **named: Any) -> Any:
        return await sync_to_async(function, thread_sensitive=True)(*arguments, **named)

    monkeypatch.setattr(messenger, "in_thread", here)
    monkeypatch.setattr(messenger, "_elsewhere", here)
    monkeypatch.setattr(messenger.web_push, "send", services.push)
    return services


def tell() -> None:
    """What each process does every five seconds."""
    async_to_sync(messenger.tell_people)()


def pass_time(**span: float) -> None:
    """Let so much time pass, for all that is due."""
    gone = timedelta(**span)
    moved = ExpressionWrapper(F("due_at") - gone, output_field=DateTimeField())
    for table in (Notice, Push, TurnMail):
        table.objects.update(due_at=moved)
    Round.objects.filter(due_at__isnull=False).update(due_at=moved)
    sent = ExpressionWrapper(F("sent_at") - gone, output_field=DateTimeField())
    TurnMail.objects.update(sent_at=sent)
    seen = ExpressionWrapper(F("seen_at") - gone, output_field=DateTimeField())
    Seat.objects.update(seen_at=seen)
    began = ExpressionWrapper(F("started_at") - gone, output_field=DateTimeField())
    Series.objects.update(started_at=began)


def with_browser(user: User, name: str = "") -> Subscription:
    endpoint = f"https://push.example.org/{user.pk}{name}"
    return Subscription.objects.create(user=user, endpoint=endpoint)


def table_of(*people: User) -> Played:
    """A new series with three days a turn; both have seen that it has begun."""
    host, guest = people or (new_user(), new_user())
    series = set_table(user=host, terms=DAYS, company=Company())
    accept_invitation(token=series.invitation.token, user=guest)
    series.refresh_from_db()
    Seat.objects.update(seen_at=Now())
    return Played(series, (host, guest))


def of_kind(kind: Notice.Kind) -> list[str]:
    return [each.user.username for each in Notice.objects.filter(kind=kind)]


# Your turn


def test_your_turn_is_told_two_minutes_later_in_each_browser(world: Services) -> None:
    table = table_of()
    table.act(Pass())
    name = table.turn_user.username
    for which in "ab":
        with_browser(table.turn_user, which)
    tell()
    assert world.pushed == []
    pass_time(minutes=3)
    tell()
    title = f"Your turn against {table.waiting_user.username}"
    message = {"title": title, "body": "You have 2 days.", "tag": table.series.slug}
    message["url"] = table.series.get_absolute_url()
    assert world.pushed == [(name, message)] * 2
    pass_time(minutes=30)
    tell()
    assert len(world.pushed) == 2


def test_drawing_is_no_new_turn(world: Services) -> None:
    table = table_of()
    table.act(Pass())
    table.act(Pass())
    with_browser(table.turn_user)
    pass_time(minutes=3)
    tell()
    assert len(world.pushed) == 1
    table.act(Draw())
    pass_time(minutes=3)
    tell()
    assert len(world.pushed) == 1


def test_who_looks_at_the_table_is_told_nothing(world: Services) -> None:
    table = table_of(new_person("Anna", "anna@example.org"), new_user())
    for user in table.users:
        with_browser(user)
    pass_time(minutes=3)
    Seat.objects.update(seen_at=Now())
    tell()
    pass_time(hours=2)
    tell()
    assert (world.pushed, mail.outbox) == ([], [])


def test_who_has_acted_meanwhile_is_told_nothing(world: Services) -> None:
    table = table_of()
    first = table.turn_user
    with_browser(first)
    table.act(Pass())
    pass_time(minutes=3)
    tell()
    assert world.pushed == []
    assert first.username not in of_kind(Notice.Kind.TURN)


def test_live_tables_and_bots_make_no_notice() -> None:
    for control in ("", "600+5"):
        new_table(time_control=control).act(Pass())
    assert of_kind(Notice.Kind.TURN) == []


def test_the_end_of_a_round_waits_for_the_other_one(world: Services) -> None:
    table = table_of()
    actor, other = table.turn_user, table.waiting_user
    table.act(Resign())
    for user in table.users:
        with_browser(user)
    pass_time(minutes=3)
    tell()
    assert world.pushed[0][0] == other.username
    assert world.pushed[0][1]["body"] == ""
    assert actor.username not in [name for name, _message in world.pushed]


def test_before_time_runs_out_a_reminder_comes_once(world: Services) -> None:
    table = table_of()
    with_browser(table.turn_user)
    pass_time(minutes=3)
    tell()
    pass_time(hours=59)
    tell()
    assert len(world.pushed) == 1
    pass_time(hours=2)
    tell()
    assert world.titles[1] == f"Your time against {table.waiting_user.username} runs out"
    assert world.pushed[1][1]["body"] == "You have 10 hours."
    pass_time(hours=5)
    tell()
    assert len(world.pushed) == 2


def test_fault_65_an_outage_that_is_credited_puts_the_reminder_off(world: Services) -> None:
    table = table_of()
    with_browser(table.turn_user)
    pass_time(minutes=3)
    tell()
    Round.objects.update(due_at=F("due_at") + timedelta(hours=20))
    pass_time(hours=61)
    tell()
    assert len(world.pushed) == 1
    pass_time(hours=20)
    tell()
    assert len(world.pushed) == 2
    assert be_alive("now") is None


# Offers


def test_an_invitation_by_name_is_told(world: Services) -> None:
    host, guest = new_user(), new_user()
    with_browser(guest)
    series = set_table(user=host, terms=Terms(Options()), company=Company(invited=guest.pk))
    pass_time(seconds=25)
    tell()
    [(name, message)] = world.pushed
    assert (name, message["title"]) == (guest.username, f"{host.username} asks you to a table")
    assert message["url"] == f"/invitation/{series.invitation.token}/"


def test_an_invitation_of_who_was_blocked_meanwhile_is_not(world: Services) -> None:
    host, guest = new_user(), new_user()
    with_browser(guest)
    set_table(user=host, terms=Terms(Options()), company=Company(invited=guest.pk))
    relate(guest.pk, host.pk, Relation.Kind.BLOCK)
    pass_time(seconds=25)
    tell()
    assert world.pushed == []


def test_who_waited_elsewhere_is_told_that_somebody_sat_down(world: Services) -> None:
    host, guest = new_user(), new_user()
    for user in (host, guest):
        with_browser(user)
    series = set_table(user=host, terms=Terms(Options()), company=Company(listed=True))
    Seat.objects.update(seen_at=Now() - timedelta(hours=1))
    join_table(slug=series.slug, user=guest)
    pass_time(seconds=25)
    tell()
    title = f"{guest.username} has sat down at your table"
    assert [(name, message["title"]) for name, message in world.pushed] == [(host.username, title)]


def test_who_takes_the_table_back_tells_nobody(world: Services) -> None:
    host, guest = new_user(), new_user()
    with_browser(guest)
    set_table(user=host, terms=Terms(Options()), company=Company(invited=guest.pk))
    close_account(host.pk)
    pass_time(seconds=25)
    tell()
    assert world.pushed == []


def test_an_offer_of_a_rematch_is_told_and_so_is_its_beginning(world: Services) -> None:
    table = new_table()
    one, other = table.users
    for user in table.users:
        with_browser(user)
    table.wish(Wish.RESIGN, one)
    table.wish(Wish.REMATCH, one)
    pass_time(minutes=1)
    tell()
    assert (other.username, f"{one.username} would like a rematch") in [
        (name, message["title"]) for name, message in world.pushed
    ]
    table.wish(Wish.REMATCH, other)
    pass_time(minutes=1)
    tell()
    assert (one.username, f"{other.username} has sat down at your table") in [
        (name, message["title"]) for name, message in world.pushed
    ]


# Mail


@pytest.fixture
def anna() -> User:
    return new_person("Anna", "anna@example.org")


def table_waiting_for(user: User) -> Played:
    table = table_of(user, new_user())
    if table.turn_user != user:
        table.act(Pass())
    return table


def test_a_mail_comes_after_a_few_minutes_and_lists_all_that_waits(
    world: Services, anna: User
) -> None:
    tables = [table_waiting_for(anna) for _ in range(3)]
    pass_time(minutes=3)
    tell()
    assert mail.outbox == []
    pass_time(minutes=6)
    tell()
    [message] = mail.outbox
    assert message.to == ["anna@example.org"]
    assert message.subject == "3 tables wait for you"
    for table in tables:
        assert f"Your turn against {table.waiting_user.username} (until " in message.body
        assert f"{settings.SITE_URL}{table.series.get_absolute_url()}\n" in message.body
    assert ", UTC)" in message.body
    assert message.body.startswith("Hello Anna,\n\nThese wait for you:\n\n")


def test_a_mail_goes_by_the_clocks_of_its_reader(world: Services, anna: User) -> None:
    text = str(Preferences(zone="America/New_York"))
    User.objects.filter(pk=anna.pk).update(preferences=text)
    table = table_waiting_for(anna)
    Round.objects.update(due_at="2026-12-03T02:30Z")
    words = mail_text(User.objects.get(pk=anna.pk), tuple(what_waits(anna.pk)), "/off/")
    assert table.waiting_user.username in words
    assert "(until 2 December 2026, 21:30, America/New York)" in words


def test_at_most_one_mail_an_hour(world: Services, anna: User) -> None:
    for _ in range(4):
        table_waiting_for(anna)
        pass_time(minutes=12)
        tell()
    pass_time(minutes=5)
    tell()
    assert len(mail.outbox) == 1
    pass_time(minutes=35)
    tell()
    assert len(mail.outbox) == 2
    assert mail.outbox[1].subject == "4 tables wait for you"


def test_a_turn_is_mailed_once(world: Services, anna: User) -> None:
    table_waiting_for(anna)
    for _ in range(20):
        pass_time(hours=2)
        tell()
    [message] = mail.outbox
    assert message.subject.startswith("Your turn against ")


def test_who_has_been_there_meanwhile_gets_no_mail(world: Services, anna: User) -> None:
    table = table_waiting_for(anna)
    pass_time(minutes=3)
    tell()
    table.act(Pass(), anna)
    pass_time(minutes=10)
    tell()
    assert mail.outbox == []
    assert TurnMail.objects.get().sent_at is None


def test_no_mail_without_a_confirmed_address_or_where_it_is_off(world: Services) -> None:
    unsure = new_person("Unsure", "unsure@example.org", confirmed=False)
    quiet = new_person("Quiet", "quiet@example.org")
    switch_mail(quiet.pk, on=False)
    for user in (unsure, quiet):
        table_waiting_for(user)
    for _ in range(3):
        pass_time(minutes=10)
        tell()
    assert mail.outbox == []


def test_programs_that_read_mail_are_told_how_to_turn_it_off(world: Services, anna: User) -> None:
    table_waiting_for(anna)
    for _ in range(2):
        pass_time(minutes=6)
        tell()
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = headers["List-Unsubscribe"].strip("<>")
    assert link.startswith(settings.SITE_URL + "/mail/off/")
    assert link in mail.outbox[0].body


# What goes wrong


def test_a_push_service_that_is_away_is_asked_again_later_each_time(world: Services) -> None:
    table = table_of()
    with_browser(table.turn_user)
    world.answer = Sent.LATER
    pass_time(minutes=3)
    gaps = []
    while True:
        tell()
        push = Push.objects.annotate(now=Now()).first()
        if push is None:
            break
        gaps.append(round((push.due_at - push.now).total_seconds() / 60))
        pass_time(minutes=gaps[-1] + 0.1)
    assert gaps == [1, 2, 4, 8, 16, 32, 64]
    assert len(world.pushed) == MOST_TRIES
    table.act(Pass())


def test_a_push_that_is_tried_again_is_still_true(world: Services) -> None:
    table = table_of()
    with_browser(table.turn_user)
    world.answer = Sent.LATER
    pass_time(minutes=3)
    tell()
    table.act(Pass())
    pass_time(minutes=2)
    tell()
    assert len(world.pushed) == 1
    assert not Push.objects.exists()


def test_a_browser_that_is_gone_is_forgotten(world: Services) -> None:
    table = table_of()
    with_browser(table.turn_user)
    world.answer = Sent.GONE
    pass_time(minutes=3)
    tell()
    assert not Subscription.objects.exists()


def test_what_a_push_service_refuses_is_not_sent_again_and_its_browser_is_kept(
    world: Services,
) -> None:
    table = table_of()
    with_browser(table.turn_user)
    world.answer = Sent.REFUSED
    pass_time(minutes=3)
    tell()
    assert not Push.objects.exists()
    assert Subscription.objects.exists()


def test_a_mail_server_that_is_away_is_asked_again(
    world: Services, anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_waiting_for(anna)
    played = table_waiting_for(anna)

    def fails(*arguments: Any, **named: Any) -> int:
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fails)
        pass_time(minutes=3)
        tell()
        pass_time(minutes=6)
        tell()
        assert TurnMail.objects.get().tries == 1
    assert played.act(Pass(), anna).status == "done"
    pass_time(minutes=2)
    tell()
    assert len(mail.outbox) == 1
    assert TurnMail.objects.get().tries == 0


def test_in_the_end_a_mail_is_given_up(
    world: Services, anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []
    monkeypatch.setattr(messenger, "send_mail", lambda taken: bool(tries.append(taken)))
    table_waiting_for(anna)
    for _ in range(15):
        pass_time(hours=1)
        Round.objects.update(due_at=Now() + timedelta(days=2))
        TurnMail.objects.filter(due_at__isnull=False).update(due_at=Now())
        Notice.objects.filter(kind=Notice.Kind.REMINDER).delete()
        tell()
    assert len(tries) == MOST_MAILS
    assert TurnMail.objects.get().due_at is None


def test_one_that_fails_holds_up_no_other(world: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        with_browser(table_of().turn_user)
    Notice.objects.exclude(kind=Notice.Kind.TURN).delete()
    first = notices_due_soon()[0]

    def fails(notice_id: int) -> None:
        if notice_id == first:
            raise RuntimeError("of one only")
        fall_due(notice_id)

    monkeypatch.setattr(messenger.notices, "fall_due", fails)
    tell()
    assert len(world.pushed) == 1


def notices_due_soon() -> list[int]:
    pass_time(minutes=3)
    return notices_due()


# Who leaves, and guests


def test_who_has_left_is_told_nothing(world: Services, anna: User) -> None:
    table_waiting_for(anna)
    with_browser(anna)
    pass_time(minutes=3)
    leaving.disable_account(anna.pk)
    tell()
    pass_time(hours=2)
    tell()
    assert (world.pushed, mail.outbox) == ([], [])
    assert not Subscription.objects.exists()


def test_s13_with_an_account_its_notices_go() -> None:
    anna = new_person("Anna", "anna@example.org")
    table_waiting_for(anna)
    with_browser(anna)
    TurnMail.objects.create(user=anna)
    close_account(anna.pk)
    leaving.delete_account(anna.pk)
    assert not Notice.objects.filter(user=anna).exists()
    assert not TurnMail.objects.exists()
    assert not Subscription.objects.exists()


def test_a_guest_is_told_nothing(world: Services) -> None:
    guest = User.objects.create(username="Guest-77", kind=User.Kind.GUEST)
    table_waiting_for(guest)
    with_browser(guest)
    pass_time(minutes=3)
    tell()
    assert guest.username not in [name for name, _message in world.pushed]


# One truth, and no card


def test_fault_80_what_waits_is_the_same_everywhere(client: Any) -> None:
    table = table_of()
    mover, other = table.turn_user, table.waiting_user
    for _ in range(2):
        assert [len(what_waits(user.pk)) for user in (mover, other)] == [1, 0]
        assert [len(turns_waiting(user.pk)) for user in (mover, other)] == [1, 0]
        client.force_login(mover)
        assert "(1) Hollywood Gin" in client.get("/").content.decode()
        table.act(Pass())
        mover, other = other, mover
    table.act(Resign(), mover)
    assert [len(turns_waiting(user.pk)) for user in table.users] == [1, 1]
    table.wish(Wish.RESIGN, mover)
    assert [len(turns_waiting(user.pk)) for user in table.users] == [0, 0]


def test_fault_60_no_notice_names_a_card(world: Services, anna: User) -> None:
    table = table_waiting_for(anna)
    with_browser(anna)
    while table.state.phase.value in ("offer", "draw") and table.row.ply < 2:
        table.act(Pass())
    table.act(Draw())
    for _ in range(2):
        pass_time(minutes=30)
        with_browser(table.turn_user, "b")
        tell()
        Subscription.objects.filter(endpoint__endswith="b").delete()
    text = json.dumps(world.pushed) + "".join(m.subject + m.body for m in mail.outbox)
    assert cards_named(text) == set()
    secret = bytes(table.row.secret).hex()
    assert secret not in text


def test_what_waits_asks_the_same_number_of_questions_however_much_it_is(
    anna: User, django_assert_max_num_queries: Any
) -> None:
    for _ in range(4):
        table_waiting_for(anna)
    with django_assert_max_num_queries(9):
        assert len(what_waits(anna.pk)) == 4
    with django_assert_max_num_queries(2):
        assert len(turns_waiting(anna.pk)) == 4
    assert Series.objects.count() == 4


def test_of_the_rounds_only_the_last_is_read(anna: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every round of every running series was, on each page."""
    table = table_waiting_for(anna)
    table.act(Resign())
    for user in table.users:
        table.press_next(user)
    table.act(Pass())
    read: list[int] = []
    from_db = Round.from_db.__func__  # type: ignore[attr-defined]

    def note(model: type[Round], *row: Any, **mode: Any) -> Any:
        found = from_db(model, *row, **mode)
        read.append(found.number)
        return found

    monkeypatch.setattr(Round, "from_db", classmethod(note))
    turns_waiting(anna.pk)
    what_waits(anna.pk)
    assert read == [2, 2]
