"""Database work of consumers, off the event loop.

By default Channels runs all of a process's synchronous code in one thread, where a row lock held
on one table would stall every other (promise R17), so this is a small pool of threads instead.
What goes by the clock has a thread of its own: were all of the pool held, by locks or by those who
load long files, no sign of life would come, and that counts as an outage (games.services.process).
"""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.db import connection

_THREADS: Final = ThreadPoolExecutor(max_workers=8, thread_name_prefix="table")
_CLOCK: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="clock")
POOLS: Final = (_THREADS, _CLOCK)


async def in_thread[**P, T](function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that uses the database; whatever it raises is raised here."""
    return await _run_in(_THREADS, function)(*args, **kwargs)


async def in_clock_thread[**P, T](
    function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
) -> T:
    """The same for what the process owes by the second, one after the other."""
    return await _run_in(_CLOCK, function)(*args, **kwargs)


def _run_in[**P, T](
    pool: ThreadPoolExecutor, function: Callable[P, T]
) -> Callable[P, Awaitable[T]]:
    # PostgreSQL's connections go back to the pool after each call. SQLite's stay with their thread:
    # opening the file anew costs more than the work.
    wrap = database_sync_to_async if connection.vendor == "postgresql" else sync_to_async
    return wrap(function, thread_sensitive=False, executor=pool)
