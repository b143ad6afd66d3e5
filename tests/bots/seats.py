"""Views of rounds for bots, as a test wants them."""

from __future__ import annotations

from random import Random

from games.bots import Choice, bot_named
from games.rules.notation import Folded
from games.rules.sheet import ScoreSheet, SheetResult
from games.rules.view import TableView, table_view
from tests.rules.tables import table

ALL_BOTS = ("beginner", "club", "strong", "expert", "simple", "eaai")


def view_of(
    folded: Folded, seat: int | None = None, results: tuple[SheetResult, ...] = ()
) -> TableView:
    """What the seat to act sees, or another; the sheet holds these results."""
    state = folded.state
    sheet = ScoreSheet.of(state.options, results)
    return table_view(
        state,
        folded.all_events,
        state.turn if seat is None else seat,
        number=len(results) + 1,
        version=state.ply,
        sheet=sheet,
    )


def choice(name: str, folded: Folded, seed: int = 1) -> Choice:
    return bot_named(name).choose(view_of(folded), Random(seed))


def asked(name: str, log: str, *cards: str, **options: object) -> Choice:
    """What a bot does after this log; seat 1 deals."""
    return choice(name, table(log, *cards, **options))
