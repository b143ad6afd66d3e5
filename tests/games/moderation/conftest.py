"""Fixtures of the tests of moderation."""

import pytest

from games.moderation import roles
from tests.staff import group_of


@pytest.fixture(autouse=True)
def _roles(request: pytest.FixtureRequest) -> None:
    """The roles of the migration, which a test with transactions of its own may have taken away."""
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        request.getfixturevalue("db")
        group_of(roles.MODERATOR)
