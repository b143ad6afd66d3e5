"""The settings of the site that is photographed: as in production, with decks that are prepared."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS, STORAGES

DEBUG = False
SERVESTATIC_USE_FINDERS = True
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
ROOT_URLCONF = "tests.screenshots.urls"
INSTALLED_APPS += ["tests.screenshots.decks.PreparedDecks"]
