"""What the page about leaving shows."""

from dataclasses import dataclass

from accounts.forms import LeaveForm


@dataclass(frozen=True, slots=True)
class LeavePage:
    """How many series would be lost, and the form."""

    running: int
    form: LeaveForm
