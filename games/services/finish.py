"""The end of a round: its result, the score sheet, and perhaps the end of the series."""

from datetime import timedelta
from typing import Any, Final

from django.db.models import F
from django.db.models.functions import Now

from games.models import Round, Series, SheetEntry
from games.models.round import result_columns
from games.models.series import SHARED
from games.moderation.services.examinations import await_examination
from games.rules.scoring import RoundResult
from games.rules.series import SeriesState
from games.selectors.standing import finished_rounds, series_state
from games.services.counting import count_series
from games.services.deeds import note_end
from games.services.history import store_seat_ends
from games.services.rating import rate_series
from games.time_control import TimeControl

# After how long the next round is dealt by itself (docs/architecture.md, One action's way).
NEXT_ROUND_AFTER: Final = timedelta(seconds=30)
NEXT_ROUND_AFTER_DAYS: Final = timedelta(hours=12)


def result_fields(result: RoundResult, control: TimeControl) -> dict[str, Any]:
    """The columns of a round that its last action writes, in the same UPDATE as the log."""
    return {
        **result_columns(result),
        "ended_at": Now(),
        "due_at": Now() + (NEXT_ROUND_AFTER if control.is_live else NEXT_ROUND_AFTER_DAYS),
    }


def enter_result(row: Round, result: RoundResult) -> None:
    """Enter a finished round on the sheet; end the series if that was its last round.

    Runs in the transaction of the action, after the row was updated; locks the series.
    """
    series = Series.objects.select_for_update().get(pk=row.series_id)
    state = series_state(series, finished_rounds(series))
    entry = state.sheet.entries[-1]
    if entry.side is not None:
        lines = [(game + 1, entry.side, entry.points) for game in entry.games]
        SheetEntry.objects.bulk_create(
            SheetEntry(series=series, round=row, game=game, side=side, points=points)
            for game, side, points in lines
        )
    if state.is_over:
        end_series(series, state, row, Series.Ending.PLAYED)


def end_series(
    series: Series,
    state: SeriesState,
    last: Round,
    ending: Series.Ending,
    by_side: int | None = None,
) -> None:
    """Store the end of a series whose last round has ended; talk moves by one.

    The caller holds the series' row.
    """
    winner = SHARED if state.winner == "shared" else state.winner
    Series.objects.filter(pk=series.pk).update(
        status=Series.Status.OVER,
        ended_at=Now(),
        winner_side=winner,
        ending=ending,
        ended_by_side=by_side,
        talk=F("talk") + 1,
    )
    Round.objects.filter(pk=last.pk).update(due_at=None)
    ended = Series.objects.get(pk=series.pk)
    rate_series(ended)
    note_end(ended)
    store_seat_ends(ended, state)
    await_examination(ended)
    # Last: the tallies of bots and of the site are wanted by many, so that they are held shortly.
    count_series(ended)
