"""`manage.py arena A B`: measure how strong one bot is against another."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.arena.contest import Contest, OtherContest, run
from games.arena.match import Clock, Tally
from games.arena.report import Report, report
from games.bots import bot_named
from games.rules.options import PRESETS, Options

_WIDTH = 30


class Command(BaseCommand):
    help = "Let two bots play whole series on mirrored deals, and say who is how much stronger."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bots", nargs=2, metavar="BOT", help="beginner … expert, simple, eaai")
        parser.add_argument(
            "--series",
            type=int,
            default=100,
            help="mirrored series: each is played from both seats",
        )
        parser.add_argument("--preset", choices=PRESETS, default="hollywood", help="the rules")
        parser.add_argument("--target", type=int, help="the points that end a game")
        parser.add_argument("--seed", type=int, default=1, help="the same seed, the same series")
        parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
        parser.add_argument("--out", type=Path, help="keep each pair here, and go on from there")

    def handle(self, *args: Any, **options: Any) -> None:
        contest = _contest(options)
        if options["series"] < 1 or options["jobs"] < 1:
            raise CommandError("Series and jobs are numbers from 1.")
        tallies: dict[int, Tally] = {}
        try:
            for number, tally in run(contest, options["series"], options["jobs"], options["out"]):
                tallies[number] = tally
                self._show(len(tallies), options["series"])
        except OtherContest as error:
            raise CommandError(str(error)) from error
        finally:
            self.stderr.write("", ending="\n" if self.stderr.isatty() else "")
        self._print(contest, report([tallies[number] for number in sorted(tallies)]))

    def _show(self, done: int, series: int) -> None:
        if self.stderr.isatty():
            bar = "█" * (_WIDTH * done // series)
            self.stderr.write(f"\r{bar:░<{_WIDTH}} {done} of {series}", ending="")
            self.stderr.flush()

    def _print(self, contest: Contest, found: Report) -> None:
        one, other = contest.bots
        won, points = found.wins, found.points
        series = f"{found.pairs} mirrored series, {found.rounds} rounds"
        self.stdout.write(f"{one} against {other}, {contest.options.preset}: {series}")
        self.stdout.write(f"won: {100 * won.mean:.1f} % ± {100 * won.margin:.1f}")
        self.stdout.write(f"points a round: {points.mean:+.2f} ± {points.margin:.2f}")
        for name, clock in zip(contest.bots, found.clocks, strict=True):
            self.stdout.write(f"{name}: {_times(clock)}")


def _contest(options: dict[str, Any]) -> Contest:
    mapping = {"preset": options["preset"]}
    if options["target"] is not None:
        mapping["target"] = options["target"]
    one, other = options["bots"]
    try:
        for name in (one, other):
            bot_named(name)
        return Contest((one, other), Options.from_mapping(mapping), options["seed"])
    except ValueError as error:
        raise CommandError(str(error)) from error


def _times(clock: Clock) -> str:
    mean = 1000 * clock.total / max(1, clock.decisions)
    return f"{mean:.2f} ms a decision, at worst {1000 * clock.worst:.0f} ms"
