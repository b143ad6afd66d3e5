"""Fixtures of tests end to end."""

from tests.e2e.browser import (  # noqa: F401 (fixtures)
    chrome,
    collected,
    open_production,
    production,
    visit,
)
from tests.live import come, db, pair, site, start_site  # noqa: F401 (fixtures)
