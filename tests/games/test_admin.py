"""The admin: history is looked at and not rewritten, and a running hand is refused to it too."""

import re
from collections import Counter
from datetime import UTC
from typing import Any, Final
from urllib.parse import unquote

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.db import connection
from django.db.models.functions import Now
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import KeptBar, NameTaken, Sanction, Subscription, User
from accounts.relations import Relation, relate
from accounts.sanctions import impose
from accounts.traces import leave_traces
from accounts.turn_mail import switch_mail
from games.admin import ReadOnly
from games.models import (
    ChatOff,
    Deed,
    ErrorDay,
    Listing,
    Message,
    Notice,
    Push,
    Rating,
    RatingChange,
    Round,
    Seat,
    Series,
    SheetEntry,
    Tally,
)
from games.moderation import roles
from games.moderation.models import Case, Examination, Letter, Signal
from games.moderation.rendering.summary import today_figures
from games.moderation.selectors.today import today
from games.moderation.services.cases import claim, write_note
from games.moderation.services.reports import file_report
from games.moderation.services.sanctions import answer_appeal, file_appeal
from games.moderation.services.signals import note_signal, open_from_signal
from games.rules.actions import Draw, Pass
from games.rules.cards import cards_in
from games.rules.options import Options
from games.services.series import create_series
from tests.staff import group_of, new_boss, new_moderator, new_staff, with_second_factor
from tests.tables import Played, new_table, new_user

pytestmark = pytest.mark.django_db

OURS = sorted(
    options.opts.model_name
    for options in admin.site._registry.values()
    if isinstance(options, ReadOnly) and options.opts.app_label == "games"
)
ALL = {model._meta.label for model in admin.site._registry}
ELSEWHERE = {
    "accounts.Profile": "in the page of its user",
    "games.Seat": "in the page of its series",
}
RELATIONS = "admin:accounts_relation_changelist"


def test_every_table_of_ours_is_here_or_has_its_reason() -> None:
    ours = [
        model._meta.label
        for name in ("accounts", "games", "moderation")
        for model in apps.get_app_config(name).get_models()
    ]
    assert set(ours) - ALL == ELSEWHERE.keys()


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(new_boss("boss"))
    return client


@pytest.fixture
def table() -> Played:
    table = new_table()
    for action in (Pass(), Pass(), Draw()):
        table.act(action)
    return table


def text(response: Any) -> str:
    assert response.status_code == 200
    return str(response.content.decode())


def pages(table: Played) -> list[str]:
    """Every page of the admin that shows something of this table."""
    row, series = table.row, table.series
    shown = [("round", row.pk), ("series", series.pk), ("invitation", series.invitation.pk)]
    return [
        *(reverse(f"admin:games_{name}_changelist") for name in OURS),
        *(reverse(f"admin:games_{name}_change", args=[pk]) for name, pk in shown),
        *(reverse(f"admin:games_{name}_history", args=[pk]) for name, pk in shown),
        f"{reverse('admin:games_round_changelist')}?q={series.slug}",
        f"{reverse('admin:games_series_changelist')}?q={table.users[0].username}",
        reverse("admin:index"),
    ]


def test_s9_no_running_hand_is_shown(boss: Client, table: Played) -> None:
    row, state = table.row, table.state
    stored = Series.objects.get(pk=table.series.pk)
    secrets = [bytes(row.secret).hex(), bytes(stored.next_secret).hex(), row.log, "d xK"]
    secrets += [repr(bytes(row.secret)), str(row.secret), row.first_key, row.second_key]
    secrets += [table.series.invitation.token]
    hidden = [*cards_in(state.hands[0] | state.hands[1]), *state.stock]
    for path in pages(table):
        html = unquote(text(boss.get(path)))  # %3D is no card
        assert not [secret for secret in secrets if secret and secret in html], path
        assert not [card for card in hidden if re.search(rf"\b{card}\b", html)], path


def test_s9_no_list_tells_what_it_does_not_show(boss: Client) -> None:
    """Any column could be asked for in the address, and told itself sign by sign: a live hand."""
    for model, options in admin.site._registry.items():
        request = RequestFactory().get("/")
        request.user = User.objects.get(username="boss")
        offered = {"pk", options.opts.pk.name, options.date_hierarchy}
        offered |= set(options.get_list_filter(request))
        path = reverse(f"admin:{options.opts.app_label}_{options.opts.model_name}_changelist")
        for column in {each.name for each in model._meta.concrete_fields} - offered:
            for way in ("", "__regex", "__contains", "__isnull"):
                assert boss.get(path, {f"{column}{way}": "1"}).status_code == 400, (path, column)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("games_round", "reasons__contains"),
        ("games_round", "log__regex"),
        ("games_round", "series__next_secret__isnull"),
        ("games_invitation", "token__startswith"),
        ("mfa_authenticator", "data__secret__startswith"),
        ("usersessions_usersession", "session_key__startswith"),
        ("accounts_subscription", "endpoint__startswith"),
    ],
)
def test_s9_nor_of_secrets(boss: Client, name: str, asked: str) -> None:
    assert boss.get(reverse(f"admin:{name}_changelist"), {asked: "1"}).status_code == 400


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("games_series", "status__exact=playing&created_at__year=2026"),
        ("games_round", "kind__exact=gin&o=-2&q=abc"),
        (
            "accounts_user",
            "leaving=no&is_staff__exact=1&date_joined__gte=2026-01-01 00:00:00Z",
        ),
        ("moderation_case", "state=open&pk=1"),
    ],
)
def test_what_a_list_offers_can_be_filtered_by(boss: Client, name: str, asked: str) -> None:
    assert boss.get(f"{reverse(f'admin:{name}_changelist')}?{asked}").status_code == 200


def test_f2_the_commitment_is_shown_from_the_deal_on(boss: Client, table: Played) -> None:
    path = reverse("admin:games_round_change", args=[table.row.pk])
    assert table.row.commitment in text(boss.get(path))


def test_s9_nor_on_the_table_itself(boss: Client, table: Played) -> None:
    html = text(boss.get(table.series.get_absolute_url()))
    for hand in table.state.hands:
        assert not [card for card in cards_in(hand) if f"{card}.svg" in html]


@pytest.mark.parametrize("name", OURS)
def test_history_is_not_rewritten(boss: Client, table: Played, name: str) -> None:
    models = {"series": table.series, "round": table.row, "invitation": table.series.invitation}
    assert boss.get(reverse(f"admin:games_{name}_add")).status_code == 403
    for action in ("change", "delete"):
        if name in models:
            path = reverse(f"admin:games_{name}_{action}", args=[models[name].pk])
            assert boss.post(path, {"post": "yes", "log": "1", "preset": "x"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [table.row.pk]}
    boss.post(reverse(f"admin:games_{name}_changelist"), chosen)
    assert Round.objects.filter(pk=table.row.pk, log="1 p p d").exists()
    assert Series.objects.filter(pk=table.series.pk).exists()


def test_the_seats_of_a_series_are_not_rewritten(boss: Client, table: Played) -> None:
    path = reverse("admin:games_series_change", args=[table.series.pk])
    seat = table.series.seats.first()
    fields = {
        "seats-TOTAL_FORMS": "1",
        "seats-INITIAL_FORMS": "1",
        "seats-0-id": str(seat.pk),
        "seats-0-user": str(new_user().pk),
        "seats-0-DELETE": "on",
    }
    assert boss.post(path, fields).status_code == 403
    assert Seat.objects.get(pk=seat.pk).user_id == seat.user_id


def test_it_is_for_staff_only(table: Played) -> None:
    for user in (None, new_user(), table.users[0]):
        client = Client()
        if user is not None:
            client.force_login(user)
        for path in pages(table):
            response = client.get(path)
            assert response.status_code == 302
            assert reverse("admin:login") in response["Location"]


def test_staff_without_a_permission_see_nothing(table: Played) -> None:
    client = Client()
    client.force_login(new_staff("helper"))
    assert client.get(reverse("admin:games_round_changelist")).status_code == 403


def test_every_model_that_is_looked_at_has_a_page(boss: Client, table: Played) -> None:
    for model, options in admin.site._registry.items():
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        text(boss.get(reverse(f"admin:{name}_changelist")))
        one = model.objects.first()
        if one is not None:
            text(boss.get(reverse(f"admin:{name}_change", args=[one.pk])))
        assert options.model is model


ROWS: Final = 6
FEW: Final = {
    "auth.Group": "there are as many as roles",
    "games.ErrorDay": "it points at nothing",
    "games.Process": "it points at nothing",
    "games.Announcement": "it points at nothing",
}


def fill() -> None:
    """Make some rows of everything that has a list, each of other people and another series."""
    moderator, other = new_moderator(), new_moderator()
    for number in range(ROWS):
        Listing.objects.create(series=create_series(user=new_user(), options=Options()))
        table, now = new_table(), timezone.now()
        series, person, opponent = table.series, *table.users
        relate(person.pk, opponent.pk, Relation.Kind.FOLLOW)
        rating(person, series)
        report = file_report(
            reporter=opponent, person=person, rule="respect", text="…", key="k", series=series
        )
        claim(report.case_id, moderator)
        write_note(report.case_id, moderator, "…")
        made = impose(
            user_id=person.pk,
            kind=Sanction.Kind.MUTE,
            rule="spam",
            text="…",
            imposed_by_id=moderator.pk,
        )
        answer_appeal(file_appeal(made.pk, person, "…").pk, other, granted=False, answer="No.")
        signal = note_signal(
            Signal.Kind.FED, f"{number}", person.pk, other_id=opponent.pk, series_id=series.pk
        )
        open_from_signal(signal.pk, moderator)
        Letter.objects.create(kind="void", user=person, rule="help", series=series)
        Examination.objects.create(series=series)
        Message.objects.create(series=series, room="players", author=person, text="Hm", key="k")
        ChatOff.objects.create(series=series, user=person)
        Deed.objects.create(series=series, user=person, kind="left")
        Tally.objects.create(user=person, opponent=opponent, scope=f"{number}")
        SheetEntry.objects.create(series=series, round=table.row, game=0, side=0, points=9)
        Notice.objects.create(user=person, series=series, kind="turn", due_at=now)
        browser = Subscription.objects.create(user=person, endpoint=f"https://p.example/{number}")
        Push.objects.create(subscription=browser, series=series, kind="turn", due_at=now)
        switch_mail(person.pk, on=True)
        leave_traces(person.pk, f"203.0.{number}.9", f"browser {number}")
        UserSession.objects.create(user=person, ip="203.0.113.9", session_key=f"{number}")
        EmailAddress.objects.create(user=person, email=f"p{number}@example.org", verified=True)
        with_second_factor(person)
        NameTaken.keep(person.username)
        KeptBar.objects.create(digest=f"{number}", kind="closing", rule="help", until=now)


def shape(sql: str) -> str:
    """A query without what differs from row to row."""
    return re.sub(r"'[^']*'|\b\d+\b", "?", sql)


def test_the_lists_and_their_pages_ask_little(boss: Client) -> None:
    fill()
    for model in admin.site._registry:
        label = model._meta.label
        assert (model._default_manager.count() >= ROWS) != (label in FEW), label
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        listed = asked_by(boss, reverse(f"admin:{name}_changelist"))
        assert [sql for sql, times in listed.items() if times > 2] == [], label
        assert listed.total() <= 9, label
        one = model._default_manager.first()
        if one is not None:
            shown = asked_by(boss, reverse(f"admin:{name}_change", args=[one.pk]))
            assert shown.total() <= 11, label


def asked_by(boss: Client, path: str) -> Counter[str]:
    """What a page asks the database, and how often each of it for one row and another."""
    with CaptureQueriesContext(connection) as asked:
        text(boss.get(path))
    return Counter(shape(query["sql"]) for query in asked)


def rating(user: User, series: Series) -> None:
    known = {"user": user, "format": "hollywood live", "rated_at": Now()}
    Rating.objects.create(**known, value=1500, deviation=300, volatility=0.06, series_count=1)
    RatingChange.objects.create(
        **known,
        series=series,
        opponent_value=1500,
        score=1,
        before=1500,
        after=1620,
        deviation_after=290,
    )


def test_a_relation_and_a_rating_are_looked_at_only(boss: Client, table: Played) -> None:
    one, other = table.users
    relate(one.pk, other.pk, Relation.Kind.BLOCK)
    rating(one, table.series)
    page = text(boss.get(reverse(RELATIONS), {"q": other.username}))
    assert one.username in page
    pages = [("accounts_relation", Relation), ("games_rating", Rating)]
    for name, model in [*pages, ("games_ratingchange", RatingChange)]:
        pk = model._default_manager.get().pk
        assert boss.get(reverse(f"admin:{name}_change", args=[pk])).status_code == 200
        for way in ("change", "delete"):
            path = reverse(f"admin:{name}_{way}", args=[pk])
            assert boss.post(path, {"post": "yes"}).status_code == 403


class TestUsers:
    def test_a_user_is_added_by_the_rules_of_names(self, boss: Client) -> None:
        path = reverse("admin:accounts_user_add")
        text(boss.get(path))
        fields = {"usable_password": "true", "password1": "three-games", "password2": "three-games"}
        assert boss.post(path, {**fields, "username": "B0SS"}).status_code == 200
        assert User.objects.count() == 1
        assert boss.post(path, {**fields, "username": "clara"}).status_code == 302
        assert User.objects.filter(username="clara").exists()

    def test_a_user_is_shut_out(self, boss: Client) -> None:
        user = new_user()
        path = reverse("admin:accounts_user_change", args=[user.pk])
        html = text(boss.get(path))
        assert "pbkdf2" not in html
        fields = {"username": user.username, "kind": "person"} | {
            f"{inline}-{part}": "0"
            for inline in ("emailaddress_set", "profile")
            for part in ("TOTAL_FORMS", "INITIAL_FORMS")
        }
        assert boss.post(path, fields).status_code == 302
        user.refresh_from_db()
        assert not user.is_active

    def test_no_page_shows_a_password(self, boss: Client) -> None:
        user = User.objects.create_user("clara", password="three-games-at-once")
        html = text(boss.get(reverse("admin:accounts_user_change", args=[user.pk])))
        assert user.password not in html
        assert user.password.split("$")[-1] not in html


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


class TestRank:
    """A member of the staff grants only what they hold, and nobody themselves (S12)."""

    @pytest.fixture
    def operator(self) -> User:
        return new_moderator("Olga", roles.OPERATOR)

    @pytest.fixture
    def helped(self) -> User:
        """An operator who may appoint, but holds no more than a moderator does."""
        user = new_moderator("Helen")
        change = Permission.objects.filter(codename__in=("change_user", "change_emailaddress"))
        user.user_permissions.set(change)
        return User.objects.get(pk=user.pk)

    def post(self, staff: User, person: User, **changes: Any) -> int:
        path = reverse("admin:accounts_user_change", args=[person.pk])
        rows = {
            f"{inline}-{part}": "0"
            for inline in ("emailaddress_set", "profile")
            for part in ("TOTAL_FORMS", "INITIAL_FORMS")
        }
        fields = {"username": person.username, "kind": "person", "is_active": "on"}
        return client_of(staff).post(path, {**fields, **rows, **changes}).status_code

    def role(self, name: str) -> str:
        return str(group_of(name).pk)

    def test_s12_only_roles_within_ones_own_are_granted(self, helped: User) -> None:
        person = new_user()
        assert self.post(helped, person, groups=self.role(roles.SENIOR)) == 200
        assert not person.groups.exists()
        assert self.post(helped, person, groups=self.role(roles.MODERATOR)) == 302
        assert person.groups.get().name == roles.MODERATOR

    def test_s12_an_operator_makes_nobody_staff(self, operator: User) -> None:
        person = new_user()
        given = {"is_staff": "on", "is_superuser": "on"}
        assert self.post(operator, person, **given, groups=self.role(roles.OPERATOR)) == 302
        person.refresh_from_db()
        assert (person.is_staff, person.is_superuser) == (False, False)

    def test_s12_who_may_do_more_is_not_touched(self, helped: User, operator: User) -> None:
        boss = new_boss("other-boss")
        for staff, above in ((helped, operator), (operator, boss)):
            assert self.post(staff, above, username="Lowly") == 403
            password = reverse("admin:auth_user_password_change", args=[above.pk])
            assert client_of(staff).post(password, {}).status_code == 403
        address = EmailAddress.objects.create(user=boss, email="boss@example.org", verified=True)
        step = boss.authenticator_set.get()
        for name, row in (("account_emailaddress", address), ("mfa_authenticator", step)):
            for way in ("change", "delete"):
                path = reverse(f"admin:{name}_{way}", args=[row.pk])
                response = client_of(operator).post(path, {"post": "yes"})
                assert response.status_code == 403, path

    def test_s12_nor_given_an_address_that_opens_their_account(self, operator: User) -> None:
        """An operator made the superuser's account theirs by an address and a new password."""
        boss, client = new_boss("other-boss"), client_of(operator)
        add = reverse("admin:account_emailaddress_add")
        mine = {"email": "olga@example.org", "verified": "on", "primary": "on"}
        assert client.post(add, {**mine, "user": str(boss.pk)}).status_code == 403
        person = new_user()
        assert client.post(add, {**mine, "user": str(person.pk)}).status_code == 302
        address = EmailAddress.objects.get()
        change = reverse("admin:account_emailaddress_change", args=[address.pk])
        assert client.post(change, {**mine, "user": str(boss.pk)}).status_code == 302
        address.refresh_from_db()
        assert address.user == person

    def test_s12_nobody_changes_what_they_themselves_may_do(self, operator: User) -> None:
        boss = new_boss("other-boss")
        assert self.post(operator, operator, groups=self.role(roles.MODERATOR)) == 302
        assert operator.groups.get().name == roles.OPERATOR
        assert self.post(boss, boss) == 302
        boss.refresh_from_db()
        assert boss.is_superuser

    def test_a_superuser_appoints(self) -> None:
        person = new_user()
        given = {"is_staff": "on", "groups": self.role(roles.OPERATOR)}
        assert self.post(new_boss("other-boss"), person, **given) == 302
        person.refresh_from_db()
        assert person.is_staff


def test_s12_nobody_reads_in_the_admin_what_was_said_about_them() -> None:
    senior = new_moderator("senior", roles.SENIOR)
    report = file_report(
        reporter=new_user("Whistler"), person=senior, rule="respect", text="Rude.", key="k"
    )
    write_note(report.case_id, new_moderator("other-senior", roles.SENIOR), "Rude indeed.")
    client = client_of(senior)
    for name in ("case", "report", "note"):
        page = text(client.get(reverse(f"admin:moderation_{name}_changelist")))
        assert "Whistler" not in page
        assert f"{name} {report.pk}" not in page
    path = reverse("admin:moderation_report_change", args=[report.pk])
    assert client.get(path).status_code == 302
    assert Case.objects.exists()


class TestToday:
    def test_the_figures_of_the_day(self, boss: Client, table: Played) -> None:
        person = new_user()
        file_report(reporter=new_user(), person=person, rule="respect", text="…", key="k")
        Seat.objects.filter(series=table.series).update(seen_at=Now())
        ErrorDay.objects.create(day=timezone.now().astimezone(UTC).date(), count=7)
        figures = dict(today_figures(today()))
        assert figures["Players seen"] == "2"
        assert figures["Series begun"] == figures["Being played"] == "1"
        assert figures["Open cases"] == figures["Reports"] == "1"
        assert figures["Errors logged"] == "7"
        assert "Errors logged" in text(boss.get(reverse("admin:index")))

    def test_it_asks_a_fixed_number_of_questions(
        self, table: Played, django_assert_num_queries: Any
    ) -> None:
        for n in range(5):
            new_table()
            file_report(reporter=new_user(), person=new_user(), rule="spam", text="", key=f"{n}")
            with django_assert_num_queries(7):
                today()


def test_the_admin_wears_the_colours_of_the_site(boss: Client) -> None:
    page = text(boss.get(reverse("admin:index")))
    assert "games/admin.css" in page
    assert not re.search(r"<style|\sstyle=|<script(?![^>]* src=)", page)
    folder = settings.BASE_DIR / "games" / "static" / "games"
    colours = re.compile(r"#[0-9a-f]{6}\b")
    known = set(colours.findall((folder / "site.css").read_text()))
    assert set(colours.findall((folder / "admin.css").read_text())) <= known
