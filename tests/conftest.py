"""Fixtures of all tests: services that may be missing, people, and series."""

import os
import secrets
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings
from django.urls import get_resolver
from pytest_django import DjangoDbBlocker

from games.moderation import triggers
from tests.services import missing_service
from tests.transactions import left_open, threads_at_rest

MARKED_BY_FOLDER = {"games": "site", "accounts": "site", "e2e": "site"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        folder = Path(item.fspath).relative_to(config.rootpath).parts[1]
        if folder in MARKED_BY_FOLDER:
            item.add_marker(MARKED_BY_FOLDER[folder])


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in ("postgres", "browser"):
        if item.get_closest_marker(mark) and (missing := missing_service(mark)):
            if os.environ.get("REQUIRE_SERVICES") == "1":
                pytest.fail(f"REQUIRE_SERVICES=1, but {missing}")
            pytest.skip(missing)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    yield
    if item.get_closest_marker("django_db") and not item.get_closest_marker("browser"):
        assert not (found := left_open()), found


@pytest.fixture(scope="session", autouse=True)
def _views_are_there() -> None:
    """All of them are imported before any test patches what they import."""
    assert get_resolver().url_patterns


@pytest.fixture
def nobody_is_too_fast(settings: Any) -> None:
    """Where posts come as fast as they can."""
    settings.POSTS = 1_000_000


@pytest.fixture(autouse=True)
def _threads_at_rest(request: pytest.FixtureRequest) -> Iterator[None]:
    """What the threads do for a test they have done before its tables are emptied."""
    if request.node.get_closest_marker("django_db"):
        request.getfixturevalue("db")
    yield
    threads_at_rest()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Making, emptying and removing a database takes longer than any statement of the site may."""
    options = settings.DATABASES["default"].get("OPTIONS", {})
    if "options" in options:
        limit, none = "statement_timeout=5000", "statement_timeout=0"
        options["options"] = options["options"].replace(limit, none)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Tests empty every table after them, which the audit trail would refuse (promise S12)."""
    with django_db_blocker.unblock():
        triggers.lift(connection)


@pytest.fixture(autouse=True, scope="session")
def _apart_on_redis() -> Iterator[None]:
    """Tests that run side by side have the same ids in databases of their own, and one Redis."""
    layers = deepcopy(settings.CHANNEL_LAYERS)
    if "CONFIG" in layers["default"]:
        layers["default"]["CONFIG"]["prefix"] = f"test-{secrets.token_hex(4)}"
    with override_settings(CHANNEL_LAYERS=layers):
        yield


@pytest.fixture(autouse=True, scope="session")
def _static_files_as_they_lie() -> Iterator[None]:
    """No test needs `collectstatic` first: pages name static files without their hash."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    storages = {**settings.STORAGES, "staticfiles": plain}
    with override_settings(STORAGES=storages, SERVESTATIC_AUTOREFRESH=True):
        yield
