"""Formats: what is rated and listed as one, however a series was set up in detail.

A format is a preset with its options unchanged (but for a target of 100 to 150), played live or
over days. What differs is played for itself and has no rating.
"""

from dataclasses import dataclass, replace
from typing import Final, Self

from games.rules.options import PRESETS, Options
from games.time_control import TimeControl

RATED_TARGETS: Final = range(100, 151)


@dataclass(frozen=True, slots=True)
class Format:
    """A preset, live or over days.

    >>> str(Format.of(Options(), TimeControl.parse("3d")))
    'hollywood days'
    """

    preset: str
    live: bool = True

    def __str__(self) -> str:
        return f"{self.preset} {'live' if self.live else 'days'}"

    @classmethod
    def of(cls, options: Options, control: TimeControl) -> Self | None:
        """The format of a series with these rules, None where they are of no format."""
        usual = PRESETS[options.preset]
        if replace(options, target=usual.target) != usual or options.target not in RATED_TARGETS:
            return None
        return cls(options.preset, control.is_live)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read it as it is written. Raises ValueError for what is no format."""
        preset, _, pace = text.partition(" ")
        if preset not in PRESETS or pace not in ("live", "days"):
            raise ValueError(f"no such format: {text[:40]!r}")
        return cls(preset, live=pace == "live")


FORMATS: Final = tuple(Format(preset, live) for preset in PRESETS for live in (True, False))
"""Every format, the usual one first."""
