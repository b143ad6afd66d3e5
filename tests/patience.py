"""What would take minutes or years is broken off, so that a fault fails its test and hangs none."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

FAR_TOO_LONG: Final = 20
"""Seconds; what is tried takes a few thousandths of that."""


@contextmanager
def patience() -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise AssertionError("it takes far too long")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(FAR_TOO_LONG)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
