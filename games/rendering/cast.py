"""Who plays, as the viewer calls them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from games.selectors.table import Chair, Table


@dataclass(frozen=True, slots=True)
class Cast:
    """The names of the seats of the board, or of the sides, and which of them is the viewer's.

    A spectator is nobody; they see the table from seat 0's side. `bots`: those that a bot plays.
    """

    names: tuple[str, ...]
    viewer: int | None
    bots: frozenset[int] = frozenset()

    @classmethod
    def of(cls, table: "Table") -> Self:
        """The cast of the board on the table; an empty name where nobody has sat down yet."""
        chairs = [chair_at(table, seat) for seat in (0, 1)]
        names = (chairs[0].name if chairs[0] else "", chairs[1].name if chairs[1] else "")
        bots = frozenset(seat for seat, chair in enumerate(chairs) if chair and chair.bot)
        return cls(names, _viewer(table), bots)

    @classmethod
    def of_sides(cls, table: "Table") -> Self:
        """The sides of the score sheet, of a team the first member's name."""
        names = [""] * table.sheet.sides
        for chair in reversed(table.chairs):
            names[chair.side] = chair.name
        sides = {chair.seat: chair.side for chair in table.chairs}
        bots = frozenset(chair.side for chair in table.chairs if chair.bot)
        return cls(tuple(names), None if table.seat is None else sides.get(table.seat), bots)

    @property
    def near(self) -> int:
        """The seat at the lower edge of the table."""
        return 0 if self.viewer is None else self.viewer

    @property
    def far(self) -> int:
        """The seat at the upper edge."""
        return 1 - self.near

    def is_you(self, seat: int | None) -> bool:
        """Whether that seat is the viewer's."""
        return seat is not None and seat == self.viewer

    def name(self, seat: int) -> str:
        """The name of a seat's player."""
        return self.names[seat]

    def say(self, seat: int, you: str, they: str, **words: object) -> str:
        """Fill in the sentence about the viewer, or the one about another, `%(name)s`."""
        sentence = you if seat == self.viewer else they
        return sentence % {"name": self.names[seat], **words}


def chair_at(table: "Table", seat: int) -> "Chair | None":
    """The chair of a seat of the board; None while nobody has sat down.

    Not by its name: of two who have left the site both are called the same.
    """
    sides = table.play.sides if table.play else (0, 1)
    return {chair.side: chair for chair in table.chairs}.get(sides[seat])


def _viewer(table: "Table") -> int | None:
    if table.play and table.play.round:
        return table.play.round.seat
    return table.seat
