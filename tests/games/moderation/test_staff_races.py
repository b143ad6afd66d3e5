"""Moderators who press at the same moment: each thing is done once (fault 110)."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction

from accounts import sanctions
from accounts.models import Sanction, User
from games.models import Rating, RatingChange
from games.moderation.errors import ModerationError
from games.moderation.models import AuditRow, Case, Signal
from games.moderation.services import cases
from games.moderation.services.signals import open_from_signal
from games.selectors.audit import tally_differences
from games.services import remedies
from games.services.giving_back import refold
from games.services.judgement import impose_at_once
from tests.at_once import at_once
from tests.games.moderation.test_pages import noticed, told
from tests.games.moderation.test_remedies import resigned
from tests.staff import new_boss
from tests.tables import new_user

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TIMES = 8
CLOSING = Sanction.Kind.CLOSING


def tried(do: Callable[[], object]) -> Callable[[], bool]:
    """Whether it was done; a refusal is none, and who waits too long for a row presses again."""

    def call() -> bool:
        for _ in range(10):
            with suppress(OperationalError):
                try:
                    do()
                except ModerationError:
                    return False
                return True
        raise AssertionError("the rows are never free")

    return call


def test_a_sanction_is_imposed_once() -> None:
    moderator, case = new_boss(), told(new_user())
    cases.claim(case.pk, moderator)
    stamp = cases.stamp_of(case)

    def impose() -> None:
        impose_at_once(
            case_id=case.pk,
            moderator=moderator,
            stamp=stamp,
            kind=Sanction.Kind.MUTE,
            rule="spam",
            text="Stop.",
            term=timedelta(hours=1),
        )

    assert sum(at_once([tried(impose)] * TIMES)) == 1
    assert Sanction.objects.count() == 1
    assert AuditRow.objects.filter(action="sanction.mute").count() == 1


def test_s4_what_is_lifted_undoes_nothing_that_is_imposed_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who was shut out in the same moment as an older sanction ended went on as they liked."""
    person, look = new_user(), sanctions.sanction_on
    old = sanctions.impose(user_id=person.pk, kind=CLOSING, rule="spam", text="…")
    with ThreadPoolExecutor(1) as other:
        meanwhile: list[Future[None]] = []

        def impose() -> None:
            try:
                sanctions.impose(user_id=person.pk, kind=CLOSING, rule="spam", text="…")
            finally:
                connection.close()

        def look_long(user_id: int | None, *kinds: Sanction.Kind) -> Sanction | None:
            found = look(user_id, *kinds)
            if not meanwhile:
                meanwhile.append(other.submit(impose))
                wait(meanwhile, timeout=1)  # it is done, or waits for this one
            return found

        monkeypatch.setattr(sanctions, "sanction_on", look_long)
        assert sanctions.lift(old)
        meanwhile[0].result(10)
    person.refresh_from_db()
    assert person.is_shut_out


def test_of_many_moderators_one_claims_it() -> None:
    case, staff = told(new_user()), [new_boss(f"judge{n}") for n in range(TIMES)]
    claims = [tried(lambda who=who: cases.claim(case.pk, who)) for who in staff]  # type: ignore[misc]
    assert sum(at_once(claims)) == 1


def test_of_many_presses_on_a_signal_there_is_one_case() -> None:
    person, staff = new_user(), [new_boss(f"looker{n}") for n in range(3)]
    signals = [noticed(person) for _ in range(2)]
    presses = [
        tried(lambda who=who, pk=signal.pk: open_from_signal(pk, who))  # type: ignore[misc]
        for who in staff
        for signal in signals
    ]
    reports = [tried(lambda: told(person))] * 2
    assert all(at_once([*presses, *reports]))
    case = Case.objects.get()
    assert {signal.case for signal in Signal.objects.all()} == {case}
    assert AuditRow.objects.filter(action="signal.case").count() == 2
    assert case.score == 7.0  # two insults, and one kind of signal


def test_ratings_are_given_back_once_whoever_does_it() -> None:
    senior, cheat = new_boss(), new_user()
    victims = [new_user() for _ in range(3)]
    series = [resigned(victim, cheat) for victim in victims]

    def void(pk: int) -> Callable[[], bool]:
        return tried(lambda: remedies.void_series(series_id=pk, moderator=senior, rule="collusion"))

    def refund() -> None:
        remedies.refund_ratings(person_id=cheat.pk, moderator=senior, rule="collusion", days=7)

    at_once([*(void(each.pk) for each in series[:2] * 2), tried(refund), tried(refund)])
    assert AuditRow.objects.filter(action="series.void").count() == 2
    assert {round(rating(victim)) for victim in victims} == {1500}
    assert RatingChange.objects.filter(user=cheat, given_back_at=None).count() == 1
    stored = [rating(user) for user in (cheat, *victims)]
    with transaction.atomic():
        for row in Rating.objects.all():
            refold(row.user_id, row.format)
    assert [rating(user) for user in (cheat, *victims)] == pytest.approx(stored)
    assert list(tally_differences()) == []


def rating(user: User) -> float:
    return float(Rating.objects.get(user=user).value)
