"""The queue, a case, and the appeals, as the templates show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.moderation.forms.case import AnswerForm, AsideForm, CloseForm, ImposeForm, NoteForm
from games.moderation.models import Appeal, Case
from games.moderation.selectors.dossier import Dossier
from games.moderation.selectors.queue import Order, Pile

PILE_WORDS = {
    Pile.FREE: _("To do"),
    Pile.MINE: _("Mine"),
    Pile.TAKEN: _("With others"),
    Pile.ASIDE: _("Put aside"),
    Pile.SENIOR: _("Passed on"),
    Pile.CLOSED: _("Closed"),
}


@dataclass(frozen=True, slots=True)
class PileTab:
    """A tab of the queue; `size` is None where it is not counted."""

    pile: Pile
    label: str | Promise
    size: int | None


@dataclass(frozen=True, slots=True)
class QueuePage:
    """`templates/games/moderation/queue.html`, as `page`."""

    pile: Pile
    order: Order
    tabs: tuple[PileTab, ...]
    cases: Page[Case]
    appeals: int

    @property
    def query(self) -> str:
        """What the addresses of other pages of this list begin with."""
        return f"show={self.pile}&by={self.order}&"


@dataclass(frozen=True, slots=True)
class CaseForms:
    """The forms of a case; those of its holder are shown to its holder only."""

    note: NoteForm
    impose: ImposeForm
    aside: AsideForm
    close: CloseForm


@dataclass(frozen=True, slots=True)
class CasePage:
    """`templates/games/moderation/case.html`, as `page`.

    `is_mine`: who looks has claimed it, and it is open. `stamp` is the state of the case that the
    forms were made for. `may_mend`: voiding, renaming and the like are offered. `may_take_over`:
    who looks may take it from another moderator. `notice` is why something was not done.
    """

    case: Case
    dossier: Dossier
    forms: CaseForms
    stamp: int
    is_mine: bool
    may_mend: bool
    may_take_over: bool
    notice: str = ""

    @property
    def is_open(self) -> bool:
        return self.case.closed_at is None

    @property
    def path(self) -> str:
        """Where it is looked at; what was refused is answered at another address."""
        return reverse("moderation_case", args=[self.case.pk])

    @property
    def earlier(self) -> list[Case]:
        """The person's other cases."""
        return [each for each in self.dossier.cases if each.pk != self.case.pk]


@dataclass(frozen=True, slots=True)
class AppealsPage:
    """`templates/games/moderation/appeals.html`, as `page`. `viewer` imposed some of them."""

    waiting: Page[Appeal]
    answered: Sequence[Appeal]
    viewer: int


@dataclass(frozen=True, slots=True)
class AppealPage:
    """`templates/games/moderation/appeal.html`, as `page`.

    `case_id`: the case that it came from, if who looks may see it. `refused` says why who looks may
    not answer, "" where they may.
    """

    appeal: Appeal
    form: AnswerForm
    case_id: int | None
    refused: str = ""
    notice: str = ""
