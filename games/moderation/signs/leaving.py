"""Leaving again and again: the step of the ladder (games.leavers) that somebody stands on."""

from typing import Final

from games.leavers import Repute

STEP: Final = 3
"""From here on it is a signal: thirty minutes to wait, or more."""


def step_of(repute: Repute | None) -> int:
    """The step that somebody stands on."""
    return repute.step if repute is not None else 0
