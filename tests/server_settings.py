"""The settings of servers under test where they must be other than the site's.

`FLAKY` in the environment: a channel layer with those flaws (tests/flaky_layer.py).
`HASTY`: sockets are asked for a sign of life ten times as often, and given up ten times as soon.
`/inspect` tells what a process keeps in memory (tests/inspection.py).
"""

import os

from config.settings import *  # noqa: F403
from config.settings import CHANNEL_LAYERS, INSTALLED_APPS, STORAGES

if os.environ.get("FLAKY"):
    CHANNEL_LAYERS["default"]["BACKEND"] = "tests.flaky_layer.FlakyLayer"

# All players of a test come from one address.
HANDSHAKES = int(os.environ.get("HANDSHAKES", 100_000))
POSTS = 100_000  # scripts play faster than people

# As in production, but for the static files: collecting them takes longer than most tests.
DEBUG = False
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
ROOT_URLCONF = "tests.inspection"
INSTALLED_APPS += ["tests.hasty.HastyConfig"]
