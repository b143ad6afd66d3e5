"""Counts the errors that are logged, in memory; each process stores its count now and then.

A handler of a log must neither wait nor fail, and the database may be what the error is about: so
nothing is asked of it here (`games.services.errors` does).
"""

import logging
import threading
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Final

_counted: Final[Counter[date]] = Counter()
_lock: Final = threading.Lock()


class ErrorCounter(logging.Handler):
    """Adds one to the day of each record."""

    def emit(self, record: logging.LogRecord) -> None:
        put_back({datetime.fromtimestamp(record.created, UTC).date(): 1})


def take_counts() -> dict[date, int]:
    """What was counted since the last time."""
    with _lock:
        taken = dict(_counted)
        _counted.clear()
    return taken


def put_back(counts: Mapping[date, int]) -> None:
    """Count these, for the next time."""
    with _lock:
        _counted.update(counts)
