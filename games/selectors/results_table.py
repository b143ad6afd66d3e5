"""The results of series as CSV, a line each, for spreadsheets."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.conf import settings

from games.models import Seat, Series
from games.selectors.history import Picks
from games.selectors.lists import totals_of
from games.selectors.records import history_pages, name_of

COLUMNS: Final = (
    "ended_utc",
    "started_utc",
    "player",
    "opponent",
    "result",
    "games_won",
    "games_lost",
    "points",
    "opponent_points",
    "game_1",
    "game_2",
    "game_3",
    "rules",
    "time_control",
    "rated",
    "voided",
    "ending",
    "source",
    "address",
)
MOST_LINES: Final = 20_000
# A spreadsheet takes a cell that begins so for a formula.
_DANGEROUS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def results_table(user_id: int, picks: Picks, *, is_own: bool) -> Iterator[str]:
    """The table in pieces: its head, then some lines at a time, newest first."""
    yield _lines([COLUMNS])
    for page in history_pages(user_id, picks, is_own=is_own, most=MOST_LINES):
        yield _lines(_rows(page))


def safe_cell(value: object) -> str:
    """A value as a cell that no spreadsheet computes.

    >>> safe_cell("=1+1"), safe_cell(5)
    ("'=1+1", '5')
    """
    text = str(value)
    return f"'{text}" if text.startswith(_DANGEROUS) else text


def _lines(rows: Sequence[Sequence[object]]) -> str:
    file = io.StringIO()
    csv.writer(file).writerows([[safe_cell(value) for value in row] for row in rows])
    return file.getvalue()


def _rows(page: Sequence[Seat]) -> list[list[object]]:
    ids = [seat.series_id for seat in page]
    totals, seats = totals_of(ids), Seat.objects.filter(series__in=ids).select_related("user")
    sitting: dict[int, list[Seat]] = {}
    for seat in seats:
        sitting.setdefault(seat.series_id, []).append(seat)
    return [_row(seat, sitting[seat.series_id], totals) for seat in page]


def _row(own: Seat, seats: list[Seat], totals: Mapping[tuple[int, int, int], int]) -> list[object]:
    series: Series = own.series
    others = [seat for seat in seats if seat.pk != own.pk]
    mine = [name_of(seat) for seat in seats if seat.pk == own.pk]
    games = range(1, series.options.columns + 1)
    pairs = [
        (totals[series.pk, own.side, game], totals[series.pk, 1 - own.side, game]) for game in games
    ]
    scores = [f"{ours}:{theirs}" for ours, theirs in pairs]
    return [
        f"{series.ended_at:%Y-%m-%d %H:%M:%S}" if series.ended_at else "",
        f"{series.started_at:%Y-%m-%d %H:%M:%S}" if series.started_at else "",
        *mine,
        " / ".join(map(name_of, others)),
        own.result,
        own.games_won,
        max((seat.games_won for seat in others), default=0),
        sum(ours for ours, _ in pairs),
        sum(theirs for _, theirs in pairs),
        *scores,
        *[""] * (3 - len(scores)),
        own.format or series.preset,
        series.time_control,
        "yes" if own.is_rated else "no",
        "no" if series.voided_at is None else "yes",
        series.ending,
        series.source,
        settings.SITE_URL + series.get_absolute_url(),
    ]
