"""Somebody, as moderators see them, and how they are found."""

from dataclasses import dataclass

from django.urls import reverse

from accounts.models import User
from games.moderation.models import Case
from games.moderation.selectors.dossier import Dossier


@dataclass(frozen=True, slots=True)
class SearchPage:
    """`templates/games/moderation/people.html`, as `page`; `found` is None before a search."""

    text: str
    found: tuple[User, ...] | None


@dataclass(frozen=True, slots=True)
class PersonPage:
    """`templates/games/moderation/person.html`, as `page`.

    `case` is the open one, None without. `may_mend`: voiding, renaming and the like are offered.
    """

    dossier: Dossier
    case: Case | None
    may_mend: bool

    @property
    def path(self) -> str:
        """Where it is looked at."""
        return reverse("moderation_person", args=[self.dossier.person.pk])

    @property
    def earlier(self) -> list[Case]:
        """The cases about them that are closed."""
        return [each for each in self.dossier.cases if each.closed_at is not None]
