"""Series as lines of lists and as boards, for several pages."""

from games.forms.series import PRESET_LABELS
from games.models import Series
from games.rendering import SeriesRow
from games.rendering.board import BoardLine, BoardPart
from games.rendering.lobby import rating_words
from games.selectors.boards import Board
from games.selectors.lists import ListedSeries
from games.time_words import time_words


def series_rows(series: list[ListedSeries]) -> tuple[SeriesRow, ...]:
    """These series as the lines of a list."""
    return tuple(
        SeriesRow(
            url=_url(each.series),
            opponent=each.opponent,
            preset=PRESET_LABELS[each.series.preset],
            my_turn=each.awaited,
            mine=each.mine,
            theirs=each.theirs,
            won=each.won,
            started_at=each.series.started_at or each.series.created_at,
            bot=each.bot,
            slug="" if each.opponent else each.series.slug,
            source=""
            if each.series.source == Series.Source.PLAYED
            else each.series.get_source_display(),
        )
        for each in series
    )


def _url(series: Series) -> str:
    is_over = series.status == Series.Status.OVER
    return series.rounds_url if is_over else series.get_absolute_url()


def board_part(board: Board) -> BoardPart:
    """A running series in a few lines."""
    series = board.series
    target = series.options.target
    return BoardPart(
        url=series.get_absolute_url(),
        slug=series.slug,
        preset=PRESET_LABELS[series.preset],
        time=time_words(series.control),
        round=board.round,
        lines=tuple(
            BoardLine(
                name=side.user.shown_name,
                is_bot=side.is_bot,
                rating=rating_words(side.strength) if side.strength else "",
                scores=tuple((total, total >= target) for total in side.totals),
            )
            for side in board.sides
        ),
    )
