"""Looking back in a real browser: by keys, by the slider, by itself, and without JavaScript."""

import random
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from games.models import Round
from games.rules.options import Options
from tests.e2e.browser import DESK, PHONE, Visit, shoot
from tests.e2e.dealing import can_lay_off, dealt_table, plain_action
from tests.tables import Played, keen, new_table

pytestmark = pytest.mark.browser


@pytest.fixture
def table() -> Played:
    """A round is over, through every phase, and the second one runs."""
    table = dealt_table(can_lay_off)
    table.play_round(plain_action)
    for user in table.users:
        table.press_next(user)
    return table


def round_of(table: Played, number: int = 1) -> str:
    return f"{table.series.get_absolute_url()}rounds/{number}/"


def last_of(table: Played) -> int:
    return Round.objects.get(series=table.series, number=1).ply


def at(page: Page, table: Played, ply: int, query: str = "") -> None:
    """The page shows this step, and its address says so."""
    expect(page.locator("#felt")).to_have_attribute("data-ply", str(ply))
    expect(page).to_have_url(re.compile(f"{round_of(table)}{ply}/{re.escape(query)}$"))


def violations(page: Page) -> list[str]:
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]


def test_one_steps_by_keys_and_hears_each_step(visit: Visit, table: Played) -> None:
    page = visit(table.users[0], f"{round_of(table)}0/").page
    last = last_of(table)
    for key, ply in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
        page.keyboard.press(key)
        at(page, table, ply)
        expect(page.locator("#told")).to_contain_text(f"Action {ply} of {last}.")
        expect(page.locator("#actions [aria-current]")).to_have_attribute("data-ply", str(ply))
        expect(page.locator("#slider")).to_have_value(str(ply))
    page.keyboard.press("Home")
    at(page, table, 0)
    page.reload()
    at(page, table, 0)


def test_focus_stays_where_it_was(visit: Visit, table: Played) -> None:
    page = visit(None, f"{round_of(table)}1/").page
    page.locator("#forward").focus()
    for ply in (2, 3):
        page.keyboard.press("Enter")
        at(page, table, ply)
        expect(page.locator("#forward")).to_be_focused()


def test_it_plays_by_itself_and_stops_when_one_steps(visit: Visit, table: Played) -> None:
    page = visit(None, f"{round_of(table)}0/", reduced_motion="reduce").page
    page.locator("#speed").select_option("700")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    at(page, table, 2)
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.locator("#play").click()
    at(page, table, last_of(table))
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_the_slider_and_the_list_lead_to_any_action(visit: Visit, table: Played) -> None:
    page = visit(None, f"{round_of(table)}0/").page
    page.locator("#slider").fill("4")
    at(page, table, 4)
    page.locator("#actions a").nth(2).click()
    at(page, table, 2)


def test_fault_112_back_leaves_the_round_and_forward_shows_all_of_it(
    visit: Visit, table: Played
) -> None:
    page = visit(None, f"{table.series.get_absolute_url()}rounds/").page
    page.locator(".round-rows a").first.click()
    expect(page.locator("html.js #felt")).to_be_visible()
    for ply in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        at(page, table, ply)
    page.go_back()
    expect(page.locator(".round-rows")).to_be_visible()
    page.go_forward()
    at(page, table, 3)
    expect(page.locator("header.bar")).to_be_visible()
    expect(page.locator("#actions")).to_be_visible()


def test_back_from_a_way_within_the_page_shows_the_step_of_its_address(
    visit: Visit, table: Played
) -> None:
    page = visit(None, f"{round_of(table)}3/").page
    page.get_by_role("link", name="Luck").click()
    page.keyboard.press("ArrowRight")
    at(page, table, 4)
    page.go_back()
    at(page, table, 3)


def test_both_hands_lie_open_or_one(visit: Visit, table: Played) -> None:
    page = visit(None, f"{round_of(table)}1/").page
    faces = page.locator(".replay-hand .face")
    assert faces.count() >= 20
    page.locator("#looks a").nth(2).click()
    at(page, table, 1, "?seat=1")
    assert page.locator(".replay-hand .back").count() >= 9
    page.keyboard.press("ArrowRight")
    at(page, table, 2, "?seat=1")


def test_without_javascript_it_is_pages(visit: Visit, table: Played) -> None:
    page = visit(None, f"{round_of(table)}", java_script_enabled=False).page
    page.locator("#forward").click()
    at(page, table, 1)
    page.locator("#last").click()
    at(page, table, last_of(table))
    page.locator("#back").click()
    at(page, table, last_of(table) - 1)
    page.locator(".go").click()
    at(page, table, last_of(table) - 1)
    expect(page.locator("#play")).to_be_hidden()


def test_from_the_table_one_gets_there_and_not_to_the_running_round(
    visit: Visit, table: Played
) -> None:
    person = visit(table.users[0], table.series.get_absolute_url(), size=DESK)
    person.page.locator(".rounds a.number").first.click()
    expect(person.page.locator("#felt")).to_be_visible()
    person.allow("404")
    response = person.page.goto(round_of(table, 2))
    assert response is not None
    assert response.status == 404


COUNT = """addEventListener("click", () => {
  sessionStorage.clicks = Number(sessionStorage.clicks || 0) + 1;
}, true)"""


@pytest.mark.parametrize("way", ["Finished", "All your series"])
def test_from_home_what_happened_was_it_luck_and_was_it_straight_in_four_clicks(
    visit: Visit, way: str
) -> None:
    """Of the round in which the second game was lost."""
    table = new_table(Options(target=50))
    table.play_series(keen(random.Random(1)))
    last = table.series.entries.filter(game=2).order_by("round__number").last()
    assert last is not None
    loser, winner = table.users[1 - last.side], table.users[last.side].username
    page = visit(loser, "/", script=COUNT).page
    if way != "Finished":
        page.get_by_role("link", name=way).click()
    page.locator("a.series-row").first.click()
    game = page.locator("figcaption", has_text="Game 2")
    game.get_by_role("link", name=f"in round {last.round.number}").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Round {last.round.number} ")
    expect(page.locator(".replay-slip")).to_contain_text(f"{winner} scores {last.points}")
    expect(page.locator(".replay-slip")).to_contain_text(f"{winner} wins game 2")
    luck = page.get_by_role("region", name="The cards of this round")
    expect(luck).to_contain_text(re.compile("the better cards|much alike"))
    page.get_by_role("link", name="Check this deal").click()
    expect(page.get_by_text("It matches.")).to_be_visible()
    assert page.evaluate("Number(sessionStorage.clicks)") == (3 if way == "Finished" else 4)


def test_axe_finds_nothing_and_nothing_scrolls_sideways(visit: Visit, table: Played) -> None:
    last = last_of(table)
    table.play_round(keen(random.Random(2)))
    paths = [f"{table.series.get_absolute_url()}rounds/"]
    paths += [f"{round_of(table)}{step}" for step in ("3/", "4/?seat=0", f"{last}/")]
    for path in paths:
        page = visit(table.users[0], path).page
        page.evaluate(Axe().axe_script)
        for size in (PHONE, DESK):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth") == size["width"], path
            for scheme in ("dark", "light"):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                assert violations(page) == [], f"{path} {size} {scheme}"
        shoot(page, f"looking-back-{paths.index(path)}")
