"""Fixtures of the tests of accounts."""

from typing import Any

import pytest

from tests.accounts.people import own_cache


@pytest.fixture(autouse=True)
def _nobody_has_tried_yet(settings: Any) -> None:
    own_cache(settings)
