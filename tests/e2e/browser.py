"""Chromium for the tests that need one, and people who sit in front of it.

The site they visit is served as it is in production: DEBUG off, static files collected, hashed and
compressed.
"""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connections
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    ViewportSize,
    WebSocket,
    expect,
    sync_playwright,
)

from accounts.models import User
from games.rules.cards import Card
from tests.cards_named import cards_named
from tests.services import chromium
from tests.site import ROOT, Site, log_in, server_environment

FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE: Final = ViewportSize(width=360, height=640)
DESK: Final = ViewportSize(width=1280, height=800)
SHOTS: Final = ROOT / "artefacts" / "screenshots"
# On a busy machine a page may lose patience with a socket that is long in opening, and try again.
SLOW: Final = (r"WebSocket is closed before the connection is established", r"\[object Event\]$")
PATIENCE: Final = 20_000.0  # milliseconds, on a busy machine


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """One Chromium for a module; its event loop ends with it, so that no other test meets it."""
    expect.set_options(timeout=PATIENCE)
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright's loop runs in this thread, where the ORM would refuse to work beside it.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()
        # Beside a loop Django opens connections of their own, which nobody would find afterwards.
        connections.close_all()


@pytest.fixture(scope="session")
def collected(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a site whose static files are collected."""
    folder = tmp_path_factory.mktemp("collected")
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity=0"]
    environment = server_environment([1], folder) | {"DEBUG": "0"}
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return folder


type OpenSite = Callable[..., Site]


@pytest.fixture(scope="module")
def open_production(
    db: None, collected: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OpenSite]:
    """Start more sites as in production: `open_production(**environment)`; all end afterwards."""
    sites: list[Site] = []

    def start(**environment: str) -> Site:
        folder = tmp_path_factory.mktemp("site")
        shutil.copytree(collected / "static", folder / "static")
        site = Site(folder, **{"DEBUG": "0", **environment})
        sites.append(site)
        return site.start()

    yield start
    for site in sites:
        site.stop()


@pytest.fixture(scope="module")
def production(open_production: OpenSite) -> Site:
    """One process of the site as in production."""
    return open_production()


@pytest.fixture
def visit(chrome: Browser, production: Site) -> Iterator["Visit"]:
    """Open a browser of one's own: `visit(user, path)`; none of them may find anything wrong.

    `script` runs before those of each page; `options` are Playwright's for a context.
    """
    people: list[Person] = []
    errors_before = len(production.errors())

    def open_browser(
        user: User | None = None,
        path: str = "",
        *,
        site: Site = production,
        origin: str = "",
        size: ViewportSize = PHONE,
        script: str = "",
        allowed: tuple[str, ...] = (),
        **options: Any,
    ) -> Person:
        origin = origin or site.servers[0].origin
        context = chrome.new_context(base_url=origin, viewport=size, **options)
        context.set_default_timeout(PATIENCE)
        if user is not None:
            name, _, value = log_in(user).partition("=")
            context.add_cookies([{"name": name, "value": value, "url": origin}])
        if script:
            context.add_init_script(script)
        person = Person(context, allowed)
        people.append(person)
        person.page = person.open_tab(path)
        return person

    yield open_browser
    problems = [problem for person in people for problem in person.problems]
    for person in people:
        person.context.close()
    assert not problems, "\n".join(problems)
    assert not production.errors()[errors_before:], production.logs()


type Visit = Callable[..., "Person"]


@dataclass
class Person:
    """Somebody with a browser: the open page, and all that went wrong in any of their pages.

    `allowed` are patterns of what may go wrong, where a test is about it.
    """

    context: BrowserContext
    allowed: tuple[str, ...] = ()
    problems: list[str] = field(default_factory=list)
    sockets: list[WebSocket] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    page: Page = field(init=False)

    def open_tab(self, path: str = "") -> Page:
        page = self.context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._note(f"{page.url}: {error}"))
        page.on("websocket", self._follow)
        if path:
            page.goto(path)
        return page

    def _follow(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        socket.on("framesent", lambda frame: self.sent.append(str(frame)))
        socket.on("framereceived", lambda frame: self.received.append(str(frame)))

    def linked(self) -> "Person":
        """Wait until the server has answered by the socket."""
        until(lambda: self.received or None, self.page)
        return self

    def sent_actions(self) -> list[str]:
        return [frame for frame in self.sent if '"action"' in frame]

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"{message.location.get('url')}: {message.text}")

    def _note(self, problem: str) -> None:
        if not any(re.search(pattern, problem) for pattern in (*SLOW, *self.allowed)):
            self.problems.append(problem)

    def allow(self, *patterns: str) -> "Person":
        """What goes wrong from now on is part of the test."""
        self.allowed += patterns
        return self

    @property
    def table(self) -> "TablePage":
        return TablePage(self.page)


def until[T](find: Callable[[], T | None], page: Page) -> T:
    """Ask again until there is an answer, while the page goes on."""
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        with suppress(Error):  # a page that is just being loaded
            if (found := find()) is not None:
                return found
        page.wait_for_timeout(50)
    raise AssertionError("it never came")


@dataclass(frozen=True)
class TablePage:
    """The table as somebody sees and uses it."""

    page: Page

    def part(self, selector: str) -> Locator:
        return self.page.locator(selector)

    @property
    def pulse(self) -> Locator:
        return self.part("#pulse")

    @property
    def version(self) -> int:
        return int(self.pulse.get_attribute("data-version") or 0)

    @property
    def is_mine(self) -> bool:
        """Whether the page says that something is to be done."""
        return self.part("#actions[data-mine]").count() == 1

    @property
    def call(self) -> str:
        return self.part("#call").inner_text()

    @property
    def notice(self) -> Locator:
        return self.part("#notice")

    def banner(self, state: str) -> Locator:
        """What the page says of its connection in this state."""
        return self.part(f'#connection [data-for="{state}"]')

    def form(self, action: str, card: object = "") -> Locator:
        which = f'[data-card="{card}"]' if card != "" else ""
        return self.part(f'form[data-action="{action}"]{which}')

    def button(self, action: str, card: object = "") -> Locator:
        return self.form(action, card).locator("button.button, button.card").last

    def offers(self, action: str) -> bool:
        return self.form(action).count() > 0

    @property
    def hand(self) -> list[Card]:
        """The cards of the own hand that can be chosen."""
        return _cards(self.part("#hand input[type=radio][name=card]"))

    @property
    def loose(self) -> list[Card]:
        """Those of the hand that are shown as deadwood."""
        return _cards(self.part("#hand :is(.deadwood, .more) input[type=radio][name=card]"))

    @property
    def upcard(self) -> Card:
        name = self.part(".upcard > .face").last.get_attribute("alt")
        return cards_named(name or "").pop()

    def faces(self) -> set[Card]:
        """Every card of which the page knows the face."""
        names = self.part("img").evaluate_all("all => all.map(each => each.alt)")
        return cards_named(" ".join(names))

    def label(self, card: Card) -> Locator:
        return self.part(f'label[for="card-{card}"]')

    def choose(self, card: Card) -> None:
        self.label(card).click()

    def is_chosen(self, card: Card) -> bool:
        return self.part(f"#card-{card}").is_checked()

    def opener(self, card: Card) -> Locator:
        """The button that opens the arrangement of a knock or of gin with this discard."""
        return self.part(f":is(#open-knock-{card}, #open-gin-{card})").first

    @property
    def dialog(self) -> Locator:
        """The arrangement that is open."""
        return self.part("[popover]:popover-open")

    def confirm(self) -> None:
        self.dialog.locator("form button.brass").click()

    def defend(self) -> None:
        """Lay off no more than so far; where the best would leave less, that is asked."""
        self.part("#button-defend").click()
        if self.dialog.count():
            self.confirm()

    def until_version(self, version: int) -> None:
        expect(self.pulse).to_have_attribute("data-version", str(version))

    def until_moved(self, do: Callable[[], object]) -> None:
        """Do something, and wait until the table has moved on here."""
        before = str(self.version)
        do()
        expect(self.pulse).not_to_have_attribute("data-version", before)


def _cards(radios: Locator) -> list[Card]:
    values = radios.evaluate_all("all => all.map(each => each.value)")
    return [Card[value] for value in values]


ALL_LOADED: Final = "[...document.images].every(each => each.complete)"


def shoot(page: Page, name: str) -> None:
    """Keep a picture of the page at both sizes, as build artefacts."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    before = page.viewport_size
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        until(lambda: page.evaluate(ALL_LOADED) or None, page)
        # To hide the caret it would write style attributes, which the page then carries along.
        path = SHOTS / f"{name}-{size['width']}.png"
        page.screenshot(path=path, caret="initial", animations="disabled")
    if before is not None:
        page.set_viewport_size(before)
