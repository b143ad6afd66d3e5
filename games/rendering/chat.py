"""The chat of a series, as one viewer sees it; it has an address of its own.

What others have written stands on no page that holds a hand: such a page is compressed.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Self
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from accounts.sanctions import sanction_on
from games.access import ChatRights, chat_rights
from games.models import Message, Series
from games.models.message import LONGEST_LINE
from games.phrases import PHRASES
from games.selectors.chat import has_turned_off, last_lines, lines_mark

TITLES: Final = {Message.Room.PLAYERS: _("Players"), Message.Room.WATCHERS: _("Spectators")}
AUDIENCES: Final = {
    Message.Room.PLAYERS: _(
        "While the series runs only the two of you read this, and moderators; then everybody who "
        "can see the series."
    ),
    Message.Room.WATCHERS: _(
        "The players don't see this while the series runs; then they do. Moderators may read it at "
        "any time."
    ),
}


@dataclass(frozen=True, slots=True)
class ChatLine:
    """What somebody has said. `url` is that of their page, "" where they have none.

    `report` is where the viewer tells the moderators about it, "" where they can't.
    """

    id: int
    name: str
    url: str
    words: str
    own: bool
    sent_at: datetime
    report: str = ""

    @classmethod
    def of(cls, message: Message, viewer: int | None, series: Series) -> Self:
        author = message.author
        can_report = viewer is not None and author.pk != viewer
        return cls(
            id=message.pk,
            name=author.shown_name,
            url=author.get_absolute_url() if author.has_profile else "",
            words=message.words,
            own=author.pk == viewer,
            sent_at=message.sent_at,
            report=report_url(author, series) if can_report else "",
        )


@dataclass(frozen=True, slots=True)
class ChatRoom:
    """One of the two conversations."""

    name: str
    title: str | Promise
    lines: tuple[ChatLine, ...]


@dataclass(frozen=True, slots=True)
class ChatPage:
    """`templates/games/_chat.html` and `chat.html`, as `chat`.

    `state`: "waiting" (nobody has sat down yet), "visitor" (who watches without an account),
    "off" (turned off in this series), "never" (by preference), "none" (a bot plays) or "on".
    `mark` is another text whenever the lines are other ones. `text` is what was not accepted.
    `muted`: a sanction keeps the viewer from writing. `with_lines`: else the rooms are empty, for a
    page to fill.
    """

    state: str
    mark: str
    url: str
    table_url: str
    rooms: tuple[ChatRoom, ...] = ()
    writes: bool = False
    phrases_only: bool = False
    audience: str | Promise = ""
    key: str = ""
    notice: str | Promise = ""
    text: str = ""
    with_lines: bool = True
    muted: bool = False

    @property
    def switch_url(self) -> str:
        return f"{self.url}switch/"

    @property
    def has_two(self) -> bool:
        """Whether both conversations are there, each under its title."""
        return len(self.rooms) > 1

    @property
    def phrases(self) -> tuple[tuple[str, str], ...]:
        """The quick phrases: each one's code and words."""
        return tuple((code, str(words)) for code, words in PHRASES.items())

    @property
    def longest(self) -> int:
        return LONGEST_LINE


def report_url(person: User, series: Series) -> str:
    """Where somebody is reported about what happened in this series."""
    return f"{reverse('report', args=[person.username])}?{urlencode({'series': series.slug})}"


def chat_mark(series: Series, viewer: int | None, preference: str = "on") -> str:
    """The mark of the chat as this viewer would see it now; "" where there is nothing to follow."""
    state, rights = _stand(series, viewer, preference)
    return _mark(series, viewer, state, rights)


def chat_page(
    series: Series,
    viewer: int | None,
    preference: str = "on",
    *,
    key: str,
    with_lines: bool = True,
    notice: str | Promise = "",
    text: str = "",
) -> ChatPage:
    """The chat for this viewer, with the lines or with empty rooms for a page to fill."""
    state, rights = _stand(series, viewer, preference)
    url = reverse("series_chat", args=[series.slug])
    shown = rights if state == "on" else ChatRights()
    may_write = shown.write is not None
    muted = may_write and sanction_on(viewer, Sanction.Kind.MUTE) is not None
    return ChatPage(
        state=state,
        mark=_mark(series, viewer, state, rights),
        url=url,
        table_url=series.get_absolute_url(),
        rooms=tuple(_room(series, room, viewer, with_lines) for room in shown.read),
        writes=may_write and not muted,
        phrases_only=shown.phrases_only,
        audience=AUDIENCES[shown.write] if shown.write and len(shown.read) == 1 else "",
        key=key,
        notice=notice,
        text=text,
        with_lines=with_lines,
        muted=muted,
    )


def _stand(series: Series, viewer: int | None, preference: str) -> tuple[str, ChatRights]:
    rights = chat_rights(series, viewer)
    if rights is None:
        return "none", ChatRights()
    if preference == "off":
        return "never", rights
    if series.status == Series.Status.WAITING:
        return "waiting", rights
    if has_turned_off(series.pk, viewer):
        return "off", rights
    return ("on" if rights.read else "visitor"), rights


def _mark(series: Series, viewer: int | None, state: str, rights: ChatRights) -> str:
    if state in ("none", "never"):
        return ""
    return lines_mark(series.pk, rights.read, viewer) if state == "on" else state


def _room(series: Series, room: Message.Room, viewer: int | None, with_lines: bool) -> ChatRoom:
    messages = last_lines(series.pk, room, viewer) if with_lines else ()
    lines = tuple(ChatLine.of(message, viewer, series) for message in messages)
    return ChatRoom(room.value, TITLES[room], lines)
