"""The end of guests: erased when long gone, or taken along into the account they log in to."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.core.management import call_command
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client

from accounts.guests import make_guest, remembered_guest
from accounts.leaving import disable_account
from accounts.models import NameTaken, User
from accounts.sanctions import Sanction, impose, sanction_on
from games.models import Rating, Round, Seat, Series
from games.rules.options import Options
from games.selectors.audit import differences, tally_differences
from games.selectors.guests import Luggage, idle_guests, luggage_of
from games.selectors.lists import finished_series, open_series
from games.services.guests import erase_guest, guests_to_erase, take_along
from games.services.request import Wish
from games.services.series import accept_invitation, create_series
from games.time_control import TimeControl
from tests.accounts.people import PASSWORD, code_of, log_in, new_person, user_of, with_app, words
from tests.browser import browser
from tests.tables import Played, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

OFFER = "/account/guest/"
MOVED = {
    *("games.Seat.user", "games.Seat.opponent", "games.Series.created_by", "games.Deed.user"),
    *("games.Invitation.accepted_by", "games.Tally.user", "games.Tally.opponent"),
    *("games.Notice.user", "games.Message.author", "accounts.Sanction.user"),
    *("moderation.Case.person", "moderation.Report.reporter", "moderation.Letter.user"),
    *("moderation.Signal.user", "moderation.Signal.other"),
}
LEFT = {
    "account.EmailAddress.user": "guests have none",
    "accounts.Profile.user": "guests have none",
    "accounts.Relation.other": "nobody finds a guest by name",
    "accounts.Relation.user": "guests have none",
    "accounts.Sanction.imposed_by": "guests are no staff",
    "accounts.Subscription.user": "guests have none",
    "accounts.Trace.user": "guests do not log in",
    "accounts.TurnMail.user": "guests have none",
    "admin.LogEntry.user": "guests are no staff",
    "games.ChatOff.user": "a choice of that visit",
    "games.Invitation.invited": "nobody asks a guest by name",
    "games.Rating.user": "guests have none",
    "games.RatingChange.user": "guests have none",
    "mfa.Authenticator.user": "guests have none",
    "moderation.Appeal.answered_by": "guests are no staff",
    "moderation.Case.claimed_by": "guests are no staff",
    "moderation.Note.author": "guests are no staff",
    "moderation.Signal.seen_by": "guests are no staff",
    "usersessions.UserSession.user": "erased with the guest",
}
"""What points at users and is not taken along, and why not."""


def table_of(host: User, guest: User, time_control: str = "", *, rated: bool = False) -> Played:
    """A series that a guest, or whoever it is, plays at the table of another one."""
    control = TimeControl.parse(time_control)
    series = create_series(user=host, options=Options(), control=control)
    Series.objects.filter(pk=series.pk).update(rated=rated)
    accept_invitation(token=series.invitation.token, user=guest)
    return Played(Series.objects.get(pk=series.pk), (host, guest))


def stored(table: Played) -> Series:
    table.series.refresh_from_db()
    return table.series


def long_gone(guest: User, days: int = 31) -> User:
    """Nothing was seen of a guest for so many days."""
    ago = Now() - timedelta(days=days)
    User.objects.filter(pk=guest.pk).update(date_joined=ago, last_login=ago)
    Seat.objects.filter(user=guest).update(seen_at=ago, joined_at=ago)
    UserSession.objects.filter(user=guest).update(last_seen_at=ago)
    return guest


def is_erased(user: User) -> bool:
    user.refresh_from_db()
    return user.erased_at is not None and user.shown_name == "deleted player"


class TestErasing:
    def test_after_thirty_idle_days_and_not_before(self) -> None:
        early, late = long_gone(make_guest(), 29), long_gone(make_guest(), 31)
        assert guests_to_erase() == [late.pk]
        call_command("erase_guests")
        assert (is_erased(early), is_erased(late)) == (False, True)

    def test_people_and_bots_stay(self) -> None:
        long_gone(new_user())
        long_gone(User.objects.create(username="Robot", kind=User.Kind.BOT))
        assert guests_to_erase() == []

    def test_running_series_are_lost_and_history_stays(self) -> None:
        host, guest = new_user(), make_guest()
        running, over = table_of(host, guest), table_of(host, guest)
        over.play_series()
        before = Round.objects.filter(series=over.series).values_list("log", "points", "winner")
        history = list(before)
        name = long_gone(guest).username
        [rung] = erase_guest(guest.pk)
        assert rung[0] == running.series.pk
        assert (stored(running).ending, running.series.winner_side) == ("resigned", 0)
        assert list(before) == history
        assert list(differences(stored(over))) == []
        assert {row.opponent for row in finished_series(host.pk)} == {"deleted player"}
        page = browser(host).get(over.series.get_absolute_url()).content.decode()
        assert name not in page

    @pytest.mark.parametrize("sign", ["seat", "visit", "log in"])
    def test_whoever_gave_a_sign_of_life_stays(self, sign: str) -> None:
        guest = make_guest()
        table_of(new_user(), guest)
        long_gone(guest)
        if sign == "seat":
            Seat.objects.filter(user=guest).update(seen_at=Now())
        elif sign == "visit":
            UserSession.objects.create(user=guest, ip="203.0.113.7", session_key="x")
        else:
            User.objects.filter(pk=guest.pk).update(last_login=Now())
        assert guests_to_erase() == []
        assert erase_guest(guest.pk) == []
        assert not is_erased(guest)

    def test_not_while_a_turn_of_days_runs(self) -> None:
        guest = make_guest()
        table = table_of(new_user(), guest, "14d")
        long_gone(guest)
        assert guests_to_erase() == []
        table.wish(Wish.RESIGN, table.users[0])
        assert guests_to_erase() == [guest.pk]

    def test_who_came_back_in_between_stays(self) -> None:
        guest = long_gone(make_guest())
        found = guests_to_erase()
        User.objects.filter(pk=guest.pk).update(last_login=Now())
        assert [erase_guest(pk) for pk in found] == [[]]
        assert not is_erased(guest)

    def test_one_whose_process_died_half_way_is_finished(self) -> None:
        guest = make_guest()
        disable_account(guest.pk)
        assert guests_to_erase() == [guest.pk]
        erase_guest(guest.pk)
        assert is_erased(guest)
        assert guests_to_erase() == []

    def test_numbers_are_not_used_up(self) -> None:
        name = long_gone(make_guest()).username
        call_command("erase_guests")
        assert not NameTaken.holds(name)


@pytest.fixture
def anna() -> User:
    return new_person("Anna")


@pytest.fixture
def guest() -> User:
    return make_guest()


@pytest.fixture
def client(guest: User) -> Client:
    """The browser in which the guest plays."""
    return browser(guest)


def offered(client: Client, name: str = "Anna") -> Any:
    """Log in, and what one is led to."""
    assert log_in(client, name).status_code == 302
    return client.get(OFFER)


class TestTheOffer:
    def test_a_guest_who_logs_in_is_asked(self, client: Client, guest: User, anna: User) -> None:
        for _ in range(3):
            table_of(new_user(), guest)
        page = words(client.get("/account/login/"))
        assert f"You play as {guest.username}." in page
        answer = client.post(
            "/account/login/", {"login": "Anna", "password": PASSWORD}, follow=True
        )
        told = (
            f"You played 3 series as {guest.username}. They can be yours under your own name, Anna."
        )
        assert told in words(answer)
        assert user_of(client) == "Anna"

    def test_taken_along_they_are_the_account_s_and_the_guest_is_gone(
        self, client: Client, guest: User, anna: User
    ) -> None:
        running, over = table_of(new_user(), guest), table_of(new_user(), guest)
        over.play_series()
        waiting = create_series(user=guest, options=Options())
        offered(client)
        answer = client.post(OFFER, {"next": "/lobby/"})
        assert answer["Location"] == "/lobby/"
        assert is_erased(guest)
        assert not Seat.objects.filter(user=guest).exists()
        assert {each.series for each in open_series(anna.pk)} == {running.series, waiting}
        assert [each.series for each in finished_series(anna.pk)] == [over.series]
        waiting.refresh_from_db()
        assert waiting.created_by == anna
        for series in (stored(running), stored(over)):
            assert list(differences(series)) == []
        assert list(tally_differences()) == []
        assert Seat.objects.get(series=over.series, number=0).opponent == anna
        assert client.get(running.series.get_absolute_url()).status_code == 200

    def test_play_goes_on_where_it_was(self, client: Client, guest: User, anna: User) -> None:
        host = new_user()
        table = table_of(host, guest)
        talk = stored(table).talk
        offered(client)
        client.post(OFFER)
        assert stored(table).talk == talk + 1
        series = Played(table.series, (host, anna)).play_series()
        assert series.ending == "played"
        assert list(differences(series)) == []

    def test_not_now_leaves_all_as_it_is_and_asks_again(
        self, client: Client, guest: User, anna: User
    ) -> None:
        table_of(new_user(), guest)
        offered(client)
        assert f"What you played as {guest.username}" in words(client.get("/account/"))
        assert Seat.objects.filter(user=guest).exists()
        assert "Take along" in words(client.get(OFFER))

    def test_who_has_played_nothing_is_led_on(self, client: Client, anna: User) -> None:
        answer = client.post(
            "/account/login/?next=/lobby/",
            {"login": "Anna", "password": PASSWORD, "next": "/lobby/"},
            follow=True,
        )
        assert answer.redirect_chain[-1][0] == "/lobby/"

    def test_after_both_steps_too(self, client: Client, guest: User, anna: User) -> None:
        table = table_of(new_user(), guest)
        secret = with_app(anna)
        answer = log_in(client)
        assert answer["Location"].startswith("/account/two-factor/authenticate/")
        assert user_of(client) == guest.username
        answer = client.post("/account/two-factor/authenticate/", {"code": code_of(secret)})
        assert answer["Location"].startswith(OFFER)
        client.post(OFFER)
        assert Seat.objects.get(series=table.series, number=1).user == anna

    def test_a_wrong_password_leaves_them_the_guest(
        self, client: Client, guest: User, anna: User
    ) -> None:
        log_in(client, "Anna", "wrong")
        assert user_of(client) == guest.username

    def test_only_the_session_that_was_the_guest_s(
        self, client: Client, guest: User, anna: User
    ) -> None:
        table_of(new_user(), guest)
        elsewhere = Client()
        log_in(elsewhere)
        assert elsewhere.get(OFFER).status_code == 302
        elsewhere.post(OFFER, {"guest": guest.pk})
        assert Seat.objects.filter(user=guest).exists()

    def test_the_guest_s_own_log_in_must_still_hold(
        self, client: Client, guest: User, anna: User
    ) -> None:
        table_of(new_user(), guest)
        offered(client)
        User.objects.filter(pk=guest.pk).update(generation=F("generation") + 1)
        assert remembered_guest(client.session) is None
        client.post(OFFER)
        assert Seat.objects.filter(user=guest).exists()

    def test_after_a_log_out_nobody_is_asked(self, client: Client, guest: User, anna: User) -> None:
        table_of(new_user(), guest)
        offered(client)
        client.post("/account/logout/")
        bob = new_person("Bob")
        assert offered(client, bob.username).status_code == 302
        assert Seat.objects.filter(user=guest).exists()

    def test_who_registers_meanwhile_is_no_guest_any_more(
        self, client: Client, guest: User, anna: User
    ) -> None:
        table_of(new_user(), guest)
        offered(client)
        User.objects.filter(pk=guest.pk).update(kind=User.Kind.PERSON)
        assert client.get(OFFER).status_code == 302
        assert take_along(guest_id=guest.pk, user_id=anna.pk) == []

    def test_it_leads_to_no_other_site(self, client: Client, guest: User, anna: User) -> None:
        table_of(new_user(), guest)
        offered(client)
        assert "evil" not in client.get(f"{OFFER}?next=//evil.example/").content.decode()
        assert client.post(OFFER, {"next": "https://evil.example/"})["Location"] == "/"


class TestWhatStaysBehind:
    def test_whatever_points_at_a_user_is_taken_along_or_has_a_reason(self) -> None:
        found = {
            f"{model._meta.label}.{field.name}"
            for model in apps.get_models()
            for field in model._meta.get_fields()
            if field.is_relation and not field.auto_created and field.related_model is User
        }
        assert found == MOVED | LEFT.keys()

    def test_a_table_at_which_both_sit(self, guest: User, anna: User) -> None:
        both, other = table_of(anna, guest), table_of(new_user(), guest)
        assert luggage_of(guest, anna.pk) == Luggage(guest.username, 1, 1, 1)
        rung = take_along(guest_id=guest.pk, user_id=anna.pk)
        assert {each[0] for each in rung} == {both.series.pk, other.series.pk}
        assert (stored(both).ending, both.series.winner_side) == ("resigned", 0)
        assert {seat.user for seat in both.series.seats.all()} == {anna, guest}
        assert stored(other).status == "playing"
        assert list(differences(both.series)) == []

    def test_what_was_imposed_goes_along(self, guest: User, anna: User) -> None:
        impose(user_id=guest.pk, kind=Sanction.Kind.MUTE, rule="spam", text="")
        take_along(guest_id=guest.pk, user_id=anna.pk)
        assert sanction_on(anna.pk, Sanction.Kind.MUTE) is not None

    def test_unrated_stays_unrated(self, guest: User, anna: User) -> None:
        table = table_of(new_user(), guest, rated=True)
        assert not stored(table).rated
        Series.objects.filter(pk=table.series.pk).update(rated=True)  # as before this was so
        take_along(guest_id=guest.pk, user_id=anna.pk)
        table.wish(Wish.RESIGN, table.users[0])
        assert not Rating.objects.exists()

    def test_a_guest_who_registers_does_not_make_it_rated_either(self, guest: User) -> None:
        table = table_of(new_user(), guest, rated=True)
        User.objects.filter(pk=guest.pk).update(kind=User.Kind.PERSON)
        table.wish(Wish.RESIGN, table.users[0])
        assert not Rating.objects.exists()

    def test_twice_is_once(self, guest: User, anna: User) -> None:
        table_of(new_user(), guest)
        assert len(take_along(guest_id=guest.pk, user_id=anna.pk)) == 1
        assert take_along(guest_id=guest.pk, user_id=anna.pk) == []

    def test_only_from_a_guest_and_only_to_a_person(self, guest: User, anna: User) -> None:
        bob = new_person("Bob")
        table_of(new_user(), bob)
        assert take_along(guest_id=bob.pk, user_id=anna.pk) == []
        assert take_along(guest_id=guest.pk, user_id=make_guest().pk) == []
        assert not idle_guests().filter(pk=guest.pk).exists()
        assert Seat.objects.filter(user=bob).exists()
