"""Fault 112: no cache shows a part of a page where the page was; every address is tried."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from games.services.request import Wish
from tests.browser import HTMX, browser, is_whole_page, text
from tests.tables import Played, new_table

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

RESTORE = {**HTMX, "HX-History-Restore-Request": "true"}


@pytest.fixture
def table() -> Played:
    """A series that is over."""
    table = new_table()
    table.wish(Wish.RESIGN, table.users[1])
    return table


def addresses(table: Played) -> list[str]:
    """Every address of the site, with what stands for its parts; most of them are pages."""
    given = {
        "slug": table.series.slug,
        "token": table.series.invitation.token,
        "name": table.users[0].username,
        "other": table.users[1].username,
    }
    paths = (
        str(pattern.pattern)
        for entry in get_resolver().url_patterns
        if not str(entry.pattern)
        for pattern in getattr(entry, "url_patterns", ())
    )
    return [
        "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda part: given.get(part[1], "1"), path)
        for path in paths
        if "^" not in path
    ]


def is_page(response: Any) -> bool:
    is_html = response.get("Content-Type", "").startswith("text/html")
    return response.status_code == 200 and is_html and is_whole_page(response)


def varies(response: Any) -> bool:
    return "hx-request" in response.get("Vary", "").lower()


def test_fault_112_what_htmx_gets_of_a_page_is_kept_apart_from_it(table: Played) -> None:
    client = browser(table.users[0])
    partial = []
    for path in addresses(table):
        whole, part = client.get(path), client.get(path, headers=HTMX)
        if not is_page(whole) or is_page(part):
            continue
        partial.append(path)
        assert varies(whole), path
        assert varies(part), path
        assert is_page(client.get(path, headers=RESTORE)), path
    assert f"/@{table.users[0].username}/series/" in partial


def test_fault_112_a_filtered_list_is_a_part_and_going_back_to_it_a_page(table: Played) -> None:
    client: Client = browser(table.users[0])
    path = f"/@{table.users[0].username}/series/?result=lost&before=9000000000000000-1"
    part = text(client.get(path, headers=HTMX))
    assert "<html" not in part
    assert 'id="past-count"' in part
    restored = client.get(path, headers=RESTORE)
    assert is_whole_page(restored)
    assert '<option value="lost" selected>' in text(restored)
    assert _plain(text(restored)) == _plain(text(client.get(path)))


def _plain(html: str) -> str:
    """Without what differs each time."""
    return re.sub(r'(name="csrfmiddlewaretoken" value|nonce)="[^"]*"', "", html)
