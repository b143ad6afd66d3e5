"""The API of finished series: as it is described, and nothing that the pages would not show."""

import random
from copy import deepcopy
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from openapi_schema_validator import OAS31Validator, oas31_format_checker
from openapi_spec_validator import OpenAPIV31SpecValidator

from accounts.models import User
from accounts.preferences import Preferences
from games.models import Round, Seat, Series
from games.rendering.openapi import openapi
from games.rules.options import PRESETS, Options
from games.selectors import records as records_selector
from games.services.by_hand import end_by_hand, enter_round
from games.services.leaving import delete_account
from tests.browser import browser
from tests.games.test_by_hand import gin, with_name
from tests.games.test_history import many, played
from tests.tables import keen, new_table, new_user, next_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


@pytest.fixture
def described() -> dict[str, Any]:
    return openapi("https://gin.example")


def faults(value: object, schema: dict[str, Any], whole: dict[str, Any]) -> list[str]:
    """What of a value is not as its schema says, in the words of the standard's validator."""
    whole_schema = {**schema, "components": whole["components"]}
    validator = OAS31Validator(whole_schema, format_checker=oas31_format_checker)
    return [f"{each.json_path}: {each.message}" for each in validator.iter_errors(value)]


def check(response: Any, path: str, whole: dict[str, Any]) -> Any:
    """The JSON of an answer that is as described."""
    answer = whole["paths"][path]["get"]["responses"][str(response.status_code)]
    found = response.json()
    assert faults(found, answer["content"]["application/json"]["schema"], whole) == []
    return found


SERIES, LIST = "/api/series/{series}/", "/api/players/{name}/series/"


def of(series: Series) -> str:
    return f"/api/series/{series.slug}/"


def of_player(user: User) -> str:
    return f"/api/players/{user.username}/series/"


def test_the_description_is_one_of_openapi_3_1(described: dict[str, Any]) -> None:
    assert [each.message for each in OpenAPIV31SpecValidator(described).iter_errors()] == []
    wrong = deepcopy(described)
    del wrong["paths"][SERIES]["get"]["parameters"]
    assert [each.message for each in OpenAPIV31SpecValidator(wrong).iter_errors()] != []


def test_what_is_not_as_described_is_found(described: dict[str, Any]) -> None:
    player = {"seat": 1, "name": "Anna", "bot": False, "result": "won"}
    schema = {"$ref": "#/components/schemas/Player"}
    assert faults(player, schema, described) == []
    for change in ({"seat": 2}, {"seat": True}, {"bot": 0}, {"result": None}, {"rating": 1}):
        assert faults({**player, **change}, schema, described) != [], change


def test_a_series_is_as_described(described: dict[str, Any], client: Client) -> None:
    table = new_table(Options(target=50), "3d")
    table.play_series(keen(random.Random(1)))
    found = check(client.get(of(table.series)), SERIES, described)
    assert [each["name"] for each in found["players"]] == [u.username for u in table.users]
    assert found["rounds"][-1]["sheet"] == found["games"]["totals"]
    assert None not in found["games"]["won_by"]
    page = client.get(f"{table.series.get_absolute_url()}record.json").json()
    assert page == found


def test_a_series_that_was_entered_by_hand_is_as_described(described: dict[str, Any]) -> None:
    user = new_user()
    series = with_name(user, PRESETS["hollywood"], "Aunt\x07 Jo")
    enter_round(series_id=series.pk, user_id=user.pk, after=0, key=next_key(), told=gin(1, 20))
    end_by_hand(series_id=series.pk, user_id=user.pk, after=Round.objects.get(series=series).pk)
    found = check(browser(user).get(of(series)), SERIES, described)
    assert [each["name"] for each in found["players"]] == [user.username, "Aunt Jo"]
    assert [each["record"] for each in found["rounds"]] == [None]
    record = browser(user).get(f"{series.get_absolute_url()}record.txt").content.decode()
    assert "Player 1: Aunt Jo\n" in record
    assert "Score: 1 wins 45 by gin, 25 + 20\n" in record


def test_a_list_is_as_described_and_goes_on_where_the_page_ends(
    monkeypatch: pytest.MonkeyPatch, described: dict[str, Any], client: Client
) -> None:
    monkeypatch.setattr(records_selector, "PAGE", 3)
    one = new_user("Anna")
    ids = many(one, new_user(), 7)
    url, slugs = of_player(one) + "?result=won", []
    while url:
        page = check(client.get(url.removeprefix("http://testserver")), LIST, described)
        slugs += [each["series"] for each in page["series"]]
        url = "/api/" + page["next"].split("/api/")[1] if page["next"] else ""
    assert slugs == [Series.objects.get(pk=pk).slug for pk in ids]
    assert check(client.get(of_player(one), {"result": "lost"}), LIST, described)["series"] == []


def test_a_list_costs_the_same_however_long(client: Client) -> None:
    one, costs = new_user("Anna"), []
    for count in (2, 8):
        many(one, new_user(), count)
        with CaptureQueriesContext(connection) as caught:
            client.get(of_player(one))
        costs.append(len(caught))
    assert costs[0] == costs[1]


def test_s1_what_is_still_played_is_told_to_nobody(
    described: dict[str, Any], client: Client
) -> None:
    table = new_table()
    table.play_round()
    for who in (client, *map(browser, table.users)):
        check(response := who.get(of(table.series)), SERIES, described)
        assert response.status_code == 404
        assert who.get(of_player(table.users[0])).json()["series"] == []


def test_s9_the_api_tells_what_the_pages_tell(described: dict[str, Any], client: Client) -> None:
    one, other = new_user("Anna"), new_user("Bertil")
    secret = played(one, other, is_private=True)
    hidden = played(one, other)
    Seat.objects.filter(series=hidden).update(is_listed=False)
    shown = played(one, other)

    def slugs(who: Client) -> set[str]:
        return {each["series"] for each in who.get(of_player(one)).json()["series"]}

    assert slugs(client) == slugs(browser(other)) == {shown.slug}
    assert slugs(browser(one)) == {secret.slug, hidden.slug, shown.slug}
    assert client.get(of(secret)).status_code == 404
    assert browser(new_user()).get(of(secret)).status_code == 404
    assert browser(other).get(of(secret)).status_code == 200
    User.objects.filter(pk=one.pk).update(preferences=str(Preferences(history="me")))
    check(response := client.get(of_player(one)), LIST, described)
    assert response.status_code == 404
    assert browser(one).get(of_player(one)).status_code == 200
    assert client.get("/api/players/Nobody/series/").status_code == 404


def test_s9_everybody_may_read_the_description(described: dict[str, Any], client: Client) -> None:
    found = client.get("/api/openapi.json").json()
    assert found["openapi"] == "3.1.0"
    assert {**found, "servers": []} == {**described, "servers": []}


def test_s13_who_has_gone_is_a_deleted_player(client: Client) -> None:
    series = played(one := new_user("Anna"), new_user("Bertil"))
    before = client.get(of(series))
    delete_account(one.pk)
    after = client.get(of(series), headers={"If-None-Match": before["ETag"]})
    assert [each["name"] for each in after.json()["players"]] == ["deleted player", "Bertil"]
    assert "Anna" not in after.content.decode()


def test_what_has_not_changed_is_not_sent_again(client: Client) -> None:
    series = played(new_user(), new_user())
    first = client.get(of(series))
    again = client.get(of(series), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["Access-Control-Allow-Origin"] == "*"
    assert first["Cache-Control"] == "private, no-cache"


def test_other_sites_may_read_as_anybody_and_do_nothing(client: Client) -> None:
    url = of(played(new_user(), new_user()))
    response = client.get(url, headers={"Origin": "https://elsewhere.example"})
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response
    asked = client.options(url)
    assert (asked.status_code, asked["Access-Control-Allow-Methods"]) == (204, "GET, HEAD, OPTIONS")
    refused = client.post(url)
    assert (refused.status_code, refused["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert client.head(url).content == b""


def test_not_more_than_sixty_a_minute_for_an_address_or_a_user(
    described: dict[str, Any], client: Client
) -> None:
    one = new_user()
    answers = [client.get("/api/openapi.json").status_code for _ in range(61)]
    assert answers == [200] * 60 + [429]
    refused = client.get(of_player(one))
    check(refused, LIST, described)
    assert refused["Retry-After"] == "60"
    assert refused["Access-Control-Allow-Origin"] == "*"
    assert browser(one).get(of_player(one)).status_code == 200


def test_a_cursor_that_is_none_is_refused(described: dict[str, Any], client: Client) -> None:
    response = client.get(of_player(new_user()), {"cursor": "x"})
    check(response, LIST, described)
    assert response.status_code == 400
