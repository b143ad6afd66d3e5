"""`manage.py make_history`: fill a database with series that were played, to measure with."""

import random
from argparse import ArgumentParser
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.models import User
from games.management.made_history import make_history

NAME: Final = "Made-{}"


class Command(BaseCommand):
    help = "Fill a database with players and finished series that can be replayed, to measure with."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--series", type=int, default=1000)
        parser.add_argument("--rounds", type=int, help="stop after so many rounds instead")
        parser.add_argument("--players", type=int, default=200)
        parser.add_argument("--seed", type=int, default=1, help="of who plays what, not of deals")
        parser.add_argument(
            "--here", action="store_true", help="without DEBUG: yes, this database is made for it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not (settings.DEBUG or options["here"]):
            raise CommandError("Only with DEBUG, or with --here in a database made for it.")
        if options["players"] < 2:
            raise CommandError("Two players at least.")
        chance = random.Random(options["seed"])  # noqa: S311 (who plays what; no card)
        users = [_user(number) for number in range(options["players"])]
        count = options["series"] if options["rounds"] is None else options["rounds"]
        series = rounds = 0
        for batch in make_history(users, count, chance=chance, end=timezone.now()):
            series += len(batch)
            rounds += sum(len(made.rounds) for made in batch)
            if options["rounds"] is not None and rounds >= options["rounds"]:
                break
        self.stdout.write(f"{series} series of {rounds} rounds, by {len(users)} players.")


def _user(number: int) -> User:
    return User.objects.get_or_create(username=NAME.format(number))[0]
