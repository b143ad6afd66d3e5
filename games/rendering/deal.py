"""The panel of this deal: what proves that the cards were fixed before they were played."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rendering.forms import Turn
from games.rules.deck import deal_message
from games.rules.parts import How, Part

if TYPE_CHECKING:
    from games.selectors.table import Table

HOW_WORDS: Final[dict[How, str | Promise]] = {
    How.KEPT: _("promised by its fingerprint, then told"),
    How.WHOLE: _("handed over; the server kept it unseen until the deal"),
    How.WITHHELD: _("promised by its fingerprint, but not told in time: none"),
    How.NONE: _("none"),
}


@dataclass(frozen=True, slots=True)
class PlayersPart:
    """What one player gave to a deal."""

    name: str
    given: Part

    @property
    def words(self) -> str | Promise:
        """How it was given."""
        return HOW_WORDS[self.given.how]


@dataclass(frozen=True, slots=True)
class Coming:
    """What one player has given to the deal to come; the part itself is nobody's to see yet."""

    name: str
    promise: str
    is_given: bool


@dataclass(frozen=True, slots=True)
class DealContext:
    """The round's commitment and parts, its secret once it is over, and the same of the next deal.

    `message` is what the deck follows from, together with the secret. `earlier` are the rounds
    whose deals can be checked. `turn` is that of the form which tells the viewer's part, and
    `promise` what they promised, while it is asked for. `own`: what the viewer gave.
    """

    series: str
    round: int
    message: str
    commitment: str
    secret: str
    parts: tuple[PlayersPart, ...]
    next_commitment: str
    coming: tuple[Coming, ...]
    earlier: tuple[int, ...]
    turn: Turn | None
    promise: str
    own: Part | None

    @classmethod
    def of(cls, table: "Table") -> Self:
        names = [chair.name for chair in table.chairs]
        number = table.play.number if table.play else 0
        return cls(
            series=table.series_id,
            round=number,
            message=_message(table),
            commitment=table.commitment or "",
            secret=table.secret or "",
            parts=tuple(map(PlayersPart, names, table.parts)),
            next_commitment=table.next_commitment,
            coming=_coming(table, names),
            earlier=tuple(past.number for past in table.past if past.number != number),
            turn=Turn(table.url, number, 0) if table.part_asked else None,
            promise=table.promises[table.seat]
            if table.part_asked and table.seat is not None
            else "",
            own=table.parts[table.seat] if table.parts and table.seat is not None else None,
        )

    @property
    def shows_next(self) -> bool:
        """Whether the next deal is the one that is waited for."""
        return bool(self.secret) or not self.commitment

    @property
    def check_url(self) -> str:
        """Where the deal on the table can be checked."""
        return reverse("verify_round", args=[self.series, self.round])

    @property
    def earlier_urls(self) -> tuple[tuple[int, str], ...]:
        """Where the earlier deals can be checked, by their rounds."""
        return tuple(
            (number, reverse("verify_round", args=[self.series, number])) for number in self.earlier
        )


def _coming(table: "Table", names: list[str]) -> tuple[Coming, ...]:
    given = [seat in table.given for seat in range(len(table.promises))]
    found = map(Coming, names, table.promises, given)
    return tuple(each for each in found if each.promise or each.is_given)


def _message(table: "Table") -> str:
    if table.play is None:
        return ""
    words = [part.word for part in table.parts]
    return deal_message(table.series_id, table.play.number, table.play.board, *words)
