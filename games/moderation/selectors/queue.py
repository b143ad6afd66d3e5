"""The cases that wait: which ones, in which order, and how many of each kind."""

from enum import StrEnum
from typing import Final

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from accounts.models import User
from games.moderation.access import appeals_for, cases_for
from games.moderation.models import Appeal, Case, Report

PAGE: Final = 25


class Pile(StrEnum):
    """Where an open case lies."""

    FREE = "free"
    MINE = "mine"
    TAKEN = "taken"
    ASIDE = "aside"
    SENIOR = "senior"
    CLOSED = "closed"


class Order(StrEnum):
    """What comes first: what is urgent, or who has waited longest."""

    SCORE = "score"
    AGE = "age"


def pile_of(pile: Pile, moderator: User) -> Q:
    """The condition that puts a case on this pile, for this moderator."""
    is_open, unclaimed = Q(closed_at=None), Q(closed_at=None, claimed_by=None)
    aside = Q(snoozed_until__gt=Now())
    match pile:
        case Pile.FREE:
            return unclaimed & ~_running(aside) & Q(escalated_at=None)
        case Pile.MINE:
            return is_open & Q(claimed_by=moderator)
        case Pile.TAKEN:
            return is_open & Q(claimed_by__isnull=False) & ~Q(claimed_by=moderator)
        case Pile.ASIDE:
            return unclaimed & aside
        case Pile.SENIOR:
            return unclaimed & ~_running(aside) & Q(escalated_at__isnull=False)
        case Pile.CLOSED:
            return Q(closed_at__isnull=False)


def _running(aside: Q) -> Q:
    """`aside`, so that its opposite holds where there is no such time as well."""
    return Q(snoozed_until__isnull=False) & aside


def queue(pile: Pile, order: Order, moderator: User) -> QuerySet[Case]:
    """The cases on a pile, with how many reports there are and what the last one is about."""
    last = Report.objects.filter(case=OuterRef("pk")).order_by("-pk")
    cases = (
        cases_for(moderator)
        .filter(pile_of(pile, moderator))
        .annotate(report_count=Count("reports"), last_rule=Subquery(last.values("rule")[:1]))
    )
    if pile is Pile.CLOSED:
        return cases.select_related("person", "claimed_by").order_by("-closed_at", "-pk")
    first = ("opened_at", "pk") if order is Order.AGE else ("-score", "opened_at", "pk")
    return cases.select_related("person", "claimed_by").order_by(*first)


def pile_sizes(moderator: User) -> dict[Pile, int]:
    """How many cases lie on each pile of open ones."""
    piles = [pile for pile in Pile if pile is not Pile.CLOSED]
    counts = {pile.value: Count("pk", filter=pile_of(pile, moderator)) for pile in piles}
    found = cases_for(moderator).filter(closed_at=None).aggregate(**counts)
    return {pile: found[pile.value] for pile in piles}


def appeals_to_answer(moderator: User) -> QuerySet[Appeal]:
    """The appeals that nobody has answered, who waits longest first; none of one's own."""
    waiting = appeals_for(moderator).filter(answered_at=None)
    related = waiting.select_related("sanction__user", "sanction__imposed_by")
    return related.order_by("made_at", "pk")


def appeals_answered(moderator: User) -> QuerySet[Appeal]:
    """Those that were answered, the last first."""
    answered = appeals_for(moderator).filter(answered_at__isnull=False)
    related = answered.select_related("sanction__user", "sanction__imposed_by", "answered_by")
    return related.order_by(F("answered_at").desc(), "-pk")
