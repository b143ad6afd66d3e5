"""Contexts of whole pages. Templates get one value each: `home`, `invitation`, `table`."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.forms import Form
from django.utils.functional import Promise
from django.utils.safestring import SafeString

from games.house import Persona, mark_of
from games.live import Stamp
from games.rendering.actions import ActionsContext
from games.rendering.chat import ChatPage
from games.rendering.draft import NO_DRAFT, Draft
from games.rendering.lobby import InvitedRow
from games.rendering.push import render_region
from games.rendering.regions import regions
from games.rendering.rule_card import rule_lines
from games.rendering.sorting import sort_query
from games.rules.cards import parse_cards
from games.rules.options import Options

if TYPE_CHECKING:
    from games.rendering.board import BoardPart
    from games.selectors.table import Table

type Words = str | Promise


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """A series in a list, seen by one of its players.

    `mine` and `theirs` are the totals of each game; `opponent` is "" while nobody has sat down.
    `won` is None while it runs or where nobody has won it alone. `bot`: which one the opponent is.
    `slug` is given where the viewer may take the series back. `source` says so
    where it was not played here.
    """

    url: str
    opponent: str
    preset: Words
    my_turn: bool
    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    won: bool | None
    started_at: datetime
    bot: str = ""
    slug: str = ""
    source: str = ""

    @property
    def mark(self) -> str:
        """A bot's face, as a static file."""
        return mark_of(self.bot)

    @property
    def games(self) -> tuple[tuple[int, int], ...]:
        """Of each game the own total and the opponent's."""
        return tuple(zip(self.mine, self.theirs, strict=True))


@dataclass(frozen=True, slots=True)
class HomePage:
    """`templates/games/home.html`, as `home`. `waiting`: nobody has sat down yet.

    `invitations`: others have asked the viewer by name. `quick_form`: for the next free player,
    None where the viewer has no account. `followed`: whom the viewer follows, at play now.
    `to_watch`: one series that is worth a look.
    """

    series_form: Form | None
    bot_form: Form | None = None
    quick_form: Form | None = None
    bot_name: str = ""
    followed: "tuple[BoardPart, ...]" = ()
    to_watch: "BoardPart | None" = None
    invitations: tuple[InvitedRow, ...] = ()
    waiting: tuple[SeriesRow, ...] = ()
    running: tuple[SeriesRow, ...] = ()
    finished: tuple[SeriesRow, ...] = ()

    @property
    def mine(self) -> tuple[SeriesRow, ...]:
        """The series that wait for the player."""
        return tuple(row for row in self.running if row.my_turn)

    @property
    def theirs(self) -> tuple[SeriesRow, ...]:
        """The series in which the player waits."""
        return (*(row for row in self.running if not row.my_turn), *self.waiting)

    @property
    def my_turns(self) -> int:
        """How many series wait for the player."""
        return len(self.mine)

    @property
    def show_cards(self) -> tuple[str, ...]:
        """The cards that a visitor is greeted with."""
        return tuple(f"games/cards/{card}.svg" for card in parse_cards("7H 8H 9H QS QD QC"))


@dataclass(frozen=True, slots=True)
class GamesPart:
    """`games` in `templates/accounts/profile.html`: what somebody plays and has played last.

    Seen from their side. `now`: the address of the table at which they are just now, or "".
    `finished` is None where they keep that to themselves.
    """

    now: str
    running: tuple[SeriesRow, ...]
    finished: tuple[SeriesRow, ...] | None


@dataclass(frozen=True, slots=True)
class FigureRow:
    """How strong a bot was measured to be against somebody, under which rules."""

    against: str
    preset: Words
    percent: str
    pairs: int


@dataclass(frozen=True, slots=True)
class BotPage:
    """`templates/games/bot.html`, as `bot`: a bot, how strong it is, and the form to play it."""

    persona: Persona
    form: Form
    figures: tuple[FigureRow, ...] = ()


@dataclass(frozen=True, slots=True)
class InvitationPage:
    """`templates/games/invitation.html`, as `invitation`.

    `path` is the invitation's own, for `?next=`. `state`: "open" (may sit down), "own" (made it),
    "taken", "closed" (asks somebody else). `series_url` is "" where the viewer may not watch.
    `guest_key`: of the form by which a visitor sits down as a guest; "" where none may.
    `commitment`: that of the first deal, before the guest's part in it is told. `entered`: it is
    played with real cards, and its rounds are entered.
    """

    path: str
    host: str
    preset: Words
    options: Options
    state: str
    series_url: str
    time: str = ""
    rated: bool = False
    guest_key: str = ""
    commitment: str = ""
    entered: bool = False

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """The rules of the series, each by name and value."""
        return rule_lines(self.options)


@dataclass(frozen=True, slots=True)
class TablePage:
    """`templates/games/table.html`, as `table`: the regions rendered, and what is around them.

    `address` is that of the page with the sorting of the hand. `now` is the server's time, while
    the page counts down. `refresh`: a page without JavaScript asks for itself again, since it
    waits for the other.
    `has_guide`: it can be turned off on this page. `waiting`: nobody has sat down opposite yet.
    `chat`: None where there is none.
    """

    title: str
    series_id: str
    url: str
    address: str
    version: int
    talk: int
    stamp: str
    now: str
    build: str
    csrf: str
    refresh: bool
    notice: str
    has_guide: bool
    waiting: bool
    regions: dict[str, SafeString]
    chat: ChatPage | None = None


def page_context(
    table: "Table",
    draft: Draft = NO_DRAFT,
    *,
    key: str,
    csrf: str,
    stamp: Stamp,
    now: datetime | None = None,
    build: str = "",
    notice: str = "",
    guide: str = "first",
    chat: ChatPage | None = None,
) -> TablePage:
    """Make the context of the whole page, for `games/table.html` as `table`."""
    contexts = regions(table, draft, guide)
    actions = contexts["actions"]
    return TablePage(
        title=actions.title,
        series_id=table.series_id,
        url=table.url,
        address=table.url + sort_query(draft.sort),
        version=stamp.version,
        talk=stamp.talk,
        stamp=str(stamp),
        now=now.isoformat() if now and actions.counts_down() else "",
        build=build,
        csrf=csrf,
        refresh=_waits(actions) and not notice,
        notice=notice,
        has_guide=contexts["guide"].on,
        waiting=contexts["piles"].waiting,
        regions={
            name: render_region(name, context, stamp=stamp, key=key, csrf=csrf)
            for name, context in contexts.items()
        },
        chat=chat,
    )


def _waits(actions: ActionsContext) -> bool:
    """Whether the other side is to do something now."""
    if actions.rematch is not None:
        return actions.rematch.waits
    return not actions.is_mine
