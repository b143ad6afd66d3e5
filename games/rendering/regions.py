"""The regions of the table: their names, in page order, and their contexts."""

from typing import TYPE_CHECKING, Any, Final

from games.rendering.actions import ActionsContext
from games.rendering.cast import Cast
from games.rendering.deal import DealContext
from games.rendering.defence import DefenceDraft
from games.rendering.draft import NO_DRAFT, Draft
from games.rendering.guide import GuideContext
from games.rendering.hand import HandContext
from games.rendering.news import NewsContext
from games.rendering.opponent import OpponentContext
from games.rendering.piles import PilesContext
from games.rendering.reasons import ReasonsContext
from games.rendering.rounds import RoundsContext
from games.rendering.sheet import SheetContext
from games.rendering.showdown import ShowdownContext

if TYPE_CHECKING:
    from games.selectors.table import Table

type RegionContext = Any
"""One of the contexts of this package: a frozen dataclass, all that its template is given."""

REGIONS: Final = (
    "opponent",
    "sheet",
    "news",
    "guide",
    "piles",
    "showdown",
    "hand",
    "actions",
    "rounds",
    "reasons",
    "deal",
)
"""Ids of the regions in page order. The message region, `notice`, is no part of a push."""


def regions(
    table: "Table", draft: Draft = NO_DRAFT, guide: str = "first"
) -> dict[str, RegionContext]:
    """Make the context of every region for the table's viewer.

    `guide` is their preference.

    They hold values, not words: those are made where a region is rendered, which is seldom.
    """
    cast = Cast.of(table)
    view = table.play.round if table.play else None
    defence = DefenceDraft.of(view, draft)
    return {
        "opponent": OpponentContext.of(table, cast),
        "sheet": SheetContext.of(table),
        "news": NewsContext.of(table, cast),
        "guide": GuideContext.of(table, cast, guide),
        "piles": PilesContext.of(table, cast),
        "showdown": ShowdownContext.of(table, cast, draft, defence),
        "hand": HandContext.of(table, cast, draft, defence),
        "actions": ActionsContext.of(table, cast, draft, defence),
        "rounds": RoundsContext.of(table, cast),
        "reasons": ReasonsContext.of(table, cast),
        "deal": DealContext.of(table),
    }
