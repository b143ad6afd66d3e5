"""A process of its own for the bots' thoughts, so that none of them holds up one that serves.

This module and `games.thinking` are all that the process imports: no Django, no database, nothing
to give away but the view that it was handed.
"""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Final

from games.bots import Choice
from games.rules.view import TableView
from games.thinking import think

logger = logging.getLogger(__name__)

THINK_WITHIN: Final = 3.0  # seconds; the slowest bot needs a tenth of that
START_WITHIN: Final = 20.0  # seconds, on a busy machine

type Think = Callable[[str, TableView, int], Choice]


class Thinker:
    """One process that thinks for all bots, started when it is first needed.

    It is replaced when it does not answer in time, or dies. `think` is what it runs.
    """

    def __init__(self, think: Think = think, *, within: float = THINK_WITHIN) -> None:
        self._think = think
        self._within = within
        self._pool: ProcessPoolExecutor | None = None
        self._pid = 0

    async def start(self) -> None:
        """Start the process unless it runs. Raises TimeoutError or BrokenExecutor."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                max_workers=1, mp_context=get_context("spawn"), initializer=_live_as_long_as_needed
            )
            try:
                async with asyncio.timeout(START_WITHIN):
                    self._pid = await asyncio.wrap_future(self._pool.submit(os.getpid))
            except BaseException:
                self.stop()
                raise

    async def choose(self, name: str, view: TableView, seed: int) -> Choice | None:
        """The choice of the bot of this name, None where it failed to make one."""
        try:
            await self.start()
            assert self._pool is not None, "it has just been started"
            async with asyncio.timeout(self._within):
                thought = self._pool.submit(self._think, name, view, seed)
                return await asyncio.wrap_future(thought)
        except Exception as error:
            # Its text may name cards of a running round.
            logger.error("the bot %s made no choice: %s", name, type(error).__name__)
            self.stop()
            return None

    def stop(self) -> None:
        """End the process, whatever it is thinking."""
        if self._pool is None:
            return
        if self._pid:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
        # With its process gone, whatever was asked of the pool is answered as broken.
        self._pool.shutdown(wait=False, cancel_futures=not self._pid)
        self._pool, self._pid = None, 0


def _live_as_long_as_needed() -> None:
    """Leave Ctrl-C to the parent, and end with it: nobody else would end an orphan."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = parent_process()
    assert parent is not None, "runs in a child process"
    wait([parent.sentinel])
    os._exit(0)
