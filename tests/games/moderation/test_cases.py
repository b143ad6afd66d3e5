"""Reports, cases, sanctions and appeals as services (promises M1, S4 and S12)."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models.functions import Now
from django.test import Client

from accounts.leaving import KEPT_AGAINST_ABUSE, Step, delete_account, erase_account
from accounts.models import KeptBar, Sanction, User
from accounts.sanctions import carry_over_bars, free_of, impose, in_force, lift, sanction_on
from accounts.sessions import Ticket, valid_tickets
from games.errors import HeldBack, HostHeldBack, TableError
from games.models import Seat
from games.moderation import roles
from games.moderation.errors import (
    HasAppealed,
    IsClosed,
    NotAllowed,
    NotByTheSame,
    NotClaimed,
    NotReportable,
    NotYours,
    Taken,
    TooManyReports,
)
from games.moderation.models import AuditRow, Case, Letter, Report, Signal
from games.moderation.services import cases, sanctions
from games.moderation.services.records import forget_records
from games.moderation.services.reports import MOST_AN_HOUR, file_report
from games.moderation.services.signals import note_signal
from games.moderation.services.staff import appoint, dismiss
from games.rules.options import Options
from games.selectors.lobby import free_tables
from games.services import remedies
from games.services.guests import erase_guest, take_along
from games.services.leaving import take_step
from games.services.lobby import LINK, LOBBY, join_table, quick_match, set_table
from games.services.series import Terms, accept_invitation
from tests.accounts.people import ADDRESS, new_person
from tests.staff import new_boss, new_moderator
from tests.tables import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


def told(reporter: User, person: User, rule: str = "respect", key: str = "k") -> Report:
    return file_report(reporter=reporter, person=person, rule=rule, text="…", key=key)


def claimed_case(person: User, moderator: User) -> Case:
    return cases.claim(told(new_user(), person).case_id, moderator)


def imposed(kind: Sanction.Kind, moderator: User, hours: int | None = 24) -> Sanction:
    case = claimed_case(new_user(), moderator)
    term = timedelta(hours=hours) if hours else None
    return sanctions.impose_in_case(
        case_id=case.pk, moderator=moderator, kind=kind, rule="respect", text="Stop.", term=term
    )


class TestReports:
    def test_m1_reports_on_one_person_are_one_case(self) -> None:
        person = new_user()
        first, second = told(new_user(), person, "stalling"), told(new_user(), person)
        assert first.case_id == second.case_id
        assert Case.objects.get().score == 4.0

    def test_a_double_click_reports_once(self) -> None:
        reporter, person = new_user(), new_user()
        assert told(reporter, person) == told(reporter, person)
        assert Report.objects.count() == 1

    def test_the_second_report_of_one_person_adds_no_weight(self) -> None:
        reporter, person = new_user(), new_user()
        told(reporter, person, key="a")
        told(reporter, person, key="b")
        assert Case.objects.get().score == 3.0

    def test_nobody_reports_themselves_or_a_bot(self) -> None:
        person = new_user()
        bot = User.objects.create(username="bot-1", kind=User.Kind.BOT)
        for nobody in (person, bot):
            with pytest.raises(NotReportable):
                told(person, nobody)

    def test_s6_a_flood_is_stopped(self) -> None:
        reporter = new_user()
        for n in range(MOST_AN_HOUR):
            told(reporter, new_user(), key=str(n))
        with pytest.raises(TooManyReports):
            told(reporter, new_user(), key="one more")

    def test_who_is_often_right_weighs_more(self) -> None:
        reporter, moderator = new_user(), new_moderator()
        case = cases.claim(told(reporter, new_user(), key="1").case_id, moderator)
        cases.close(case.pk, moderator, Case.Outcome.ACTED)
        assert told(reporter, new_user(), key="2").case.score == 4.0

    def test_a_closed_case_stays_closed(self) -> None:
        person, moderator = new_user(), new_moderator()
        case = claimed_case(person, moderator)
        cases.close(case.pk, moderator, Case.Outcome.DISMISSED)
        assert told(new_user(), person).case_id != case.pk
        with pytest.raises(IsClosed):
            cases.claim(case.pk, moderator)


class TestCases:
    def test_s12_nobody_handles_a_case_about_or_by_themselves(self) -> None:
        moderator, senior = new_moderator(), new_moderator(role=roles.SENIOR)
        about, by = told(new_user(), senior), told(moderator, new_user())
        with pytest.raises(NotYours):
            cases.claim(about.case_id, senior)
        with pytest.raises(NotYours):
            cases.claim(by.case_id, moderator)

    def test_of_two_moderators_one_has_it(self) -> None:
        case = claimed_case(new_user(), new_moderator())
        with pytest.raises(Taken):
            cases.claim(case.pk, new_moderator())

    def test_a_senior_takes_over_from_who_is_away(self) -> None:
        away, senior = new_moderator(), new_moderator(role=roles.SENIOR)
        case = claimed_case(new_user(), away)
        with pytest.raises(NotAllowed):
            cases.take_over(case.pk, new_moderator())
        cases.take_over(case.pk, senior)
        case.refresh_from_db()
        assert case.claimed_by == senior
        assert AuditRow.objects.filter(action="case.take_over", actor_id=senior.pk).count() == 1
        with pytest.raises(NotClaimed):
            cases.take_over(case.pk, senior)
        with pytest.raises(NotClaimed):
            cases.close(case.pk, away, Case.Outcome.DISMISSED)

    def test_s12_nobody_takes_over_a_case_about_themselves(self) -> None:
        senior, other = (new_moderator(role=roles.SENIOR) for _ in range(2))
        case = claimed_case(senior, other)
        with pytest.raises(NotYours):
            cases.take_over(case.pk, senior)

    def test_what_somebody_had_who_is_let_go_is_free_again(self) -> None:
        moderator = new_moderator()
        case = claimed_case(new_user(), moderator)
        dismiss(moderator, new_boss().pk)
        assert cases.claim(case.pk, new_moderator()).claimed_by != moderator

    def test_it_is_claimed_before_anything_is_done(self) -> None:
        report = told(new_user(), new_user())
        with pytest.raises(NotClaimed):
            cases.close(report.case_id, new_moderator(), Case.Outcome.DISMISSED)

    def test_passed_on_it_is_for_seniors(self) -> None:
        moderator = new_moderator()
        case = claimed_case(new_user(), moderator)
        cases.escalate(case.pk, moderator)
        with pytest.raises(NotAllowed):
            cases.claim(case.pk, moderator)
        assert cases.claim(case.pk, new_moderator(role=roles.SENIOR)).claimed_by_id

    def test_a_case_about_the_staff_is_for_seniors(self) -> None:
        report = told(new_user(), new_moderator())
        with pytest.raises(NotAllowed):
            cases.claim(report.case_id, new_moderator())

    def test_a_player_handles_none(self) -> None:
        report = told(new_user(), new_user())
        with pytest.raises(NotAllowed):
            cases.claim(report.case_id, new_user())

    def test_s12_each_step_leaves_one_row(self) -> None:
        moderator = new_moderator()
        before = AuditRow.objects.count()
        case = claimed_case(new_user(), moderator)
        cases.write_note(case.pk, moderator, "looks tired")
        cases.snooze(case.pk, moderator, case.opened_at + timedelta(days=1))
        cases.claim(case.pk, moderator)
        cases.release(case.pk, moderator)
        cases.claim(case.pk, moderator)
        cases.close(case.pk, moderator, Case.Outcome.DISMISSED)
        rows = AuditRow.objects.order_by("pk")[before:]
        done = ["claim", "note", "snooze", "claim", "release", "claim", "dismissed"]
        assert [row.action for row in rows] == [f"case.{each}" for each in done]
        assert {row.case_id for row in rows} == {case.pk}
        assert "tired" not in str(list(rows.values()))


class TestSanctions:
    @pytest.mark.parametrize("kind", [k for k in Sanction.Kind if k != Sanction.Kind.CLOSING])
    def test_a_moderator_imposes_it_with_its_row(self, kind: Sanction.Kind) -> None:
        moderator = new_moderator()
        made = imposed(kind, moderator)
        assert sanction_on(made.user_id, kind) == made
        row = AuditRow.objects.get(action=f"sanction.{kind}")
        assert (row.rule, row.user_id, row.facts) == ("respect", made.user_id, {"hours": 24})

    @pytest.mark.parametrize(
        ("kind", "hours"),
        [(Sanction.Kind.CLOSING, 1), (Sanction.Kind.MUTE, None), (Sanction.Kind.MUTE, 721)],
    )
    def test_what_is_heavy_is_for_seniors(self, kind: Sanction.Kind, hours: int | None) -> None:
        with pytest.raises(NotAllowed):
            imposed(kind, new_moderator(), hours)
        assert not AuditRow.objects.filter(action__startswith="sanction").exists()
        assert imposed(kind, new_moderator(role=roles.SENIOR), hours)

    def test_its_end_happens_by_itself(self) -> None:
        person = new_user()
        made = impose(user_id=person.pk, kind=Sanction.Kind.MUTE, rule="spam", text="…")
        Sanction.objects.filter(pk=made.pk).update(until=Now() - timedelta(seconds=1))
        assert free_of([person.pk], Sanction.Kind.MUTE)

    def test_a_warning_lasts_until_it_is_read(self) -> None:
        person = new_user()
        made = impose(user_id=person.pk, kind=Sanction.Kind.WARNING, rule="spam", text="…")
        assert Sanction.objects.filter(in_force()).get() == made
        client = Client()
        client.force_login(person)
        Sanction.objects.update(acknowledged_at=Now())
        assert not Sanction.objects.filter(in_force()).exists()

    def test_s4_who_is_shut_out_has_no_socket(self) -> None:
        person = new_user()
        client = Client()
        client.force_login(person)
        key = client.session.session_key or ""
        ticket = Ticket(key, person.pk, person.get_session_auth_hash())
        assert valid_tickets([ticket])
        made = impose(user_id=person.pk, kind=Sanction.Kind.SUSPENSION, rule="spam", text="…")
        assert not valid_tickets([ticket])
        assert lift(made)
        assert valid_tickets([ticket])

    def test_it_outlives_the_account_until_its_term_ends(self) -> None:
        anna = new_person("Anna", ADDRESS)
        impose(user_id=anna.pk, kind=Sanction.Kind.CLOSING, rule="help", text="…")
        delete_account(anna.pk)
        assert ADDRESS not in str(list(KeptBar.objects.values()))
        back = new_person("Anette")
        carry_over_bars(back.pk, ADDRESS.upper())
        back.refresh_from_db()
        assert back.is_shut_out

    def test_it_outlives_a_new_key_of_the_site(self, settings: Any) -> None:
        anna = new_person("Anna", ADDRESS)
        impose(user_id=anna.pk, kind=Sanction.Kind.CLOSING, rule="help", text="…")
        delete_account(anna.pk)
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = "another key of the site"
        back = new_person("Anette")
        carry_over_bars(back.pk, ADDRESS)
        back.refresh_from_db()
        assert back.is_shut_out

    def test_s13_nothing_is_left_of_it_once_erased(self) -> None:
        anna = new_person("Anna", ADDRESS)
        impose(user_id=anna.pk, kind=Sanction.Kind.MUTE, rule="help", text="…")
        told(new_user(), anna)
        told(anna, new_user(), key="by her")
        delete_account(anna.pk)
        erase_account(anna.pk)
        forget_records(anna.pk)
        assert not Sanction.objects.exists()
        assert Report.objects.get().text == ""


class TestAccountsThatGo:
    """What moderators know of somebody goes with the account, and with a guest into theirs."""

    def guest(self, number: int = 7) -> User:
        return User.objects.create(username=f"Guest-{number}", kind=User.Kind.GUEST)

    def known(self, person: User) -> int:
        """A case about somebody, something they reported, and a signal; the case."""
        report = told(new_user(), person)
        told(person, new_user(), key="by them")
        note_signal(Signal.Kind.FED, f"fed:{person.pk}", person.pk, other_id=new_user().pk)
        note_signal(Signal.Kind.FED, f"with:{person.pk}", new_user().pk, other_id=person.pk)
        return report.case_id

    def test_s13_in_the_transaction_that_erases_it(self) -> None:
        anna = new_person("Anna", ADDRESS)
        self.known(anna)
        remedies.rename_person(anna.pk, new_boss(), rule="name", name="Nicer", text="It insults.")
        delete_account(anna.pk)
        ended = Now() - KEPT_AGAINST_ABUSE - timedelta(days=1)
        User.objects.filter(pk=anna.pk).update(deleted_at=ended)
        assert take_step(anna.pk, Step.ERASE)
        assert not Case.objects.filter(person=anna).exists()
        assert not Signal.objects.exists()
        assert not Letter.objects.exists()
        assert Report.objects.get(reporter=anna).text == ""

    def test_s13_of_a_guest_as_well(self) -> None:
        guest = self.guest()
        self.known(guest)
        old = Now() - timedelta(days=400)
        User.objects.filter(pk=guest.pk).update(date_joined=old, last_login=old)
        erase_guest(guest.pk)
        assert User.objects.get(pk=guest.pk).erased_at
        assert not Case.objects.filter(person=guest).exists()
        assert not Signal.objects.exists()

    def test_a_guest_who_registers_takes_it_along(self) -> None:
        guest, person = self.guest(), new_user()
        case_id = self.known(guest)
        take_along(guest_id=guest.pk, user_id=person.pk)
        assert Case.objects.get(pk=case_id).person == person
        assert Report.objects.get(key="by them").reporter == person
        assert Signal.objects.filter(user=person).count() == 1
        assert Signal.objects.filter(other=person).count() == 1

    def test_two_open_cases_become_one(self) -> None:
        guest, person = self.guest(), new_user()
        gone, stays = self.known(guest), self.known(person)
        told(new_user(), guest, "stalling")
        take_along(guest_id=guest.pk, user_id=person.pk)
        assert not Case.objects.filter(pk=gone).exists()
        case = Case.objects.get(pk=stays)
        assert case.reports.count() == 3
        assert case.score == 7.0  # two insults and some stalling

    def test_a_form_that_both_have_sent_is_no_obstacle(self) -> None:
        guest, person = self.guest(), new_user()
        told(guest, new_user(), key="same")
        told(person, new_user(), key="same")
        take_along(guest_id=guest.pk, user_id=person.pk)
        assert Report.objects.filter(reporter=person).count() == 1


class TestAppeals:
    def test_another_moderator_grants_it(self) -> None:
        moderator, other = new_moderator(), new_moderator()
        made = imposed(Sanction.Kind.MUTE, moderator)
        appeal = sanctions.file_appeal(made.pk, made.user, "It was a joke.")
        with pytest.raises(HasAppealed):
            sanctions.file_appeal(made.pk, made.user, "Really.")
        with pytest.raises(NotByTheSame):
            sanctions.answer_appeal(appeal.pk, moderator, granted=False, answer="No.")
        sanctions.answer_appeal(appeal.pk, other, granted=True, answer="So it was.")
        assert free_of([made.user_id], Sanction.Kind.MUTE)
        assert AuditRow.objects.filter(action="appeal.grant", actor_id=other.pk).count() == 1

    def test_a_rejected_one_changes_nothing(self) -> None:
        made = imposed(Sanction.Kind.MUTE, new_moderator())
        appeal = sanctions.file_appeal(made.pk, made.user, "It was a joke.")
        sanctions.answer_appeal(appeal.pk, new_moderator(), granted=False, answer="It was not.")
        assert not free_of([made.user_id], Sanction.Kind.MUTE)


class TestRoles:
    def test_the_migration_has_made_them(self) -> None:
        for role, codes in roles.ROLES.items():
            assert new_moderator(role=role).has_perms(codes)

    def test_the_first_is_appointed_by_a_command(self) -> None:
        person = new_person("Anna")
        call_command("appoint", "anna", roles.OPERATOR)
        person = User.objects.get(pk=person.pk)
        assert person.is_staff
        assert person.has_perm(roles.SHUT_OUT)
        call_command("appoint", "anna", "none")
        assert not User.objects.get(pk=person.pk).has_perm(roles.HANDLE)
        with pytest.raises(CommandError, match="no account"):
            call_command("appoint", "nobody", roles.OPERATOR)

    def test_a_new_role_takes_the_place_of_the_old(self) -> None:
        senior = new_moderator(role=roles.SENIOR)
        appoint(senior, roles.MODERATOR, new_boss().pk)
        assert not User.objects.get(pk=senior.pk).has_perm(roles.SHUT_OUT)


class TestHeldBack:
    """What a sanction keeps somebody from, at every door to a series with people."""

    @pytest.fixture
    def person(self) -> User:
        return new_user()

    @pytest.mark.parametrize(
        ("kind", "rated"),
        [
            (Sanction.Kind.TIMEOUT, False),
            (Sanction.Kind.WARNING, False),
            (Sanction.Kind.SUSPENSION, False),
            (Sanction.Kind.UNRATED, True),
        ],
    )
    def test_nobody_so_sanctioned_begins_a_series(
        self, person: User, kind: Sanction.Kind, rated: bool
    ) -> None:
        terms = Terms(Options(), rated=rated)
        listed = set_table(user=new_user(), terms=terms, company=LOBBY)
        linked = set_table(user=new_user(), terms=terms, company=LINK)
        impose(user_id=person.pk, kind=kind, rule="spam", text="…")
        token = linked.invitation.token
        for begin in (
            lambda: set_table(user=person, terms=terms, company=LINK),
            lambda: quick_match(user=person, terms=terms, key=None),
            lambda: join_table(slug=listed.slug, user=person),
            lambda: accept_invitation(token=token, user=person),
        ):
            with pytest.raises(HeldBack):
                begin()
        assert not Seat.objects.filter(user=person).exists()

    @pytest.mark.parametrize(
        ("kind", "rated"),
        [
            (Sanction.Kind.TIMEOUT, False),
            (Sanction.Kind.WARNING, False),
            (Sanction.Kind.UNRATED, True),
        ],
    )
    def test_s4_nobody_sits_down_at_a_table_that_they_set_before(
        self, person: User, kind: Sanction.Kind, rated: bool
    ) -> None:
        terms = Terms(Options(), rated=rated)
        listed = set_table(user=person, terms=terms, company=LOBBY)
        linked = set_table(user=person, terms=terms, company=LINK)
        made = impose(user_id=person.pk, kind=kind, rule="spam", text="…")
        other = new_user()
        with pytest.raises(TableError):
            join_table(slug=listed.slug, user=other)
        with pytest.raises(HostHeldBack):
            accept_invitation(token=linked.invitation.token, user=other)
        assert quick_match(user=other, terms=terms, key=None).created_by == other
        if kind != Sanction.Kind.UNRATED:
            assert not free_tables(new_user().pk).filter(series=listed).exists()
        lift(made)
        assert accept_invitation(token=linked.invitation.token, user=other)

    def test_who_may_not_play_rated_plays_for_fun(self, person: User) -> None:
        impose(user_id=person.pk, kind=Sanction.Kind.UNRATED, rule="spam", text="…")
        assert set_table(user=person, terms=Terms(Options()), company=LINK)
