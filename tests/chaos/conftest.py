"""Fixtures of tests that break things."""

from tests.live import come, db, pair, site, start_site  # noqa: F401 (fixtures)
