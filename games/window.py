"""One open page of a series: what it shows, and the fragments that bring it up to date.

Synchronous, because it reads the database and renders templates; the consumer around it runs each
call in a thread, one at a time.
"""

import logging
from collections.abc import Mapping
from typing import Final

from django.utils import timezone

from accounts.sessions import Ticket
from games import access
from games.doors import answer_request, fresh_key
from games.errors import NotFound, log_failure
from games.forms.action import key_of
from games.live import Stamp
from games.models import Seat
from games.rendering import RegionContext, regions, render_answer, render_push
from games.rendering.chat import chat_mark
from games.selectors.table import Sitting, grown_sitting, load_sitting, reload_sitting, table_for
from games.services.outcome import Outcome, Status
from games.services.presence import see_socket

logger = logging.getLogger(__name__)

NO_TALK: Final = -1


class Window:
    """What one page of one user shows. Raises NotFound where there is no such series.

    `stamp` is that of the last fragment: the poller finds by it what the page lacks. `guide` and
    `chat` are preferences of whoever looks.
    """

    def __init__(
        self,
        slug: str,
        user_id: int | None,
        ticket: Ticket | None,
        build: str,
        guide: str = "first",
        chat: str = "on",
    ) -> None:
        self.user_id = user_id
        self.ticket = ticket
        self.build = build
        self.guide = guide
        self.chat = chat
        self.chat_mark: str | None = None  # until it is needed; then that of the last fragment
        self.sitting: Sitting = load_sitting(access.table_to_watch(slug, user_id))
        # None until the page has said what it has.
        self.shown: Mapping[str, RegionContext] | None = None
        self.stamp = self.sitting.stamp

    @property
    def seat(self) -> Seat | None:
        """The user's seat, None for a spectator."""
        return self.sitting.seat_of(self.user_id)

    def hello(self, version: int, stamp: str) -> str:
        """The page has this version; return what it lacks: nothing but the pulse, or everything."""
        # Should the rest fail, the poller finds that this page has nothing yet.
        self.shown, self.stamp = {}, Stamp(version, NO_TALK)
        self.read_chat_anew()
        sitting = reload_sitting(self.sitting, self._come())
        if stamp == str(sitting.stamp):
            self.shown = self._contexts(sitting)
        return self._show(sitting)

    def _come(self) -> frozenset[int]:
        """Note that the viewer is here; the seats that are present now."""
        see_socket(self.seat)
        own = () if self.seat is None else (self.seat.number,)
        return self.sitting.present.union(own)

    def catch_up(
        self, present: frozenset[int] | None = None, outcome: Outcome | None = None
    ) -> str | None:
        """Return what has changed since the last fragment; None before the hello.

        `present` are the seats that the poller has found present, if it is the one who asks;
        `outcome` is that of the page's own request.
        """
        if self.shown is None:
            return None
        grown = self._grown(outcome) if outcome is not None and outcome.stored else None
        return self._show(grown or reload_sitting(self.sitting, present))

    def act(self, fields: Mapping[str, object]) -> tuple[Outcome, str]:
        """Carry out a form; return what became of it, and the answer with what has changed."""
        outcome = answer_request(
            series_id=self.sitting.series.pk,
            user_id=self.user_id,
            ticket=self.ticket,
            fields=fields,
        )
        answer = render_answer(key_of(fields), outcome.status, str(outcome.notice))
        return outcome, answer + self._news_of(outcome)

    def _news_of(self, outcome: Outcome) -> str:
        if outcome.status is Status.BUSY:
            return ""  # asking a database that is away once more would double the wait
        try:
            return self.catch_up(outcome=outcome) or ""
        except NotFound:
            return ""  # the table is gone, as the answer says
        except Exception as error:
            # What is done is done, and is said; the table itself comes with the next poll.
            log_failure(logger, "the table could not be shown after an answer", error)
            return ""

    def _grown(self, outcome: Outcome) -> Sitting | None:
        last = self.sitting.last
        if last is None or last.version_before + 1 + outcome.stored["ply"] != outcome.version:
            return None  # this page has not seen the deal yet
        return grown_sitting(self.sitting, outcome.stored)

    def _contexts(self, sitting: Sitting) -> dict[str, RegionContext]:
        return regions(table_for(sitting, self.user_id), guide=self.guide)

    def read_chat_anew(self) -> None:
        """Whose lines this viewer reads has changed: the next fragment says so."""
        self.chat_mark = None

    def _mark_of(self, sitting: Sitting) -> str:
        """The mark of the chat; it is the same while nobody talks and the series goes on."""
        old, new = self.sitting.series, sitting.series
        if self.chat_mark is None or (old.talk, old.status) != (new.talk, new.status):
            self.chat_mark = chat_mark(new, self.user_id, self.chat)
        return self.chat_mark

    def _show(self, sitting: Sitting) -> str:
        new = self._contexts(sitting)
        fragments = render_push(
            self.shown,
            new,
            since=self.stamp.version,
            stamp=sitting.stamp,
            now=timezone.now(),
            key=fresh_key(),
            build=self.build,
            chat=self._mark_of(sitting),
        )
        self.sitting, self.shown, self.stamp = sitting, new, sitting.stamp
        return fragments
