"""How strong the bots were measured to be: the figures of docs/bots.md, in a file for the pages.

`games/bots/figures.json` is a list with an object for each measurement:
`{"bot": "club", "against": "eaai", "preset": "hollywood", "share": 0.55, "margin": 0.02,
"pairs": 1500}`, the share of the series won with half the width of its 95 % interval, and how many
mirrored pairs of series were played. What has not been measured yet is simply not there.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

PATH: Final = Path(__file__).parent / "bots" / "figures.json"


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement, as `manage.py arena` reports it."""

    bot: str
    against: str
    preset: str
    share: float
    margin: float
    pairs: int

    @property
    def percent(self) -> str:
        """The share of series won with its interval.

        >>> Figure("club", "eaai", "hollywood", 0.547, 0.0184, 1500).percent
        '54.7 ± 1.8 %'
        """
        return f"{100 * self.share:.1f} ± {100 * self.margin:.1f} %"


def figures_of(bot: str) -> tuple[Figure, ...]:
    """What was measured of a bot, in the file's order."""
    return tuple(each for each in read_figures(PATH) if each.bot == bot)


@cache
def read_figures(path: Path) -> tuple[Figure, ...]:
    """Read such a file; where there is none, nothing has been measured."""
    if not path.exists():
        return ()
    return tuple(Figure(**each) for each in json.loads(path.read_text(encoding="utf-8")))
