"""Context of the list of a player's finished series: `templates/games/history.html`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.forms import Form
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from games.formats import Format
from games.house import mark_of
from games.models import Series
from games.rendering.lobby import format_words

if TYPE_CHECKING:
    from games.selectors.history import PastSeries

type Words = str | Promise


@dataclass(frozen=True, slots=True)
class PastRow:
    """A finished series, seen by one of its players.

    `result` is the stored one, `score` the games that each has won ("" where that says nothing),
    `games` the totals of each, none where no round was won. `ending` tells why it was not played to
    the end, `change` what it made of the rating, `source` that it was not played here; each may be
    "". `bot`: a bot's face, "" for a person. `may_report`: the opponent is somebody.
    """

    slug: str
    url: str
    opponent: str
    bot: str
    rules: str
    ended_at: datetime
    result: str
    result_words: str
    score: str
    games: tuple[tuple[int, int], ...]
    ending: str
    change: str
    source: str
    is_private: bool
    is_hidden: bool
    is_imported: bool
    may_report: bool

    @classmethod
    def of(cls, past: "PastSeries", presets: Mapping[str, Words]) -> Self:
        """Put it in words."""
        seat, series = past.seat, past.series
        assert seat.ended_at is not None, "it is over"
        return cls(
            slug=series.slug,
            url=series.rounds_url,
            opponent=past.opponent,
            bot=mark_of(past.bot) if past.bot else "",
            rules=_rules(seat.format, series, presets),
            ended_at=seat.ended_at,
            result=seat.result,
            result_words=seat.get_result_display(),
            score=_score(past),
            games=tuple(zip(past.mine, past.theirs, strict=True)) if _has_points(past) else (),
            ending=_ending(series),
            change="" if past.rating_change is None else _signed(past.rating_change),
            source=_source(series),
            is_private=series.is_private,
            is_hidden=seat.is_hidden,
            is_imported=series.source == Series.Source.IMPORTED,
            # Who is but a name is nobody's opponent.
            may_report=seat.opponent_id is not None and not past.bot,
        )


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """`templates/games/history.html`, as `history`.

    `form` is None where the list is not for this viewer. `here` is the address of this page, to
    come back to; `first`, `newer` and `older` are those beside it, "" where there is none. `zone`
    names the zone of all times. `records`: where all that is looked
    for is to be taken along. `picked`: something is looked for.
    """

    name: str
    is_own: bool
    path: str
    zone: str
    form: Form | None = None
    rows: tuple[PastRow, ...] = ()
    here: str = ""
    first: str = ""
    newer: str = ""
    older: str = ""
    records: tuple[tuple[str, str], ...] = ()
    picked: bool = False


def _rules(format_: str, series: Series, presets: Mapping[str, Words]) -> str:
    if format_:
        return format_words(Format.parse(format_), presets)
    return _("%(preset)s, changed") % {"preset": presets[series.preset]}


def _score(past: "PastSeries") -> str:
    won, lost = past.seat.games_won, past.games_lost
    return f"{won}–{lost}" if len(past.mine) > 1 and won + lost else ""


def _has_points(past: "PastSeries") -> bool:
    return any((*past.mine, *past.theirs))


def _ending(series: Series) -> str:
    if series.voided_at is not None:
        return _("declared void")
    return "" if series.ending == Series.Ending.PLAYED else series.get_ending_display()


def _source(series: Series) -> str:
    return "" if series.source == Series.Source.PLAYED else series.get_source_display()


def _signed(change: float) -> str:
    """
    >>> _signed(11.6), _signed(-3.2), _signed(0.1)
    ('+12', '−3', '±0')
    """
    rounded = round(change)
    return f"{'+' if rounded > 0 else '−' if rounded else '±'}{abs(rounded)}"
