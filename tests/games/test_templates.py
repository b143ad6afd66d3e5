"""Templates: nothing inline, no attribute that we don't know, no word that can't be translated."""

import gzip
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
import rcssmin
import rjsmin
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.template import engines
from django.template.loader import get_template, render_to_string
from django.test import RequestFactory

from accounts.preferences import COOKIE, Preferences
from games.forms.series import SeriesForm
from games.live import Stamp
from games.rendering import (
    NO_DRAFT,
    REGIONS,
    Draft,
    HomePage,
    InvitationPage,
    page_context,
    regions,
    render_region,
)
from games.rules.options import PRESETS, Options
from games.selectors.table import Table
from tests.games.scenes import SCENES, STAMP, to_discard, waiting

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
STATIC = settings.BASE_DIR / "games" / "static" / "games"
SCRIPT = (STATIC / "table.js").read_text(encoding="utf-8")
SCRIPTS = sorted(STATIC.glob("*.js"))
STYLES = sorted(STATIC.glob("*.css"))

# Fault 110: what htmx may be told to do. Whoever needs one more adds it here, with a test.
HTMX = {
    "hx-disable",
    "hx-get",
    "hx-headers",
    "hx-history",
    "hx-push-url",
    "hx-swap",
    "hx-swap-oob",
    "hx-target",
    "hx-trigger",
    "ws-connect",
    "ws-send",
}
ERRORS = ("400", "403", "403_csrf", "404", "500")


def tables() -> list[tuple[str, Table, Draft]]:
    made = [("waiting", waiting(0), Draft()), ("waiting", waiting(None), Draft())]
    for name, make in SCENES.items():
        made += [(name, make().table(viewer), Draft()) for viewer in (0, 1, None)]
    return [*made, ("laid", SCENES["knocked"]().table(0), Draft.parse({"lay": "4H1,8H1"}))]


def table_page(table: Table, draft: Draft = NO_DRAFT, cookies: dict[str, str] | None = None) -> str:
    page = page_context(table, draft, key="Key", csrf="Token", stamp=STAMP, build="b1")
    request = RequestFactory().get(table.url)
    request.user = AnonymousUser()
    request.COOKIES.update(cookies or {})
    return render_to_string("games/table.html", {"table": page}, request)


def pages() -> list[str]:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    invitation = InvitationPage(
        "/invitation/x/", "Bob", "Oklahoma", Options(), "open", "/series/x/"
    )
    return [
        render_to_string("games/home.html", {"home": HomePage(SeriesForm())}, request),
        render_to_string("games/invitation.html", {"invitation": invitation}, request),
        *(render_to_string(f"{name}.html", {}, request) for name in ERRORS),
        *(table_page(table, draft) for _name, table, draft in tables()),
    ]


@pytest.fixture(scope="module")
def rendered() -> list[str]:
    return pages()


# What stands in them


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_nothing_is_inline(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|hx-on|hx-vals=.js", text)
    assert not re.search(r"<script(?![^>]* src=)", text)
    assert not re.search(r"\|safe|autoescape off|mark_safe", text)
    assert "//" not in text.replace("://", "") or "http" not in text


def test_nothing_is_inline_in_what_is_rendered(rendered):
    for page in rendered:
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", page)
        assert not re.search(r"<script(?![^>]* src=)", page)
        hosts = re.findall(r'(?:src|href|action)="(?:https?:)?//([^/"]*)', page)
        assert hosts == []


def sources() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in TEMPLATES]


def test_fault_110_only_these_htmx_attributes_are_used(rendered):
    used = set()
    for page in rendered + sources():
        used |= set(re.findall(r"\s((?:data-)?(?:hx|ws|sse)-[a-z-]+)", page))
    assert used == HTMX


def test_fault_104_nothing_is_sent_because_it_was_loaded(rendered):
    assert all("hx-trigger" not in page for page in rendered)
    triggers = set(re.findall(r'hx-trigger="([^"]*)"', "".join(sources())))
    assert triggers == {"every 2s", "every 4s", "change, submit"}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_word_can_be_translated(path):
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"{% blocktranslate.*?%}.*?{% endblocktranslate %}", "", text, flags=re.DOTALL)
    text = re.sub(r"{%.*?%}|{{.*?}}", "", text, flags=re.DOTALL)
    text = re.sub(r"<!doctype html>|<[^>]*>", " ", text, flags=re.DOTALL)
    text = text.replace("Hollywood Gin", "").replace("at-table", "")  # names are left as they are
    assert re.findall(r"[A-Za-z]{2,}", text) == []


# What they are given


@pytest.mark.parametrize("name", REGIONS)
def test_a_region_uses_only_what_its_context_has(name, monkeypatch):
    engine = engines["django"].engine  # type: ignore[attr-defined]
    monkeypatch.setattr(engine, "string_if_invalid", "INVALID[%s]")
    for _scene, table, draft in tables():
        context = regions(table, draft)[name]
        html = render_region(name, context, stamp=Stamp(1, 0), key="Key", csrf="Token")
        assert "INVALID" not in html, re.findall(r"INVALID\[[^]]*\]", html)


@pytest.mark.parametrize("name", REGIONS)
def test_what_a_context_offers_is_used(name):
    context = regions(SCENES["to discard"]().table(0))[name]
    assert is_dataclass(context)
    template = _source(f"games/_{name}.html")
    code = Path(__import__(type(context).__module__, fromlist=["_"]).__file__).read_text("utf-8")
    offered = {field.name for field in fields(context)} | {
        key for key, value in vars(type(context)).items() if isinstance(value, property)
    }
    for each in offered - {"turn"}:
        assert re.search(rf"\b{name}\.{each}\b", template) or f"self.{each}" in code, each


def _source(name: str) -> str:
    """A template with what it includes."""
    text = get_template(name).template.source  # type: ignore[attr-defined]
    return text + "".join(map(_source, re.findall(r'{% include "([^"]*)"', text)))


@pytest.mark.parametrize("name", REGIONS)
def test_contexts_hold_no_key_and_no_clock(name):
    context = regions(SCENES["scored"]().table(0))[name]
    names = {field.name for field in fields(context)}
    assert not names & {"key", "csrf", "token", "now", "version", "talk"}
    assert type(context).__dataclass_params__.frozen


# Pages


def test_fault_107_every_id_of_a_page_is_its_only_one(rendered):
    for page in rendered:
        found = re.findall(r'\sid="([^"]*)"', page)
        assert len(found) == len(set(found)), [each for each in found if found.count(each) > 1]
        assert "" not in found


def test_every_label_and_popover_has_what_it_points_at(rendered):
    for page in rendered:
        known = set(re.findall(r'\sid="([^"]*)"', page))
        pointed = re.findall(r'\s(?:for|popovertarget|form|aria-labelledby)="([^"]*)"', page)
        assert set(pointed) <= known


def test_what_the_script_looks_for_is_on_every_table():
    page = table_page(to_discard().table(0))
    for script in (SCRIPT, (STATIC / "play.js").read_text(), (STATIC / "motion.js").read_text()):
        for name in re.findall(r'byId\("([^"]*)"\)', script):
            assert f'id="{name}"' in page or name in ("deal-at", "button-defend"), name
    for name in re.findall(r"table\.dataset\.(motion|clock)", (STATIC / "play.js").read_text()):
        assert f'data-{name}="/static/games/{name}.' in page
    assert set(re.findall(r'data-for="([^"]*)"', page)) == {
        *("lost", "poll", "offline", "silent", "build", "reload"),
        *re.findall(r'\d{4}: "([a-z]+)"', SCRIPT),
    }
    for state in re.findall(r'(?:show|settle)\("([a-z]+)"\)', SCRIPT):
        assert f'data-for="{state}"' in page, state


def test_live_regions_stand_outside_of_what_is_swapped():
    page = table_page(to_discard().table(0))
    assert 'id="told" class="unseen" aria-live="polite"' in page
    assert 'id="called" class="unseen" aria-live="assertive"' in page
    assert 'id="notice" role="alert"' in page


def test_without_javascript_a_page_that_waits_asks_again():
    refresh = '<noscript><meta http-equiv="refresh" content="5;url=/series/Abc123/"></noscript>'
    assert refresh in table_page(to_discard().table(1))
    assert refresh not in table_page(to_discard().table(0))


def test_htmx_is_told_to_write_no_style_and_to_evaluate_nothing():
    page = table_page(to_discard().table(0))
    assert '"includeIndicatorStyles":false,"allowEval":false' in page
    assert 'hx-history="false"' in page
    for path in SCRIPTS:
        assert not re.search(r"eval\(|innerHTML", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("preset", PRESETS)
def test_an_invitation_lists_the_rules_of_its_series(preset):
    page = InvitationPage("/invitation/x/", "Bob", preset, PRESETS[preset], "open", "/series/x/")
    assert page.rules[1] == ("Gin", f"{PRESETS[preset].gin} points")
    assert all(name and value and "%" not in value for name, value in page.rules)


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_page_needs_no_context(name):
    html = render_to_string(f"{name}.html")
    assert "<h1>" in html
    assert 'href="/"' in html


# Weight: performance.md, "The page"


def _packed(data: bytes) -> int:
    return len(gzip.compress(data, 6))


def _collected(path: Path) -> bytes:
    """A file as it is compressed when static files are collected."""
    minify = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}.get(path.suffix, str)
    return minify(path.read_text(encoding="utf-8")).encode()


def test_the_page_of_the_table_keeps_to_its_budget():
    page = table_page(to_discard().table(0))
    urls = set(re.findall(r'(?:src|href)="(/static/[^"]*)"', page))
    urls |= {
        f"/static/games/{u}"
        for css in STYLES
        for u in re.findall(r'url\("([^"]*)"', css.read_text())
    }
    cards = {url for url in urls if "/cards/" in url}
    plain = {
        finders.find(re.sub(r"\.[0-9a-f]{12}(?=\.)", "", url.removeprefix("/static/")))
        for url in urls - cards
    }
    assert None not in plain
    # A browser asks for one icon or the other.
    loaded = [Path(str(path)) for path in plain if "touch-icon" not in str(path)]
    assert 1 + len(loaded) <= 8
    weight = _packed(page.encode()) + sum(_packed(_collected(path)) for path in loaded)
    assert weight <= 40_000


def test_the_scripts_stay_small():
    for path in SCRIPTS:
        assert path.read_text(encoding="utf-8").count("\n") < 320, path.name


def test_what_only_some_want_is_loaded_for_them_alone():
    page = table_page(to_discard().table(0))
    assert not re.search(r"/(ask|sounds|motion|clock)\.[^\"]*js\"></script>", page)
    wishes = {COOKIE: str(Preferences(sounds="on", confirm_discards="on"))}
    page = table_page(to_discard().table(0), cookies=wishes)
    for name in ("ask", "sounds"):
        assert re.search(rf'<script type="module" src="/static/games/{name}\.', page)
    assert 'id="ask" class="dialog" popover' in page
