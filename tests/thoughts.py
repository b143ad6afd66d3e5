"""What a bot's process does in tests instead of thinking; imported there, so without Django."""

import os
import signal
import sys
import time

from games.bots import Choice, Reason, ReasonCode
from games.rules.actions import Draw
from games.rules.view import TableView

REASON = Reason(ReasonCode.NO_CHOICE)


def tell_process(name: str, view: TableView, seed: int) -> Choice:
    """Say which process this is, in place of a reason's numbers."""
    return Choice(Draw(), Reason(ReasonCode.NO_CHOICE, outs=os.getpid()))


def count_django(name: str, view: TableView, seed: int) -> Choice:
    """Say how many modules of Django, the site and the database are loaded here."""
    foreign = ("django", "channels", "accounts", "config", "psycopg", "games.models")
    found = [name for name in sys.modules if name.startswith(foreign)]
    return Choice(Draw(), Reason(ReasonCode.NO_CHOICE, outs=len(found)))


def hang(name: str, view: TableView, seed: int) -> Choice:
    """Never answer a seed of 0."""
    while not seed:
        time.sleep(1)
    return tell_process(name, view, seed)


def die(name: str, view: TableView, seed: int) -> Choice:
    """Take the process along with a seed of 0."""
    if not seed:
        os.kill(os.getpid(), signal.SIGKILL)
    return tell_process(name, view, seed)


def fail(name: str, view: TableView, seed: int) -> Choice:
    """Raise, and quote a card of the hand."""
    assert view.round is not None
    raise ValueError(f"a hand: {view.round.hand:#x}")
