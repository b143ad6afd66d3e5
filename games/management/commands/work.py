"""`manage.py work`: plays the bots' turns, so that no web process has to."""

import asyncio
import signal
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.services.bot_loop import run_bots
from games.services.bot_turns import overdue_turns


class Command(BaseCommand):
    help = "Play the bots' turns as they come due (with BOT_WORKER=work), until stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="Only say whether somebody plays them; exit 1 where turns are left lying.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            self._check()
            return
        if settings.BOT_WORKER != "work":
            self.stderr.write("The web processes play the bots' turns too: BOT_WORKER is not work.")
        asyncio.run(self._work())

    def _check(self) -> None:
        overdue = overdue_turns()
        if overdue:
            raise CommandError(f"{overdue} turns of bots are overdue.")
        self.stdout.write("No bot keeps anybody waiting.")

    async def _work(self) -> None:
        bots = asyncio.create_task(run_bots())
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, bots.cancel)
        self.stdout.write("The bots are at their tables.")
        self.stdout.flush()
        await asyncio.wait([bots])
        if not bots.cancelled():
            bots.result()
