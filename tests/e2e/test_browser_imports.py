"""A series is taken along as a text and imported: by paste and by file, on a phone."""

import random
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from games.models import Series
from games.rules.options import Options
from tests.e2e.browser import Visit, shoot
from tests.e2e.test_browser_by_hand import fits
from tests.tables import keen, new_table, new_user

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scripts", [True, False])
def test_taken_along_and_imported_again(visit: Visit, scripts: bool, tmp_path: Path) -> None:
    table = new_table(Options(target=50))
    series, owner, anna = table.play_series(keen(random.Random(1))), table.users[0], new_user()
    page = visit(owner, f"/series/{series.slug}/rounds/", java_script_enabled=scripts).page
    with page.expect_download() as download:
        page.get_by_role("link", name="Text").click()
    file = tmp_path / "series.txt"
    download.value.save_as(file)

    page = visit(
        anna, f"/@{anna.username}/series/", java_script_enabled=scripts, allowed=("422",)
    ).page
    page.get_by_role("link", name="Import a series").click()
    expect(page.get_by_role("heading", name="Import a series")).to_be_visible()
    page.wait_for_load_state()
    assert fits(page)
    page.get_by_label("Record").fill(file.read_text().replace("Rated: no", "Rated: perhaps"))
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Line 8: Not one of no, yes")).to_be_visible()
    expect(page.get_by_label("Record")).to_contain_text("Rated: perhaps")
    page.get_by_label("Or a text file").set_input_files(file)
    page.get_by_label("Your name in it").fill(owner.username)
    page.get_by_role("button", name="Import").dblclick()

    expect(page.locator(".entered-mark")).to_contain_text("Only you see it")
    page.wait_for_load_state()
    assert fits(page)
    shoot(page, f"imported-{'js' if scripts else 'plain'}")
    assert Series.objects.filter(created_by=anna).count() == 1
    page.locator(".round-rows a").last.click()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(page.get_by_text("Check this deal")).to_have_count(0)
    page.go_back()
    page.get_by_text("Delete this import").click()
    page.get_by_role("button", name="Delete it").click()
    expect(page.get_by_text("Nothing so far.")).to_be_visible()
    assert not Series.objects.filter(created_by=anna).exists()


def test_axe_finds_nothing(visit: Visit) -> None:
    page = visit(new_user(), "/new/import/", allowed=("422",)).page
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Nothing was imported.")).to_be_visible()
    assert Axe().run(page).response["violations"] == []
