"""By whose clocks times are shown: a preference, else the browser's, else UTC."""

import asyncio
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import AsyncRequestFactory, RequestFactory
from django.urls import resolve
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.middleware import ZoneMiddleware
from accounts.models import User
from accounts.places import ZONES
from accounts.preferences import Preferences
from accounts.zones import ZoneOf, current_zone, zone_for, zone_named, zone_words

NEW_YORK, KOLKATA = ZoneInfo("America/New_York"), ZoneInfo("Asia/Kolkata")


def test_every_zone_that_is_offered_is_known() -> None:
    assert [str(zone_named(name)) for name in ZONES] == list(ZONES)


@pytest.mark.parametrize(
    "name",
    [
        *("", "browser", "Mars/Base", "America", "../UTC", "America/../UTC", "/etc/passwd"),
        *("Asia/\0", "right/UTC", "localtime", "Europe/Berlin\n", "x" * 999),
        "Asia/Kolkata; path=/",
    ],
)
def test_what_is_no_zone_is_utc(name: str) -> None:
    assert zone_named(name) is UTC


def test_an_older_name_that_a_browser_says_is_known() -> None:
    assert str(zone_for("browser", {"zone": "Asia/Calcutta"})) == "Asia/Calcutta"


def test_the_preference_comes_before_the_browser() -> None:
    cookies = {"zone": "Asia/Kolkata"}
    assert zone_for("browser", cookies) == KOLKATA
    assert zone_for("America/New_York", cookies) == NEW_YORK
    assert zone_for("browser", {}) is UTC


@settings(deadline=None)  # the first look at a zone reads a file
@given(
    st.integers(0, 2_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    st.sampled_from(ZONES),
)
def test_a_zone_that_is_found_late_tells_the_same_time(moment: datetime, name: str) -> None:
    late, zone = (
        moment.astimezone(ZoneOf(lambda: ZoneInfo(name))),
        moment.astimezone(ZoneInfo(name)),
    )
    assert late.isoformat() == zone.isoformat()
    assert late.astimezone(UTC) == moment
    assert (late.tzname(), late.dst(), late.fold) == (zone.tzname(), zone.dst(), zone.fold)


def test_words_of_a_zone() -> None:
    assert zone_words(ZoneOf(lambda: NEW_YORK)) == "America/New York"
    assert zone_words(UTC) == "UTC"


def the_zone(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(current_zone()))


def test_it_holds_for_one_answer() -> None:
    request = RequestFactory(headers={"Cookie": "zone=Asia/Kolkata"}).get("/")
    assert ZoneMiddleware(the_zone)(request).content == b"Asia/Kolkata"
    assert current_zone() is not KOLKATA
    assert timezone.get_current_timezone_name() == "UTC"


def test_answers_at_once_have_each_their_own() -> None:
    async def answer(name: str) -> str:
        async def view(request: HttpRequest) -> HttpResponse:
            await asyncio.sleep(0.01)
            return the_zone(request)

        request = AsyncRequestFactory().get("/", headers={"Cookie": f"zone={name}"})
        return (await ZoneMiddleware(view)(request)).content.decode()

    async def both() -> list[str]:
        return await asyncio.gather(answer("Asia/Kolkata"), answer("America/New_York"))

    assert asyncio.run(both()) == ["Asia/Kolkata", "America/New_York"]


def test_the_admin_goes_by_utc() -> None:
    request = RequestFactory(headers={"Cookie": "zone=Asia/Kolkata"}).get("/admin/")
    request.resolver_match = resolve("/admin/")
    assert ZoneMiddleware(the_zone)(request).content == b"UTC"


def test_no_user_is_asked_for_where_no_time_is_shown() -> None:
    def find() -> User:
        raise AssertionError("the database may be away")

    request = RequestFactory().get("/")
    request.user = SimpleLazyObject(find)  # type: ignore[assignment]
    assert ZoneMiddleware(lambda _request: HttpResponse("as ever"))(request).content == b"as ever"


def test_an_account_s_preference_goes_with_it(client, db) -> None:
    anna = User.objects.create(username="Anna", date_joined=datetime(2026, 3, 1, 2, 30, tzinfo=UTC))
    assert "March 2026" in client.get("/@Anna/").content.decode()
    client.force_login(anna)
    User.objects.filter(pk=anna.pk).update(preferences=str(Preferences(zone="America/New_York")))
    assert "February 2026" in client.get("/@Anna/").content.decode()


def test_a_visitor_keeps_it_in_a_cookie(client, db) -> None:
    User.objects.create(username="Anna", date_joined=datetime(2026, 3, 1, 2, 30, tzinfo=UTC))
    form = {name: getattr(Preferences(), name) for name in Preferences.__slots__}
    client.post("/preferences/", {**form, "zone": "America/New_York"})
    assert "February 2026" in client.get("/@Anna/").content.decode()


def test_a_duration_over_the_change_of_clocks_is_what_it_was() -> None:
    zone = ZoneOf(lambda: NEW_YORK)
    one = datetime(2026, 11, 1, 5, 30, tzinfo=UTC).astimezone(zone)
    other = datetime(2026, 11, 1, 6, 30, tzinfo=UTC).astimezone(zone)
    assert f"{one:%H:%M}" == f"{other:%H:%M}" == "01:30"
    assert other.astimezone(UTC) - one.astimezone(UTC) == timedelta(hours=1)
