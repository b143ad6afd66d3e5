"""Takes the pictures, and notes what is wrong with what it sees."""

from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from accounts.models import User
from accounts.preferences import COOKIE
from tests import axe
from tests.screenshots.states import Places, State
from tests.screenshots.tables import hold_the_deals
from tests.site import log_in


class Camera:
    """A browser that goes from state to state; `folder` takes the pictures.

    `problems`: what each page told the console, what axe found, what is wider than the screen.
    """

    def __init__(
        self, browser: Browser, origin: str, places: Places, folder: Path, scale: int
    ) -> None:
        self.browser, self.origin, self.places = browser, origin, places
        self.folder, self.scale = folder, scale
        self.problems: list[str] = []
        folder.mkdir(parents=True, exist_ok=True)

    def take_all(self, states: Iterable[State], size: ViewportSize, theme: str) -> None:
        for state in states:
            hold_the_deals(3600)
            self._take(state, size, theme)

    def _take(self, state: State, size: ViewportSize, theme: str) -> None:
        path = state.path(self.places)  # to play a table to there may take a while
        hold_the_deals()
        context = self._context(state, size, theme)
        page = context.new_page()
        heard: list[str] = []
        page.on("console", lambda line: heard.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.goto(path, wait_until="networkidle")
        if state.do is not None:
            state.do(page)
        page.mouse.move(0, 0)
        page.wait_for_timeout(300)
        picture = self.folder / f"{state.name}-{size['width']}-{theme}.png"
        page.screenshot(path=picture, full_page=state.whole, animations="disabled")
        print(picture, flush=True)
        self.problems += [f"{picture.name}: {each}" for each in heard + self._wrong_with(page)]
        context.close()

    def _wrong_with(self, page: Page) -> list[str]:
        axe.prepare(page)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return axe.violations(page) + ([f"{wide} pixels too wide"] if wide > 0 else [])

    def _context(self, state: State, size: ViewportSize, theme: str) -> BrowserContext:
        context = self.browser.new_context(
            base_url=self.origin,
            viewport=size,
            device_scale_factor=self.scale,
            color_scheme=theme,  # type: ignore[arg-type]
            service_workers="block",
            has_touch=size["width"] < 1000,
        )
        cookies = {COOKIE: str(state.preferences)}
        if state.viewer:
            user = User.objects.get(username=state.viewer)
            User.objects.filter(pk=user.pk).update(preferences=str(state.preferences))
            cookies[settings.SESSION_COOKIE_NAME] = log_in(user).partition("=")[2]
        context.add_cookies(
            [{"name": name, "value": value, "url": self.origin} for name, value in cookies.items()]
        )
        return context
