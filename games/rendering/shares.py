"""Pictures drawn by the server: where each part of a chart lies, for the SVG of a template.

Widths are in percent, so that a chart fits any page and its words keep their size; numbers that go
into SVG are texts already, for they are written with a point in every language.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise

from games.rendering.numbers import percent

type Words = str | Promise

HEIGHT: Final = 120  # of the tallest column, in pixels
_ROOM: Final = 1.1  # above the tallest


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a bar. `look` is its class in statistics.css."""

    look: str
    label: Words
    count: int
    share: str
    x: str
    width: str


def bar(parts: Sequence[tuple[str, Words, int]]) -> tuple[Slice, ...]:
    """A bar of so many of each kind, from left to right; those of none take no room.

    >>> [(each.x, each.width) for each in bar([("won", "won", 3), ("lost", "lost", 1)])]
    [('0%', '75%'), ('75%', '25%')]
    """
    total, before = sum(count for _look, _label, count in parts), 0
    slices = []
    for look, label, count in parts:
        share = count / total if total else 0.0
        start = before / total if total else 0.0
        slices.append(
            Slice(look, label, count, percent(count, total), _percent(start), _percent(share))
        )
        before += count
    return tuple(slices)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a histogram; `mark` is the height of what was to be expected, "" for none.

    `tick` is what stands under it.
    """

    label: str
    tick: str
    count: int
    share: str
    expected: str
    x: str
    middle: str
    right: str
    width: str
    y: str
    height: str
    mark: str


def columns(
    labels: Sequence[str],
    counts: Sequence[int],
    expected: Sequence[float] | None = None,
    *,
    ticks: Sequence[str] | None = None,
) -> tuple[Column, ...]:
    """Columns of equal width whose height is the share of each, with marks of expected shares;
    `ticks` are shorter than the labels, where room is scarce.

    >>> [(each.x, each.height) for each in columns(["1", "2"], [1, 3])]
    [('4%', '36.4'), ('54%', '109.1')]
    """
    total, step = sum(counts), 100 / len(counts)
    shares = [count / total if total else 0.0 for count in counts]
    tallest = max([*shares, *(expected or [])]) * _ROOM or 1.0
    heights = [HEIGHT * share / tallest for share in shares]
    return tuple(
        Column(
            label=label,
            tick=ticks[n] if ticks else label,
            count=count,
            share=percent(count, total),
            expected=percent(expected[n], 1) if expected else "",
            x=_percent((n * step + 0.08 * step) / 100),
            middle=_percent((n + 0.5) * step / 100),
            right=_percent((n * step + 0.92 * step) / 100),
            width=_percent(0.84 * step / 100),
            y=f"{HEIGHT - heights[n]:.1f}",
            height=f"{heights[n]:.1f}",
            mark=f"{HEIGHT - HEIGHT * expected[n] / tallest:.1f}" if expected else "",
        )
        for n, (label, count) in enumerate(zip(labels, counts, strict=True))
    )


@dataclass(frozen=True, slots=True)
class Span:
    """An interval around what was seen, on a line whose middle is what was to be expected."""

    low: str
    seen: str
    high: str
    width: str


def span(seen: float, margin: float, *, is_less_better: bool = False) -> Span:
    """Lay out an interval; `seen` is the distance from the middle. Better is on the right.

    >>> span(1.0, 1.0)
    Span(low='50%', seen='70%', high='90%', width='40%')
    """
    away = -seen if is_less_better else seen
    reach = (abs(away) + margin) * 1.25 or 1.0

    def place(value: float) -> float:
        return 0.5 + 0.5 * value / reach

    return Span(
        low=_percent(place(away - margin)),
        seen=_percent(place(away)),
        high=_percent(place(away + margin)),
        width=_percent(margin / reach),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + "%"
