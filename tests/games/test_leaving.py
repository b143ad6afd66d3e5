"""Leaving the site: series end fairly, others keep theirs, of who left nothing stays (S13)."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.usersessions.models import UserSession
from asgiref.sync import async_to_sync, sync_to_async
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.db.models import F
from django.test import Client

from accounts.leaving import Step, disable_account
from accounts.models import Profile, Sanction, User
from accounts.sanctions import impose
from accounts.subscriptions import Subscription
from accounts.turn_mail import switch_mail
from games import poller
from games.models import Invitation, Round, Seat, Series
from games.moderation.models import Appeal, Letter, Note
from games.moderation.services.reports import file_report
from games.rules.options import Options
from games.selectors.audit import differences
from games.selectors.export import LEFT_OUT, PARTS, archive_of
from games.selectors.lists import finished_series
from games.services.chat import say
from games.services.leaving import (
    close_account,
    delete_account,
    leave_tables,
    left_behind,
    running_series,
    take_step,
)
from games.services.series import create_series
from tests.accounts.people import (
    ADDRESS,
    PASSWORD,
    browser_of,
    code_of,
    new_person,
    with_app,
    words,
)
from tests.tables import Played, new_table, new_user

LEAVE, EXPORT = "/account/leave/", "/account/export/"


def table_of(user: User) -> Played:
    """A running series of somebody."""
    table = new_table()
    Seat.objects.filter(series=table.series, number=0).update(user=user)
    Series.objects.filter(pk=table.series.pk).update(created_by=user)
    table.series.refresh_from_db()
    return Played(table.series, (user, table.users[1]))


def stored(table: Played) -> Series:
    table.series.refresh_from_db()
    return table.series


@pytest.mark.django_db
class TestSeries:
    def test_who_leaves_loses_what_is_being_played(self) -> None:
        table = new_table()
        anna, bob = table.users
        table.play_round()
        for user in table.users:
            table.press_next(user)
        [rung] = close_account(anna.pk)
        series = stored(table)
        assert (series.status, series.ending) == (Series.Status.OVER, Series.Ending.RESIGNED)
        assert (series.winner_side, series.ended_by_side) == (1, 0)
        assert table.row.kind == "void"
        assert rung == (series.pk, table.row.version, series.talk)
        assert list(differences(series)) == []
        [listed] = finished_series(bob.pk)
        assert listed.won

    def test_between_two_rounds_as_well(self) -> None:
        table = new_table()
        table.play_round()
        close_account(table.users[1].pk)
        assert stored(table).winner_side == 0
        assert list(differences(table.series)) == []

    def test_what_nobody_has_joined_was_never_there(self) -> None:
        anna = new_user()
        create_series(user=anna, options=Options())
        assert close_account(anna.pk) == []
        assert not Series.objects.exists()
        assert not Invitation.objects.exists()

    def test_what_is_over_stays_as_it_was(self) -> None:
        table = new_table()
        series = table.play_series()
        before = (series.winner_side, series.ended_at, series.talk)
        close_account(table.users[0].pk)
        series.refresh_from_db()
        assert (series.winner_side, series.ended_at, series.talk) == before

    def test_twice_is_once(self) -> None:
        table = new_table()
        anna = table.users[0]
        assert len(close_account(anna.pk)) == 1
        assert close_account(anna.pk) == []
        assert delete_account(anna.pk) == []
        assert delete_account(anna.pk) == []

    def test_who_comes_back_finds_the_series_lost(self) -> None:
        table = table_of(new_person("Anna"))
        close_account(table.users[0].pk)
        browser = browser_of(table.users[0])
        assert running_series(table.users[0]) == 0
        assert browser.get(table.series.get_absolute_url()).status_code == 200

    def test_both_may_leave(self) -> None:
        table = new_table()
        for user in table.users:
            delete_account(user.pk)
        assert stored(table).winner_side == 1
        assert list(differences(table.series)) == []

    def test_opponents_read_that_there_was_a_player(self) -> None:
        anna = new_person("Anna")
        table = table_of(anna)
        delete_account(anna.pk)
        browser = Client()
        browser.force_login(table.users[1])
        for path in (
            "/",
            table.series.get_absolute_url(),
            f"{table.series.get_absolute_url()}rules/",
        ):
            page = browser.get(path).content.decode()
            assert "deleted player" in page
            assert "Anna" not in page
            assert f"deleted-{anna.pk}" not in page

    def test_a_table_that_was_left_behind_is_found_by_the_clock(self) -> None:
        """The process died after the account was closed."""
        table = new_table()
        anna = table.users[0]
        disable_account(anna.pk)
        assert left_behind() == [anna.pk]
        assert len(leave_tables(anna.pk)) == 1
        assert left_behind() == []


@pytest.mark.django_db
def test_the_clock_does_what_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[int] = []

    async def ring(series_id: int, version: int, *, talk: int) -> None:
        rung.append(series_id)

    async def here[**P, T](function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await sync_to_async(function)(*args, **kwargs)

    monkeypatch.setattr(poller.live, "ring", ring)
    monkeypatch.setattr(poller, "in_thread", here)
    table = new_table()
    anna = table.users[0]
    disable_account(anna.pk)
    User.objects.filter(pk=anna.pk).update(disabled_at=F("disabled_at") - timedelta(days=31))
    async_to_sync(poller.see_off)()
    anna.refresh_from_db()
    assert rung == [table.series.pk]
    assert anna.deleted_at is not None
    assert stored(table).winner_side == 1


@pytest.mark.django_db
class TestThePage:
    def test_it_says_what_will_be_lost(self) -> None:
        anna = new_person("Anna")
        table_of(anna)
        page = words(browser_of(anna).get(LEAVE))
        assert "You have 1 series that is being played." in page

    def test_closing_logs_out_and_says_how_to_come_back(self) -> None:
        anna = new_person("Anna")
        browser = browser_of(anna)
        answer = browser.post(LEAVE, {"step": "disable"}, follow=True)
        assert "Log in within 30 days" in words(answer)
        assert browser.get("/account/").status_code == 302
        anna.refresh_from_db()
        assert anna.disabled_at is not None
        assert anna.deleted_at is None

    def test_deleting_asks_once_more(self) -> None:
        anna = new_person("Anna")
        browser = browser_of(anna)
        assert browser.post(LEAVE, {"step": "delete"}).status_code == 422
        assert User.objects.get().username == "Anna"
        assert "deleted" in words(
            browser.post(LEAVE, {"step": "delete", "sure": "on"}, follow=True)
        )
        assert User.objects.get().deleted_at is not None

    @pytest.mark.parametrize("path", [LEAVE, EXPORT])
    def test_only_who_shows_who_they_are(self, path: str) -> None:
        new_person("Anna")
        client = Client()
        client.post("/account/login/", {"login": "Anna", "password": PASSWORD})
        answer = client.post(path, {"step": "disable"})
        assert answer["Location"].startswith("/account/reauthenticate/")
        assert User.objects.get().disabled_at is None

    def test_no_other_step(self) -> None:
        browser = browser_of(new_person("Anna"))
        assert browser.post(LEAVE, {"step": "erase", "sure": "on"}).status_code == 422


def texts(archive: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return {
            name.removesuffix(".json"): json.loads(file.read(name))
            for name in file.namelist()
            if name.endswith(".json")
        }


@pytest.mark.django_db
class TestExport:
    def test_it_comes_as_one_file(self) -> None:
        browser = browser_of(new_person("Anna", ADDRESS))
        answer = browser.post(EXPORT)
        assert answer["Content-Type"] == "application/zip"
        assert 'filename="hollywood-gin-Anna.zip"' in answer["Content-Disposition"]
        found = texts(answer.content)
        assert found["account"]["name"] == "Anna"
        assert found["addresses"] == [{"email": ADDRESS, "verified": True, "primary": True}]
        assert len(found["log_ins"]) == 1

    def test_it_holds_finished_rounds_whole_and_of_the_running_one_nothing(self) -> None:
        table = new_table()
        table.play_round()
        for user in table.users:
            table.press_next(user)
        running = table.row
        [series] = texts(archive_of(table.users[0]))["series"]
        [finished] = series["rounds"]
        assert finished["number"] == 1
        assert finished["record"].startswith("Hollywood Gin round 1\n")
        text = json.dumps(series)
        assert bytes(running.secret).hex() not in text
        assert running.number not in [each["number"] for each in series["rounds"]]

    def test_a_round_that_was_broken_off_shows_nobody_s_cards(self) -> None:
        table = new_table()
        close_account(table.users[0].pk)
        [series] = texts(archive_of(table.users[1]))["series"]
        assert series["rounds"] == []

    def test_s13_each_table_that_points_at_a_user_is_in_it(self) -> None:
        """A new table joins `PARTS` of games.selectors.export, or `LEFT_OUT` with a reason."""
        tables = {
            model
            for model in apps.get_models()
            for field in model._meta.get_fields()
            if field.is_relation and not field.auto_created and field.related_model is User
        }
        exported = {table for table, _part in PARTS.values()}
        assert {f"{each._meta.label}" for each in tables - exported} - LEFT_OUT.keys() == set()

    def test_no_secret_and_no_hash_is_in_it(self) -> None:
        anna = new_person("Anna", ADDRESS)
        secret = with_app(anna)
        codes = RecoveryCodes.activate(anna).get_unused_codes()
        browser = Client()
        browser.post("/account/login/", {"login": "Anna", "password": PASSWORD})
        browser.post("/account/two-factor/authenticate/", {"code": code_of(secret)})
        key = browser.session.session_key or ""
        text = json.dumps(texts(archive_of(anna)))
        for hidden in (secret, codes[0], key, anna.password, "argon2", "session_key", "seed"):
            assert hidden not in text
        assert "totp" in text


CANARY = "Canary"


def rows_with(words_: tuple[str, ...]) -> list[str]:
    """Every place in the database where one of these words stands."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                found += [
                    f"{table}.{name}"
                    for name, value in zip(names, row, strict=True)
                    if any(word.lower() in str(value).lower() for word in words_)
                ]
    return found


def known_to_moderators(canary: User, table: Played) -> None:
    """What is said of somebody and by them behind the counter."""
    about = {"rule": "respect", "key": "k"}
    other = table.users[1]
    told = file_report(
        reporter=other, person=canary, text="Canary is rude", series=table.series, **about
    )
    file_report(reporter=canary, person=other, text="Canary is not", **about)
    Note.objects.create(case=told.case, text="Canary again")
    mute = impose(
        user_id=canary.pk, kind=Sanction.Kind.MUTE, rule="respect", text="Stop it, Canary."
    )
    Appeal.objects.create(sanction=mute, text="Canary did not sing")
    Letter.objects.create(user=canary, kind=Letter.Kind.RENAMED, rule="names", quote="Canary0")


@pytest.mark.django_db
def test_s13_wherever_words_of_a_canary_stand_nothing_is_left() -> None:
    canary = new_person(CANARY, "canary@example.org")
    Profile.objects.create(user=canary, about="I am the Canary")
    with_app(canary)
    UserSession.objects.create(
        user=canary, ip="203.0.113.77", session_key="canary-key", user_agent="Canary/1.0"
    )
    browser = Client()
    browser.post("/account/login/", {"login": CANARY, "password": PASSWORD})
    canary.groups.add(Group.objects.create(name="some"))
    canary.user_permissions.add(Permission.objects.all()[0])
    Subscription.objects.create(
        user=canary, endpoint="https://push.example.org/canary", user_agent="Canary/1.0"
    )
    switch_mail(canary.pk, on=True)
    table = table_of(canary)
    table.play_round()
    before = Round.objects.values_list("log", "points", "winner").get()
    say(series=table.series, user_id=canary.pk, key="k", text="Canary was here")
    known_to_moderators(canary, table)
    marks = (CANARY, "canary@example.org", "203.0.113.77")
    assert {each.partition(".")[0] for each in rows_with(marks)} >= {
        *("accounts_user", "accounts_profile", "accounts_subscription", "accounts_sanction"),
        *("account_emailaddress", "usersessions_usersession", "games_message"),
        *("moderation_report", "moderation_note", "moderation_appeal", "moderation_letter"),
    }
    delete_account(canary.pk)
    User.objects.filter(pk=canary.pk).update(deleted_at=F("deleted_at") - timedelta(days=31))
    assert take_step(canary.pk, Step.ERASE)
    assert rows_with(marks) == []
    assert not EmailAddress.objects.exists()
    assert Round.objects.values_list("log", "points", "winner").get() == before
    assert list(differences(stored(table))) == []
    assert finished_series(table.users[1].pk)[0].opponent == "deleted player"
