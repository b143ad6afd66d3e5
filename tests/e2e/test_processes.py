"""Processes that start, stop and die."""

import asyncio
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
import websockets
from websockets import Origin

from tests.live import Come, StartSite
from tests.players import Player, choose_form
from tests.site import ROOT, ServerProcess, Site, free_port, in_db
from tests.tables import new_table
from tests.truth import until_true

GOING_DOWN = 1012
GONE = 4404


async def test_r12_a_process_told_to_stop_closes_its_sockets_so_that_pages_come_back(
    start_site: StartSite, come: Come
) -> None:
    site = await asyncio.to_thread(start_site)
    table = await in_db(new_table)
    viewers = [await come(site, table.series, user) for user in (*table.users, None)]
    for viewer in viewers:
        await viewer.until_version(1)
    await asyncio.to_thread(site.stop)
    assert [await viewer.socket.until_closed() for viewer in viewers] == [GOING_DOWN] * 3
    assert site.errors() == []
    await asyncio.to_thread(site.servers[0].restart)
    for viewer in viewers:
        await viewer.return_to_the_next()
        await until_true(viewer)


async def test_fault_67_nothing_is_older_after_a_crash_than_what_was_shown(
    start_site: StartSite, come: Come
) -> None:
    site = await asyncio.to_thread(start_site)
    table = await in_db(new_table)
    players = [await come(site, table.series, user) for user in table.users]
    for player in players:
        await player.until_version(1)
    for _ in range(40):
        assert await answered_action(players) == "done"
    await asyncio.to_thread(site.servers[0].kill)
    shown = max(player.page.version for player in players)
    await asyncio.to_thread(site.servers[0].restart)
    assert (await in_db(lambda: table.row)).version == shown
    for player in players:
        await player.return_to_the_next()
        await player.until_version(shown)
        await until_true(player)


async def answered_action(players: list[Player]) -> str:
    """Let whoever has something to do, once both pages are up to date, do it."""
    for player in players:
        await player.until_version(max(each.page.version for each in players))
    offers = [(each, choose_form(each.page, each.chance)) for each in players]
    player, form = next((player, form) for player, form in offers if form is not None)
    return await player.submit(form.fields)


@pytest.mark.postgres
def test_fault_98_two_processes_without_redis_refuse_to_start(db: None, tmp_path: Path) -> None:
    environment = Site(tmp_path, 2).servers[0].environment | {"REDIS_URL": ""}
    refused = serve(environment)
    assert refused.returncode != 0
    assert "config.E001" in refused.stderr


def test_fault_98_two_processes_on_sqlite_refuse_to_start(db: None, tmp_path: Path) -> None:
    environment = Site(tmp_path, 2).servers[0].environment | {
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
    }
    refused = serve(environment)
    assert refused.returncode != 0
    assert "config.E002" in refused.stderr


def test_the_first_command_brings_up_a_whole_site_from_nothing(tmp_path: Path) -> None:
    """The page, its hashed files, the table's socket: with no setting, and no database yet."""
    server = ServerProcess(free_port(), bare_environment(tmp_path), log=tmp_path / "log")
    command = [sys.executable, "dev.py", "run", f"--port={server.port}"]
    with (tmp_path / "log").open("wb") as log:
        server.process = subprocess.Popen(
            command, cwd=ROOT, env=server.environment, stdout=log, stderr=log
        )
    try:
        server.wait_until_ready()
        page = fetch(f"{server.origin}/")
        styles = re.findall(r' href="(/static/[^"]+\.[0-9a-f]{8,}\.css)"', page)
        assert "--felt" in "".join(fetch(server.origin + path) for path in styles)
        assert asyncio.run(close_code_of(server, "/ws/series/none/")) == GONE
        assert server.origin in server.read_log(), "it prints its address"
        assert (tmp_path / "data" / "db.sqlite3").exists()
    finally:
        server.stop()


async def close_code_of(server: ServerProcess, path: str) -> int | None:
    """How the server ends a socket that leads nowhere."""
    address, origin = server.socket_origin + path, Origin(server.origin)
    async with websockets.connect(address, origin=origin) as line:
        await line.wait_closed()
        return line.close_code


def bare_environment(folder: Path) -> dict[str, str]:
    """That of somebody who has just cloned it, but for where the data go."""
    kept = ("HOME", "PATH", "PYENV_ROOT", "LANG")
    bare = {name: os.environ[name] for name in kept if name in os.environ}
    return bare | {"DATA_DIR": str(folder / "data"), "PYTHONUNBUFFERED": "1"}


def fetch(address: str) -> str:
    with urllib.request.urlopen(address, timeout=20) as answer:
        return str(answer.read().decode())


def serve(environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "manage.py", "serve", "--no-prepare", "--port=0"]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
