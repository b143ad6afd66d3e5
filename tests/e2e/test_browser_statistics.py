"""The pages of statistics in a browser: on a phone, without JavaScript, and for axe."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from accounts.models import User
from tests.e2e.browser import DESK, PHONE, Visit, shoot
from tests.figures import store_figures
from tests.tables import new_user

pytestmark = pytest.mark.browser

PATHS = ("/@{one}/statistics/", "/@{one}/against/{other}/", "/statistics/")


def two() -> tuple[User, User]:
    """Two who have played much against each other."""
    one, other = new_user(), new_user()
    store_figures(one, other, rounds=90)
    return one, other


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(visit: Visit, path: str) -> None:
    one, other = two()
    page = visit(one, path.format(one=one.username, other=other.username)).page
    for summary in page.locator("main summary").all():
        summary.click()
    page.evaluate(Axe().axe_script)
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
            assert [each["id"] for each in found] == [], f"{size} {scheme}"
    shoot(page, f"statistics-{PATHS.index(path)}")


def test_from_a_profile_to_the_cards_without_javascript(visit: Visit) -> None:
    one, other = two()
    page = visit(other, f"/@{one.username}/", java_script_enabled=False).page
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("heading", name="Was it luck?")).to_be_visible()
    page.get_by_label("Which series").select_option("against people")
    page.get_by_role("button", name="Show").click()
    assert page.url.endswith("?of=people")
    page.get_by_role("link", name=f"You and {one.username}").click()
    expect(page.get_by_role("heading", name="Side by side")).to_be_visible()
