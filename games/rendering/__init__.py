"""What people see: contexts made from a `Table`, and the one template that renders each region.

The page, an answer and a push all render the same regions through `render_region`. A context is a
frozen dataclass made from what its viewer may see and from nothing else; two contexts are equal
exactly if the region would look the same, so that a push renders only what has changed.
"""

from games.rendering.draft import NO_DRAFT, Draft
from games.rendering.page import (
    BotPage,
    FigureRow,
    GamesPart,
    HomePage,
    InvitationPage,
    SeriesRow,
    TablePage,
    page_context,
)
from games.rendering.push import render_answer, render_push, render_region
from games.rendering.regions import REGIONS, RegionContext, regions

__all__ = [
    "NO_DRAFT",
    "REGIONS",
    "BotPage",
    "Draft",
    "FigureRow",
    "GamesPart",
    "HomePage",
    "InvitationPage",
    "RegionContext",
    "SeriesRow",
    "TablePage",
    "page_context",
    "regions",
    "render_answer",
    "render_push",
    "render_region",
]
