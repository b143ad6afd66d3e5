"""Pictures of numbers, worked out for an SVG: lines over the course of something, and bars.

Coordinates are whole numbers, so that no language writes them with a comma.
"""

from dataclasses import dataclass
from typing import Final

WIDTH: Final = 320
HEIGHT: Final = 140
LEFT: Final = 28
RIGHT: Final = 312
TOP: Final = 10
BOTTOM: Final = 126


@dataclass(frozen=True, slots=True)
class Tick:
    """A number at the side, and its height."""

    value: int
    y: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line: whose it is, and its value at each step."""

    name: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line as drawn: its points, and where the chart looks at."""

    name: str
    points: str
    x: int
    y: int
    value: int


@dataclass(frozen=True, slots=True)
class LineChart:
    """Some lines over the same steps, from zero up. `at` is the step that is looked at.

    `limit` is a height of its own. `label` says it all to those who don't see it.
    """

    label: str
    lines: tuple[Line, ...]
    at: int
    limit: int

    @property
    def top(self) -> int:
        """The highest number at the side: the next round one above all values."""
        highest = max(self.limit, *(value for line in self.lines for value in line.values))
        return -(-highest // 20) * 20

    @property
    def ticks(self) -> tuple[Tick, ...]:
        return tuple(Tick(value, self._y(value)) for value in (0, self.top // 2, self.top))

    @property
    def limit_y(self) -> int:
        return self._y(self.limit)

    @property
    def x(self) -> int:
        """Where the present step stands."""
        return self._x(self.at)

    @property
    def drawn(self) -> tuple[Drawn, ...]:
        return tuple(self._drawn(line) for line in self.lines)

    def _drawn(self, line: Line) -> Drawn:
        points = (f"{self._x(step)},{self._y(value)}" for step, value in enumerate(line.values))
        value = line.values[self.at]
        return Drawn(line.name, " ".join(points), self.x, self._y(value), value)

    def _x(self, step: int) -> int:
        steps = max(1, len(self.lines[0].values) - 1)
        return LEFT + (RIGHT - LEFT) * step // steps

    def _y(self, value: int) -> int:
        return BOTTOM - (BOTTOM - TOP) * value // self.top


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar as drawn; `up` is the first side's."""

    x: int
    y: int
    width: int
    height: int
    up: bool


@dataclass(frozen=True, slots=True)
class LeadChart:
    """Who leads by how much after each step: up for one side, down for the other.

    `steps` is how many there are in all: charts beside each other share one scale, and `top`.
    """

    label: str
    leads: tuple[int, ...]
    steps: int
    top: int

    @property
    def middle(self) -> int:
        return (TOP + BOTTOM) // 2

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """The numbers at the side: a lead is one, whosever it is."""
        return (Tick(self.top, TOP), Tick(0, self.middle), Tick(self.top, BOTTOM))

    @property
    def bars(self) -> tuple[Bar, ...]:
        return tuple(self._bar(step, lead) for step, lead in enumerate(self.leads) if lead)

    def _bar(self, step: int, lead: int) -> Bar:
        pitch = (RIGHT - LEFT) / max(1, self.steps)
        width = max(2, min(26, round(pitch * 0.7)))
        height = max(2, (self.middle - TOP) * abs(lead) // self.top)
        x = round(LEFT + pitch * (step + 0.5) - width / 2)
        return Bar(x, self.middle - height if lead > 0 else self.middle, width, height, lead > 0)
