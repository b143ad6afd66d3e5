"""The moderators' pages: who may open what (S9), and what they do there (M1, S12)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from accounts.models import Sanction, User
from accounts.sanctions import free_of, impose
from games.models import Series
from games.moderation import roles
from games.moderation.errors import ModerationError
from games.moderation.models import Appeal, AuditRow, Case, Note, Report, Signal
from games.moderation.services import cases, sanctions
from games.moderation.services.reports import file_report
from games.moderation.services.signals import note_signal
from games.moderation.services.staff import appoint
from games.phrases import PHRASES
from games.rules.actions import Pass
from games.services.chat import say
from tests.accounts.people import new_person
from tests.staff import new_boss, new_moderator, new_staff
from tests.tables import new_table, new_user, next_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


def browser(user: User | None = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def words(response: Any) -> str:
    """A page as it is sent."""
    assert response.status_code in (200, 422)
    return str(response.content.decode())


def told(person: User, reporter: User | None = None, **more: Any) -> Case:
    filed = {"rule": "respect", "text": "He swore at me.", "key": next_key(), **more}
    return file_report(reporter=reporter or new_user(), person=person, **filed).case


def test_m1_what_somebody_said_by_a_phrase_is_shown_in_words() -> None:
    """The page of a person showed its code."""
    table = new_table()
    say(series=table.series, user_id=table.users[0].pk, key="k", phrase="must-go")
    path = reverse("moderation_case", args=[told(table.users[0]).pk])
    page = words(browser(new_boss()).get(path))
    assert "I must go after this." in page
    assert "must-go" not in page


def appealed(imposed_by: User | None = None) -> Any:
    person = new_user()
    made = impose(
        user_id=person.pk,
        kind=Sanction.Kind.MUTE,
        rule="spam",
        text="Enough.",
        imposed_by_id=imposed_by.pk if imposed_by else None,
    )
    return sanctions.file_appeal(made.pk, person, "It was my brother.")


def noticed(person: User, other: User | None = None, kind: str = Signal.Kind.FED) -> Signal:
    """A signal about somebody."""
    facts: dict[str, int | float | str | None] = {"fed": 41, "discards": 78, "one_in": 730_000}
    other_id = other.pk if other else None
    return note_signal(Signal.Kind(kind), next_key(), person.pk, other_id=other_id, facts=facts)


def do(client: Client, case: Case, step: str, stamp: int | None = None, **fields: str) -> Any:
    stamp = cases.stamp_of(case) if stamp is None else stamp
    given = {f"{step}-{name}": value for name, value in fields.items()}
    path = reverse("moderation_act", args=[case.pk, step])
    return client.post(path, {"stamp": str(stamp), **given})


class Doors:
    """Each page with the permission that it needs, and what it is asked with."""

    def __init__(self) -> None:
        self.case, self.appeal = told(new_user()), appealed()
        self.person = new_user()

    def __iter__(self) -> Iterator[tuple[str, str, str, int]]:
        """The name of an address, a path of it, how it is asked, and the answer to who may."""
        case, appeal = [self.case.pk], [self.appeal.pk]
        yield "moderation", reverse("moderation"), "get", 200
        yield "moderation_case", reverse("moderation_case", args=case), "get", 200
        yield "moderation_act", reverse("moderation_act", args=[*case, "claim"]), "post", 422
        nothing, person = [0], [self.person.pk]
        yield "moderation_signals", reverse("moderation_signals"), "get", 200
        yield "moderation_signal_case", reverse("moderation_signal_case", args=nothing), "post", 404
        yield "moderation_signal_seen", reverse("moderation_signal_seen", args=nothing), "post", 404
        yield "moderation_people", reverse("moderation_people"), "get", 200
        yield "moderation_person", reverse("moderation_person", args=person), "get", 200
        yield "moderation_appeals", reverse("moderation_appeals"), "get", 200
        yield "moderation_appeal", reverse("moderation_appeal", args=appeal), "get", 200
        yield "moderation_appeal", reverse("moderation_appeal", args=appeal), "post", 422


OF_SENIORS = ("void", "refund", "rename", "profile", "line", "lift")
"""Pages that are looked at in test_remedies.py."""


def bare_moderator() -> User:
    """One who has set up no second factor."""
    user = new_user()
    appoint(user, roles.MODERATOR, 0)
    return User.objects.get(pk=user.pk)


class TestDoors:
    def test_s9_every_address_is_listed(self) -> None:
        found = {
            str(name)
            for name in get_resolver("games.moderation.urls").reverse_dict
            if isinstance(name, str)
        }
        assert found == {name for name, *_ in Doors()} | {f"moderation_{n}" for n in OF_SENIORS}

    def test_s9_for_moderators_only(self) -> None:
        outsiders = [
            (browser(), 302),
            (browser(new_user()), 404),
            (browser(new_staff()), 403),
            (browser(bare_moderator()), 302),
        ]
        for name, path, method, expected in Doors():
            for client, status in outsiders:
                assert getattr(client, method)(path).status_code == status, name
            for role in roles.ROLES:
                client = browser(new_moderator(role=role))
                assert getattr(client, method)(path).status_code == expected, (name, role)
        assert not AuditRow.objects.exclude(action="staff.appoint").exists()

    def test_s9_without_a_second_factor_the_way_is_to_get_one(self) -> None:
        response = browser(bare_moderator()).get(reverse("moderation"))
        assert response["Location"] == reverse("mfa_index")

    def test_s12_nobody_sees_what_was_said_about_or_by_themselves(self) -> None:
        senior = new_moderator(role=roles.SENIOR)
        about, by = told(senior), told(new_user("Victor"), reporter=senior)
        client = browser(senior)
        for case in (about, by):
            assert client.get(reverse("moderation_case", args=[case.pk])).status_code == 404
            assert do(client, case, "claim").status_code == 404
        assert "Victor" not in words(client.get(reverse("moderation")))

    def test_s12_what_is_about_the_staff_or_passed_on_is_for_seniors(self) -> None:
        moderator, senior = new_moderator(), new_moderator(role=roles.SENIOR)
        about_staff, passed_on = told(new_moderator("Colleague")), told(new_user())
        cases.claim(passed_on.pk, moderator)
        cases.escalate(passed_on.pk, moderator)
        for case in (about_staff, passed_on):
            path = reverse("moderation_case", args=[case.pk])
            assert browser(moderator).get(path).status_code == 403
            assert browser(senior).get(path).status_code == 200
        assert "Colleague" not in words(browser(moderator).get(reverse("moderation")))

    def test_s9_no_running_hand_is_on_a_case(self) -> None:
        table = new_table()
        table.act(Pass())
        case = told(table.users[0], reporter=table.users[1], series=table.series)
        page = words(browser(new_boss()).get(reverse("moderation_case", args=[case.pk])))
        row = table.row
        for secret in (bytes(row.secret).hex(), row.log, row.first_key, row.second_key):
            assert not secret or secret not in page


class TestQueue:
    def test_by_urgency_or_by_age(self) -> None:
        old, urgent = told(new_user("Old"), rule="name"), told(new_user("Urgent"))
        Case.objects.filter(pk=old.pk).update(opened_at=timezone.now() - timedelta(days=3))
        client = browser(new_moderator())
        page = words(client.get(reverse("moderation")))
        assert page.index("Urgent") < page.index("Old")
        page = words(client.get(reverse("moderation"), {"by": "age"}))
        assert page.index("Old") < page.index("Urgent")
        assert urgent.score > old.score

    def test_each_case_lies_on_one_pile(self) -> None:
        me, other = new_moderator(), new_moderator()
        names = {"free": "Free", "mine": "Mine", "taken": "Taken", "aside": "Aside"}
        made = {pile: told(new_user(f"Case{name}")) for pile, name in names.items()}
        cases.claim(made["mine"].pk, me)
        cases.claim(made["taken"].pk, other)
        cases.claim(made["aside"].pk, me)
        cases.snooze(made["aside"].pk, me, timezone.now() + timedelta(days=1))
        client = browser(me)
        for pile, name in names.items():
            page = words(client.get(reverse("moderation"), {"show": pile}))
            assert [each for each in names.values() if f"Case{each}" in page] == [name]

    def test_a_case_that_was_put_aside_comes_back(self) -> None:
        me = new_moderator()
        case = told(new_user("Later"))
        cases.claim(case.pk, me)
        cases.snooze(case.pk, me, timezone.now() - timedelta(seconds=1))
        assert "Later" in words(browser(me).get(reverse("moderation")))

    def test_the_queue_asks_little(self, django_assert_max_num_queries: Any) -> None:
        for _ in range(8):
            told(new_user())
        client = browser(new_moderator())
        with django_assert_max_num_queries(12):
            client.get(reverse("moderation"))


class TestCase:
    @pytest.fixture
    def me(self) -> User:
        return new_moderator()

    def test_everything_is_on_one_page(self, me: User) -> None:
        person = new_user("Anna")
        table = new_table()
        table.act(Pass())
        case = told(person, series=table.series, text="She wrote <b>that</b>.")
        told(new_user("Bob"), reporter=person, text="He is slow.")
        cases.write_note(case.pk, me, "Looks like a quarrel.")
        impose(user_id=person.pk, kind=Sanction.Kind.MUTE, rule="spam", text="Enough.")
        note_signal(Signal.Kind.PAIR, "pair:x", person.pk, facts={"rated": 6})
        page = words(browser(me).get(reverse("moderation_case", args=[case.pk])))
        for each in ("She wrote &lt;b&gt;that", "He is slow.", "quarrel", "Enough.", "in force"):
            assert each in page
        assert table.series.slug in page
        assert "round 1, action 1" in page
        assert "No chat" in page
        assert "These two had 6 rated series" in page

    def test_no_link_leads_to_a_private_series(self, me: User) -> None:
        table = new_table()
        Series.objects.filter(pk=table.series.pk).update(is_private=True)
        person, other = table.users
        case = told(person, reporter=other, series=table.series)
        say(series=table.series, user_id=person.pk, key="k", text="You cow.")
        noticed(person, other)
        Signal.objects.update(series=table.series)
        page = words(browser(me).get(reverse("moderation_case", args=[case.pk])))
        assert "You cow." in page
        assert "A private series" in page
        assert table.series.get_absolute_url() not in page

    def test_m1_claimed_judged_and_closed(self, me: User) -> None:
        person, client = new_user(), browser(me)
        case = told(person)
        assert do(client, case, "claim").status_code == 302
        given = {"kind": "mute", "rule": "respect", "term": "24", "text": "No insults."}
        assert do(client, case, "impose", **given).status_code == 302
        assert do(client, case, "close", outcome="acted").status_code == 302
        assert not free_of([person.pk], Sanction.Kind.MUTE)
        case.refresh_from_db()
        assert case.outcome == Case.Outcome.ACTED
        assert Report.objects.get(case=case).outcome_seen_at is None

    def test_s12_each_step_leaves_one_row(self, me: User) -> None:
        client, case = browser(me), told(new_user())
        given = {"kind": "warning", "rule": "respect", "term": "24", "text": "No insults."}
        for step, fields in (
            ("claim", {}),
            ("note", {"text": "Hm."}),
            ("impose", given),
            ("aside", {"hours": "24"}),
            ("claim", {}),
            ("release", {}),
            ("claim", {}),
            ("escalate", {}),
        ):
            before = AuditRow.objects.count()
            assert do(client, case, step, **fields).status_code == 302, step
            assert AuditRow.objects.count() == before + 1, step

    @pytest.mark.parametrize(
        ("step", "fields"),
        [
            ("claim", {}),
            ("note", {"text": "Hm."}),
            ("impose", {"kind": "mute", "rule": "spam", "term": "1", "text": "Stop."}),
        ],
    )
    def test_fault_110_two_presses_are_one_step(
        self, me: User, step: str, fields: dict[str, str]
    ) -> None:
        client, case = browser(me), told(new_user())
        if step != "claim":
            cases.claim(case.pk, me)
        stamp = cases.stamp_of(case)
        before = AuditRow.objects.count()
        assert do(client, case, step, stamp, **fields).status_code == 302
        assert do(client, case, step, stamp, **fields).status_code == 409
        assert AuditRow.objects.count() == before + 1
        assert Note.objects.count() + Sanction.objects.count() == (step != "claim")

    def test_what_was_refused_keeps_its_words(self, me: User) -> None:
        client, case = browser(me), told(new_user())
        response = do(client, case, "note", text="")
        assert response.status_code == 422
        given = {"kind": "mute", "rule": "", "term": "24", "text": "A long and careful text."}
        cases.claim(case.pk, me)
        response = do(client, case, "impose", **given)
        assert response.status_code == 422
        assert "A long and careful text." in words(response)
        assert not Sanction.objects.exists()

    def test_only_a_senior_is_offered_to_take_over(self, me: User) -> None:
        case = told(new_user())
        cases.claim(case.pk, new_moderator())
        path = reverse("moderation_case", args=[case.pk])
        senior = new_moderator(role=roles.SENIOR)
        assert "Take it over" not in words(browser(me).get(path))
        assert do(browser(me), case, "take-over").status_code == 409
        assert "Take it over" in words(browser(senior).get(path))
        assert do(browser(senior), case, "take-over").status_code == 302
        case.refresh_from_db()
        assert case.claimed_by == senior

    def test_only_its_holder_acts(self, me: User) -> None:
        case = told(new_user())
        cases.claim(case.pk, new_moderator())
        given = {"kind": "mute", "rule": "spam", "term": "1", "text": "Stop."}
        assert do(browser(me), case, "impose", **given).status_code == 409
        assert not Sanction.objects.exists()

    @pytest.mark.parametrize(("kind", "term"), [("closing", "24"), ("mute", "good")])
    def test_what_is_heavy_is_offered_to_seniors_only(self, kind: str, term: str) -> None:
        for role, status in ((roles.MODERATOR, 422), (roles.SENIOR, 302)):
            user, case = new_moderator(role=role), told(new_user())
            cases.claim(case.pk, user)
            given = {"kind": kind, "rule": "help", "term": term, "text": "No programs."}
            assert do(browser(user), case, "impose", **given).status_code == status

    def test_s4_who_is_suspended_leaves_the_tables_at_once(self, me: User, rung: Any) -> None:
        table = new_table()
        case = told(table.users[0])
        cases.claim(case.pk, me)
        given = {"kind": "suspension", "rule": "attack", "term": "24", "text": "Stop that."}
        assert do(browser(me), case, "impose", **given).status_code == 302
        table.series.refresh_from_db()
        assert table.series.status == Series.Status.OVER
        assert table.series.winner_side == 1
        assert [each for each in rung if each[0] == table.series.pk]
        standing = words(browser(table.users[0]).get(reverse("standing")))
        assert "nothing is lost" not in standing
        assert "are resigned" in standing

    def test_a_closed_case_is_read_only(self, me: User) -> None:
        client, case = browser(me), told(new_user())
        cases.claim(case.pk, me)
        cases.close(case.pk, me, Case.Outcome.DISMISSED)
        page = words(client.get(reverse("moderation_case", args=[case.pk])))
        assert "<form" not in page.split("<main")[1]
        assert do(client, case, "note", text="More.").status_code == 409

    def test_the_page_asks_a_fixed_number_of_questions(
        self, me: User, django_assert_max_num_queries: Any
    ) -> None:
        person = new_user()
        for phrase in list(PHRASES)[:5]:
            table = new_table()
            table.series.seats.filter(number=0).update(user=person)
            say(series=table.series, user_id=person.pk, key=next_key(), phrase=phrase)
            case = told(person, table.users[1], series=table.series)
            told(table.users[1], reporter=person, series=table.series)
        for _ in range(5):
            impose(user_id=person.pk, kind=Sanction.Kind.MUTE, rule="spam", text="…")
        client = browser(me)
        with django_assert_max_num_queries(26):
            client.get(reverse("moderation_case", args=[case.pk]))


class TestAppeals:
    def test_another_one_answers(self) -> None:
        first, second = new_moderator(), new_moderator()
        appeal = appealed(first)
        path = reverse("moderation_appeal", args=[appeal.pk])
        given = {"granted": "yes", "answer": "So it was."}
        assert "Another moderator" in words(browser(first).get(path))
        assert browser(first).post(path, given).status_code == 409
        assert browser(second).post(path, given).status_code == 302
        appeal.refresh_from_db()
        assert (appeal.granted, appeal.answered_by) == (True, second)
        assert free_of([appeal.sanction.user_id], Sanction.Kind.MUTE)
        assert AuditRow.objects.filter(action="appeal.grant").count() == 1

    def test_fault_110_it_is_answered_once(self) -> None:
        path = reverse("moderation_appeal", args=[appealed().pk])
        client = browser(new_moderator())
        assert client.post(path, {"granted": "no", "answer": "No."}).status_code == 302
        assert client.post(path, {"granted": "no", "answer": "No."}).status_code == 409
        assert AuditRow.objects.filter(action="appeal.reject").count() == 1

    def test_the_oldest_comes_first_and_none_of_ones_own(self) -> None:
        me = new_moderator()
        later, first = appealed(), appealed()
        type(first).objects.filter(pk=first.pk).update(made_at=timezone.now() - timedelta(days=2))
        own = impose(user_id=me.pk, kind=Sanction.Kind.MUTE, rule="spam", text="…")
        mine = sanctions.file_appeal(own.pk, me, "Me!")
        page = words(browser(me).get(reverse("moderation_appeals")))
        names = [each.sanction.user.username for each in (first, later)]
        assert page.index(names[0]) < page.index(names[1])
        path = reverse("moderation_appeal", args=[mine.pk])
        assert path not in page
        assert browser(me).get(path).status_code == 404

    def test_s12_none_of_a_case_that_they_have_reported(self) -> None:
        """Who had told of somebody judged what was done about it."""
        me, person = new_moderator(), new_person("Anna")
        case = told(person, reporter=me)
        made = impose(
            user_id=person.pk, kind=Sanction.Kind.MUTE, rule="spam", text="…", case_id=case.pk
        )
        self.check_hidden(me, sanctions.file_appeal(made.pk, person, "I did not."))

    def test_s12_one_of_the_staff_is_for_seniors(self) -> None:
        staff = new_moderator("Stan")
        made = impose(user_id=staff.pk, kind=Sanction.Kind.MUTE, rule="spam", text="…")
        appeal = sanctions.file_appeal(made.pk, staff, "I did not.")
        self.check_hidden(new_moderator(), appeal)
        senior = new_moderator(role=roles.SENIOR)
        path = reverse("moderation_appeal", args=[appeal.pk])
        given = {"granted": "yes", "answer": "So it was."}
        assert path in browser(senior).get(reverse("moderation_appeals")).content.decode()
        assert browser(senior).post(path, given).status_code == 302

    def check_hidden(self, me: User, appeal: Appeal) -> None:
        """They know of it nowhere, and can neither answer it nor lift what it is about."""
        client = browser(me)
        path = reverse("moderation_appeal", args=[appeal.pk])
        assert path not in client.get(reverse("moderation_appeals")).content.decode()
        assert client.post(path, {"granted": "yes", "answer": "Yes."}).status_code == 404
        listed = client.get(reverse("admin:moderation_appeal_changelist")).content.decode()
        assert "Anna" not in listed
        assert "Stan" not in listed
        with pytest.raises(ModerationError):
            sanctions.answer_appeal(appeal.pk, me, granted=True, answer="Yes.")
        with pytest.raises(ModerationError):
            sanctions.lift_sanction(appeal.sanction_id, me)
