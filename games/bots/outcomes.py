"""How a round can end for a seat, in kinds: what is foretold of positions, and what it is worth."""

from collections.abc import Sequence
from typing import Final

from games.rules.options import Options

_BOUNDS: Final = {"gin": (15, 30), "knock": (8, 20), "undercut": ()}

OUTCOMES: Final = (
    "drawn",
    *(
        f"{side} {kind} {size}"
        for side in ("own", "their")
        for kind, bounds in _BOUNDS.items()
        for size in range(len(bounds) + 1)
    ),
)
"""Nobody wins; or a side does, by gin, knock or undercut, and by a little or a lot."""

_PLACES: Final = {name: place for place, name in enumerate(OUTCOMES)}


def outcome_place(own: bool, kind: str, difference: int) -> int:
    """Return the place in `OUTCOMES` of an ending of this kind and difference.

    >>> OUTCOMES[outcome_place(True, "knock", 9)]
    'own knock 1'
    """
    if kind == "drawn":
        return 0
    size = sum(difference > bound for bound in _BOUNDS[kind])
    return _PLACES[f"{'own' if own else 'their'} {kind} {size}"]


def points_of_outcomes(
    options: Options, differences: Sequence[float], multiplier: int = 1
) -> list[float]:
    """Say what each outcome scores, the other side's below 0.

    `differences` are those usual in each outcome.
    """
    bonuses = {"gin": options.gin, "knock": 0, "undercut": options.undercut}
    points = [0.0]
    for name, difference in zip(OUTCOMES[1:], differences[1:], strict=True):
        side, kind, _ = name.split()
        scored = multiplier * (bonuses[kind] + difference)
        points.append(scored if side == "own" else -scored)
    return points
