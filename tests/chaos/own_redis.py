"""A Redis of the test's own, which it may restart."""

import subprocess
import time
from contextlib import suppress
from pathlib import Path

import redis

from tests.site import free_port

START_WITHIN = 30.0  # seconds


class OwnRedis:
    """`redis-server` on a free port, with nothing kept on disk: a restart begins empty."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> "OwnRedis":
        arguments = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(
            ["redis-server", *arguments, "--dir", str(self.folder)], stdout=subprocess.DEVNULL
        )
        deadline = time.monotonic() + START_WITHIN
        while time.monotonic() < deadline:
            with suppress(redis.ConnectionError), self.client() as client:
                client.ping()
                return self
            time.sleep(0.05)
        raise AssertionError("redis-server does not start")

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)

    def subscribers(self, group: str) -> int:
        """How many processes would hear a message to this channel."""
        with self.client() as client:
            return int(client.pubsub_numsub(group)[0][1])

    def connections(self) -> int:
        """How many clients are connected, but for this one."""
        with self.client() as client:
            return len(client.client_list()) - 1
