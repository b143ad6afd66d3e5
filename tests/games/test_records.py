"""Series to take along: as a text, as JSON, as a table; who may, and that nothing hidden leaves."""

import csv
import io
import json
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import connection
from django.db.models.functions import Now
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.preferences import Preferences
from games.models import Round, Seat, Series
from games.rules.scoring import Ending
from games.rules.series_record import SeriesRecord, parse_all
from games.selectors import records as records_selector
from games.services.leaving import delete_account
from games.services.request import Wish
from tests.browser import browser, text
from tests.games.test_history import many, played
from tests.tables import Played, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


def record_url(series: Series, form: str = "txt") -> str:
    return f"{series.get_absolute_url()}record.{form}"


def list_url(user: User, form: str = "txt") -> str:
    return f"/@{user.username}/series/series.{form}"


def sent(response: Any) -> str:
    assert response.status_code == 200
    return b"".join(response.streaming_content).decode()


class TestOneSeries:
    def test_the_text_is_a_record_that_holds(self, over: Played, client: Client) -> None:
        response = client.get(record_url(over.series))
        record = SeriesRecord.parse(text(response))
        rounds = Round.objects.filter(series=over.series).exclude(kind=Ending.VOID)
        assert len(record.rounds) == rounds.count()
        assert record.players == tuple(user.username for user in over.users)
        assert record.series == over.series.slug
        assert record.states[-1].winner == over.series.winner_side
        assert response["Content-Type"] == "text/plain; charset=utf-8"
        assert response["Content-Disposition"] == (
            f'attachment; filename="hollywood-gin-{over.series.slug}.txt"'
        )

    def test_the_json_says_the_same(self, over: Played, client: Client) -> None:
        record = SeriesRecord.parse(text(client.get(record_url(over.series))))
        found = client.get(record_url(over.series, "json")).json()
        assert [each["record"] for each in found["rounds"]] == [
            each.record.format() for each in record.rounds if each.record
        ]
        assert [each["points"] for each in found["rounds"]] == [
            each.result.points for each in record.rounds
        ]
        assert found["rounds"][-1]["sheet"] == found["games"]["totals"]
        assert found["winner"] == over.series.winner_side
        assert found["time_control"] == "600+5"

    def test_f2_its_deals_are_checked_by_the_script(self, over: Played, client: Client) -> None:
        done = subprocess.run(
            [sys.executable, "-I", str(settings.BASE_DIR / "docs" / "verify_deal.py")],
            input=text(client.get(record_url(over.series, "json"))),
            capture_output=True,
            text=True,
            check=True,
        )
        rounds = Round.objects.filter(series=over.series).exclude(kind=Ending.VOID)
        assert done.stdout.count("matches") == rounds.count()

    @pytest.mark.parametrize("form", ["txt", "json"])
    def test_s1_one_that_is_still_played_is_given_to_nobody(
        self, client: Client, form: str
    ) -> None:
        table = new_table()
        table.play_round()
        for who in (client, browser(table.users[0]), browser(table.users[1])):
            assert who.get(record_url(table.series, form)).status_code == 404

    def test_s1_a_round_that_was_broken_off_is_left_out(self, client: Client) -> None:
        table = new_table()
        table.play_round()
        for user in table.users:
            table.press_next(user)
        secret = bytes(table.row.secret).hex()
        table.wish(Wish.RESIGN, table.users[0])
        told = text(client.get(record_url(table.series)))
        assert len(SeriesRecord.parse(told).rounds) == 1
        assert "Result: 1 wins, 0 resigned" in told
        assert secret not in told
        assert secret not in text(client.get(record_url(table.series, "json")))

    @pytest.mark.parametrize("form", ["txt", "json"])
    def test_s9_a_private_one_is_given_to_its_players(self, client: Client, form: str) -> None:
        series = played(one := new_user(), new_user(), is_private=True)
        url = record_url(series, form)
        assert client.get(url).status_code == 404
        assert browser(new_user()).get(url).status_code == 404
        assert browser(one).get(url).status_code == 200

    def test_s13_who_has_gone_is_a_deleted_player(self, over: Played, client: Client) -> None:
        name = over.users[1].username
        delete_account(over.users[1].pk)
        for form in ("txt", "json"):
            told = text(client.get(record_url(over.series, form)))
            assert "deleted player" in told
            assert name not in told

    def test_one_that_was_declared_void_says_so_in_every_form(self, client: Client) -> None:
        series = played(one := new_user("Anna"), new_user())
        Series.objects.filter(pk=series.pk).update(voided_at=Now())
        assert "\nVoid: yes\n" in text(client.get(record_url(series)))
        assert client.get(record_url(series, "json")).json()["voided"] is True
        [row] = csv.DictReader(io.StringIO(sent(client.get(list_url(one, "csv")))))
        assert row["voided"] == "yes"

    def test_it_is_offered_once_the_series_is_over(self, over: Played, client: Client) -> None:
        page = text(client.get(f"{over.series.get_absolute_url()}rounds/"))
        for form in ("txt", "json"):
            assert f'href="{record_url(over.series, form)}" download' in page
        running = new_table()
        running.play_round()
        page = text(client.get(f"{running.series.get_absolute_url()}rounds/"))
        assert "record.txt" not in page

    def test_not_too_often(self, over: Played, client: Client) -> None:
        answers = [client.get(record_url(over.series)).status_code for _ in range(21)]
        assert answers == [200] * 20 + [429]
        assert client.get(record_url(over.series))["Retry-After"] == "60"
        assert browser(over.users[0]).get(record_url(over.series)).status_code == 200


class TestAList:
    def test_every_series_of_a_list_newest_first(
        self, monkeypatch: pytest.MonkeyPatch, client: Client
    ) -> None:
        monkeypatch.setattr(records_selector, "PAGE", 3)
        one, other = new_user("Anna"), new_user("Bertil")
        ids = many(one, other, 7)
        slugs = [Series.objects.get(pk=pk).slug for pk in ids]
        told = sent(client.get(list_url(one)))
        assert [each.series for each in parse_all(told)] == slugs
        found = json.loads(sent(client.get(list_url(one, "json"))))
        assert [each["series"] for each in found] == slugs
        table = list(csv.DictReader(io.StringIO(sent(client.get(list_url(one, "csv"))))))
        assert [each["address"].split("/")[-2] for each in table] == slugs
        assert {each["opponent"] for each in table} == {"Bertil"}
        assert {each["result"] for each in table} == {"won"}

    def test_as_it_is_filtered(self, client: Client) -> None:
        one, other, third = new_user("Anna"), new_user("Bertil"), new_user("Carla")
        played(one, other)
        wanted = played(third, one)
        for query in ({"opponent": "carla"}, {"result": "lost"}):
            told = sent(client.get(list_url(one), query))
            assert [each.series for each in parse_all(told)] == [wanted.slug]
        page = text(client.get("/@Anna/series/", {"result": "lost"}))
        assert f'href="{list_url(one)}?result=lost" download' in page
        assert sent(client.get(list_url(one), {"opponent": "Nobody"})) == ""
        assert json.loads(sent(client.get(list_url(one, "json"), {"opponent": "Nobody"}))) == []

    def test_no_more_than_so_many(self, monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
        monkeypatch.setattr(records_selector, "PAGE", 2)
        monkeypatch.setattr(records_selector, "MOST_SERIES", 3)
        one = new_user("Anna")
        many(one, new_user(), 5)
        assert len(list(parse_all(sent(client.get(list_url(one)))))) == 3

    @pytest.mark.parametrize("form", ["txt", "json", "csv"])
    def test_s9_what_others_may_not_see_they_may_not_take_along(
        self, client: Client, form: str
    ) -> None:
        one, other = new_user("Anna"), new_user("Bertil")
        secret = played(one, other, is_private=True)
        hidden = played(one, other)
        Seat.objects.filter(series=hidden).update(is_listed=False)
        shown = played(one, other)
        told = sent(client.get(list_url(one, form)))
        assert shown.slug in told
        assert secret.slug not in told
        assert hidden.slug not in told
        own = sent(browser(one).get(list_url(one, form)))
        assert all(series.slug in own for series in (secret, hidden, shown))
        User.objects.filter(pk=one.pk).update(preferences=str(Preferences(history="me")))
        assert client.get(list_url(one, form)).status_code == 404
        assert browser(one).get(list_url(one, form)).status_code == 200
        assert client.get(f"/@Nobody/series/series.{form}").status_code == 404

    def test_times_are_utc_whatever_the_viewers_clocks_say(self) -> None:
        one = new_user("Anna")
        played(one, new_user(), ended_at=datetime(2026, 3, 1, 23, 30, tzinfo=UTC))
        zone = Preferences(zone="Asia/Tbilisi")
        User.objects.filter(pk=one.pk).update(preferences=str(zone))
        viewer = browser(User.objects.get(pk=one.pk))
        assert "2026-03-01 23:30:00" in sent(viewer.get(list_url(one, "csv")))
        assert "Ended: 2026-03-01 23:30:00 UTC" in sent(viewer.get(list_url(one)))

    def test_no_cell_is_a_formula(self, client: Client) -> None:
        one, other = new_user("Anna"), new_user("Bertil")
        played(one, other)
        User.objects.filter(pk=other.pk).update(username='=HYPERLINK("x")')
        [row] = csv.DictReader(io.StringIO(sent(client.get(list_url(one, "csv")))))
        assert row["opponent"] == '\'=HYPERLINK("x")'

    def test_a_page_costs_the_same_however_many_series(self, client: Client) -> None:
        one, other = new_user("Anna"), new_user("Bertil")
        costs = []
        for count in (2, 6):
            many(one, other, count)
            for form in ("txt", "csv"):
                with CaptureQueriesContext(connection) as caught:
                    sent(client.get(list_url(one, form)))
                costs.append(len(caught))
        assert costs[:2] == costs[2:]

    def test_not_too_often(self, client: Client) -> None:
        one = new_user("Anna")
        played(one, new_user())
        answers = [client.get(list_url(one)).status_code for _ in range(5)]
        assert answers == [200] * 4 + [429]


@pytest.mark.django_db(transaction=True)
def test_on_the_event_loop_it_is_made_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_selector, "PAGE", 2)
    one = new_user("Anna")
    many(one, new_user(), 5)

    async def pieces() -> list[bytes]:
        response = await AsyncClient().get(list_url(one, "csv"))
        return [piece async for piece in response.streaming_content]

    found = async_to_sync(pieces)()
    assert len(found) == 4  # the head, and three pages
    assert b"".join(found).count(b"Anna") == 5
