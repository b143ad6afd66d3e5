"""No test leaves work in the database to the next: neither a thread at work nor a transaction.

Between tests pytest-django forbids the database. A thread still at work then fails on its way
out of a transaction, and keeps it for good: on SQLite every later test waits for its lock.
"""

import gc
import sqlite3
from contextlib import closing
from threading import Barrier
from typing import Final

from asgiref.sync import SyncToAsync
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from games.threads import POOLS

PATIENCE: Final = 20  # seconds: what a thread still does at the end of a test may end


def threads_at_rest() -> None:
    """Wait until no thread works any more for a request, a consumer or a poller that has gone."""
    SyncToAsync.single_thread_executor.submit(lambda: None).result()
    for pool in POOLS:
        if pool._threads:
            all_of_them = Barrier(pool._max_workers)
            at_rest = [pool.submit(all_of_them.wait, PATIENCE) for _ in range(all_of_them.parties)]
            for future in at_rest:
                future.result()


def left_open() -> str:
    """Which connections keep the database locked, empty where none does."""
    if connection.vendor != "sqlite":
        return ""
    with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=PATIENCE)) as probe:
        try:
            probe.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            return f"{error}: {_in_transaction() or 'by nobody of this process'}"
    return ""


def _in_transaction() -> list[str]:
    wrappers = [each for each in gc.get_objects() if isinstance(each, BaseDatabaseWrapper)]
    return [
        f"{each!r} of thread {vars(each)['_thread_ident']}, queries {list(each.queries_log)[-5:]}"
        for each in wrappers
        if each.connection is not None and each.connection.in_transaction
    ]
