"""Django's backend for PostgreSQL, but one that takes no dead connection from its pool.

After a restart of the database every pooled connection is dead, and each would cost a player a
"try again" (promise R15). The pool's own check would find them, but sleeps a second for each.
"""

import select
from typing import Any

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose other end is still there when it is taken."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        if self.pool is None:
            return connection
        for _ in range(self.pool.max_size):
            if not _has_ended(connection):
                break
            connection.close()
            self.pool.putconn(connection)  # which puts a fresh one in its place
            connection = super().get_new_connection(conn_params)
        return connection


def _has_ended(connection: Any) -> bool:
    # An idle connection has nothing to read unless the database has said good-bye. Asking the
    # database instead would be a round trip for every use.
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return bool(waiting.poll(0))
