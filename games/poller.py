"""What each process does by the clock: heals lost bells, ends dead log ins, deals what is due.

A missed round of any of this is made good by the next one, by this process or another.
"""

import asyncio
import logging
import os
import socket
import uuid
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from django.conf import settings

from accounts import leaving
from accounts.sanctions import forget_bars
from accounts.sessions import forget_ended_sessions, valid_tickets
from accounts.traces import forget_traces
from games import announcements, live
from games.errors import log_failure
from games.live import Bell
from games.messenger import tell_people
from games.moderation.services import examinations
from games.one_by_one import OneByOne
from games.selectors.versions import stamps
from games.services.bot_loop import run_bots
from games.services.deeds import forget_deeds
from games.services.due import carry_out, rounds_due
from games.services.errors import store_error_counts
from games.services.guests import erase_guest, guests_to_erase
from games.services.leaving import leave_tables, left_behind, take_step
from games.services.presence import see_seats
from games.services.process import be_alive, tell_of_credit
from games.threads import in_clock_thread, in_thread

logger = logging.getLogger(__name__)

EVERY_SECOND: Final = 1.0
EVERY_TWO_SECONDS: Final = 2.0
EVERY_FIVE_SECONDS: Final = 5.0
EVERY_MINUTE: Final = 60.0
EVERY_HOUR: Final = 3600.0
PROCESS_NAME: Final = f"{socket.gethostname()[:12]}-{os.getpid()}-{uuid.uuid4().hex[:8]}"

_due: Final = OneByOne[int](logger, "what was due for round %s could not be done")
_seen_off: Final = OneByOne[int](logger, "user %s could not be seen off")
_examined: Final = OneByOne[int](logger, "series %s could not be examined")
_tidied: Final = OneByOne[str](logger, "not tidied up: %s")


async def run_poller() -> None:
    """Run all of it until cancelled."""
    async with asyncio.TaskGroup() as group:
        for seconds, work in (
            (EVERY_SECOND, keep_time),
            (EVERY_SECOND, heal_sockets),
            (EVERY_TWO_SECONDS, announce),
            (EVERY_FIVE_SECONDS, note_presence),
            (EVERY_FIVE_SECONDS, tell_people),
            (EVERY_FIVE_SECONDS, note_errors),
            (EVERY_MINUTE, see_off),
            (EVERY_MINUTE, look_for_signs),
            (EVERY_HOUR, tidy_up),
        ):
            group.create_task(_repeat(seconds, work))
        if settings.BOT_WORKER == "serve":
            group.create_task(run_bots())


async def _repeat(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await work()
        except Exception as error:
            # The database may be away for a moment; the next round finds out again.
            log_failure(logger, f"{work.__name__} failed", error)
        await asyncio.sleep(seconds)


async def begin() -> None:
    """Before the first request: what was not served so far is credited, if the database is there.

    If not, requests are told to wait until it is (games.services.clock.awaits_credit).
    """
    try:
        await say_that_it_lives()
    except Exception as error:
        log_failure(logger, "the first sign of life failed", error)


async def keep_time() -> None:
    """Say that this process lives, and do what is due.

    In this order, and the second only if the first was done: after an outage the running deadlines
    are moved before anybody looks at them (fault 65).
    """
    await say_that_it_lives()
    await do_what_is_due()


async def say_that_it_lives() -> None:
    """Note it, and credit the outage that this ends, if it does."""
    if await in_clock_thread(be_alive, PROCESS_NAME) is not None:
        await in_clock_thread(tell_of_credit)


async def heal_sockets() -> None:
    """Compare every socket with the database, and close those whose log in is over."""
    sockets = list(live.sockets)
    if not sockets:
        return
    tickets = {each.ticket for each in sockets if each.ticket is not None}
    now = await in_thread(stamps, {each.series_id for each in sockets})
    valid = await in_thread(valid_tickets, tickets)
    for each in sockets:
        if each.ticket is not None and each.ticket not in valid:
            each.end_session_soon()
        elif (stamp := now.get(each.series_id)) != each.stamp:
            # A table that was taken back has none, and ends the socket when it is read.
            each.catch_up_soon(stamp or each.stamp)


async def announce() -> None:
    """Look what the operator announces, and tell the pages that show something else."""
    await in_thread(announcements.look)
    for each in list(live.sockets):
        each.announce_soon()


async def note_presence() -> None:
    """Store who has a page open, and ask every page for a sign of life."""
    sockets = list(live.sockets)
    await in_thread(see_seats, {each.seat_id for each in sockets if each.seat_id is not None})
    for each in sockets:
        each.ping_soon()


async def note_errors() -> None:
    """Store how many errors were logged here."""
    await in_thread(store_error_counts)


async def do_what_is_due() -> None:
    """Deal on where nobody pressed, end what is out of time. One that fails holds up no other."""
    for round_id, has_ended in await in_clock_thread(rounds_due, without=_due.aside):
        work = in_clock_thread(carry_out, round_id, has_ended=has_ended)
        if (bell := await _due.do(round_id, work)) is not None:
            await _ring([bell])


async def see_off() -> None:
    """Take those who leave the next step that is due, and away from tables where they still sit."""
    for user_id in await in_thread(left_behind):
        await _ring(await _seen_off.do(user_id, in_thread(leave_tables, user_id)) or ())
    for user_id, step in await in_thread(leaving.steps_due):
        await _seen_off.do(user_id, in_thread(take_step, user_id, step))


async def look_for_signs() -> None:
    """Look at series that are over; one after the other, so that nobody who plays waits."""
    for series_id in await in_thread(examinations.waiting):
        await _examined.do(series_id, in_thread(examinations.examine, series_id))


async def tidy_up() -> None:
    """Forget what has ended or counts no more, and guests who have gone."""
    for forget in (forget_ended_sessions, forget_deeds, forget_bars, forget_traces):
        await _tidied.do(forget.__name__, in_thread(forget))
    for user_id in await in_thread(guests_to_erase):
        await _ring(await _tidied.do(f"guest {user_id}", in_thread(erase_guest, user_id)) or ())


async def _ring(bells: Iterable[Bell]) -> None:
    for bell in bells:
        await live.ring(bell.series_id, bell.version, talk=bell.talk)
