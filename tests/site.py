"""The site as real processes: `manage.py serve` on free ports, over the tests' own database."""

import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection

from accounts.models import User

ROOT = Path(__file__).parent.parent
START_WITHIN = 60.0  # seconds, on a busy machine
APPLICATION_NAME = "gin-under-test"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class ServerProcess:
    """One web process."""

    port: int
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    log: Path | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_origin(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None, "not started"
        return self.process.pid

    def start(self, log: Path) -> None:
        self.log = log
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--no-prepare", f"--port={self.port}"],
                cwd=ROOT,
                env=self.environment,
                stdout=output,
                stderr=output,
            )

    def wait_until_ready(self) -> None:
        assert self.process is not None, "not started"
        deadline = time.monotonic() + START_WITHIN
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.read_log()
            with suppress(OSError):
                if urllib.request.urlopen(f"{self.origin}/readyz", timeout=2).status == 200:
                    return
            time.sleep(0.05)
        raise AssertionError(f"not ready in time: {self.read_log()}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise

    def kill(self) -> None:
        """As a crash of the machine would end it: nothing is finished, nobody is told."""
        self.stop(signal.SIGKILL)

    def restart(self) -> None:
        assert self.log is not None, "not started"
        self.start(self.log)
        self.wait_until_ready()

    def read_log(self) -> str:
        return self.log.read_text() if self.log is not None else ""


def server_environment(ports: list[int], data_dir: Path) -> dict[str, str]:
    """The settings of the servers: those of this test process, and their own addresses."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        url = f"sqlite:///{database['NAME']}"
    else:
        user, host = database["USER"] or "postgres", database["HOST"] or "127.0.0.1"
        password = f":{database['PASSWORD']}" if database["PASSWORD"] else ""
        url = f"postgres://{user}{password}@{host}:{database['PORT'] or 5432}/{database['NAME']}"
    return {
        **os.environ,
        "DATABASE_URL": url,
        "DATA_DIR": str(data_dir),
        "SECRET_KEY": settings.SECRET_KEY,
        "DEBUG": "1",
        "SITE_URL": f"http://127.0.0.1:{ports[0]}",
        "SITE_HOSTS": ",".join(f"127.0.0.1:{port}" for port in ports),
        "WEB_PROCESSES": str(len(ports)),
        # Two runs at once share a Redis, and their series have the same numbers.
        "REDIS_PREFIX": f"test-{secrets.token_hex(4)}",
        # Tells the servers' connections from those of the tests.
        "PGAPPNAME": APPLICATION_NAME,
        "PYTHONWARNINGS": "default",
        "PYTHONUNBUFFERED": "1",
    }


class Site:
    """Some web processes over one database; `settings` are variables of their environment."""

    def __init__(self, data_dir: Path, processes: int = 1, **settings: str) -> None:
        ports = [free_port() for _ in range(processes)]
        environment = server_environment(ports, data_dir) | settings
        self.data_dir = data_dir
        self.servers = [ServerProcess(port, environment) for port in ports]

    @property
    def prefix(self) -> str:
        """What the names of this site's channels in Redis begin with."""
        return self.servers[0].environment["REDIS_PREFIX"]

    def start(self) -> "Site":
        try:
            for number, server in enumerate(self.servers):
                server.start(self.data_dir / f"server{number}.log")
            for server in self.servers:
                server.wait_until_ready()
        except BaseException:
            self.stop(signal.SIGKILL)
            raise
        return self

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        for server in self.servers:
            server.stop(how)

    def logs(self) -> str:
        return "\n".join(server.read_log() for server in self.servers)

    def errors(self) -> list[str]:
        """Lines of the logs that nobody should ever see: errors, tracebacks, forgotten awaits."""
        return [line for line in self.logs().splitlines() if _ERROR.search(line)]


_ERROR = re.compile(r" (ERROR|CRITICAL) |^Traceback|never awaited|Error: ")


async def in_db[**P, T](function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that uses the database, from an async test."""
    return await database_sync_to_async(function)(*args, **kwargs)


def log_in(user: User) -> str:
    """A session for a user, as its cookie's value; the same as logging in, without the hashing."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"
