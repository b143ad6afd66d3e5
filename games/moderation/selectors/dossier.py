"""Everything that moderators need to know about one person, gathered for one page."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.models import Profile, Sanction, User
from accounts.sanctions import in_force
from accounts.traces import Related, related_accounts
from games.models import Message, Seat, Series
from games.moderation.access import cases_for
from games.moderation.models import Case, Letter, Note, Report
from games.moderation.selectors.signals import Told, signals_about
from games.selectors.repute import ReputeNow, repute_of

MOST: Final = 50  # of each kind; what is older is found in the admin
LINES: Final = 20
SERIES: Final = 10
LATELY: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Dossier:
    """One person, as far as this moderator may know; each list with the newest first.

    `in_force` are the ids of the sanctions that hold now, `letters` what they were told of things
    that were mended. `related` are other accounts that may be
    theirs, the closest first, with what they share.
    """

    person: User
    profile: Profile | None
    reports_about: list[Report]
    reports_by: list[Report]
    notes: list[Note]
    sanctions: list[Sanction]
    in_force: frozenset[int]
    letters: list[Letter]
    signals: list[Told]
    cases: list[Case]
    lines: list[Message]
    seats: list[Seat]
    repute: ReputeNow | None
    related: list[tuple[User, Related]]


def dossier_of(person: User, moderator: User) -> Dossier:
    """Gather it: so many queries, however much there is."""
    cases = cases_for(moderator)
    about = Report.objects.filter(case__in=cases.filter(person=person).values("pk"))
    made = Report.objects.filter(reporter=person, case__in=cases.values("pk"))
    notes = Note.objects.filter(case__person=person, case__in=cases.values("pk"))
    sanctions = Sanction.objects.filter(user=person)
    lines = Message.objects.filter(author=person, sent_at__gt=Now() - LATELY)
    begun = Seat.objects.filter(user=person).exclude(series__status=Series.Status.WAITING)
    seats = begun.exclude(series__source=Series.Source.IMPORTED)  # theirs alone, and no conduct
    return Dossier(
        person=person,
        profile=Profile.objects.filter(user=person).first(),
        reports_about=_first(about.select_related("case__person", "reporter", "series")),
        reports_by=_first(made.select_related("case__person", "reporter", "series")),
        notes=_first(notes.select_related("author")),
        sanctions=_first(sanctions.select_related("imposed_by", "appeal__answered_by")),
        in_force=frozenset(sanctions.filter(in_force()).values_list("pk", flat=True)),
        letters=_first(Letter.objects.filter(user=person).select_related("series")),
        signals=signals_about(person.pk, moderator),
        cases=_first(cases.filter(person=person).select_related("claimed_by")),
        lines=list(lines.select_related("series").order_by("-pk")[:LINES]),
        seats=list(seats.select_related("series", "opponent").order_by("-series")[:SERIES]),
        repute=repute_of(person.pk),
        related=_with_their_users(related_accounts(person.pk)),
    )


def _with_their_users(related: list[Related]) -> list[tuple[User, Related]]:
    people = User.objects.in_bulk([each.user_id for each in related])
    return [(people[each.user_id], each) for each in related]


def _first[T: (Report, Note, Sanction, Case, Letter)](rows: QuerySet[T]) -> list[T]:
    return list(rows.order_by("-pk")[:MOST])
