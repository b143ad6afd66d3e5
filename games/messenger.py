"""Tells people that a series waits for them: takes on what is due, sends it, notes how that went.

Sending happens in threads of its own and with no connection to the database held: a mail server or
a push service that is slow, or away, keeps nobody from playing.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from smtplib import SMTPException
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage

from accounts import turn_mail, web_push
from accounts.turn_mail import mails_due, off_path
from accounts.web_push import Sent
from games.errors import log_failure
from games.rendering.notices import mail_subject, mail_text, push_message
from games.services import notices
from games.services.notices import TakenMail, TakenPush
from games.threads import in_thread

logger = logging.getLogger(__name__)

AT_ONCE: Final = 4
_THREADS: Final = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="post")


async def tell_people() -> None:
    """Pass on the notices that are due, send pushes and mails. One that fails holds up no other."""
    for notice_id in await in_thread(notices.notices_due):
        await _guarded(_fall_due, notice_id)
    enough = asyncio.Semaphore(AT_ONCE)
    async with asyncio.TaskGroup() as group:
        for push_id in await in_thread(notices.pushes_due):
            group.create_task(_in_turn(enough, _push, push_id))
        for user_id in await in_thread(mails_due):
            group.create_task(_in_turn(enough, _mail, user_id))


async def _in_turn(
    enough: asyncio.Semaphore, work: Callable[[int], Awaitable[None]], pk: int
) -> None:
    async with enough:
        await _guarded(work, pk)


async def _guarded(work: Callable[[int], Awaitable[None]], pk: int) -> None:
    try:
        await work(pk)
    except Exception as error:
        # Whatever it is, it is this one's trouble only.
        log_failure(logger, "what was due could not be told", error)


async def _fall_due(notice_id: int) -> None:
    await in_thread(notices.fall_due, notice_id)


async def _push(push_id: int) -> None:
    taken = await in_thread(notices.take_push, push_id)
    if taken is None:
        return
    match await _elsewhere(_send_push, taken):
        case Sent.GONE:
            await in_thread(notices.forget_browser, taken)
        case Sent.LATER:
            await in_thread(notices.push_again, taken)


async def _mail(user_id: int) -> None:
    taken = await in_thread(notices.take_waiting_mail, user_id)
    if taken is None:
        return
    done = await _elsewhere(send_mail, taken)
    await in_thread(turn_mail.arrived if done else turn_mail.try_again, user_id)


async def _elsewhere[T, R](send: Callable[[T], R], taken: T) -> R:
    return await asyncio.get_running_loop().run_in_executor(_THREADS, send, taken)


def _send_push(taken: TakenPush) -> Sent:
    return web_push.send(taken.subscription, push_message(taken.kind, taken.waiting))


def send_mail(taken: TakenMail) -> bool:
    """Send it; False where the mail server does not take it now."""
    off_url = settings.SITE_URL + off_path(taken.user.pk)
    mail = EmailMessage(
        subject=mail_subject(taken.waiting),
        body=mail_text(taken.user, taken.waiting, off_path(taken.user.pk)),
        to=[taken.address],
        headers={
            "List-Unsubscribe": f"<{off_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    try:
        mail.send()
    except (OSError, SMTPException) as error:
        logger.warning("a mail was not sent: %s", type(error).__name__)
        return False
    return True
