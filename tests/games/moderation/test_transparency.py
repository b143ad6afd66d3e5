"""The public summary: counts only, by months of UTC."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.moderation.models import AuditRow, Case, Report
from games.moderation.rendering.summary import MonthPart
from games.moderation.selectors.summary import MONTHS, months_until
from games.moderation.services import cases
from tests.games.moderation.test_pages import told
from tests.staff import new_moderator
from tests.tables import new_user

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def row(action: str, at: datetime) -> None:
    made = AuditRow.objects.create(actor_id=1, action=action, subject="x", subject_id="1")
    # Tests have lifted the triggers that refuse this.
    AuditRow.objects.filter(pk=made.pk).update(at=at)


def test_each_is_counted_in_its_month() -> None:
    last_of_october = datetime(2026, 10, 31, 23, 59, 59, tzinfo=UTC)
    for at in (last_of_october, last_of_october + timedelta(seconds=1)):
        row("sanction.mute", at)
        row("admin.change", at)
    row("appeal.grant", NOW)
    november, october = months_until(NOW)
    assert (november.sanctions["mute"], october.sanctions["mute"]) == (1, 1)
    assert november.actions == {"sanction.mute": 1, "appeal.grant": 1}
    assert october.start == datetime(2026, 10, 1, tzinfo=UTC)


def test_the_time_to_an_end_is_the_median() -> None:
    for n, hours in enumerate((1, 2, 100), start=1):
        case = told(new_user())
        opened = datetime(2026, 11, n, tzinfo=UTC)
        end = opened + timedelta(hours=hours)
        Case.objects.filter(pk=case.pk).update(opened_at=opened, closed_at=end, outcome="acted")
    Report.objects.update(made_at=NOW)
    [november] = months_until(NOW)
    assert november.reports == 3
    assert november.answer_time == timedelta(hours=2)
    assert ("Reports", "3") in MonthPart.of(november, is_running=True).figures


def test_a_year_is_told_and_no_more() -> None:
    row("sanction.mute", NOW - timedelta(days=800))
    assert len(months_until(NOW)) == 1
    row("sanction.mute", NOW - timedelta(days=300))
    assert len(months_until(NOW)) == 10 < MONTHS


def test_s9_everybody_reads_it_and_it_names_nobody() -> None:
    moderator, person = new_moderator("Marek"), new_user("Anna")
    case = cases.claim(told(person, new_user("Bob")).pk, moderator)
    cases.close(case.pk, moderator, Case.Outcome.ACTED)
    response = Client().get(reverse("transparency"))
    assert response.status_code == 200
    page = response.content.decode()
    assert not [name for name in ("Marek", "Anna", "Bob") if name in page]
    assert "Cases in which something was done" in page


def test_it_asks_little(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    for _ in range(3):
        told(new_user())
    with django_assert_num_queries(3):
        months_until(NOW)
