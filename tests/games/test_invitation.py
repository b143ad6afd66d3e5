"""Setting a table, and the invitation that brings the other player to it."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from games.forms.series import PRESET_LABELS
from games.models import Round, Seat, Series
from games.rules.options import Options
from games.services.series import create_series
from tests.browser import browser, is_whole_page, text
from tests.page import forms_of
from tests.tables import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

PASSWORD = "three-games-at-once"


class TestSettingATable:
    def test_whoever_is_not_logged_in_is_led_to_it(self) -> None:
        response = browser().post(reverse("create_series"), {"preset": "hollywood"})
        assert response.status_code == 302
        assert urlsplit(response["Location"]).path == reverse("account_login")
        assert not Series.objects.exists()

    @pytest.mark.parametrize("preset", PRESET_LABELS)
    def test_of_every_kind(self, preset: str) -> None:
        client = browser(new_user())
        response = client.post(reverse("create_series"), {"preset": preset, "target": "150"})
        series = Series.objects.get()
        assert response["Location"] == series.get_absolute_url()
        assert series.options == Options.from_mapping({"preset": preset, "target": 150})
        assert client.get(series.get_absolute_url()).status_code == 200

    def test_without_a_target_it_is_the_usual_one(self) -> None:
        browser(new_user()).post(reverse("create_series"), {"preset": "oklahoma", "target": ""})
        assert Series.objects.get().options == Options.from_mapping({"preset": "oklahoma"})

    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"preset": "poker"},
            {"preset": "hollywood", "target": "49"},
            {"preset": "hollywood", "target": "501"},
            {"preset": "hollywood", "target": "ten"},
            {"preset": "hollywood", "target": "1e2"},
            {"preset": "hollywood", "target": "9" * 400},
            {"preset": "holly\0wood"},
        ],
    )
    def test_not_by_what_is_no_table(self, fields: dict[str, str]) -> None:
        response = browser(new_user()).post(reverse("create_series"), fields)
        assert response.status_code == 422
        assert is_whole_page(response)
        assert not Series.objects.exists()

    def test_get_makes_nothing(self) -> None:
        assert browser(new_user()).get(reverse("create_series")).status_code == 200
        assert not Series.objects.exists()

    def test_nobody_makes_a_table_at_somebody_else_s_address(self) -> None:
        mine = text(browser(new_user()).get(reverse("home")))
        address = next(f for f in forms_of(mine) if f.fields.get("address"))
        other = browser(new_user())
        fields = {"preset": "hollywood", "address": address.fields["address"]}
        other.post(reverse("create_series"), fields)
        assert Series.objects.get().slug not in address.fields["address"]


class TestTheInvitation:
    @pytest.fixture
    def series(self) -> Series:
        return create_series(user=new_user(), options=Options())

    @pytest.fixture
    def path(self, series: Series) -> str:
        return reverse("invitation", args=[series.invitation.token])

    def test_a_guest_sits_down(self, series: Series, path: str, rung: list[Any]) -> None:
        guest = new_user()
        client = browser(guest)
        page = client.get(path)
        assert page.status_code == 200
        assert series.created_by.username in text(page)
        assert not Seat.objects.filter(user=guest).exists()
        response = client.post(path)
        assert response["Location"] == series.get_absolute_url()
        assert Seat.objects.get(user=guest).number == 1
        stored = Series.objects.get(pk=series.pk)
        assert rung == [(series.pk, 1, stored.talk)]

    def test_again_it_leads_to_the_table(self, series: Series, path: str) -> None:
        client = browser(new_user())
        client.post(path)
        for response in (client.get(path), client.post(path)):
            assert response["Location"] == series.get_absolute_url()
        assert Round.objects.count() == 1

    def test_fault_55_its_maker_is_told_to_send_it(self, series: Series, path: str) -> None:
        client = browser(series.created_by)
        assert [f for f in forms_of(text(client.get(path))) if "Sit" in f.action] == []
        response = client.post(path)
        assert response.status_code == 409
        assert "your own invitation" in text(response)
        assert Seat.objects.count() == 1

    def test_fault_53_the_third_is_told_that_it_is_taken(self, series: Series, path: str) -> None:
        third = browser(new_user())
        browser(new_user()).post(path)
        assert third.get(path).status_code == 200
        assert series.get_absolute_url() in text(third.get(path))
        response = third.post(path)
        assert response.status_code == 409
        assert "taken" in text(response)
        assert Seat.objects.count() == 2

    def test_a_link_that_is_none(self) -> None:
        for token in ("nothing", "%00", "a" * 300):
            assert browser(new_user()).get(f"/invitation/{token}/").status_code == 404
            assert browser(new_user()).post(f"/invitation/{token}/").status_code == 404

    def test_the_way_leads_over_the_log_in(self, series: Series, path: str) -> None:
        guest = new_user("Gast")
        guest.set_password(PASSWORD)
        guest.save()
        client = browser()
        assert _leads_to(path, text(client.get(path)), reverse("account_login"))
        login = client.post(path)["Location"]
        assert _next_of(login) == path
        page = client.get(login)
        form = next(f for f in forms_of(text(page)) if "login" in f.fields or "next" in f.fields)
        fields = {**form.fields, "login": "gast", "password": PASSWORD}
        assert client.post(reverse("account_login"), fields)["Location"] == path
        assert client.post(path)["Location"] == series.get_absolute_url()

    def test_the_way_leads_over_the_registration(self, series: Series, path: str) -> None:
        client = browser()
        signup = reverse("account_signup")
        assert _leads_to(path, text(client.get(path)), signup)
        page = text(client.get(f"{signup}?next={path}"))
        form = next(f for f in forms_of(page) if "next" in f.fields)
        fields = {**form.fields, "username": "Neuling", "password1": PASSWORD}
        assert client.post(signup, fields)["Location"] == path
        assert client.post(path)["Location"] == series.get_absolute_url()
        assert Seat.objects.get(number=1).user.username == "Neuling"

    def test_no_way_leads_to_another_site(self) -> None:
        user = new_user()
        user.set_password(PASSWORD)
        user.save()
        for elsewhere in ("https://evil.example/", "//evil.example/", "javascript:alert(1)"):
            fields = {"login": user.username, "password": PASSWORD, "next": elsewhere}
            response = browser().post(reverse("account_login"), fields)
            assert response.status_code == 302
            assert response["Location"] == reverse("home")


def _next_of(address: str) -> str:
    return parse_qs(urlsplit(address).query)["next"][0]


def _leads_to(path: str, html: str, address: str) -> bool:
    links = [link for link in re.findall(r'href="([^"]+)"', html) if "next=" in link]
    return any(urlsplit(link).path == address and _next_of(link) == path for link in links)
