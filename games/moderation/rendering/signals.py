"""The list of signals, as its template shows it."""

from dataclasses import dataclass

from django.core.paginator import Page

from games.moderation.models import Signal
from games.moderation.selectors.signals import Told, told


@dataclass(frozen=True, slots=True)
class SignalsPage:
    """`templates/games/moderation/signals.html`, as `page`. `path` is its own address."""

    is_seen: bool
    rows: Page[Signal]
    path: str

    @property
    def signals(self) -> list[Told]:
        """Those of this page, in words."""
        return told(self.rows)

    @property
    def query(self) -> str:
        """What the addresses of other pages of this list begin with."""
        return "show=seen&" if self.is_seen else ""
