"""`manage.py serve`: the site on one address: database brought up to date, then uvicorn."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection

LARGEST_FRAME = 16 * 1024  # bytes; an action has a few hundred
DEFAULT_PORT = 8000  # as the setting SITE_URL has it

PLAIN_HTTP = (
    "Plain http: fine in your own network. On the internet passwords and cards would travel "
    "readable; put the site behind https there and set SITE_URL (docs/operations.md)."
)


@contextmanager
def patience() -> Iterator[None]:
    """Give statements the time that they take; only who plays must hear "busy" soon."""
    if connection.vendor != "postgresql":
        yield
        return
    limits = ("lock_timeout", "statement_timeout")
    with connection.cursor() as cursor:
        for limit in limits:
            cursor.execute(f"SET {limit} = 0")
    yield
    with connection.cursor() as cursor:
        for limit in limits:
            cursor.execute(f"RESET {limit}")


class Command(BaseCommand):
    help = "Bring the database and the static files up to date, then serve the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=DEFAULT_PORT)
        parser.add_argument(
            "--no-prepare",
            action="store_true",
            help="Serve only; with several processes a step before them prepares.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if "SITE_URL" not in os.environ and options["port"] != DEFAULT_PORT:
            # Pages would come, and no socket: the settings were read for another address.
            os.environ["SITE_URL"] = f"http://127.0.0.1:{options['port']}"
            os.execv(sys.executable, sys.orig_argv)  # noqa: S606 (itself, as it was called)
        if not options["no_prepare"]:
            with patience():
                call_command("migrate", verbosity=0, interactive=False)
            if not settings.DEBUG:
                call_command("collectstatic", verbosity=0, interactive=False)
        if not settings.SITE_IS_SECURE:
            self.stderr.write(PLAIN_HTTP)
        self.stdout.write(f"Hollywood Gin is at {settings.SITE_URL}")
        uvicorn.run(
            "config.asgi:application",
            host=options["host"],
            port=options["port"],
            lifespan="on",
            log_level="warning",
            # A proxy in front says which scheme and address a visitor came with.
            proxy_headers=True,
            ws_max_size=LARGEST_FRAME,
            # Compressed in one stream, a hand and text of the other side could betray each other.
            ws_per_message_deflate=False,
            ws_ping_interval=15,
            ws_ping_timeout=15,
            timeout_graceful_shutdown=5,
        )
