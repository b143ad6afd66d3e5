"""`manage.py check_series`, `loaddemo` and `serve`."""

import random
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models.functions import Now

from accounts.models import User
from games.management.commands import loaddemo, serve
from games.models import RatingChange, Round, Seat, Series, SheetEntry, Tally
from games.rules.options import Options
from games.selectors.audit import differences
from tests.house import bot_table, to_the_bot
from tests.long import long_or
from tests.tables import Played, keen, new_table

pytestmark = pytest.mark.django_db


def run(name: str, *arguments: str, **options: Any) -> str:
    output = StringIO()
    call_command(name, *arguments, stdout=output, stderr=output, **options)
    return output.getvalue()


@pytest.fixture(scope="module")
def _played(django_db_setup: None, django_db_blocker: Any) -> Any:
    """A series played to its end, for all tests of this file."""
    with django_db_blocker.unblock():
        table = new_table(Options(target=50))
        table.play_series(keen(random.Random(1)))
    yield table
    with django_db_blocker.unblock():
        forget(table)


def forget(table: Played) -> None:
    Tally.objects.all().delete()
    SheetEntry.objects.filter(series=table.series).delete()
    Round.objects.filter(series=table.series).delete()
    table.series.seats.all().delete()
    table.series.invitation.delete()
    table.series.delete()
    for user in table.users:
        user.delete()


@pytest.fixture
def table(_played: Played) -> Played:
    return _played


class TestCheckSeries:
    def test_nothing_stored_is_nothing_wrong(self, table: Played) -> None:
        assert run("check_series") == "1 series checked, no difference.\n"

    def test_only_those_that_are_named(self, table: Played) -> None:
        new_table()
        assert run("check_series", table.series.slug) == "1 series checked, no difference.\n"
        assert run("check_series").startswith("2 series")

    @pytest.mark.parametrize(
        ("change", "found"),
        [
            ({"log": "1 p p d"}, "ply"),
            ({"log": "1 p p x"}, "can't be replayed"),
            ({"log": "1 b"}, "can't be replayed"),
            ({"log": "2 p"}, "can't be replayed"),
            ({"log": ""}, "can't be replayed"),
            ({"ply": 999}, "ply 999 is stored"),
            ({"points": 999}, "999 points are stored"),
            ({"winner": None}, "the log gives"),
            ({"kind": "gin", "bonus": 25, "difference": 70}, "the log gives"),
            ({"dealer": 5}, "dealer"),
            ({"version_before": 999}, "version before is 999"),
            ({"secret": bytes(32)}, "commitment"),
            ({"commitment": "0" * 64}, "commitment"),
            ({"number": 999}, "was to follow"),
            ({"kind": "flood"}, "no such ending"),
        ],
    )
    def test_every_change_to_a_round_is_found(
        self, table: Played, change: dict[str, Any], found: str
    ) -> None:
        row = Round.objects.filter(series=table.series).order_by("number")[1]
        Round.objects.filter(pk=row.pk).update(**change)
        output = StringIO()
        with pytest.raises(CommandError, match="1 of 1 series differ"):
            call_command("check_series", stdout=output)
        assert found in output.getvalue()
        assert table.series.slug in output.getvalue()

    @pytest.mark.parametrize(
        ("change", "found"),
        [
            ({"winner_side": -1}, "the winner is stored as -1"),
            ({"winner_side": None}, "the winner is stored as None"),
            ({"status": Series.Status.PLAYING}, "the status is playing"),
            ({"first_dealer": None}, "no dealer"),
        ],
    )
    def test_every_change_to_a_series_is_found(
        self, table: Played, change: dict[str, Any], found: str
    ) -> None:
        Series.objects.filter(pk=table.series.pk).update(**change)
        assert any(found in line for line in differences(Series.objects.get(pk=table.series.pk)))

    @pytest.mark.parametrize("change", [{"ended_at": None}, {"ready_after": 999}, {"number": 2}])
    def test_every_change_to_a_seat_is_found(self, table: Played, change: dict[str, Any]) -> None:
        table.series.seats.filter(number=1).update(**change)
        series = Series.objects.get(pk=table.series.pk)
        assert any("seat" in line for line in differences(series))

    @pytest.mark.parametrize(
        "change",
        [
            {"result": "shared"},
            {"games_won": 9},
            {"opponent": None},
            {"format": "oklahoma days"},
            {"is_rated": True},
            {"is_listed": False},
            {"ended_at": None},
        ],
    )
    def test_what_lists_look_for_is_checked_and_can_be_mended(
        self, table: Played, change: dict[str, Any]
    ) -> None:
        table.series.seats.filter(number=1).update(**change)
        series = Series.objects.get(pk=table.series.pk)
        [found] = differences(series)
        assert found.startswith("seat 1: ")
        assert run("check_series", "--mend") == "1 series checked, no difference.\n"

    def test_every_change_to_the_sheet_is_found(self, table: Played) -> None:
        entry = SheetEntry.objects.filter(series=table.series)[0]
        entry.delete()
        assert any("missing" in line for line in differences(table.series))

    def test_a_lost_round_is_found(self, table: Played) -> None:
        SheetEntry.objects.filter(series=table.series).delete()
        Round.objects.filter(series=table.series, number=1).delete()
        assert any("was to follow" in line for line in differences(table.series))

    def test_what_is_found_names_no_card_of_a_running_round(self) -> None:
        running = new_table()
        Round.objects.filter(series=running.series).update(log="1 p p d xKD xKC xKH xKS", ply=7)
        [line] = differences(running.series)
        assert "can't be replayed" in line
        secret = bytes(running.row.secret)
        assert secret.hex() not in line


BOT_PLANS = ((0, "beginner", {"preset": "hollywood"}, 1),)


class TestTheBots:
    def test_what_is_stored_of_their_turns_is_checked(self) -> None:
        row = to_the_bot(bot_table()).row
        assert list(differences(row.series)) == []
        Round.objects.filter(pk=row.pk).update(bot_due_at=None, reasons="99|no choice||||\n")
        found = list(differences(row.series))
        assert "a bot is to act: True" in found[0]
        assert "ply 99, which no bot has played" in found[1]

    def test_a_round_of_people_has_no_bot_s_turn(self) -> None:
        row = new_table().row
        Round.objects.filter(pk=row.pk).update(bot_due_at=Now(), reasons="0|no choice||||\n")
        assert len(list(differences(row.series))) == 2

    def test_turns_that_are_left_lying_are_told(self) -> None:
        row = to_the_bot(bot_table()).row
        assert run("work", "--check") == "No bot keeps anybody waiting.\n"
        Round.objects.filter(pk=row.pk).update(bot_due_at=Now() - timedelta(minutes=1))
        with pytest.raises(CommandError, match="1 turns of bots are overdue"):
            run("work", "--check")


class TestLoadDemo:
    def test_it_brings_life_and_nothing_differs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(loaddemo, "PLANS", long_or(loaddemo.PLANS, loaddemo.PLANS[2:]))
        monkeypatch.setattr(loaddemo, "BOT_PLANS", long_or(loaddemo.BOT_PLANS, BOT_PLANS))
        output = run("loaddemo")
        assert "Alexandra" in output
        statuses = set(Series.objects.values_list("status", flat=True))
        assert statuses == set(Series.Status.values)
        assert "no difference" in run("check_series")
        user = User.objects.get(username="Alexandra")
        assert user.check_password(output.split()[-1])
        assert not User.objects.filter(is_staff=True).exists()

    def test_a_second_time_it_adds_series_and_no_people(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(loaddemo, "PLANS", loaddemo.PLANS[-1:])
        monkeypatch.setattr(loaddemo, "BOT_PLANS", BOT_PLANS)
        counts = [Series.objects.count()]
        for seed in (1, 2):
            run("loaddemo", seed=seed)
            counts.append(Series.objects.count())
        assert counts[2] - counts[1] == counts[1] - counts[0] > 0
        assert User.objects.filter(username__in=loaddemo.NAMES).count() == len(loaddemo.NAMES)


class TestServe:
    @pytest.fixture
    def served(self, monkeypatch: pytest.MonkeyPatch, settings: Any) -> dict[str, Any]:
        """What uvicorn was told; it is not started."""
        told: dict[str, Any] = {}

        def start(application: str, **options: Any) -> None:
            told.update(options, application=application)

        monkeypatch.setattr(serve.uvicorn, "run", start)
        monkeypatch.setattr(serve, "call_command", lambda *a, **k: told.setdefault(a[0], k))
        monkeypatch.setenv("SITE_URL", settings.SITE_URL)
        return told

    def test_it_prepares_and_serves(self, served: dict[str, Any]) -> None:
        output = run("serve")
        assert served["application"] == "config.asgi:application"
        assert (served["host"], served["port"]) == ("127.0.0.1", 8000)
        assert {"migrate", "collectstatic"} <= served.keys()
        assert "http://127.0.0.1:8000" in output

    def test_with_debug_on_static_files_need_no_preparing(
        self, served: dict[str, Any], settings: Any
    ) -> None:
        settings.DEBUG = True
        run("serve")
        assert "migrate" in served
        assert "collectstatic" not in served

    def test_it_serves_only_where_another_has_prepared(self, served: dict[str, Any]) -> None:
        run("serve", "--no-prepare", "--host", "0.0.0.0", "--port", "9000")
        assert (served["host"], served["port"]) == ("0.0.0.0", 9000)
        assert not {"migrate", "collectstatic"} & served.keys()

    def test_over_http_it_warns_once_and_over_https_not(
        self, served: dict[str, Any], settings: Any
    ) -> None:
        assert run("serve").count("Plain http") == 1
        settings.SITE_IS_SECURE = True
        assert "Plain http" not in run("serve")

    def test_sockets_are_small_pinged_and_uncompressed(self, served: dict[str, Any]) -> None:
        run("serve")
        assert served["ws_max_size"] <= 64 * 1024
        assert served["ws_per_message_deflate"] is False
        assert served["ws_ping_interval"] + served["ws_ping_timeout"] <= 35
        assert served["lifespan"] == "on"


class TestMakeHistory:
    def test_what_it_makes_can_be_replayed_and_stands_in_the_lists(self) -> None:
        before = Series.objects.count()
        output = run("make_history", "--series", "12", "--players", "3", "--here")
        assert output.startswith("12 series of ")
        assert Series.objects.count() == before + 12
        assert run("check_series").endswith("series checked, no difference.\n")
        seats = Seat.objects.filter(user__username__startswith="Made-")
        assert seats.filter(is_listed=True).exists()
        assert RatingChange.objects.filter(user__username__startswith="Made-").exists()

    def test_it_stops_after_so_many_rounds(self) -> None:
        run("make_history", "--rounds", "5", "--players", "2", "--here")
        assert Round.objects.filter(first_seat__user__username__startswith="Made-").count() >= 5

    def test_not_by_mistake(self) -> None:
        with pytest.raises(CommandError, match="made for it"):
            run("make_history")
