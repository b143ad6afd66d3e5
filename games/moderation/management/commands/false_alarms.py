"""`manage.py false_alarms`: how often the signs are wrong about honest people."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from games.moderation.false_alarms import Count, absence, neighbours, play, talk
from games.rules.options import PRESETS, Options

type Line = tuple[str, Count]


class Command(BaseCommand):
    help = "Simulate honest people, and count which signs they set off."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="*", choices=[*KINDS, []], help="all of them, if none")
        parser.add_argument("--series", type=int, default=100, help="that bots play")
        parser.add_argument("--preset", choices=PRESETS, default="hollywood", help="the rules")
        parser.add_argument("--seed", type=int, default=1, help="the same seed, the same people")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["series"] < 1:
            raise CommandError("Series are a number from 1.")
        for name in options["what"] or KINDS:
            for words, count in KINDS[name](options):
                self.stdout.write(
                    f"{words}: {count.hits} of {count.tries}, {count.rate:.4%}; "
                    f"at most {count.at_most:.4%}"
                )


def _play(options: dict[str, Any]) -> Iterator[Line]:
    rules: Options = PRESETS[options["preset"]]
    for name, count in play.alarms(options["series"], rules, options["seed"]).items():
        yield f"{name}, series of bots", count


def _talk(options: dict[str, Any]) -> Iterator[Line]:
    yield "words, honest lines", talk.wrong_words()
    for a_minute in (1, 2, 3, 4):
        count = talk.floods(a_minute, 100_000, options["seed"])
        yield f"flood, hours with {a_minute} lines a minute", count


def _neighbours(options: dict[str, Any]) -> Iterator[Line]:
    for accounts in (1_000, 10_000):
        shown, pairs = neighbours.related_strangers(accounts, options["seed"])
        yield f"related, of {accounts} accounts shown a stranger", shown
        yield f"related, rated series of strangers among {accounts}", pairs


def _absence(options: dict[str, Any]) -> Iterator[Line]:
    seed = options["seed"]
    for called_away in (0.02, 0.05):
        to_one, to_many = absence.given(called_away, 20, 100_000, seed)
        yield f"given, months of 20 series with one friend, {called_away:.0%} called away", to_one
        yield f"sandbag, months of 20 series, {called_away:.0%} called away", to_many
        count = absence.left(called_away, 200_000, seed)
        yield f"leaving, series of somebody who leaves {called_away:.0%}", count
    for lost in (0.01, 0.05):
        count = absence.withheld(lost, 14, 100_000, seed)
        yield f"withheld, series of 14 deals, {lost:.0%} of the parts lost", count


KINDS: Final[dict[str, Callable[[dict[str, Any]], Iterator[Line]]]] = {
    "play": _play,
    "talk": _talk,
    "neighbours": _neighbours,
    "absence": _absence,
}
