"""Every address of the site has a rule who gets what (S9): one without a row fails here.

What is about accounts, about finding somebody, and the moderators' own is tested where they are.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.urls import get_resolver

from accounts.models import User
from games.models import Series
from games.rendering import REGIONS
from tests.accounts.test_pages import RULES as OF_ACCOUNTS
from tests.accounts.test_pages import as_pattern
from tests.browser import browser, text
from tests.games.test_lobby_doors import RULES as OF_THE_LOBBY
from tests.page import elements_of
from tests.staff import new_boss, new_moderator
from tests.tables import Played, new_table, new_user, next_key
from tests.visit import plain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

type Row = tuple[int, ...]

KINDS: Final = ("visitor", "guest", "stranger", "player", "other player", "moderator", "admin")


def all_get(status: int) -> Row:
    return (status,) * len(KINDS)


OK, NOT_SO, NONE = all_get(200), all_get(405), all_get(404)
WITH_A_LOG_IN: Final = (302, *OK[1:])
# What each kind gets by GET, and by POST, of a public series in its second round.
RULES: Final[dict[str, tuple[Row, Row]]] = {
    "": (OK, NOT_SO),
    "series/<slug:slug>/": (OK, (401, 403, 403, 200, 200, 403, 403)),
    "series/<slug:slug>/draft/": (OK, NOT_SO),
    # A player is led on to the form about the other one.
    "series/<slug:slug>/report/": ((302, 200, 200, 302, 302, 200, 200), NOT_SO),
    "series/<slug:slug>/hide/": (NOT_SO, (302, 403, 403, 302, 302, 403, 403)),
    "series/<slug:slug>/chat/": (OK, (302, 403, 302, 302, 302, 302, 302)),
    "series/<slug:slug>/chat/switch/": (NOT_SO, all_get(302)),
    "series/<slug:slug>/rules/": (OK, NOT_SO),
    "series/<slug:slug>/rounds/": (OK, NOT_SO),
    "series/<slug:slug>/rounds/<int:number>/": (OK, NOT_SO),
    "series/<slug:slug>/rounds/<int:number>/<int:ply>/": (OK, NOT_SO),
    "series/<slug:slug>/rounds/<int:number>/<int:ply>/picture.png": (OK, NOT_SO),
    # There are records of what is over, and sheets of what is played with real cards.
    "series/<slug:slug>/record.txt": (NONE, NOT_SO),
    "series/<slug:slug>/record.json": (NONE, NOT_SO),
    "series/<slug:slug>/sheet/": (NONE, NONE),
    "series/<slug:slug>/sheet/pad/": (NONE, NOT_SO),
    "series/<slug:slug>/sheet/undo/": (NOT_SO, NONE),
    "series/<slug:slug>/sheet/end/": (NOT_SO, NONE),
    "api/series/<slug:slug>/": (NONE, NOT_SO),
    "api/players/<slug:name>/series/": (OK, NOT_SO),
    "api/openapi.json": (OK, NOT_SO),
    "verify/": (OK, NOT_SO),
    "verify/<slug:slug>/<int:number>/": (OK, NOT_SO),
    "verify/<slug:slug>/<int:number>/record/": (OK, NOT_SO),
    "bots/": (OK, NOT_SO),
    "bots/<slug:slug>/": (OK, NOT_SO),
    "bots/play/": (NOT_SO, all_get(422)),
    "reported/": (WITH_A_LOG_IN, NOT_SO),
    "how-to-play/": (OK, NOT_SO),
    "rules/": (OK, NOT_SO),
    "privacy/": (OK, NOT_SO),
    "terms/": (OK, NOT_SO),
    "conduct/": (OK, NOT_SO),
    "contact/": (OK, NOT_SO),
    "fair-deal/": (OK, NOT_SO),
    "transparency/": (OK, NOT_SO),
    "announcements/close/": (NOT_SO, all_get(302)),
    "guide/": (NOT_SO, all_get(302)),
    "manifest.webmanifest": (OK, NOT_SO),
    "sw.js": (OK, NOT_SO),
    "offline/": (OK, NOT_SO),
    "styleguide/": (NONE, NOT_SO),  # there with DEBUG only
    "healthz": (OK, NOT_SO),
    "readyz": (OK, NOT_SO),
}
OF_SERIES: Final = ("series/", "verify/<", "api/series/")
"""How those begin that are about one series."""
ELSEWHERE: Final = ("moderation/", "admin/")
"""The moderators' pages: tests/games/moderation/test_pages.py. The admin's: below."""


def addresses(resolver: Any = None, before: str = "") -> Iterator[str]:
    """Every address of the site, as its pattern is written."""
    for entry in (resolver or get_resolver()).url_patterns:
        path = before + str(entry.pattern)
        if hasattr(entry, "url_patterns"):
            yield from addresses(entry, path)
        else:
            yield path


def test_s9_every_address_has_a_rule() -> None:
    known = RULES.keys() | OF_THE_LOBBY.keys()
    unruled = [
        path
        for path in addresses()
        if path not in known
        and not path.startswith(ELSEWHERE)
        and not any(re.match(as_pattern(path), each) for each in OF_ACCOUNTS)
    ]
    assert unruled == []
    assert RULES.keys() - set(addresses()) == set()


@pytest.fixture
def table() -> Played:
    """A series in its second round."""
    table = new_table()
    table.play_round()
    for user in table.users:
        table.press_next(user)
    return table


def everybody(table: Played) -> tuple[User | None, ...]:
    """One of each kind."""
    guest = User.objects.create(username="Guest-91", kind=User.Kind.GUEST)
    return None, guest, new_user(), *table.users, new_moderator(), new_boss()


def address(path: str, table: Played) -> str:
    slug = "club" if path.startswith("bots/") else table.series.slug
    given = {"slug": slug, "name": table.users[0].username, "number": "1", "ply": "0"}
    return "/" + re.sub(r"<\w+:(\w+)>", lambda found: given[found[1]], path)


def sent(table: Played) -> dict[str, str]:
    """What a form says, whichever it is: an offer to stop, a line of the chat."""
    number = str(table.row.number)
    return {"action": "offer-end", "round": number, "key": next_key(), "text": "hello"}


@pytest.mark.parametrize("path", RULES)
def test_s9_who_gets_what(path: str, table: Played) -> None:
    where, got, posted = address(path, table), *RULES[path]
    for kind, user, by_get, by_post in zip(KINDS, everybody(table), got, posted, strict=True):
        client = browser(user)
        assert client.get(where).status_code == by_get, kind
        assert client.post(where, sent(table)).status_code == by_post, kind


def test_s9_a_private_series_is_to_others_as_if_there_were_none(table: Played) -> None:
    Series.objects.filter(pk=table.series.pk).update(is_private=True)
    others = [browser(user) for user in everybody(table) if user not in table.users]
    for path in filter(is_of_a_series, RULES):
        where = address(path, table)
        nowhere = where.replace(table.series.slug, "nowhere")
        for client in others:
            got, posted = client.get(where).status_code, client.post(where).status_code
            assert {got, posted} <= {302, 404, 405}, path  # 302: who is not logged in is asked to
            assert got == client.get(nowhere).status_code, path
            assert posted == client.post(nowhere).status_code, path


def is_of_a_series(path: str) -> bool:
    return path.startswith(OF_SERIES)


@pytest.mark.parametrize("ending", ["", "draft/"])
def test_s9_of_a_running_hand_the_staff_see_what_a_stranger_sees(
    ending: str, table: Played
) -> None:
    def seen_by(user: User) -> dict[str, str]:
        elements = elements_of(text(browser(user).get(table.series.get_absolute_url() + ending)))
        return {name: plain(elements[name].html) for name in REGIONS if name in elements}

    stranger = seen_by(new_user())
    assert "hand" in stranger
    for user in (new_moderator(), new_boss()):
        assert seen_by(user) == stranger
    assert seen_by(table.users[0])["hand"] != stranger["hand"]


def test_s9_no_address_of_the_admin_is_open_to_players(table: Played) -> None:
    paths = [path for path in addresses() if path.startswith("admin/") and "(?P" not in path]
    assert len(paths) > 100
    for user in (None, table.users[0]):
        client = browser(user)
        for path in paths:
            where = "/" + re.sub(r"<(\w+:)?\w+>", "1", path)
            assert client.get(where).status_code in (302, 403, 404), path
