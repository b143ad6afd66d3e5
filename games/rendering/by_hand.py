"""The page of a series that is entered by hand, and the part of it that another device changes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from django.forms import Form
from django.utils.translation import gettext as _

from games.rendering.cast import Cast
from games.rendering.rounds import RoundLine, RoundsContext
from games.rendering.sheet import SheetContext

if TYPE_CHECKING:
    from games.selectors.table import Table


@dataclass(frozen=True, slots=True)
class KeptSheet:
    """`templates/games/_kept_sheet.html`, as `kept`: the pad, the last round, how to undo it.

    `mark` is another one whenever the sheet is; `last_id` is that of the last round, 0 before it.
    `moved`: it has changed while the page stood there.
    """

    url: str
    mark: str
    sheet: SheetContext
    last: RoundLine | None
    last_id: int
    status: str
    may_undo: bool
    moved: bool = False

    @classmethod
    def of(
        cls, table: "Table", *, last_id: int, mark: str, may_undo: bool, moved: bool = False
    ) -> Self:
        lines = RoundsContext.of(table, Cast.of(table)).lines
        return cls(
            url=f"{table.url}sheet/",
            mark=mark,
            sheet=SheetContext.of(table),
            last=lines[0] if lines else None,
            last_id=last_id,
            status=table.status,
            may_undo=may_undo and bool(lines),
            moved=moved,
        )


@dataclass(frozen=True, slots=True)
class SheetPage:
    """`templates/games/by_hand.html`, as `page`.

    `form`: of the next round, None for who only looks on and once the series is over. `dealer`: who
    deals it, in a sentence. `invitation`: the link for the other player, while one is awaited.
    """

    slug: str
    title: str
    kept: KeptSheet
    form: Form | None = None
    number: int = 1
    dealer: str = ""
    invitation: str = ""
    is_private: bool = False
    notice: str = ""

    @property
    def waits(self) -> bool:
        return self.kept.status == "waiting"

    @property
    def over(self) -> bool:
        return self.kept.status == "over"


def dealer_words(table: "Table", side: int) -> str:
    """Who deals the next round."""
    sides = Cast.of_sides(table)
    return sides.say(side, _("You deal."), _("%(name)s deals."))
