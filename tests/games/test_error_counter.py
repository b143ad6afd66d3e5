"""Errors that are logged are counted by day, whatever the database does."""

import logging
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from games import error_counter
from games.models import ErrorDay
from games.services import errors
from games.services.errors import store_error_counts
from tests.visit import away

pytestmark = pytest.mark.django_db


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    """A logger with the handler of the settings."""
    error_counter.take_counts()
    logger, handler = logging.getLogger("tests.errors"), error_counter.ErrorCounter("ERROR")
    logger.addHandler(handler)
    logger.propagate = False
    yield logger
    logger.removeHandler(handler)
    error_counter.take_counts()


def counted() -> list[int]:
    return list(ErrorDay.objects.filter(day=datetime.now(UTC)).values_list("count", flat=True))


def test_each_error_is_counted_once(log: logging.Logger) -> None:
    for _ in range(3):
        log.error("oh")
    log.warning("no error")
    store_error_counts()
    store_error_counts()
    assert sum(counted()) == 3
    log.exception("one more")
    store_error_counts()
    assert sum(counted()) == 4


def test_while_the_database_is_away_they_wait(
    log: logging.Logger, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.error("oh")
    with monkeypatch.context() as patch:
        patch.setattr(errors, "_add", away)
        with pytest.raises(Exception, match="away"):
            store_error_counts()
    store_error_counts()
    assert sum(counted()) == 1


def test_nothing_to_store_asks_nothing(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    error_counter.take_counts()
    with django_assert_num_queries(0):
        store_error_counts()
