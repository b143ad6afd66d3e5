"""`python -m tests.load`: tables played at a fixed rate against a real server.

    python -m tests.load --tables 100 --rate 0.5 --seconds 30 --door socket
    python -m tests.load --tables 10 --flood frames

It makes a database of its own under DATA_DIR (SQLite), or uses DATABASE_URL and REDIS_URL, which
must be meant for this: it fills them. It prints the time from a click to the other screen, actions
a second, and CPU an action beside that of a bare consumer, measured before and after. Figures are
good as ratios within a run; docs/performance.md keeps them. With --flood somebody floods the first
process in the second half of the time (promise S6), and it prints by how much the others' answers
are slower than in the first half.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import django
import psutil

_FORM: Final = re.compile(r'<form[^>]*data-action="([a-z-]+)"[^>]*>(.*?)</form>', re.DOTALL)
_FIELD: Final = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')
_REGION: Final = re.compile(r'<(\w+)[^>]*\bid="([\w-]+)" data-version="(\d+)"')
_VERSION: Final = re.compile(r'id="pulse"[^>]*data-version="(\d+)"')
MOVES: Final = ("pass", "draw", "discard", "next-round", "defend")


@dataclass
class Measure:
    """What a run found: milliseconds from click to the other screen, and refusals."""

    latencies: list[float] = field(default_factory=list)
    clicked_at: list[float] = field(default_factory=list)
    refused: int = 0
    cpu: float = 0.0  # seconds of the web processes
    middle: float = 0.0  # when a flood began

    def percentile(self, share: float) -> float:
        return percentile(self.latencies, share)

    def halves(self) -> tuple[list[float], list[float]]:
        """The latencies of what was clicked before the flood began, and after."""
        clicks = list(zip(self.clicked_at, self.latencies, strict=True))
        before = [latency for clicked, latency in clicks if clicked < self.middle]
        return before, [latency for clicked, latency in clicks if clicked >= self.middle]


def percentile(latencies: list[float], share: float) -> float:
    """In milliseconds; `share` of them are shorter."""
    ordered = sorted(latencies)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000


@dataclass
class Screen:
    """One player's page: its socket, the newest version it was told, and its forms."""

    socket: Any
    poster: Any
    path: str
    version: int = 0
    forms: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    by_region: dict[str, list[tuple[str, dict[str, str]]]] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    told_at: float = 0.0
    reader: asyncio.Task[None] | None = None

    async def read(self) -> None:
        async for text in self.socket:
            if text == "ping":
                await self.socket.send('{"pong": 1}')
            else:
                self.take(text)

    async def send(self, fields: dict[str, str]) -> None:
        await self.socket.send(json.dumps(fields))

    def take(self, text: str) -> None:
        self.told_at = time.perf_counter()
        found = list(_REGION.finditer(text))
        for this, following in zip_longest(found, found[1:]):
            part = text[this.start() : following.start() if following else len(text)]
            self.by_region[this[2]] = [
                (form[1], dict(_FIELD.findall(form[2]))) for form in _FORM.finditer(part)
            ]
        if version := _VERSION.search(text):
            self.version = max(self.version, int(version[1]))
        self.changed.set()

    def choose(self, chance: random.Random) -> dict[str, str] | None:
        offered = [form for forms in self.by_region.values() for form in forms]
        for move in MOVES:
            if fitting := [fields for action, fields in offered if action == move]:
                return chance.choice(fitting)
        return None

    async def until(self, version: int) -> None:
        async with asyncio.timeout(30):
            while self.version < version:
                self.changed.clear()
                await self.changed.wait()


async def play(
    screens: list[Screen], door: str, rate: float, until: float, measure: Measure, seed: int
) -> None:
    """Play one table: whoever has something to do does it, `rate` times a second."""
    chance = random.Random(seed)
    await asyncio.sleep(chance.random() / rate)
    while time.perf_counter() < until:
        started = time.perf_counter()
        for mine, other in (screens, screens[::-1]):
            fields = mine.choose(chance)
            if fields is not None:
                await act(mine, other, door, fields, measure)
                break
        await asyncio.sleep(max(0.0, started + 1 / rate - time.perf_counter()))


async def act(
    mine: Screen, other: Screen, door: str, fields: dict[str, str], measure: Measure
) -> None:
    before, clicked = other.version, time.perf_counter()
    if door == "socket":
        await mine.send(fields)
    else:
        status, text = await mine.poster.post(mine.path, fields)
        measure.refused += status != 200
        mine.take(text)
    if fields["action"] == "next-round":
        # The first press moves no version; it is no measured action.
        await asyncio.sleep(0.2)
        return
    await other.until(before + 1)
    measure.latencies.append(other.told_at - clicked)
    measure.clicked_at.append(clicked)
    await mine.until(other.version)


async def open_screen(server: Any, table: Any, user_cookie: str, csrf: str) -> Screen:
    import websockets

    from tests.load.http import Poster

    path = table.get_absolute_url()
    connection = await websockets.connect(
        f"ws://127.0.0.1:{server.port}/ws{path}",
        origin=server.origin,
        additional_headers={"Cookie": user_cookie},
        compression=None,
    )
    screen = Screen(connection, Poster(server.port, user_cookie, csrf), path)
    screen.reader = asyncio.create_task(screen.read())
    await connection.send('{"hello": 0, "stamp": ""}')
    await screen.until(1)
    return screen


async def load(
    site: Any, tables: list[tuple[Any, list[str]]], options: argparse.Namespace
) -> Measure:
    """Open two screens a table, play for the time asked, close them."""
    measure = Measure()
    screens = []
    for number, (series, cookies) in enumerate(tables):
        servers = [site.servers[(number + seat) % len(site.servers)] for seat in (0, 1)]
        screens.append(
            [
                await open_screen(server, series, cookie, "c" * 32)
                for server, cookie in zip(servers, cookies, strict=True)
            ]
        )
    started = time.perf_counter()
    until = started + options.seconds
    measure.middle = (started + until) / 2
    cpu = site_cpu(site)
    flood = Flood(site.servers[0], tables[0][0].get_absolute_url(), options)
    await asyncio.gather(
        flood.run(options.seconds / 2),
        *(
            play(pair, options.door, options.rate, until, measure, seed)
            for seed, pair in enumerate(screens)
        ),
    )
    measure.cpu = site_cpu(site) - cpu
    for screen in (each for pair in screens for each in pair):
        await screen.socket.close()
    return measure


class Flood:
    """Another process floods the first server in the second half of the time."""

    def __init__(self, server: Any, path: str, options: argparse.Namespace) -> None:
        command = (sys.executable, "-m", "tests.load.flood", options.flood or "")
        numbers = (f"--port={server.port}", f"--path={path}", f"--seconds={options.seconds / 2}")
        self.command = (*command, *numbers) if options.flood else ()

    async def run(self, after: float) -> None:
        if self.command:
            await asyncio.sleep(after)
            await (await asyncio.create_subprocess_exec(*self.command)).wait()


def site_cpu(site: Any) -> float:
    """Seconds of CPU that the web processes have used."""
    return sum(cpu_seconds(server.process.pid) for server in site.servers)


def cpu_seconds(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


async def bare_cpu(port: int, pid: int, options: argparse.Namespace) -> float:
    """CPU seconds a message of the bare consumer, with as many sockets at the same pace."""
    import websockets

    spent = 0

    async def talk(speaks: bool) -> None:
        nonlocal spent
        async with websockets.connect(f"ws://127.0.0.1:{port}/", compression=None) as socket:
            await asyncio.sleep(random.random() / options.rate)
            until = time.perf_counter() + options.seconds
            while time.perf_counter() < until:
                if speaks:
                    await socket.send('{"action": "draw", "round": "1", "ply": "3", "key": "k"}')
                    await socket.recv()
                    spent += 1
                await asyncio.sleep(1 / options.rate)

    before = cpu_seconds(pid)
    await asyncio.gather(*(talk(n % 2 == 0) for n in range(2 * options.tables)))
    return (cpu_seconds(pid) - before) / spent


def measure_bare(options: argparse.Namespace) -> float:
    """Run the bare consumer as the site is run, and stop it."""
    from tests.site import ROOT, free_port

    port = free_port()
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "uvicorn", "tests.load.bare:application", f"--port={port}"),
            *("--log-level=warning", "--lifespan=off", "--ws-per-message-deflate=false"),
        ],
        cwd=ROOT,
    )
    try:
        wait_for_port(port)
        return asyncio.run(bare_cpu(port, process.pid, options))
    finally:
        process.terminate()
        process.wait(10)


def wait_for_port(port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise SystemExit(f"nothing listens on {port}")


def make_tables(count: int) -> list[tuple[Any, list[str]]]:
    from tests.site import log_in
    from tests.tables import new_table

    tables = [new_table() for _ in range(count)]
    return [(table.series, [log_in(user) for user in table.users]) for table in tables]


def report(options: argparse.Namespace, measure: Measure, bare: float) -> str:
    actions = len(measure.latencies)
    each = measure.cpu / max(1, actions)
    return (
        f"{options.tables} tables, {options.door}, {options.database}, "
        f"{options.processes} process(es): {actions} actions, "
        f"{actions / options.seconds:.1f}/s, refused {measure.refused}; click to other screen "
        f"p50 {measure.percentile(0.5):.1f} p95 {measure.percentile(0.95):.1f} "
        f"p99 {measure.percentile(0.99):.1f} ms; CPU an action {each * 1e3:.2f} ms, "
        f"bare consumer {bare * 1e3:.2f} ms, ratio {each / bare:.1f}"
    )


def flood_report(quiet: list[float], flooded: list[float]) -> str:
    shares = (0.5, 0.95)
    return "; ".join(
        f"p{share * 100:.0f} {percentile(quiet, share):.1f} ms, in the flood "
        f"{percentile(flooded, share):.1f} ms, "
        f"{percentile(flooded, share) / percentile(quiet, share):.2f} times"
        for share in shares
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rate", type=float, default=1.0, help="actions a second and table")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--door", choices=("socket", "post"), default="socket")
    parser.add_argument("--flood", choices=("frames", "handshakes"))
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATA_DIR", folder)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from tests.site import Site

        options.database = connection.vendor
        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        tables = make_tables(options.tables)
        before = measure_bare(options)
        # All players come from one address; in a flood its limit is what is measured.
        handshakes = "300" if options.flood else "100000"
        site = Site(Path(os.environ["DATA_DIR"]), options.processes, HANDSHAKES=handshakes)
        for server in site.servers:
            server.environment["DEBUG"] = "0"
        try:
            site.start()
            measure = asyncio.run(load(site, tables, options))
        finally:
            site.stop()
        bare = (before + measure_bare(options)) / 2
    print(report(options, measure, bare))
    if options.flood:
        print(flood_report(*measure.halves()))


if __name__ == "__main__":
    main()
