"""Promise S9: every address has a rule who gets what, and a live hand is its owner's only.

Here are all addresses but three kinds that have tables of their own: an account's
(tests/accounts/test_pages.py), the moderators' (tests/games/moderation/test_pages.py), and the
admin's, which follow from the permissions.
"""

import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import get_resolver, reverse

from games.models import Series
from games.rules.actions import Draw, Pass
from games.rules.cards import cards_in
from games.window import Window
from tests.browser import browser
from tests.staff import new_boss, new_moderator
from tests.tables import Played, new_table, new_user, next_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

type Answers = tuple[int, ...]
"""What a visitor, a stranger, both players, a moderator and an admin get, in this order."""

ALL: Final = (200,) * 6
NOBODY: Final = (404,) * 6
NO_WAY: Final = (405,) * 6
MEMBERS: Final = (302, 200, 200, 200, 200, 200)
FORM: Final = (302, 422, 422, 422, 422, 422)  # an empty one is refused
ANY_FORM: Final = (422,) * 6
PLAYERS: Final = (404, 404, 200, 200, 404, 404)
PLAYERS_FORM: Final = (404, 404, 422, 422, 404, 404)
LED_ON: Final = (302,) * 6

HEADERS: Final = {
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
}

RULES: Final[dict[str, tuple[Answers, Answers]]] = {
    "": (ALL, NO_WAY),
    "@<slug:name>/": (ALL, NO_WAY),
    "@<slug:name>/against/<slug:other>/": (ALL, NO_WAY),
    "@<slug:name>/relation/": (NO_WAY, (302, 404, 404, 404, 404, 404)),
    "@<slug:name>/report/": ((302, 200, 404, 200, 200, 200), (302, 422, 404, 422, 422, 422)),
    "@<slug:name>/series/": (ALL, NO_WAY),
    "@<slug:name>/series/series.csv": (ALL, NO_WAY),
    "@<slug:name>/series/series.json": (ALL, NO_WAY),
    "@<slug:name>/series/series.txt": (ALL, NO_WAY),
    "@<slug:name>/statistics/": (ALL, NO_WAY),
    "announcements/close/": (NO_WAY, LED_ON),
    "api/openapi.json": (ALL, NO_WAY),
    "api/players/<slug:name>/series/": (ALL, NO_WAY),
    "api/series/<slug:slug>/": (NOBODY, NO_WAY),
    "bots/": (ALL, NO_WAY),
    "bots/<slug:slug>/": (NOBODY, NO_WAY),
    "bots/play/": (NO_WAY, ANY_FORM),
    "conduct/": (ALL, NO_WAY),
    "contact/": (ALL, NO_WAY),
    "fair-deal/": (ALL, NO_WAY),
    "guide/": (NO_WAY, LED_ON),
    "healthz": (ALL, NO_WAY),
    "how-to-play/": (ALL, NO_WAY),
    "invitation/<slug:token>/": ((200, 200, 200, 302, 200, 200), (302, 409, 409, 302, 409, 409)),
    "invitation/<slug:token>/decline/": (NO_WAY, (302, 409, 409, 409, 409, 409)),
    "lobby/": (ALL, NO_WAY),
    "lobby/<slug:slug>/join/": (NO_WAY, (302, 409, 409, 409, 409, 409)),
    "lobby/<slug:slug>/withdraw/": (NO_WAY, (302, 302, 409, 302, 302, 302)),
    "lobby/quick/": (NO_WAY, FORM),
    "lobby/tables/": (ALL, NO_WAY),
    "manifest.webmanifest": (ALL, NO_WAY),
    "new/": (MEMBERS, FORM),
    "new/import/": (MEMBERS, FORM),
    "new/sheet/": (MEMBERS, FORM),
    "offline/": (ALL, NO_WAY),
    "people/": (MEMBERS, NO_WAY),
    "players/": (ALL, NO_WAY),
    "preferences/": (ALL, ANY_FORM),
    "privacy/": (ALL, NO_WAY),
    "readyz": (ALL, NO_WAY),
    "reported/": (MEMBERS, NO_WAY),
    "rules/": (ALL, NO_WAY),
    "series/<slug:slug>/": (PLAYERS, PLAYERS_FORM),
    "series/<slug:slug>/chat/": (PLAYERS, PLAYERS_FORM),
    "series/<slug:slug>/chat/switch/": (NO_WAY, (404, 404, 302, 302, 404, 404)),
    "series/<slug:slug>/delete/": (NO_WAY, (302, 404, 404, 404, 404, 404)),
    "series/<slug:slug>/draft/": (PLAYERS, NO_WAY),
    "series/<slug:slug>/hide/": (NO_WAY, (302, 404, 302, 302, 404, 404)),
    "series/<slug:slug>/record.json": (NOBODY, NO_WAY),
    "series/<slug:slug>/record.txt": (NOBODY, NO_WAY),
    "series/<slug:slug>/report/": ((302, 404, 302, 302, 404, 404), NO_WAY),
    "series/<slug:slug>/rounds/": (PLAYERS, NO_WAY),
    "series/<slug:slug>/rounds/<int:number>/": (NOBODY, NO_WAY),
    "series/<slug:slug>/rounds/<int:number>/<int:ply>/": (NOBODY, NO_WAY),
    "series/<slug:slug>/rounds/<int:number>/<int:ply>/picture.png": (NOBODY, NO_WAY),
    "series/<slug:slug>/rules/": (PLAYERS, NO_WAY),
    "series/<slug:slug>/sheet/": (NOBODY, NOBODY),
    "series/<slug:slug>/sheet/end/": (NO_WAY, NOBODY),
    "series/<slug:slug>/sheet/pad/": (NOBODY, NO_WAY),
    "series/<slug:slug>/sheet/undo/": (NO_WAY, NOBODY),
    "statistics/": (ALL, NO_WAY),
    "styleguide/": (NOBODY, NO_WAY),
    "sw.js": (ALL, NO_WAY),
    "terms/": (ALL, NO_WAY),
    "transparency/": (ALL, NO_WAY),
    "verify/": (ALL, NO_WAY),
    "verify/<slug:slug>/<int:number>/": (NOBODY, NO_WAY),
    "verify/<slug:slug>/<int:number>/record/": (NOBODY, NO_WAY),
    "waiting/": (ALL, NO_WAY),
}
"""By GET, and by an empty POST; the series is a private one that is being played."""

WATCHED: Final[dict[str, tuple[Answers, Answers]]] = {
    "api/series/<slug:slug>/": (NOBODY, NO_WAY),
    "series/<slug:slug>/": (ALL, (401, 403, 200, 200, 403, 403)),
    "series/<slug:slug>/chat/": (ALL, LED_ON),
    "series/<slug:slug>/chat/switch/": (NO_WAY, LED_ON),
    "series/<slug:slug>/delete/": (NO_WAY, (302, 404, 404, 404, 404, 404)),
    "series/<slug:slug>/draft/": (ALL, NO_WAY),
    "series/<slug:slug>/hide/": (NO_WAY, (302, 403, 302, 302, 403, 403)),
    "series/<slug:slug>/record.json": (NOBODY, NO_WAY),
    "series/<slug:slug>/record.txt": (NOBODY, NO_WAY),
    "series/<slug:slug>/report/": ((302, 200, 302, 302, 200, 200), NO_WAY),
    "series/<slug:slug>/rounds/": (ALL, NO_WAY),
    "series/<slug:slug>/rounds/<int:number>/": (ALL, NO_WAY),
    "series/<slug:slug>/rounds/<int:number>/<int:ply>/": (ALL, NO_WAY),
    "series/<slug:slug>/rounds/<int:number>/<int:ply>/picture.png": (ALL, NO_WAY),
    "series/<slug:slug>/rules/": (ALL, NO_WAY),
    "series/<slug:slug>/sheet/": (NOBODY, NOBODY),
    "series/<slug:slug>/sheet/end/": (NO_WAY, NOBODY),
    "series/<slug:slug>/sheet/pad/": (NOBODY, NO_WAY),
    "series/<slug:slug>/sheet/undo/": (NO_WAY, NOBODY),
    "verify/<slug:slug>/<int:number>/": (ALL, NO_WAY),
    "verify/<slug:slug>/<int:number>/record/": (ALL, NO_WAY),
}
"""The same of a public series in its second round, with forms that say something."""

ELSEWHERE: Final = ("account/", "mail/", "moderation/", "admin/")


def addresses(patterns: Any = None, before: str = "") -> Iterator[str]:
    """Every address of the site, as its pattern is written."""
    for entry in patterns or get_resolver().url_patterns:
        path = before + str(entry.pattern)
        if hasattr(entry, "url_patterns"):
            yield from addresses(entry.url_patterns, path)
        else:
            yield path


def test_s9_every_address_has_a_rule() -> None:
    assert {path for path in addresses() if not path.startswith(ELSEWHERE)} == RULES.keys()


class House:
    """A table that is being played, and everybody who may ask for it."""

    def __init__(self) -> None:
        self.table = new_table()
        self.moderator, self.admin = new_moderator(), new_boss()
        self.viewers = (None, new_user(), *self.table.users, self.moderator, self.admin)

    def address(self, path: str) -> str:
        given = {
            "slug": self.table.series.slug,
            "token": self.table.series.invitation.token,
            "name": self.table.users[0].username,
            "other": self.table.users[1].username,
        }
        return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda part: given.get(part[1], "1"), path)


@pytest.fixture
def house() -> House:
    return House()


@pytest.mark.parametrize("path", RULES)
def test_s9_who_gets_what(path: str, house: House) -> None:
    Series.objects.filter(pk=house.table.series.pk).update(is_private=True)
    address = house.address(path)
    clients = [browser(viewer) for viewer in house.viewers]
    answers = [[client.get(address) for client in clients]]
    answers += [[client.post(address) for client in clients]]
    got, posted = (tuple(each.status_code for each in by_viewer) for by_viewer in answers)
    assert (got, posted) == RULES[path]
    for each in answers[0] + answers[1]:  # promise S10
        assert set(each.headers.items()) >= HEADERS, (address, each.headers)
        policy = each.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy


def test_s9_every_address_of_a_series_has_a_rule_for_who_watches() -> None:
    about_one = ("series/", "api/series/", "verify/<")
    assert {path for path in RULES if path.startswith(about_one)} == WATCHED.keys()


@pytest.mark.parametrize("method", ["get", "post"])
def test_s9_who_gets_what_of_a_public_series(method: str, house: House) -> None:
    house.table.play_round()
    for user in house.table.users:
        house.table.press_next(user)
    clients = [browser(viewer) for viewer in house.viewers]
    for path, rules in WATCHED.items():
        address = house.address(path)
        answers = tuple(getattr(each, method)(address, offer()).status_code for each in clients)
        assert answers == rules[method == "post"], path


def offer() -> dict[str, str]:
    """What a form says, whichever it is: an offer to stop, a line of the chat."""
    return {"action": "offer-end", "round": "2", "key": next_key(), "text": "hello"}


def named(cards: list[str], page: str) -> list[str]:
    """Those of these cards that a page shows."""
    return [each for each in cards if f"{each}.svg" in page or f'data-card="{each}"' in page]


def secrets_of(table: Played) -> tuple[list[str], list[list[str]]]:
    """The stock, and both hands, of a table at which something was played."""
    for action in (Pass(), Pass(), Draw()):
        table.act(action)
    stock = [str(card) for card in table.state.stock]
    return stock, [[str(card) for card in cards_in(hand)] for hand in table.state.hands]


def test_s9_a_live_hand_is_refused_to_all_but_its_own(house: House) -> None:
    """The series is one that everybody may watch."""
    table = house.table
    stock, hands = secrets_of(table)
    ours = [path for path in RULES if re.search("<slug:(slug|token|name)>", path)]
    assert len(ours) > 25
    for viewer in house.viewers:
        seat = table.users.index(viewer) if viewer in table.users else None
        secret = stock + [card for n in (0, 1) if n != seat for card in hands[n]]
        seen = ""
        for path in ours:
            response = browser(viewer).get(house.address(path))
            if response.status_code == 200:
                page = unquote(response.getvalue().decode())
                assert named(secret, page) == [], (path, viewer)
                seen += page
        assert seat is None or named(hands[seat], seen) == hands[seat]


def test_s9_nor_does_the_socket_tell_it(house: House) -> None:
    table = house.table
    stock, hands = secrets_of(table)
    for viewer in house.viewers:
        seat = table.users.index(viewer) if viewer in table.users else None
        told = Window(table.series.slug, viewer.pk if viewer else None, None, "dev").hello(0, "")
        secret = stock + [card for n in (0, 1) if n != seat for card in hands[n]]
        assert named(secret, told) == [], viewer
        assert seat is None or named(hands[seat], told) == hands[seat]


class TestAdmin:
    """Its pages follow from the permissions: none to players, what a role may look at to staff."""

    def pages(self) -> Iterator[tuple[str, str]]:
        """Each list and each form of a new row, with the permission that it needs."""
        for model in admin.site._registry:
            app, name = model._meta.app_label, model._meta.model_name
            yield reverse(f"admin:{app}_{name}_changelist"), f"{app}.view_{name}"
            yield reverse(f"admin:{app}_{name}_add"), f"{app}.add_{name}"

    def test_s9_only_staff_come_in(self, house: House) -> None:
        for path in (reverse("admin:index"), *(path for path, _permission in self.pages())):
            for viewer in house.viewers[:4]:
                response = browser(viewer).get(path)
                assert response.status_code == 302, (path, viewer)
                assert response["Location"].startswith(reverse("admin:login"))

    def test_s9_a_moderator_sees_what_the_role_says(self, house: House) -> None:
        client: Client = browser(house.moderator)
        answers = {path: client.get(path).status_code for path, _permission in self.pages()}
        expected = {
            path: 200 if house.moderator.has_perm(permission) else 403
            for path, permission in self.pages()
        }
        assert answers == expected
        assert list(answers.values()).count(200) > 10
