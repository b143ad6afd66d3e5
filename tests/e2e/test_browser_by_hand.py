"""A series with real cards: the phone lies on the card table, and another one beside it."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from games.models import Round, Series
from games.rules.options import PRESETS
from games.services.by_hand import HandTerms, start_by_hand
from games.services.series import accept_invitation
from tests.e2e.browser import Visit, shoot
from tests.tables import new_user

pytestmark = pytest.mark.browser


def enter(page: Page, winner: str, kind: str, **numbers: str) -> None:
    form = page.locator("[data-action=enter-round]")
    form.get_by_text(winner, exact=True).click()
    form.get_by_text(kind, exact=True).click()
    for name, value in numbers.items():
        form.locator(f"[name={name}]").fill(value)
    form.get_by_role("button", name="Enter the round").click()


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("scripts", [True, False])
def test_a_small_series_with_an_undo_on_a_phone(visit: Visit, scripts: bool) -> None:
    anna = new_user()
    page = visit(anna, "/new/", java_script_enabled=scripts, allowed=("422",)).page
    page.get_by_role("link", name="Score a game at your table").click()
    assert fits(page)
    page.get_by_label("Name", exact=True).fill("Aunt Jo")
    page.get_by_label("Rules").select_option("gin-rummy")
    page.get_by_role("button", name="Open the score pad").click()
    expect(page.get_by_role("heading", name=f"{anna.username} – Aunt Jo")).to_be_visible()
    enter(page, "You", "gin", loser_deadwood="21")
    story = page.locator(".story")
    expect(story.first).to_contain_text("Round 1: gin, 25 + 21 = 46.")
    enter(page, "Aunt Jo", "knock", winner_deadwood="4", loser_deadwood="20")
    expect(story.first).to_contain_text("20 − 4 = 16")
    page.get_by_role("button", name="Undo round 2").click()
    expect(story.first).to_contain_text("Round 1:")
    assert Round.objects.filter(series__created_by=anna).count() == 1
    enter(page, "You", "knock", points="240")
    expect(page.get_by_role("alert").first).to_be_visible()
    page.locator("[name=points]").fill("54")
    page.get_by_role("button", name="Enter the round").click()
    expect(page.locator(".verdict")).to_contain_text("You have won the game.")
    assert fits(page)
    shoot(page, f"by-hand-over-{'js' if scripts else 'plain'}")
    page.get_by_role("button", name="Undo round 2").click()
    expect(page.locator("[data-action=enter-round]")).to_be_visible()
    page.get_by_text("End the series here").click()
    page.get_by_role("button", name="End it").click()
    expect(page.locator(".verdict")).to_contain_text("nobody has won")
    page.goto(page.url.split("/series/")[0] + f"/@{anna.username}/series/")
    expect(page.locator(".series-row.past")).to_contain_text("entered by hand")


def test_two_devices_see_one_sheet(visit: Visit) -> None:
    anna, ben = new_user(), new_user()
    series = start_by_hand(user=anna, terms=HandTerms(PRESETS["gin-rummy"], is_private=False))
    one = visit(anna, f"/series/{series.slug}/sheet/").page
    expect(one.get_by_text("Waiting for your opponent")).to_be_visible()
    accept_invitation(token=series.invitation.token, user=ben)
    expect(one.locator("[data-action=enter-round]")).to_be_visible(timeout=15_000)
    other = visit(ben, f"/series/{series.slug}/sheet/", allowed=("409",)).page
    other.locator("[name=loser_deadwood]").fill("33")
    enter(one, "You", "gin", loser_deadwood="33")
    expect(other.get_by_text("The sheet has changed meanwhile")).to_be_visible(timeout=15_000)
    expect(other.locator("[name=loser_deadwood]")).to_have_value("33")
    enter(other, anna.username, "gin")
    expect(other.get_by_text("What you typed is still here")).to_be_visible()
    expect(other.locator("[name=loser_deadwood]")).to_have_value("33")
    assert Round.objects.filter(series=series).count() == 1
    enter(other, anna.username, "gin", loser_deadwood="50")
    expect(one.locator(".verdict")).to_be_visible(timeout=15_000)
    assert Series.objects.get(pk=series.pk).status == "over"


def test_axe_finds_nothing(visit: Visit) -> None:
    anna = new_user()
    page = visit(anna, "/new/sheet/").page
    assert Axe().run(page).response["violations"] == []
    series = start_by_hand(user=anna, terms=HandTerms(PRESETS["oklahoma"], absent="Aunt Jo"))
    page.goto(re.sub(r"/new/sheet/$", f"/series/{series.slug}/sheet/", page.url))
    assert Axe().run(page).response["violations"] == []
    enter(page, "You", "gin", loser_deadwood="33")
    expect(page.get_by_role("button", name="Undo round 1")).to_be_visible()
    assert Axe().run(page).response["violations"] == []
