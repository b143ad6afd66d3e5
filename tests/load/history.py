"""`python -m tests.load.history`: what looking back costs as the database grows.

    DATABASE_URL=postgres://… python -m tests.load.history --rounds 10000 --copies 99

It uses a PostgreSQL database made for this: it fills it with series that were really played
(`manage.py make_history`) and their tallies, asks for each page so often, copies all of them by SQL
so many times, further and further back, and asks again. A copy is as large as its original, but
can't be replayed (the deck depends on the address), so that pages of one series are those of an
original. Series are copied to the same players, whose lists grow; the players themselves are copied
with their ratings and tallies, so that there are as many more of those to look through. With
`--copies 0` all that is measured was played: to see that copies change nothing. Printed are
milliseconds of CPU, of the site and of the database, which other work on the machine changes less
than the time by the clock; and the ratio.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import django
import psutil

if TYPE_CHECKING:
    from django.db.models import Model

SPAN: Final = 10_000_000  # between the ids of a copy and those of the next


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load.history")
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--copies", type=int, default=99)
    parser.add_argument("--times", type=int, default=40)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATA_DIR", folder)
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        os.environ["SITE_URL"] = "http://testserver"
        django.setup()
        _fill(chosen.rounds)
        found = [_measured(chosen.times)]
        if chosen.copies:
            _copy_series(chosen.copies)
            _copy_players(chosen.copies)
            found.append(_measured(chosen.times))
    _print(found)


def _fill(rounds: int) -> None:
    from django.core.management import call_command

    from games.models import Round

    call_command("migrate", verbosity=0)
    if (missing := rounds - Round.objects.count()) > 0:
        call_command("make_history", rounds=missing, here=True)
        call_command("check_statistics", repair=True)


def _copy_series(copies: int) -> None:
    """Copy all series so many times, each copy some days before the one that was made last."""
    from games.models import RatingChange, Round, Seat, Series, SheetEntry

    earlier = ("created_at", "started_at", "ended_at", "dealt_at", "joined_at", "rated_at")
    moved = ("id", "series_id", "round_id", "first_seat_id", "second_seat_id")
    for number in range(1, copies + 1):
        other = {
            **{name: f"{name} + {number * SPAN}" for name in moved},
            **{name: f"{name} - interval '{3 * number} days'" for name in earlier},
            "slug": f"left(md5(id || '-{number}'), 12)",
            "rematch_id": "NULL",
        }
        for model in (Series, Seat, Round, SheetEntry, RatingChange):
            _copy(model, other)


def _copy_players(copies: int) -> None:
    """Copy all players so many times, with their ratings and tallies."""
    from accounts.models import User
    from games.models import Rating, Tally

    for number in range(1, copies + 1):
        moved = ("id", "user_id", "opponent_id")
        other = {name: f"{name} + {number * SPAN}" for name in moved}
        other["username"] = f"username || '-{number}'"
        _copy(User, other)
        _copy(Rating, other)
        _copy(Tally, other, "user_id IS NOT NULL")


def _copy(model: type["Model"], other: Mapping[str, str], which: str = "TRUE") -> None:
    """Copy the originals among the rows of a table, some columns changed."""
    from django.db import connection

    names = [field.column for field in model._meta.concrete_fields]
    columns = ", ".join(f'"{name}"' for name in names)
    values = ", ".join(other.get(name, f'"{name}"') for name in names)
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(
            f"INSERT INTO {table} ({columns}) SELECT {values} FROM {table} "
            f"WHERE id < {SPAN} AND {which}"
        )


def _measured(times: int) -> dict[str, float]:
    from django.db import connection
    from django.test.utils import override_settings

    from games.models import Rating, Round, Series, Tally

    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("VACUUM ANALYZE")
    rounds = Round.objects.count()
    people = f"{Rating.objects.count()} ratings, {Tally.objects.count()} tallies"
    print(f"{rounds} rounds, {Series.objects.count()} series, {people}")
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(STORAGES={"staticfiles": plain}, SERVESTATIC_AUTOREFRESH=True):
        found = {name: _cost(ask, times) for name, ask in _questions().items()}
    return {"rounds": rounds, **found}


def _questions() -> dict[str, Callable[[], object]]:
    """What is asked, of the player who has finished most series."""
    from django.db.models import Count
    from django.test import Client
    from django.urls import reverse

    from games.models import Seat
    from games.selectors.history import PAGE, Cursor, Picks, history, history_page

    seats = Seat.objects.filter(ended_at__isnull=False)
    busiest = seats.values("user", "user__username").annotate(n=Count("pk")).order_by("-n")[0]
    user, name, length = busiest["user"], busiest["user__username"], busiest["n"]
    own = history(user, Picks(), is_own=False)
    middle = own[length // 2]
    rival = middle.opponent
    assert rival is not None
    assert middle.ended_at is not None
    far = Cursor.at(middle)
    original = own.filter(series__lt=SPAN)[0].series
    print(f"The busiest player has finished {length} series.")
    client = Client()
    path = reverse("history", args=[name])

    def get(address: str) -> Callable[[], object]:
        def ask() -> None:
            assert client.get(address).status_code == 200, address

        return ask

    questions: dict[str, Callable[[], object]] = {
        "list, first page": get(path),
        "list, in the middle": get(f"{path}?before={far}"),
        "list, one opponent": get(f"{path}?opponent={rival.username}"),
        "list, shared ones": get(f"{path}?result=shared"),
        "list, rated losses": get(f"{path}?result=lost&rated=yes"),
        "list, one month": get(f"{path}?period={middle.ended_at:%Y-%m}"),
        "open a series": get(original.get_absolute_url()),
        "its rounds": get(reverse("series_rounds", args=[original.slug])),
        "statistics of a player": get(reverse("statistics", args=[name])),
        "of two against each other": get(reverse("against", args=[name, rival.username])),
        "of the site": get(reverse("site_statistics")),
        "leaderboard": get(reverse("players")),
    }
    questions["rows of a page in the middle, by cursor"] = lambda: history_page(
        user, Picks(), far, is_own=False
    )
    questions["the same rows by OFFSET"] = lambda: list(own[length // 2 : length // 2 + PAGE])
    return questions


def _cost(ask: Callable[[], object], times: int) -> float:
    ask()
    before = _cpu()
    for _ in range(times):
        ask()
    return (_cpu() - before) * 1000 / times


def _cpu() -> float:
    """Seconds of CPU that this process and the database's have used for it so far."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        processes = [psutil.Process(pid) for (pid,) in cursor.fetchall()]
    database = [process.cpu_times() for process in processes]
    return time.process_time() + sum(each.user + each.system for each in database)


def _print(found: list[dict[str, float]]) -> None:
    print("\n| ms of CPU | " + " | ".join(f"{each['rounds']:,} rounds" for each in found), end="")
    print(" | ratio |\n| --- |" + " --- |" * (len(found) + 1))
    for name in list(found[0])[1:]:
        costs = [each[name] for each in found]
        shown = " | ".join(f"{cost:.1f}" for cost in costs)
        print(f"| {name} | {shown} | {costs[-1] / costs[0]:.2f} |")


if __name__ == "__main__":
    main()
