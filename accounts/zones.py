"""In which zone somebody reads times: the one they prefer, else that of their browser, else UTC.

The browser tells its zone in a cookie (`zone.js`), since no request says it. Pages name the zone
that they go by.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property, lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone

from accounts.places import ZONES_BY_REGION

COOKIE: Final = "zone"
# What a browser says may be an older name than any that we offer: Asia/Calcutta.
_NAME: Final = re.compile(rf"UTC|({'|'.join(ZONES_BY_REGION)}|Etc)/[A-Za-z0-9_+/-]{{1,40}}")


def zone_named(*names: str) -> tzinfo:
    """The first of these zones that is known here, UTC if none is."""
    return next(filter(None, map(_zone, names)), UTC)


@lru_cache(maxsize=1024)
def _zone(name: str) -> tzinfo | None:
    if not _NAME.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_words(zone: tzinfo | str) -> str:
    """Name a zone for people.

    >>> zone_words(ZoneInfo("America/New_York"))
    'America/New York'
    """
    return str(zone).replace("_", " ")


class ZoneOf(tzinfo):
    """A zone that is found out when a time is first shown; most answers show none.

    So no answer asks for the user's row, which may be out of reach, for the sake of its times.
    """

    def __init__(self, find: Callable[[], tzinfo]) -> None:
        self._find = find

    @cached_property
    def zone(self) -> tzinfo:
        """The zone itself."""
        return self._find()

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return self.zone.utcoffset(moment)

    def dst(self, moment: datetime | None) -> timedelta | None:
        return self.zone.dst(moment)

    def tzname(self, moment: datetime | None) -> str | None:
        return self.zone.tzname(moment)

    def fromutc(self, moment: datetime) -> datetime:
        return self.zone.fromutc(moment.replace(tzinfo=self.zone)).replace(tzinfo=self)

    def __str__(self) -> str:
        return str(self.zone)


def current_zone() -> tzinfo:
    """The zone in which whoever is answered reads times."""
    zone = timezone.get_current_timezone()
    return zone.zone if isinstance(zone, ZoneOf) else zone


def zone_for(preferred: str, cookies: Mapping[str, str]) -> tzinfo:
    """The zone of who prefers this, or with "browser" of who sends these cookies."""
    return zone_named(preferred, cookies.get(COOKIE, ""))
