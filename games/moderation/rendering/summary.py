"""The public summary of moderation, and spans of time in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Sanction
from games.moderation.selectors.summary import Month
from games.moderation.selectors.today import Today
from games.rendering.numbers import NOTHING


@dataclass(frozen=True, slots=True)
class MonthPart:
    """A month: its figures, each with its words. `is_running`: it has not ended yet."""

    start: datetime
    is_running: bool
    figures: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, month: Month, *, is_running: bool) -> Self:
        return cls(month.start, is_running, tuple(_figures(month)))


@dataclass(frozen=True, slots=True)
class SummaryPage:
    """`templates/games/moderation/transparency.html`, as `page`."""

    months: tuple[MonthPart, ...]


def _figures(month: Month) -> Iterator[tuple[str, str]]:
    yield _("Reports"), str(month.reports)
    yield _("Cases in which something was done"), str(month.count("case.acted"))
    yield _("Cases with nothing against the rules"), str(month.count("case.dismissed"))
    for kind, count in month.sanctions.items():
        if count:
            yield _("Imposed: %(what)s") % {"what": Sanction.Kind(kind).label}, str(count)
    for action, words in (
        ("sanction.lift", _("Sanctions lifted early")),
        ("appeal.grant", _("Appeals granted")),
        ("appeal.reject", _("Appeals rejected")),
        ("series.void", _("Series declared void")),
        ("rating.refund", _("Times that ratings were given back")),
        ("person.rename", _("People renamed")),
        ("line.remove", _("Lines of chat removed")),
        ("profile.clear", _("Profiles emptied")),
    ):
        if month.count(action) or action.startswith("appeal"):
            yield words, str(month.count(action))
    yield _("From a case's first report to its end, in the median"), span_words(month.answer_time)


def span_words(span: timedelta | None) -> str:
    """A span in one unit, rounded.

    >>> span_words(timedelta(minutes=90)), span_words(timedelta(days=3)), span_words(None)
    ('2 hours', '3 days', '–')
    """
    if span is None:
        return NOTHING
    hours = span.total_seconds() / 3600
    if hours < 1:
        minutes = max(1, round(hours * 60))
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    if hours < 48:
        whole = round(hours)
        return ngettext("%(count)d hour", "%(count)d hours", whole) % {"count": whole}
    days = round(hours / 24)
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}


def today_figures(figures: Today) -> tuple[tuple[str, str], ...]:
    """The figures of the day, each with its words."""
    waits = timezone.now() - figures.waiting_since if figures.waiting_since else None
    return (
        (_("Players seen"), str(figures.players)),
        (_("Series begun"), str(figures.begun)),
        (_("Series finished"), str(figures.finished)),
        (_("Being played"), str(figures.running)),
        (_("Reports"), str(figures.reports)),
        (_("Open cases"), str(figures.cases_open)),
        (_("The oldest waits"), span_words(waits)),
        (_("Answered within (median of 30 days)"), span_words(figures.answer_time)),
        (_("Open appeals"), str(figures.appeals_open)),
        (_("Errors logged"), str(figures.errors)),
    )
