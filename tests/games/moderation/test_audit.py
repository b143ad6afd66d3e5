"""The trail of what staff did (promise S12): one row an action, none on rollback, never changed."""

from collections.abc import Iterator
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, connection, transaction

from games.moderation import triggers
from games.moderation.models import AuditRow
from games.moderation.services.audit import note_action
from tests.tables import new_user

pytestmark = pytest.mark.django_db


def test_s12_a_row_says_who_did_what_to_whom() -> None:
    boss, person = new_user(), new_user()
    row = note_action(boss.pk, "rename", person, user_id=person.pk, rule="names")
    row.refresh_from_db()
    assert (row.actor_id, row.action, row.rule) == (boss.pk, "rename", "names")
    assert row.user_id == person.pk
    assert (row.subject, row.subject_id) == ("accounts.user", str(person.pk))


def test_s12_none_is_left_of_what_was_rolled_back() -> None:
    person = new_user()
    with transaction.atomic():
        note_action(person.pk, "rename", person)
        transaction.set_rollback(True)
    assert not AuditRow.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_s12_there_is_no_row_without_its_transaction() -> None:
    person = new_user()
    with pytest.raises(AssertionError, match="one transaction"):
        note_action(person.pk, "rename", person)


class TestTheDatabaseRefuses:
    """The triggers are there after the migrations; the other tests work with them lifted."""

    @pytest.fixture
    def row(self) -> Iterator[AuditRow]:
        person = new_user()
        row = note_action(person.pk, "rename", person)
        triggers.install(connection)
        yield row
        triggers.lift(connection)

    @pytest.mark.parametrize("verb", ["UPDATE {} SET actor_id = 1", "DELETE FROM {}"])
    def test_s12_to_rewrite_it(self, row: AuditRow, verb: str) -> None:
        self.refuses(verb)
        assert AuditRow.objects.get().actor_id == row.actor_id

    @pytest.mark.postgres
    def test_s12_to_empty_it(self, row: AuditRow) -> None:
        self.refuses("TRUNCATE {}")
        assert AuditRow.objects.exists()

    def refuses(self, statement: str) -> None:
        with (
            pytest.raises(DatabaseError, match=triggers.REFUSED),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement.format(AuditRow._meta.db_table))


def test_s12_the_migrations_close_it() -> None:
    """The fixture of all tests has opened it again: so the migration's own step is run."""
    [step] = import_module("games.moderation.migrations.0002_audit_is_kept").Migration.operations
    person = new_user()
    note_action(person.pk, "rename", person)
    step.code(None, SimpleNamespace(connection=connection))
    try:
        with pytest.raises(DatabaseError, match=triggers.REFUSED), transaction.atomic():
            AuditRow.objects.all().delete()
    finally:
        triggers.lift(connection)
