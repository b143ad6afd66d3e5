"""What moderators make of a signal, and how they find somebody (S9, S12)."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Sanction, User
from accounts.sanctions import impose
from accounts.traces import leave_traces
from games.moderation import roles
from games.moderation.models import AuditRow, Case, Signal
from games.moderation.services import cases
from games.services import remedies
from tests.games.moderation.test_pages import browser, noticed, told, words
from tests.staff import new_moderator
from tests.tables import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


@pytest.fixture
def me() -> User:
    return new_moderator()


def post(client: Client, signal: Signal, step: str = "case", **given: str) -> Any:
    return client.post(reverse(f"moderation_signal_{step}", args=[signal.pk]), given)


def page_of(client: Client, person: User) -> str:
    return words(client.get(reverse("moderation_person", args=[person.pk])))


class TestCaseOfASignal:
    def test_it_is_opened_with_one_row_and_once(self, me: User) -> None:
        signal = noticed(new_user())
        before = AuditRow.objects.count()
        for _ in range(2):
            response = post(browser(me), signal)
            case = Case.objects.get()
            assert response["Location"] == reverse("moderation_case", args=[case.pk])
        [row] = AuditRow.objects.order_by("pk")[before:]
        assert (row.action, row.case_id, row.actor_id) == ("signal.case", case.pk, me.pk)
        assert (case.person, case.score) == (signal.user, 1.0)
        signal.refresh_from_db()
        assert (signal.case, signal.seen_by) == (case, me)

    def test_it_joins_the_open_case_of_its_person(self, me: User) -> None:
        person = new_user()
        case = told(person)
        for kind in (Signal.Kind.FED, Signal.Kind.FED, Signal.Kind.GINS):
            post(browser(me), noticed(person, kind=kind))
        assert Case.objects.get() == case
        case.refresh_from_db()
        assert case.score == 5.0  # an insult, and two kinds of signals

    def test_it_stays_in_its_case_when_that_is_closed(self, me: User) -> None:
        signal = noticed(new_user())
        post(browser(me), signal)
        case = Case.objects.get()
        cases.claim(case.pk, me)
        cases.close(case.pk, me, Case.Outcome.DISMISSED)
        post(browser(me), signal)
        assert Case.objects.get() == case

    def test_who_opened_it_handles_it(self, me: User) -> None:
        post(browser(me), noticed(new_user("Anna")))
        client = browser(me)
        queue = words(client.get(reverse("moderation")))
        assert "Anna" in queue
        assert "a signal" in queue
        assert "None" not in queue
        assert cases.claim(Case.objects.get().pk, me).claimed_by == me

    def test_nothing_but_a_case_comes_of_it(self, me: User) -> None:
        signal = noticed(new_user())
        post(browser(me), signal)
        assert not Sanction.objects.exists()

    def test_s12_none_is_about_oneself_and_those_about_staff_are_for_seniors(
        self, me: User
    ) -> None:
        senior, colleague = new_moderator(role=roles.SENIOR), new_moderator("Colleague")
        own, with_me = noticed(me), noticed(new_user("Opponent"), me)
        about_staff = noticed(colleague)
        client = browser(me)
        listed = words(client.get(reverse("moderation_signals")))
        assert "Opponent" not in listed
        assert "Colleague" not in listed
        for signal in (own, with_me, about_staff):
            for step in ("case", "seen"):
                assert post(client, signal, step).status_code == 404
        assert "discards that feed" not in page_of(client, with_me.user).lower()
        assert not Case.objects.exists()
        assert post(browser(senior), about_staff).status_code == 302

    def test_s12_not_into_a_case_that_one_has_reported(self, me: User) -> None:
        person = new_user()
        told(person, reporter=me)
        response = post(browser(me), noticed(person))
        assert response["Location"] == reverse("moderation_signals")
        assert not Signal.objects.exclude(case=None).exists()

    def test_passed_on_it_is_for_seniors(self, me: User) -> None:
        person = new_user()
        case = told(person)
        cases.claim(case.pk, me)
        cases.escalate(case.pk, me)
        assert post(browser(me), noticed(person)).status_code == 403


class TestTheList:
    def test_each_is_explained_with_its_false_alarms(self, me: User) -> None:
        noticed(new_user("Anna"), new_user("Bob"))
        page = words(browser(me).get(reverse("moderation_signals")))
        for each in ("Anna", "Bob", "Of 78 cards", "3000 series that honest bots played", "0.1%"):
            assert each in page

    def test_what_is_nothing_goes_to_the_others(self, me: User) -> None:
        signal, client = noticed(new_user("Anna")), browser(me)
        here = reverse("moderation_signals")
        for _ in range(2):
            assert post(client, signal, "seen", next=here)["Location"] == here
        assert "Anna" not in words(client.get(here))
        assert "Anna" in words(client.get(here, {"show": "seen"}))
        assert AuditRow.objects.filter(action="signal.seen").count() == 1

    def test_it_asks_little(self, me: User, django_assert_max_num_queries: Any) -> None:
        client = browser(me)
        for _ in range(30):
            noticed(new_user(), new_user())
        with django_assert_max_num_queries(9):
            page = words(client.get(reverse("moderation_signals")))
        assert page.count('class="report signal"') == 25
        assert "?page=2" in page


class TestPeople:
    @pytest.mark.parametrize(
        ("text", "found"),
        [("an", ["Anna"]), ("ANNA", ["Anna"]), ("gu", ["Guest-7"]), ("a", []), ("zz", [])],
    )
    def test_found_by_the_beginning_of_a_name(self, me: User, text: str, found: list[str]) -> None:
        new_user("Anna")
        User.objects.create(username="Guest-7", kind=User.Kind.GUEST)
        User.objects.create(username="Andy-bot", kind=User.Kind.BOT)
        page = words(browser(me).get(reverse("moderation_people"), {"q": text}))
        names = ("Anna", "Guest-7", "Andy-bot")
        assert [name for name in names if f">{name}</a>" in page] == found

    def test_everything_is_on_one_page(self, me: User) -> None:
        anna, twin = new_user("Anna"), new_user("Annas-twin")
        case = told(anna, text="She shouts.")
        told(new_user("Bob"), reporter=anna, text="He is slow.")
        cases.write_note(case.pk, me, "A quarrel.")
        impose(user_id=anna.pk, kind=Sanction.Kind.MUTE, rule="spam", text="Enough.")
        noticed(anna)
        senior = new_moderator(role=roles.SENIOR)
        remedies.rename_person(anna.pk, senior, rule="name", name="Annabel")
        for user in (anna, twin):
            leave_traces(user.pk, "203.0.113.9", "browser")
        page = page_of(browser(me), anna)
        expected = ("She shouts.", "He is slow.", "A quarrel.", "Enough.", "Annas-twin", "Of 78")
        expected += ("Another name", "not read yet", "Anna<")
        assert [each for each in expected if each not in page] == []
        assert reverse("moderation_case", args=[case.pk]) in page
        assert "one browser" in page

    def test_s12_nobody_looks_themselves_up(self, me: User) -> None:
        path = reverse("moderation_person", args=[me.pk])
        assert browser(me).get(path).status_code == 404

    def test_s12_staff_are_looked_up_by_seniors(self, me: User) -> None:
        path = reverse("moderation_person", args=[new_moderator().pk])
        assert browser(me).get(path).status_code == 403
        assert browser(new_moderator(role=roles.SENIOR)).get(path).status_code == 200

    def test_of_a_bot_there_is_none(self, me: User) -> None:
        bot = User.objects.create(username="Andy-bot", kind=User.Kind.BOT)
        path = reverse("moderation_person", args=[bot.pk])
        assert browser(me).get(path).status_code == 404

    def test_the_way_back_from_a_renaming_leads_to_the_renamed(self) -> None:
        client, person = browser(new_moderator(role=roles.SENIOR)), new_user("Rude-name")
        here = reverse("moderation_person", args=[person.pk])
        given = {"rule": "name", "name": "Nicer", "next": here}
        response = client.post(reverse("moderation_rename", args=["Rude-name"]), given)
        assert response["Location"] == here
        assert "Nicer" in words(client.get(here))

    def test_what_can_be_mended_is_offered_to_seniors(self, me: User) -> None:
        person = new_user("Anna")
        way = reverse("moderation_rename", args=["Anna"])
        assert way not in page_of(browser(me), person)
        assert way in page_of(browser(new_moderator(role=roles.SENIOR)), person)

    def test_it_asks_a_fixed_number_of_questions(
        self, me: User, django_assert_max_num_queries: Any
    ) -> None:
        person, client = new_user(), browser(me)
        for _ in range(6):
            noticed(person, new_user())
            told(person)
            told(new_user(), reporter=person)
        with django_assert_max_num_queries(26):
            page_of(client, person)


def test_the_way_back_from_what_was_refused_is_the_case(me: User) -> None:
    senior, person = new_moderator(role=roles.SENIOR), new_user("Anna")
    case = told(person)
    path = reverse("moderation_act", args=[case.pk, "note"])
    page = words(browser(senior).post(path, {"stamp": "0", "note-text": ""})).split("<main")[1]
    assert f"next={reverse('moderation_case', args=[case.pk])}" in page
    assert f"next={path}" not in page
