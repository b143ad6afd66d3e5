"""The database itself refuses to change or delete a row of the audit trail (promise S12)."""

from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE: Final = "moderation_auditrow"
REFUSED: Final = "the audit trail is never rewritten"

INSTALL: Final = {
    "postgresql": (
        f"""CREATE OR REPLACE FUNCTION {TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{REFUSED}'
        USING ERRCODE = 'integrity_constraint_violation'; END $$""",
        f"""CREATE TRIGGER {TABLE}_kept BEFORE UPDATE OR DELETE ON {TABLE}
        FOR EACH ROW EXECUTE FUNCTION {TABLE}_refuse()""",
        f"""CREATE TRIGGER {TABLE}_whole BEFORE TRUNCATE ON {TABLE}
        FOR EACH STATEMENT EXECUTE FUNCTION {TABLE}_refuse()""",
    ),
    "sqlite": tuple(
        f"""CREATE TRIGGER {TABLE}_no_{verb.lower()} BEFORE {verb} ON {TABLE}
        BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"""
        for verb in ("UPDATE", "DELETE")
    ),
}
LIFT: Final = {
    "postgresql": (
        f"DROP TRIGGER IF EXISTS {TABLE}_kept ON {TABLE}",
        f"DROP TRIGGER IF EXISTS {TABLE}_whole ON {TABLE}",
    ),
    "sqlite": tuple(
        f"DROP TRIGGER IF EXISTS {TABLE}_no_{verb.lower()}" for verb in ("UPDATE", "DELETE")
    ),
}


def install(connection: BaseDatabaseWrapper) -> None:
    """Close the table; by the migration, and by the one test that needs it closed."""
    _execute(connection, INSTALL)


def lift(connection: BaseDatabaseWrapper) -> None:
    """Open it: for tests, which empty every table after them."""
    _execute(connection, LIFT)


def _execute(connection: BaseDatabaseWrapper, statements: dict[str, tuple[str, ...]]) -> None:
    with connection.cursor() as cursor:
        for statement in statements[connection.vendor]:
            cursor.execute(statement)
