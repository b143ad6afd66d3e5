"""The last events in words."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from games.rendering.cast import Cast
from games.rendering.sentences import event_sentence
from games.rules.events import Event

if TYPE_CHECKING:
    from games.selectors.table import Table

_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class NewsContext:
    """The round's last events, and how many there were before them."""

    cast: Cast
    round: int
    events: tuple[Event, ...]
    earlier: int

    @classmethod
    def of(cls, table: "Table", cast: Cast) -> Self:
        events = table.play.events if table.play else ()
        number = table.play.number if table.play else 0
        return cls(cast, number, events[-_SHOWN:], max(0, len(events) - _SHOWN))

    @property
    def sentences(self) -> tuple[tuple[int, str, str], ...]:
        """Each event's number in the round, its kind, and its sentence."""
        return tuple(
            (number, type(event).__name__.lower(), event_sentence(event, self.cast))
            for number, event in enumerate(self.events, self.earlier)
        )
