"""The end of a series before its sheet says so (docs/rules.md, section 14).

The running round is void, the sheet stays as it stands.
"""

from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from games.models import Round, Series
from games.models.round import result_columns
from games.rules.log import BROKEN_OFF, logged, played
from games.rules.series import agree_end, resign_series
from games.selectors.standing import finished_rounds, played_state
from games.services.finish import end_series

NOTHING_DUE: Final = {"due_at": None, "bot_due_at": None}


@transaction.atomic
def break_off(series: Series, last: Round, ending: Series.Ending, by_side: int | None) -> bool:
    """End a running series after this last round, or in it; False if an action came between.

    `by_side` has lost it; None where both agreed. The caller holds the series' row.
    """
    if not last.kind and not _void(last):
        return False
    state = played_state(series, finished_rounds(series))
    state = agree_end(state) if by_side is None else resign_series(state, by_side)
    end_series(series, state, last, ending, by_side)
    return True


def _void(row: Round) -> bool:
    result = played(row.folded().state, BROKEN_OFF).state.result
    assert result is not None, "a void round is over"
    fields = result_columns(result)
    running = Round.objects.filter(pk=row.pk, ply=row.ply, kind="")
    log = logged(row.log, BROKEN_OFF)
    return bool(running.update(**fields, log=log, ply=row.ply + 1, ended_at=Now(), **NOTHING_DUE))
