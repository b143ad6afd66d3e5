"""Reports: each joins the open case of its person, or opens one."""

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import User
from accounts.texts import plain_text
from games.conduct import RULES
from games.models import Series
from games.moderation.errors import NoSuchRule, NotReportable, TooManyReports
from games.moderation.evidence import evidence_of
from games.moderation.models import Case, Report
from games.moderation.score import Record, score

MOST_AN_HOUR: Final = 6


@transaction.atomic
def file_report(
    *, reporter: User, person: User, rule: str, text: str, key: str, series: Series | None = None
) -> Report:
    """Tell the moderators about somebody; with a `key` that was used before, nothing is added.

    Raises NotReportable, NoSuchRule or TooManyReports.
    """
    # One at a time for each reporter, so that the limit holds.
    User.objects.select_for_update(no_key=True).get(pk=reporter.pk)
    done = Report.objects.filter(reporter=reporter, key=key).first()
    if done is not None:
        return done
    if person.pk == reporter.pk or person.kind == User.Kind.BOT or person.deleted_at is not None:
        raise NotReportable
    if rule not in RULES:
        raise NoSuchRule
    lately = Report.objects.filter(reporter=reporter, made_at__gt=Now() - timedelta(hours=1))
    if lately.count() >= MOST_AN_HOUR:
        raise TooManyReports
    case = open_case(person.pk)
    report = Report.objects.create(
        case=case,
        reporter=reporter,
        rule=rule,
        text=plain_text(text)[: Report.LONGEST],
        series=series,
        evidence=evidence_of(series, reporter_id=reporter.pk, person_id=person.pk),
        key=key,
    )
    rescore(case)
    return report


def open_case(person_id: int) -> Case:
    """The open case of a person, locked; made if there is none."""
    case, _ = Case.objects.get_or_create(person_id=person_id, closed_at=None)
    locked = Case.objects.select_for_update().get(pk=case.pk)
    # Closed in the moment between: the report opens the next one.
    return locked if locked.closed_at is None else open_case(person_id)


def rescore(case: Case) -> None:
    """Work out anew how urgent a case is."""
    told = case.reports.order_by().values_list("rule", "reporter", "reporter__kind").distinct()
    acted = Case.objects.filter(person=case.person_id, outcome=Case.Outcome.ACTED).count()
    records = ((rule, record_of(reporter, kind)) for rule, reporter, kind in told)
    signals = case.signals.values("kind").distinct().count()
    case.score = score(records, acted, signals)
    case.save(update_fields=["score"])


def record_of(reporter_id: int, kind: str) -> Record:
    """How somebody's earlier reports turned out."""
    closed = Case.objects.exclude(closed_at=None)
    by_them = closed.filter(Q(reports__reporter=reporter_id)).distinct()
    return Record(
        by_them.filter(outcome=Case.Outcome.ACTED).count(),
        by_them.filter(outcome=Case.Outcome.DISMISSED).count(),
        kind == User.Kind.GUEST,
    )
