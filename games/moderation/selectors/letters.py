"""What moderators have told somebody: sanctions, answers, and what became of reports."""

from typing import Final

from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Now

from accounts.models import Sanction, User
from games.moderation.models import Appeal, Letter, Report

MOST_SHOWN: Final = 50


def has_letters(user_id: int) -> bool:
    """Whether somebody has not read all that they were told; one query."""
    mine = {"user": OuterRef("pk")}
    sanctions = Sanction.objects.filter(**mine, acknowledged_at=None, lifted_at=None)
    unread = (
        Exists(sanctions)
        | Exists(unread_answers().filter(sanction__user=OuterRef("pk")))
        | Exists(unread_outcomes().filter(reporter=OuterRef("pk")))
        | Exists(Letter.objects.filter(**mine, seen_at=None))
    )
    return User.objects.filter(unread, pk=user_id).exists()


def unread_answers() -> QuerySet[Appeal]:
    """Answers to appeals that nobody has read yet."""
    return Appeal.objects.filter(answer_seen_at=None).exclude(answered_at=None)


def unread_outcomes() -> QuerySet[Report]:
    """Reports that were dealt with, whose reporter has not seen how."""
    return Report.objects.filter(outcome_seen_at=None).exclude(case__closed_at=None)


def sanctions_of(user_id: int) -> list[Sanction]:
    """All that was imposed on somebody, the latest first, with their appeals; `now` comes along."""
    rows = Sanction.objects.filter(user=user_id).select_related("appeal").annotate(now=Now())
    return list(rows.order_by("-since", "-pk")[:MOST_SHOWN])


def reports_of(user_id: int) -> list[Report]:
    """What somebody has reported, the latest first, with case and person."""
    rows = Report.objects.filter(reporter=user_id).select_related("case__person")
    return list(rows.order_by("-made_at", F("pk").desc())[:MOST_SHOWN])


def letters_to(user_id: int) -> list[Letter]:
    """What was mended of theirs, the latest first, with the series."""
    rows = Letter.objects.filter(user=user_id).select_related("series")
    return list(rows.order_by("-made_at", "-pk")[:MOST_SHOWN])
