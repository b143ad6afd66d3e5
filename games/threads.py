"""Database work of consumers, off the event loop.

By default Channels runs all of a process's synchronous code in one thread, where a row lock held
on one table would stall every other (promise R17), so this is a small pool of threads instead.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.db import connection

_THREADS: Final = ThreadPoolExecutor(max_workers=8, thread_name_prefix="table")


async def in_thread[**P, T](function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that uses the database; whatever it raises is raised here.

    PostgreSQL's connections go back to the pool after each call. SQLite's stay with their thread:
    opening the file anew costs more than the work.
    """
    wrap = database_sync_to_async if connection.vendor == "postgresql" else sync_to_async
    return await wrap(function, thread_sensitive=False, executor=_THREADS)(*args, **kwargs)
