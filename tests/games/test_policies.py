"""Privacy, terms, conduct and contact: the usual texts, and the operator's own in their place."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils.translation import override

from games.conduct import LONGEST_CODE, RULES
from games.selectors.policies import POLICIES, own_text
from tests.browser import browser, text


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.POLICY_DIR = str(tmp_path)
    return tmp_path


@pytest.mark.django_db
@pytest.mark.parametrize("name", POLICIES)
def test_each_has_a_page_and_stands_below_every_other(name: str) -> None:
    html = text(browser().get(reverse(name)))
    assert len(re.findall("<h1", html)) == 1
    assert 'aria-current="page"' in html
    for path in ("/", "/rules/", "/account/login/", "/nowhere/"):
        assert f'href="/{name}/"' in text(browser().get(path)), path


KEPT_IN_BROWSERS = {
    "accounts/devices.py": "logged in from this browser before",
    "accounts/kept_preferences.py": "your preferences",
    "games/views/announcement.py": "which announcements you have closed",
    "games/static/games/chat.js": "which lines of a chat you have read",
    "games/static/games/parts.js": "its part in the deal",
    "games/static/games/play.js": "how you sort your hand",
    "games/static/games/sit_down.js": "its part in the deal",
    "games/static/games/zone.js": "your time zone",
}


@pytest.mark.django_db
def test_privacy_left_out_what_the_browser_keeps() -> None:
    root = Path(__file__).parents[2]
    stores = re.compile(r"\.set_cookie\(|document\.cookie =|(local|session)Storage\.setItem")
    keepers = {
        str(path.relative_to(root))
        for app in ("accounts", "games", "config")
        for path in (root / app).rglob("*")
        if path.suffix in (".py", ".js") and stores.search(path.read_text(encoding="utf-8"))
    }
    assert keepers == KEPT_IN_BROWSERS.keys(), "and tell of it in games/policy/_privacy.html"
    html = text(browser().get("/privacy/"))
    assert [words for words in KEPT_IN_BROWSERS.values() if words not in html] == []


@pytest.mark.django_db
def test_privacy_claimed_times_of_actions_and_was_silent_about_chats_and_reports() -> None:
    html = text(browser().get("/privacy/"))
    assert "each card and action and its time" not in html
    for words in ("What you write in chats", "report to the moderators", "a hash of the name"):
        assert words in html


def test_who_registers_is_shown_what_they_agree_to() -> None:
    form = text(browser().get("/account/signup/")).partition("<form")[2].partition("</form>")[0]
    assert all(f'href="/{name}/"' in form for name in ("terms", "conduct", "privacy"))


def test_the_operator_s_text_stands_in_place_of_the_usual_one(folder: Path) -> None:
    (folder / "terms.txt").write_text("# Our club\n\nMembers\nonly.\n\n- one\n- two\n")
    html = text(browser().get("/terms/"))
    assert "<h2>Our club</h2>" in html
    assert "<p>Members only.</p>" in html
    assert "<ul><li>one</li><li>two</li></ul>" in html
    assert "no stakes" not in html
    assert "no advertising" in text(browser().get("/privacy/"))


def test_s11_nothing_in_it_is_markup(folder: Path) -> None:
    payload = "<script>alert(1)</script> {% now 'Y' %} {{ user }} [a](javascript:alert(1))"
    (folder / "privacy.txt").write_text(f"# {payload}\n\n{payload}\n\n- {payload}")
    html = text(browser().get("/privacy/"))
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt; {% now") == 3
    assert "<script>alert" not in html


def test_there_may_be_one_for_each_language(folder: Path) -> None:
    (folder / "terms.txt").write_text("Welcome.")
    (folder / "terms.sr.txt").write_bytes("\ufeffДобродошли.".encode())
    with override("sr-latn"):
        assert own_text("terms")[0].lines == ("Добродошли.",)
    with override("ka"):
        assert own_text("terms")[0].lines == ("Welcome.",)


def test_the_rules_of_conduct_are_published_whatever_the_operator_writes(folder: Path) -> None:
    (folder / "conduct.txt").write_text("Be nice.")
    html = text(browser().get("/conduct/"))
    assert "Be nice." in html
    assert [code for code in RULES if f'id="{code}"' not in html] == []


def test_codes_of_conduct_are_stored_and_keep_their_meaning() -> None:
    assert set(RULES) >= {
        *("respect", "name", "spam", "private", "help", "collusion", "stalling"),
        *("accounts", "attack"),
    }
    assert all(re.fullmatch("[a-z]+", code) and len(code) <= LONGEST_CODE for code in RULES)


def test_the_address_comes_from_the_settings(settings: Any) -> None:
    assert "has given no address" in text(browser().get("/contact/"))
    settings.CONTACT_EMAIL = "host@gin.example"
    html = text(browser().get("/contact/"))
    assert 'href="mailto:host@gin.example"' in html
    assert "has given no address" not in html
