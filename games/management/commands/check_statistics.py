"""`manage.py check_statistics`: count everything anew and name every difference, or repair it."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from games.models import Tally
from games.selectors.audit import tally_differences
from games.services.counting import recount_all


class Command(BaseCommand):
    help = "Count all series anew from their logs; exit 1 if a tally differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--repair",
            action="store_true",
            help="make all tallies anew; the ends of series wait meanwhile",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["repair"]:
            with _nothing_ends():
                count = recount_all()
            self.stdout.write(f"{count} tallies made anew.")
            return
        with _one_moment():
            found = list(tally_differences())
            count = Tally.objects.count()
        for difference in found:
            self.stdout.write(difference)
        if found:
            raise CommandError(f"{len(found)} differences; --repair makes all tallies anew.")
        self.stdout.write(f"{count} tallies checked, no difference.")


@contextmanager
def _one_moment() -> Iterator[None]:
    """See everything as it was at one moment; on SQLite a series that ends meanwhile may differ."""
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


@contextmanager
def _nothing_ends() -> Iterator[None]:
    """Let no series be counted by others until all is done. SQLite lets one writer in anyhow."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {Tally._meta.db_table} IN EXCLUSIVE MODE")
        yield
