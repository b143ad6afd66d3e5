"""Some tests have a short form, for every run, and a long one: `LONG=1 pytest …`."""

import os

LONG = os.environ.get("LONG") == "1"


def long_or[T](long: T, short: T) -> T:
    """What this run takes."""
    return long if LONG else short
