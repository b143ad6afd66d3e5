"""Sockets of the table: frames in, fragments out. Thin: read, ask the window, send.

A frame is `hello`, an action or `pong`; anything else is bad, and the third bad one within ten
seconds ends the socket. So does a flood of frames that were told to slow down.
"""

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DatabaseError
from django.utils.translation import gettext_lazy as _

from accounts.live import user_group
from accounts.preferences import preferences_for
from accounts.sessions import ticket_for
from games import live
from games.announcements import announcements_for
from games.build import build_id
from games.doors import FRAMES, FRAMES_WITHIN, SLOW_DOWN, UNREADABLE
from games.errors import NotFound, log_failure
from games.forms.action import key_of
from games.live import Stamp
from games.rendering import render_answer
from games.rendering.announcements import render_announcements
from games.rules.errors import UnreadableInput
from games.services.outcome import Status
from games.services.presence import leave_seat
from games.threads import in_thread
from games.window import Window

logger = logging.getLogger(__name__)

SESSION_OVER: Final = 4401
GONE: Final = 4404
ABUSE: Final = 1008
TRY_LATER: Final = 1013
LARGEST_VERSION: Final = 10**9
BAD_FRAMES: Final = 3
BAD_FRAMES_WITHIN: Final = 10.0  # seconds
PONG: Final = {"pong": 1}
HELLO_COUNTS: Final = 5  # frames: it may be answered with the whole table
FLOOD: Final = 200  # frames too many within ten seconds: no page, and no end of it (promise S6)
FLOOD_WITHIN: Final = 10.0  # seconds
MOST_SOCKETS: Final = 24  # of one user, in one process: each is sent all that happens at its table
SILENT_FOR: Final = 25.0  # seconds without any frame: the page is gone (fault 101)
SEND_WITHIN: Final = 5.0  # seconds

TROUBLE: Final = _("Something went wrong on our side. Nothing has changed; please try again.")


class NoSuchSocket(AsyncWebsocketConsumer):
    """Whatever address has no socket: closed politely."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(GONE)


class TableConsumer(AsyncWebsocketConsumer):
    """The socket of one open page of a series."""

    window: Window | None = None
    announced: str | None = None  # the stamp of the announcements on the page, once it has said it
    closing = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket; however it ends, it is left behind nowhere (fault 88)."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._leave()

    async def connect(self) -> None:
        await self.accept()
        self.lock = asyncio.Lock()
        self.heard_at = time.monotonic()
        self.frames: deque[float] = deque(maxlen=FRAMES)
        self.bad_frames: deque[float] = deque(maxlen=BAD_FRAMES)
        self.refused: deque[float] = deque(maxlen=FLOOD)
        user: Any = self.scope["user"]
        self.ticket = ticket_for(self.scope["session"], user) if user.is_authenticated else None
        self.user_id: int | None = user.pk if self.ticket else None
        if self._is_one_too_many():
            await self._end(TRY_LATER)
            return
        slug = self.scope["url_route"]["kwargs"]["slug"]
        try:
            likes = preferences_for(user, self.scope.get("cookies", {}))
            self.window = await in_thread(
                Window, slug, self.user_id, self.ticket, build_id(), likes.guide, likes.chat
            )
        except NotFound:
            await self._end(GONE)
            return
        except DatabaseError as error:
            log_failure(logger, "a table could not be opened", error)
            await self._end(TRY_LATER)
            return
        if self._is_one_too_many():  # many came at once
            await self._end(TRY_LATER)
            return
        live.sockets.add(self)
        for group in self._groups():
            await live.guarded(self.channel_layer.group_add, group, self.channel_name)

    def _is_one_too_many(self) -> bool:
        return self.user_id is not None and live.sockets_of(self.user_id) >= MOST_SOCKETS

    async def _leave(self) -> None:
        self.closing = True
        if self.window is None:
            return
        live.sockets.discard(self)
        for group in self._groups():
            await live.guarded(self.channel_layer.group_discard, group, self.channel_name)
        seat_id = self.seat_id
        if seat_id is not None and all(each.seat_id != seat_id for each in live.sockets):
            await in_thread(leave_seat, seat_id)

    async def _tell(self, text: str) -> None:
        """Send to the page, unless one of the two sides has closed the socket."""
        if self.closing:
            return
        try:
            await self.send(text)
        except OSError:
            # The page has gone in the middle of it; the server tells us next.
            self.closing = True

    async def _end(self, code: int) -> None:
        """Close, once; what is still on its way from the page is not answered any more."""
        if not self.closing:
            self.closing = True
            with suppress(OSError):
                await self.close(code)

    def _groups(self) -> list[str]:
        groups = [live.series_group(self.series_id)]
        if self.user_id is not None:
            groups.append(user_group(self.user_id))
        return groups

    # What the poller asks for (games.live.Socket).

    @property
    def _open_window(self) -> Window:
        assert self.window is not None, "only a socket with a window is listed"
        return self.window

    @property
    def series_id(self) -> int:
        return self._open_window.sitting.series.pk

    @property
    def seat_id(self) -> int | None:
        seat = self._open_window.seat
        return None if seat is None else seat.pk

    @property
    def stamp(self) -> Stamp:
        return self._open_window.stamp

    # Frames in.

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.closing:
            return
        self.heard_at = time.monotonic()
        frame: Mapping[str, object] = {}
        try:
            frame = _read_frame(text_data)
            await self._frame(frame)
        except UnreadableInput:
            await self._bad_frame()
        except NotFound:
            await self._end(GONE)
        except Exception as error:
            # One broken request must not cost the player the socket (fault 88).
            log_failure(logger, "a frame could not be answered", error)
            await self._tell(render_answer(key_of(frame), Status.BUSY, str(TROUBLE)))

    async def _frame(self, frame: Mapping[str, object]) -> None:
        if self._too_fast(HELLO_COUNTS if "hello" in frame else 1):
            await self._slow_down(frame)
        elif frame == PONG:
            pass
        elif "hello" in frame:
            await self._hello(frame)
        elif "action" in frame:
            await self._act(frame)
        else:
            raise UnreadableInput("bad_request", "No such frame")

    async def _hello(self, frame: Mapping[str, object]) -> None:
        version, stamp = frame["hello"], frame.get("stamp")
        if type(version) is not int or not 0 <= version <= LARGEST_VERSION:
            raise UnreadableInput("bad_request", "hello needs the version of the page")
        async with self.lock:
            await self._tell(await in_thread(self._open_window.hello, version, str(stamp)))
        self.announced = str(frame.get("announced", ""))

    async def _act(self, frame: Mapping[str, object]) -> None:
        async with self.lock:
            outcome, text = await in_thread(self._open_window.act, frame)
            await self._tell(text)
        if outcome.rings:
            live.ring_soon(self.series_id, outcome.version, talk=outcome.talk, by=self.channel_name)
        if outcome.status is Status.SESSION_OVER:
            await self._end(SESSION_OVER)
        elif outcome.status is Status.UNREADABLE:
            await self._count_bad_frame()

    def _too_fast(self, frames: int) -> bool:
        self.frames.extend([time.monotonic()] * frames)
        return _within(self.frames, FRAMES, FRAMES_WITHIN)

    async def _slow_down(self, frame: Mapping[str, object]) -> None:
        self.refused.append(time.monotonic())
        if _within(self.refused, FLOOD, FLOOD_WITHIN):
            await self._end(ABUSE)
        else:
            await self._tell(render_answer(key_of(frame), Status.SLOW_DOWN, str(SLOW_DOWN)))

    async def _bad_frame(self) -> None:
        await self._tell(render_answer("", Status.UNREADABLE, str(UNREADABLE)))
        await self._count_bad_frame()

    async def _count_bad_frame(self) -> None:
        self.bad_frames.append(time.monotonic())
        if _within(self.bad_frames, BAD_FRAMES, BAD_FRAMES_WITHIN):
            await self._end(ABUSE)

    # Bells, from the channel layer.

    async def bell(self, message: Mapping[str, Any]) -> None:
        """The series has changed (games.live.ring)."""
        stamp = self.stamp
        is_news = message["version"] > stamp.version or message["talk"] > stamp.talk
        if is_news and message["by"] != self.channel_name:
            await self._catch_up()

    async def session_over(self, message: Mapping[str, Any]) -> None:
        """A log in has ended (accounts.live.end_sockets)."""
        if self.ticket is not None and message["session"] in (None, self.ticket.fingerprint):
            await self._end(SESSION_OVER)

    async def relations_changed(self, message: Mapping[str, Any]) -> None:
        """Whom the user has blocked is another (accounts.live.tell_relations)."""
        self._open_window.read_chat_anew()
        await self._catch_up()

    # The poller's calls. They are tasks of their own: a page that reads nothing holds up no other.

    def catch_up_soon(self, stamp: Stamp) -> None:
        if not self.lock.locked():
            live.soon(self._catch_up(stamp.present))

    def ping_soon(self) -> None:
        live.soon(self._ping())

    def end_session_soon(self) -> None:
        live.soon(self._end(SESSION_OVER))

    def announce_soon(self) -> None:
        now = announcements_for(self.scope.get("cookies", {}))
        if self.announced is not None and self.announced != now.stamp:
            self.announced = now.stamp
            live.soon(self._tell(render_announcements(now)))

    async def _catch_up(self, present: frozenset[int] | None = None) -> None:
        async with self.lock:
            try:
                text = await in_thread(self._open_window.catch_up, present)
            except NotFound:
                await self._end(GONE)
                return
            except Exception as error:
                # Nobody waits for this one; the next poll tries again.
                log_failure(logger, "a page could not be brought up to date", error)
                return
            if text is not None:
                await self._tell(text)

    async def _ping(self) -> None:
        if time.monotonic() - self.heard_at > SILENT_FOR:
            await self._end(TRY_LATER)
            return
        try:
            async with asyncio.timeout(SEND_WITHIN):
                await self._tell("ping")
        except TimeoutError:
            await self._end(TRY_LATER)


def _within(times: deque[float], count: int, seconds: float) -> bool:
    return len(times) == count and times[-1] - times[0] < seconds


def _read_frame(text: str | None) -> Mapping[str, object]:
    try:
        frame = json.loads(text or "")
    except (ValueError, RecursionError):
        frame = None
    if not isinstance(frame, dict):
        raise UnreadableInput("bad_json", "A frame is a JSON object")
    return frame
