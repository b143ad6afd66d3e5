"""A running series in a few lines: `templates/games/_board.html`, as `board`."""

from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A side: its name, rating or "", and of each game the total and whether it has won it."""

    name: str
    is_bot: bool
    rating: str
    scores: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class BoardPart:
    """Who plays, by which rules, and the totals on the pad. Nothing of any hand."""

    url: str
    slug: str
    preset: str | Promise
    time: str
    round: int
    lines: tuple[BoardLine, ...]

    @property
    def games(self) -> range:
        """The numbers of the games."""
        return range(1, len(self.lines[0].scores) + 1)
