"""Calls that start together, as a race needs them."""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection


def at_once[T](calls: Iterable[Callable[[], T]]) -> list[T]:
    """Run calls in threads that start together; what each returned, or what was raised."""
    work = list(calls)
    start = threading.Barrier(len(work))

    def run(call: Callable[[], T]) -> T:
        try:
            connection.ensure_connection()
            start.wait(20)
            return call()
        finally:
            connection.close()

    # The pool has a connection for each thread and none to spare.
    connection.close()
    with ThreadPoolExecutor(len(work)) as threads:
        return [each.result(60) for each in [threads.submit(run, call) for call in work]]
