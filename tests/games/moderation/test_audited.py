"""What is changed in the admin stands in the trail (promise S12)."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts.models import User
from games.moderation.models import AuditRow, Signal
from games.moderation.services.signals import note_signal
from tests.accounts.people import new_person
from tests.staff import new_boss

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> User:
    return new_boss()


@pytest.fixture
def client(boss: User) -> Client:
    client = Client()
    client.force_login(boss)
    return client


def change(client: Client, user: User, **fields: str) -> int:
    rest = {
        f"{inline}-{part}": "0"
        for inline in ("emailaddress_set", "profile")
        for part in ("TOTAL_FORMS", "INITIAL_FORMS")
    }
    given = {"username": user.username, "kind": "person", "is_active": "on", **rest, **fields}
    return client.post(f"/admin/accounts/user/{user.pk}/change/", given).status_code


def test_s12_a_change_leaves_a_row_without_any_words(client: Client, boss: User) -> None:
    anna = new_person("Anna")
    assert change(client, anna, username="Anne") == 302
    row = AuditRow.objects.get()
    assert (row.actor_id, row.action, row.user_id) == (boss.pk, "admin.change", anna.pk)
    assert row.facts == {"fields": ["Name"]}


def test_s13_the_admin_s_own_log_tells_no_name_and_no_address(client: Client) -> None:
    """An address that staff had changed stayed in it when its owner was erased."""
    anna = new_person("Anna", "anna@example.org")
    address = EmailAddress.objects.get(user=anna)
    inline = {
        "emailaddress_set-TOTAL_FORMS": "2",
        "emailaddress_set-INITIAL_FORMS": "1",
        "emailaddress_set-0-id": str(address.pk),
        "emailaddress_set-0-user": str(anna.pk),
        "emailaddress_set-0-email": "anna2@example.org",
        "emailaddress_set-1-user": str(anna.pk),
        "emailaddress_set-1-email": "anna3@example.org",
    }
    assert change(client, anna, username="Anne", **inline) == 302
    alone = f"/admin/account/emailaddress/{address.pk}/"
    given = {"user": str(anna.pk), "email": "anna4@example.org", "verified": "on"}
    assert client.post(f"{alone}change/", given).status_code == 302
    assert client.post(f"{alone}delete/", {"post": "yes"}).status_code == 302
    log = str(list(LogEntry.objects.values_list("object_repr", "change_message")))
    assert LogEntry.objects.count() == 3
    assert f"user {anna.pk}" in log
    assert f"email address {address.pk}" in log
    assert "ann" not in log.lower()
    for page in ("/admin/", f"/admin/accounts/user/{anna.pk}/history/"):
        assert client.get(page).status_code == 200


def test_s12_a_refused_change_leaves_none(client: Client) -> None:
    new_person("Bob")
    assert change(client, new_person("Anna"), username="B0b") == 200
    assert not AuditRow.objects.exists()


def test_s12_a_new_password_leaves_a_row(client: Client) -> None:
    anna = new_person("Anna")
    fields = {"usable_password": "true", "password1": "three-games-x", "password2": "three-games-x"}
    path = f"/admin/accounts/user/{anna.pk}/password/"
    assert client.post(path, {**fields, "set-password": "1"}).status_code == 302
    assert AuditRow.objects.get().user_id == anna.pk


def test_a_signal_is_marked_as_seen_once_that_was_asked(client: Client, boss: User) -> None:
    anna = new_person("Anna")
    for _ in range(2):
        note_signal(Signal.Kind.PAIR, "pair:1:2:2026-11-30", anna.pk, facts={"series": 6})
    [signal] = Signal.objects.all()
    chosen = {"action": "mark_as_seen", "_selected_action": [str(signal.pk)]}
    page = client.post("/admin/moderation/signal/", chosen)
    assert "Mark these as seen?" in page.content.decode()
    assert not AuditRow.objects.exists()
    asked = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page.content.decode()))
    assert client.post("/admin/moderation/signal/", asked).status_code == 302
    signal.refresh_from_db()
    assert signal.seen_by == boss
    assert AuditRow.objects.get().action == "signal.seen"
