"""What of the machine a test needs, and the words for its absence."""

import os
import shutil


def missing_service(mark: str) -> str | None:
    """Why tests with this mark can't run here, or None."""
    if mark == "postgres" and not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        return "needs PostgreSQL and Redis: set DATABASE_URL and REDIS_URL"
    if mark == "browser" and chromium() is None:
        return "needs Chromium: install the system's chromium package"
    return None


def chromium() -> str | None:
    """The path of the system's Chromium, None where there is none."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
