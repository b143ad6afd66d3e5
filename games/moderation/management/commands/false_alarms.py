"""`manage.py false_alarms`: how often the signs are wrong about honest play."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.moderation.false_alarms import honest_play, most_likely, signs_of
from games.rules.options import PRESETS


class Command(BaseCommand):
    help = "Let bots play whole series as honest players, and count which signs they set off."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--series", type=int, default=100)
        parser.add_argument("--preset", choices=PRESETS, default="hollywood", help="the rules")
        parser.add_argument("--seed", type=int, default=1, help="the same seed, the same series")

    def handle(self, *args: Any, **options: Any) -> None:
        count = options["series"]
        if count < 1:
            raise CommandError("Series are a number from 1.")
        alarms: Counter[str] = Counter()
        for one, other in honest_play(count, PRESETS[options["preset"]], options["seed"]):
            for name, _is_set in signs_of(one.figures).items():
                alarms[name] += _is_set or signs_of(other.figures)[name]
        for name, hits in sorted(alarms.items()):
            most = most_likely(hits, count)
            self.stdout.write(f"{name:8} {hits} of {count} series; at most {most:.5f} of them")
