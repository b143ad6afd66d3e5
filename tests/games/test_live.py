"""The bell: what it says, and that nobody waits for a layer that is away."""

import asyncio
import threading
from typing import Any

import pytest
import redis
from channels.layers import get_channel_layer
from django.conf import settings

from games import live
from games.live import Stamp


class Frozen:
    """A channel layer whose server does not answer."""

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await asyncio.Event().wait()


class Away:
    """A channel layer whose server is gone."""

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        raise ConnectionError("redis://:a-password@host does not answer")


@pytest.mark.parametrize("layer", [Frozen, Away])
async def test_r13_a_layer_that_is_away_is_no_error(
    layer: type, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live, "get_channel_layer", layer)
    monkeypatch.setattr(live, "RING_TIMEOUT", 0.05)
    await live.ring(1, 2, talk=3)
    assert "did not answer" in caplog.text
    assert "a-password" not in caplog.text
    assert "Traceback" not in caplog.text


async def test_habit_7_a_bell_is_a_fact_and_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, dict[str, Any]]] = []

    class Layer:
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            sent.append((group, message))

    monkeypatch.setattr(live, "get_channel_layer", Layer)
    await live.ring(7, 12, talk=3, by="channel")
    message = {"type": "bell", "series": 7, "version": 12, "talk": 3, "by": "channel"}
    assert sent == [("series.7", message)]


def test_a_stamp_is_written_the_same_way_each_time() -> None:
    stamp = Stamp(12, 3, frozenset({1, 0}))
    assert str(stamp) == "12.3.0.1" == str(Stamp(12, 3, frozenset({0, 1})))
    assert str(Stamp(12, 3)) == "12.3"
    assert Stamp(1, 23) != Stamp(12, 3)
    assert str(Stamp(1, 23)) != str(Stamp(12, 3))


async def test_what_is_started_soon_is_kept_and_forgotten_when_done() -> None:
    done = asyncio.Event()

    async def work() -> None:
        done.set()

    task = live.soon(work())
    assert task in live._tasks
    await asyncio.wait_for(done.wait(), 10)
    await task
    await asyncio.sleep(0)
    assert task not in live._tasks


@pytest.mark.postgres
def test_fault_100_bells_from_commands_open_a_handful_of_connections() -> None:
    def connected() -> int:
        return len(client.client_list())

    client = redis.Redis.from_url(settings.REDIS_URL)
    assert get_channel_layer() is not None
    before = connected()

    def ring() -> None:
        for version in range(50):
            live.ring_now(1, version, talk=0)

    threads = [threading.Thread(target=ring) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ring()
    # Other tests come and go on the same server.
    assert connected() - before < 20
    client.close()
