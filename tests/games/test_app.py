"""The site as an app: what may be kept on a device, and that it is nothing of anybody's."""

import json
import re

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import override_settings

from games.rules.options import Options
from games.services.series import create_series
from games.views import app
from games.views.styleguide import SWATCHES
from tests.tables import new_user

STATIC = settings.BASE_DIR / "games/static/games"

HASHED = {
    name: re.sub(r"(\.\w+)$", r".0123456789ab\1", name)
    for name in (
        *("games/site.css", "games/pages.css", "games/table.js", "games/favicon.svg"),
        *("games/cards/QS.svg", "games/icon-192.png", "django_htmx/htmx.min.js"),
        *("admin/css/base.css", "games/cards/CREDITS"),
    )
}


@pytest.fixture
def hashed(monkeypatch):
    """Static files as they are in production: named by what is in them."""
    storage = app.staticfiles_storage
    monkeypatch.setattr(storage, "hashed_files", HASHED, raising=False)
    monkeypatch.setattr(storage, "url", lambda name: f"/static/{HASHED.get(name, name)}")


def site_css() -> str:
    return (STATIC / "site.css").read_text(encoding="utf-8")


def told(client) -> dict:
    script = client.get("/sw.js").content.decode()
    return json.loads(re.search(r"^const TOLD = (.*);$", script, re.MULTILINE)[1])


def test_a_device_can_install_it(client):
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    about = answer.json()
    assert (about["start_url"], about["scope"], about["display"]) == ("/", "/", "standalone")
    assert {(each["sizes"], each["purpose"]) for each in about["icons"]} == {
        (f"{size}x{size}", purpose) for size in (192, 512) for purpose in ("any", "maskable")
    }
    for icon in about["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/"))


def test_the_worker_stands_at_the_root_and_is_asked_for_each_time(client):
    answer = client.get("/sw.js")
    assert answer["Content-Type"] == "text/javascript"
    assert answer["Cache-Control"] == "no-cache"


def test_the_worker_keeps_our_static_files_under_names_that_never_change(client, hashed):
    files = told(client)["files"]
    assert "/static/games/cards/QS.0123456789ab.svg" in files
    assert len(files) == len(HASHED) - 2  # not the admin's, nor what is no part of a page
    assert all(re.fullmatch(r"/static/[\w/-]+(\.min)?\.[0-9a-f]{12}\.\w+", each) for each in files)


def test_the_worker_keeps_the_offline_page_and_no_other(client, hashed):
    lists = told(client)
    kept = [lists["offline"], *lists["shell"], *lists["files"]]
    assert [each for each in kept if not each.startswith("/static/")] == ["/offline/"]
    assert set(lists["shell"]) <= set(lists["files"])


def test_where_names_say_nothing_of_the_content_the_worker_keeps_no_file(client):
    assert (told(client)["files"], told(client)["shell"]) == ([], [])


def test_the_worker_stores_only_what_it_is_told():
    script = (settings.BASE_DIR / "templates/games/sw.js").read_text(encoding="utf-8")
    assert len(re.findall(r"cache\.(?:put|add)\w*\(", script)) == 2
    assert "cache.addAll([TOLD.offline, ...TOLD.shell])" in script
    assert 'if (mode === "navigate") event.respondWith(page(event));' in script
    assert "else if (files.has(new URL(url).pathname)) event.respondWith(file(" in script


def test_the_offline_page_knows_nobody(client, admin_client):
    answer = admin_client.get("/offline/")
    assert answer.content == client.get("/offline/").content
    assert "Set-Cookie" not in answer
    assert "csrf" not in answer.content.decode()


@pytest.mark.django_db
def test_who_comes_by_an_invitation_can_install_it_too(client):
    series = create_series(user=new_user(), options=Options())
    page = client.get(f"/invitation/{series.invitation.token}/").content.decode()
    assert "games/install." in page
    assert 'rel="manifest"' in page


def test_the_table_asks_for_nothing_of_it(client):
    table = (settings.BASE_DIR / "templates/games/table.html").read_text(encoding="utf-8")
    assert "{% block install %}{% endblock %}" in table
    assert "install.js" not in table


# The components


def test_the_components_are_shown_to_developers_only(client, db):
    assert client.get("/styleguide/").status_code == 404
    with override_settings(DEBUG=True):
        page = client.get("/styleguide/").content.decode()
    assert page.count("<section") == 14
    for component in ("button brass", "card-form", "choice", "dialog", "tabs", "data", "badge"):
        assert f'class="{component}' in page
    assert "toast done" in page
    assert 'class="nothing"' in page
    assert 'class="chat-say"' in page
    assert page.count('class="letter"') == 2


def test_every_property_that_is_used_is_set():
    css = "".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.css"))
    assert set(re.findall(r"var\((--[\w-]+)", css)) <= set(re.findall(r"(--[\w-]+):", css))


def test_every_colour_of_the_identity_is_on_show():
    tokens = re.findall(r"^  --([\w-]+): (?:#|light-dark\(#)", site_css(), re.MULTILINE)
    assert set(SWATCHES) < set(tokens)


def test_high_contrast_is_the_same_whether_chosen_here_or_on_the_device():
    css = site_css()
    chosen = re.search(r'\n\[data-contrast="high"\] \{(.*?)\}', css, re.DOTALL)[1].split()
    device = re.search(r"prefers-contrast: more\) \{\s*:root \{(.*?)\}", css, re.DOTALL)[1].split()
    assert chosen == device
