"""The pages that teach, and the guide, in a real browser: in either theme, on either screen."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from games.models import Round
from games.rules.options import Options
from games.rules.round import Phase
from games.services.series import create_series
from tests.e2e.browser import DESK, PHONE, Visit
from tests.e2e.dealing import at, can_lay_off, dealt_table, play_until
from tests.tables import new_user

pytestmark = pytest.mark.browser

PHASES = [Phase.OFFER, Phase.DRAW, Phase.DISCARD, Phase.DEFENCE, Phase.OVER]
LARGEST_TABLET = {"width": 820, "height": 1180}


def rule_card() -> str:
    options = Options.from_mapping({"preset": "oklahoma", "target": 200})
    return create_series(user=new_user(), options=options).get_absolute_url() + "rules/"


def violations(page: Page) -> list[str]:
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize("name", ["how to play", "rules", "rule card"])
def test_axe_finds_nothing_on_them_and_nothing_scrolls_sideways(visit: Visit, name: str) -> None:
    paths = {"how to play": "/how-to-play/", "rules": "/rules/"}
    page = visit(None, paths.get(name) or rule_card()).page
    page.evaluate(Axe().axe_script)
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert violations(page) == [], f"{size} {scheme}"


def test_how_to_play_is_one_screen_of_a_desktop(visit: Visit) -> None:
    page = visit(None, "/how-to-play/").page
    page.set_viewport_size(DESK)
    box = page.locator(".lessons").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= DESK["height"]


@pytest.mark.parametrize("phase", PHASES)
def test_the_guide_covers_neither_cards_nor_buttons(visit: Visit, phase: Phase) -> None:
    table = play_until(dealt_table(can_lay_off), at(phase))
    Round.objects.filter(series=table.series).update(due_at=None)  # it stays as it is
    page = visit(table.turn_user, table.series.get_absolute_url()).page
    for size in (PHONE, LARGEST_TABLET, DESK):
        page.set_viewport_size(size)
        slip = page.locator(".guide-slip").bounding_box()
        assert slip is not None
        assert slip["y"] >= 0
        assert slip["y"] + slip["height"] < size["height"]
        for part in page.locator(".play img, .play button:not(.guide-slip *), #call").all():
            box = part.bounding_box()
            if box is None:
                continue
            beside = box["x"] >= slip["x"] + slip["width"] or slip["x"] >= box["x"] + box["width"]
            above = box["y"] + box["height"] <= slip["y"] + 0.5
            below = box["y"] + 0.5 >= slip["y"] + slip["height"]
            assert beside or above or below, part.evaluate("element => element.outerHTML")
