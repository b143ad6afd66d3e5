"""What can happen to a PostgreSQL that others use: done from a connection of its own."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection
from psycopg import sql

from tests.site import APPLICATION_NAME

# Only the servers' connections: other tests and other databases go on.
_SERVERS = "datname = %s AND application_name = %s"


def _database() -> str:
    return str(connection.settings_dict["NAME"])


@contextmanager
def beside(database: str = "postgres") -> Iterator[psycopg.Connection]:
    """A connection that is none of the site's."""
    settings = connection.settings_dict
    with psycopg.connect(
        host=settings["HOST"] or "127.0.0.1",
        port=settings["PORT"] or 5432,
        user=settings["USER"],
        password=settings["PASSWORD"],
        dbname=database,
        autocommit=True,
    ) as found:
        yield found


def cut_connections() -> int:
    """End every connection of the servers, as a restart of the database does; how many."""
    with beside() as database:
        ended = database.execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {_SERVERS}",
            (_database(), APPLICATION_NAME),
        )
        return len(ended.fetchall())


def count_connections() -> int:
    """How many connections the servers have."""
    with beside() as database:
        found = database.execute(
            f"SELECT count(*) FROM pg_stat_activity WHERE {_SERVERS}",
            (_database(), APPLICATION_NAME),
        ).fetchone()
        assert found is not None
        return int(found[0])


@contextmanager
def read_only() -> Iterator[None]:
    """While the block runs nothing can be written, as after a failing disk or on a stand-by."""
    name = sql.Identifier(_database())
    with beside() as database:
        database.execute(
            sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on").format(name)
        )
        cut_connections()
        try:
            yield
        finally:
            database.execute(
                sql.SQL("ALTER DATABASE {} RESET default_transaction_read_only").format(name)
            )
            cut_connections()


@contextmanager
def away() -> Iterator[None]:
    """While the block runs nobody can reach the database."""
    name = sql.Identifier(_database())
    with beside() as database:
        database.execute(sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS false").format(name))
        cut_connections()
        try:
            yield
        finally:
            database.execute(sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS true").format(name))


@contextmanager
def row_locked(table: str, pk: int) -> Iterator[None]:
    """While the block runs somebody else holds this row."""
    with beside(_database()) as database, database.transaction():
        database.execute(
            sql.SQL("SELECT 1 FROM {} WHERE id = %s FOR UPDATE").format(sql.Identifier(table)),
            (pk,),
        )
        yield
