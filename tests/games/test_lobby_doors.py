"""Each address where people find each other has a rule who may see it (S9)."""

import re
from typing import Final

import pytest
from django.urls import get_resolver

from accounts.models import User
from games.models import Series
from games.rules.options import Options
from games.services.lobby import LOBBY, Company, set_table
from games.services.series import Terms
from tests.browser import browser
from tests.tables import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

LOG_IN: Final = 302
BEGINNINGS: Final = (
    *("lobby/", "waiting/", "people/", "players/", "new/", "invitation/", "statistics/", "@"),
)
# What a visitor, a guest and a person without any part in it get by GET, and by POST.
RULES: Final[dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]]] = {
    "lobby/": ((200, 200, 200), (405, 405, 405)),
    "lobby/tables/": ((200, 200, 200), (405, 405, 405)),
    "lobby/quick/": ((405, 403, 405), (LOG_IN, 403, 422)),
    "lobby/<slug:slug>/join/": ((405, 403, 405), (LOG_IN, 403, 302)),
    "lobby/<slug:slug>/withdraw/": ((405, 405, 405), (LOG_IN, 302, 302)),
    "waiting/": ((200, 200, 200), (405, 405, 405)),
    "people/": ((LOG_IN, 403, 200), (405, 403, 405)),
    "players/": ((200, 200, 200), (405, 405, 405)),
    "new/import/": ((LOG_IN, 403, 200), (LOG_IN, 403, 422)),
    "new/sheet/": ((LOG_IN, 200, 200), (LOG_IN, 422, 422)),
    "new/": ((LOG_IN, 200, 200), (LOG_IN, 422, 422)),
    "invitation/<slug:token>/": ((200, 200, 200), (LOG_IN, 409, 409)),
    "invitation/<slug:token>/decline/": ((405, 403, 405), (LOG_IN, 403, 409)),
    "@<slug:name>/": ((200, 200, 200), (405, 405, 405)),
    "@<slug:name>/series/": ((200, 200, 200), (405, 405, 405)),
    "@<slug:name>/statistics/": ((200, 200, 200), (405, 405, 405)),
    "@<slug:name>/against/<slug:other>/": ((200, 200, 200), (405, 405, 405)),
    "statistics/": ((200, 200, 200), (405, 405, 405)),
    "@<slug:name>/report/": ((LOG_IN, 403, 200), (LOG_IN, 403, 422)),
    "@<slug:name>/series/series.txt": ((200, 200, 200), (405, 405, 405)),
    "@<slug:name>/series/series.json": ((200, 200, 200), (405, 405, 405)),
    "@<slug:name>/series/series.csv": ((200, 200, 200), (405, 405, 405)),
    "@<slug:name>/relation/": ((405, 403, 405), (LOG_IN, 403, 404)),
}


def addresses() -> set[str]:
    found = (
        str(pattern.pattern)
        for entry in get_resolver().url_patterns
        for pattern in getattr(entry, "url_patterns", ())
    )
    return {path for path in found if path.startswith(BEGINNINGS)}


def test_every_address_has_a_rule() -> None:
    assert addresses() == RULES.keys()


@pytest.mark.parametrize("path", RULES)
def test_who_gets_what(path: str) -> None:
    host = new_user("Hanna")
    listed = set_table(user=host, terms=Terms(Options()), company=LOBBY)
    asked = set_table(user=host, terms=Terms(Options()), company=Company(invited=new_user().pk))
    guest = User.objects.create(username="Guest-91", kind=User.Kind.GUEST)
    given = {
        "slug": listed.slug,
        "token": asked.invitation.token,
        "name": "Hanna",
        "other": new_user("Nina").username,
    }
    address = "/" + re.sub(r"<slug:(\w+)>", lambda found: given[found[1]], path)
    got, posted = RULES[path]
    for user, by_get, by_post in zip((None, guest, new_user()), got, posted, strict=True):
        assert browser(user).get(address).status_code == by_get
        assert browser(user).post(address).status_code == by_post
    if not path.endswith("/join/"):
        assert set(Series.objects.values_list("status", flat=True)) == {"waiting"}
