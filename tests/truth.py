"""What a viewer's page must show: rendered here, by a third process, from the stored log alone."""

import asyncio
import re
import time

from games.live import Stamp
from games.models import Series
from games.rendering import regions, render_region
from games.selectors.audit import differences
from games.selectors.table import load_sitting, table_for
from tests.page import Page
from tests.players import Player
from tests.site import in_db

# What differs from one rendering to the next and is no part of the table.
_PASSING = (
    (re.compile(r' data-version="\d+" data-talk="\d+"| hx-swap-oob="true"'), ""),
    (re.compile(r'(name="key" value=")[^".]*'), r"\1"),
    (re.compile(r'<input type="hidden" name="csrfmiddlewaretoken"[^>]*>'), ""),
    # The servers name static files plainly, the tests' process perhaps by their hash.
    (re.compile(r'src="[^"]*/cards/(..)\.[^"]*"'), r'src="\1"'),
    (re.compile(r"\s+"), " "),
)


def plain(html: str) -> str:
    """A region without what differs from one rendering to the next."""
    for pattern, instead in _PASSING:
        html = pattern.sub(instead, html)
    return html.strip()


def shown_by(page: Page) -> dict[str, str]:
    """The regions of a page."""
    return {name: plain(element.html) for name, element in page.regions.items()}


def stored_for(series: Series, user_id: int | None) -> dict[str, str]:
    """The regions that this user's page must show now; None is a spectator."""
    sitting = load_sitting(Series.objects.get(pk=series.pk))
    contexts = regions(table_for(sitting, user_id))
    return {
        name: plain(render_region(name, context, stamp=Stamp(0, 0), key=""))
        for name, context in contexts.items()
    }


async def until_true(player: Player, within: float = 20.0) -> None:
    """Wait until a page shows what is stored, and fail with the difference if it never does."""
    user_id = None if player.user is None else player.user.pk
    until = time.monotonic() + within
    while True:
        shown, stored = shown_by(player.page), await in_db(stored_for, player.series, user_id)
        if shown == stored:
            return
        assert time.monotonic() < until, difference(shown, stored)
        await asyncio.sleep(0.1)


def difference(shown: dict[str, str], stored: dict[str, str]) -> str:
    """The regions that differ, for the report of a failed test."""
    return "\n".join(
        f"{name}: shown {shown.get(name)}\n  stored {stored.get(name)}"
        for name in sorted(shown.keys() | stored.keys())
        if shown.get(name) != stored.get(name)
    )


def wrong_in(series: Series) -> list[str]:
    """What `manage.py check_series` would say about a series as it is stored now."""
    return list(differences(Series.objects.get(pk=series.pk)))
