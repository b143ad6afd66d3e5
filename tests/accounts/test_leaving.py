"""Leaving in three steps: disabled, deleted, erased; and names that nobody gets again."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client

from accounts import leaving
from accounts.leaving import (
    Step,
    carry_out,
    come_back,
    delete_account,
    disable_account,
    erase_account,
    steps_due,
)
from accounts.models import NameTaken, Profile, User
from accounts.names import USERNAME_VALIDATORS, digests
from accounts.sessions import forget_ended_sessions, ticket_for, valid_tickets
from tests.accounts.people import (
    ADDRESS,
    browser_of,
    log_in,
    new_person,
    user_of,
    with_app,
    words,
)
from tests.staff import new_boss

pytestmark = pytest.mark.django_db

SIGN_UP = "/account/signup/"


@pytest.fixture
def anna() -> User:
    user = new_person("Anna", ADDRESS)
    Profile.objects.create(user=user, about="I am Anna", country="VN")
    with_app(user)
    return user


def move(user: User, days: int) -> None:
    """Let days pass for somebody who leaves."""
    past = timedelta(days=days)
    User.objects.filter(pk=user.pk).update(
        disabled_at=F("disabled_at") - past, deleted_at=F("deleted_at") - past
    )


class TestDisabled:
    def test_s4_all_log_ins_end_at_once(
        self, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
    ) -> None:
        user = new_person("Anna")
        told: list[int] = []
        monkeypatch.setattr(leaving, "end_sockets", lambda *, user_id: told.append(user_id))
        browsers = [browser_of(user), browser_of(user)]
        quiet = Client()
        quiet.force_login(user)  # one that no list knows of
        tickets = [ticket_for(each.session, user) for each in (*browsers, quiet)]
        with django_capture_on_commit_callbacks(execute=True):
            disable_account(user.pk)
        assert told == [user.pk]
        assert valid_tickets([each for each in tickets if each]) == frozenset()
        for each in (*browsers, quiet):
            assert each.get("/account/").status_code == 302

    def test_nobody_finds_them(self, client: Client, anna: User) -> None:
        assert client.get("/@Anna/").status_code == 200
        disable_account(anna.pk)
        assert client.get("/@Anna/").status_code == 404

    def test_a_log_in_brings_them_back_and_no_old_session(self) -> None:
        user = new_person("Anna")
        old = Client()
        old.force_login(user)
        disable_account(user.pk)
        client = Client()
        answer = log_in(client)
        assert user_of(client) == "Anna"
        assert "Welcome back" in words(client.get(answer["Location"]))
        assert client.get("/@Anna/").status_code == 200
        assert old.get("/account/").status_code == 302
        user.refresh_from_db()
        assert user.disabled_at is None

    def test_a_wrong_password_brings_nobody_back(self, client: Client) -> None:
        user = new_person("Anna")
        disable_account(user.pk)
        log_in(client, password="not-this-one")
        user.refresh_from_db()
        assert user.disabled_at is not None

    def test_twice_is_once(self, anna: User) -> None:
        disable_account(anna.pk)
        move(anna, days=29)
        before = User.objects.get()
        disable_account(anna.pk)
        assert User.objects.get().disabled_at == before.disabled_at

    def test_for_30_days_nothing_is_due(self, anna: User) -> None:
        disable_account(anna.pk)
        move(anna, days=29)
        assert steps_due() == []
        assert come_back(anna.pk)
        move(anna, days=2)
        assert steps_due() == []

    def test_then_they_are_deleted(self, anna: User) -> None:
        disable_account(anna.pk)
        move(anna, days=31)
        assert steps_due() == [(anna.pk, Step.DELETE)]
        assert carry_out(anna.pk, Step.DELETE)
        assert steps_due() == []
        assert not carry_out(anna.pk, Step.DELETE)

    def test_who_came_back_in_the_last_moment_stays(self, anna: User) -> None:
        disable_account(anna.pk)
        move(anna, days=31)
        due = steps_due()
        come_back(anna.pk)
        assert [carry_out(*each) for each in due] == [False]
        anna.refresh_from_db()
        assert (anna.username, anna.deleted_at) == ("Anna", None)


class TestDeleted:
    def test_what_says_who_they_were_is_gone(self, anna: User) -> None:
        anna.groups.add(Group.objects.create(name="somebody"))
        User.objects.update(preferences="theme:dark", is_staff=True, is_superuser=True)
        assert delete_account(anna.pk)
        gone = User.objects.get()
        assert gone.shown_name == "deleted player"
        assert (gone.email, gone.preferences, gone.is_active) == ("", "", False)
        assert (gone.is_staff, gone.is_superuser, gone.groups.count()) == (False, False, 0)
        assert not gone.has_usable_password()
        for table in (EmailAddress, Authenticator, Profile):
            assert not table.objects.exists()
        assert "Anna" not in str(User.objects.values())
        assert ADDRESS not in str(User.objects.values())

    def test_there_is_no_way_back(self, client: Client, anna: User) -> None:
        delete_account(anna.pk)
        assert not come_back(anna.pk)
        for name in ("Anna", f"deleted-{anna.pk}"):
            log_in(client, name)
            assert user_of(client) is None
        client.post("/account/password/reset/", {"email": ADDRESS})
        assert client.get("/@Anna/").status_code == 404
        assert client.get(f"/@deleted-{anna.pk}/").status_code == 404

    @pytest.mark.parametrize("name", ["Anna", "ANNA", "anna"])
    def test_nobody_gets_the_name_again(self, client: Client, anna: User, name: str) -> None:
        delete_account(anna.pk)
        answer = client.post(SIGN_UP, {"username": name, "password1": "three-games-at-once"})
        assert "That name is taken." in words(answer)
        with pytest.raises(ValidationError):
            User(username=name, password="x").full_clean()

    def test_nor_one_that_looks_like_it(self, client: Client) -> None:
        delete_account(new_person("limes").pk)
        client.post(SIGN_UP, {"username": "Iimes", "password1": "three-games-at-once"})
        assert User.objects.count() == 1

    def test_the_address_is_free_again(self, client: Client, anna: User) -> None:
        delete_account(anna.pk)
        fields = {"username": "Berta", "password1": "three-games-at-once", "email": ADDRESS}
        client.post(SIGN_UP, fields)
        assert EmailAddress.objects.get().can_set_verified()

    def test_a_name_is_kept_as_a_hash_with_the_site_s_key(self, anna: User, settings: Any) -> None:
        delete_account(anna.pk)
        assert "nna" not in NameTaken.objects.get().digest
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = "another key, as keys are changed now and then"
        assert NameTaken.holds("Anna")
        settings.SECRET_KEY_FALLBACKS = []
        assert not NameTaken.holds("Anna")

    def test_twice_is_once(self, anna: User) -> None:
        assert delete_account(anna.pk)
        assert not delete_account(anna.pk)

    def test_many_may_go(self) -> None:
        for name in ("Anna", "Bob", "Clara"):
            delete_account(new_person(name).pk)
        assert NameTaken.objects.count() == 3
        assert {each.shown_name for each in User.objects.all()} == {"deleted player"}

    @pytest.mark.parametrize("name", ["deleted", "deleted-7", "Deleted_7", "DELETED7"])
    def test_nobody_calls_themselves_so(self, name: str) -> None:
        with pytest.raises(ValidationError):
            [validate(name) for validate in USERNAME_VALIDATORS]


class TestErased:
    def test_30_days_later_where_they_logged_in_from_is_gone(self, anna: User) -> None:
        UserSession.objects.create(
            user=anna, ip="203.0.113.7", session_key="k", user_agent="Firefox"
        )
        delete_account(anna.pk)
        move(anna, days=29)
        assert steps_due() == []
        assert UserSession.objects.exists()
        move(anna, days=2)
        assert steps_due() == [(anna.pk, Step.ERASE)]
        assert carry_out(anna.pk, Step.ERASE)
        assert not UserSession.objects.exists()
        assert User.objects.get().last_login is None
        assert steps_due() == []

    def test_nobody_is_erased_who_is_not_deleted(self, anna: User) -> None:
        disable_account(anna.pk)
        assert not erase_account(anna.pk)

    def test_twice_is_once(self, anna: User) -> None:
        delete_account(anna.pk)
        assert erase_account(anna.pk)
        assert not erase_account(anna.pk)


def test_the_admin_keeps_a_name_that_it_changes() -> None:
    anna = new_person("Anna")
    boss = new_boss("boss1")
    client = Client()
    client.force_login(boss)
    url = f"/admin/accounts/user/{anna.pk}/change/"
    fields = {"username": "Anne", "kind": "person", "is_active": "on"} | {
        f"{inline}-{part}": "0"
        for inline in ("emailaddress_set", "profile")
        for part in ("TOTAL_FORMS", "INITIAL_FORMS")
    }
    assert client.post(url, fields).status_code == 302
    assert User.objects.get(pk=anna.pk).username == "Anne"
    assert NameTaken.objects.filter(digest__in=digests("Anna")).exists()


def test_the_admin_finds_people_and_deletes_none() -> None:
    anna = new_person("Anna", ADDRESS)
    delete_account(new_person("Bob").pk)
    client = Client()
    client.force_login(new_boss("boss1"))
    listed = words(client.get("/admin/accounts/user/", {"q": "anna@exam"}))
    assert "Anna" in listed
    assert "deleted-" not in listed
    assert "deleted-" in words(client.get("/admin/accounts/user/?leaving=deleted"))
    assert client.post(f"/admin/accounts/user/{anna.pk}/delete/").status_code == 403


def test_the_admin_shows_no_secret_of_a_second_step(anna: User) -> None:
    client = Client()
    client.force_login(new_boss("boss1"))
    [step] = Authenticator.objects.filter(user=anna)
    page = client.get(f"/admin/mfa/authenticator/{step.pk}/change/").content.decode()
    assert "totp" in page.lower()
    assert str(step.data["secret"]) not in page
    assert "secret" not in page
    delete = f"/admin/mfa/authenticator/{step.pk}/delete/"
    assert client.post(delete, {"post": "yes"}).status_code == 302
    assert not Authenticator.objects.filter(user=anna).exists()


class TestTidyingUp:
    def test_what_was_noted_of_ended_log_ins_is_forgotten(self) -> None:
        user = new_person("Anna")
        running, ended = browser_of(user), browser_of(user)
        UserSession.objects.update(created_at=Now() - timedelta(hours=2))
        Session.objects.filter(session_key=ended.session.session_key).update(
            expire_date=Now() - timedelta(seconds=1)
        )
        forget_ended_sessions()
        assert UserSession.objects.get().session_key == running.session.session_key
        assert Session.objects.count() == 1
        assert running.get("/account/").status_code == 200

    def test_of_who_leaves_it_is_kept_until_they_are_erased(self) -> None:
        user = new_person("Anna")
        browser_of(user)
        UserSession.objects.update(created_at=Now() - timedelta(hours=2))
        disable_account(user.pk)
        forget_ended_sessions()
        assert UserSession.objects.count() == 1

    def test_one_that_is_just_beginning_stays(self) -> None:
        user = new_person("Anna")
        UserSession.objects.create(user=user, ip="203.0.113.7", session_key="k", user_agent="x")
        forget_ended_sessions()
        assert UserSession.objects.count() == 1
