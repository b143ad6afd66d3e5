"""A channel layer that loses, doubles and shuffles what is sent to groups (promise R7).

How badly says the environment: `FLAKY=drop=0.2,double=0.5,shuffle=0.3`; the last is the longest
delay in seconds. The servers use it with `DJANGO_SETTINGS_MODULE=tests.server_settings`.
"""

import asyncio
import os
import random
from typing import Any

from config.layer import BellLayer

_chance = random.Random()
_tasks: set[asyncio.Task[None]] = set()


def _how_badly() -> dict[str, float]:
    pairs = (pair.split("=") for pair in os.environ.get("FLAKY", "").split(",") if pair)
    return {name: float(value) for name, value in pairs}


class FlakyLayer(BellLayer):
    """Sends to one process work; sends to groups may not arrive, arrive late, or twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.flaws = _how_badly()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        if _chance.random() < self.flaws.get("drop", 0.0):
            return
        twice = _chance.random() < self.flaws.get("double", 0.0)
        for _ in range(1 + twice):
            task = asyncio.get_running_loop().create_task(self._deliver(group, message))
            _tasks.add(task)
            task.add_done_callback(_tasks.discard)

    async def _deliver(self, group: str, message: dict[str, Any]) -> None:
        await asyncio.sleep(_chance.random() * self.flaws.get("shuffle", 0.0))
        await self._get_layer().group_send(group, message)
