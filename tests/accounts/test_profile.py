"""Profiles: what somebody tells about themselves, and that it is text and nothing else (S11)."""

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Profile, User
from accounts.texts import MOST_MARKS, plain_text
from tests.accounts.people import browser_of, new_person, words
from tests.patience import patience

pytestmark = pytest.mark.django_db

EDIT = "/account/profile/"
PAYLOADS = (
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    '<div hx-get="/account/logout/" hx-trigger="load">',
    "{{ user.password }}{% url 'home' %}",
    "javascript:alert(1) https://example.org/",
)


def test_it_is_written_on_one_page_and_read_on_another(client: Client) -> None:
    anna = browser_of(new_person("Anna"))
    answer = anna.post(EDIT, {"about": "I play on Sundays.\n\nHello.", "country": "VN"})
    assert answer["Location"] == "/@Anna/"
    page = words(client.get("/@Anna/"))
    assert "I play on Sundays. Hello." in page
    assert "Viet" in page
    assert "Change" not in page
    assert "Change" in words(anna.get("/@Anna/"))


def test_who_tells_nothing_has_a_page_and_no_row(client: Client) -> None:
    new_person("Anna")
    assert "Nothing is written here yet." in words(client.get("/@Anna/"))
    assert not Profile.objects.exists()


def test_a_name_leads_there_in_whatever_case(client: Client) -> None:
    new_person("Anna")
    assert client.get("/@ANNA/")["Location"] == "/@Anna/"


def test_who_can_not_be_found(client: Client) -> None:
    new_person("Anna")
    User.objects.create(username="Guest-7", kind=User.Kind.GUEST)
    assert client.get("/@Guest-7/").status_code == 404
    assert client.get("/@nobody/").status_code == 404
    User.objects.filter(username="Anna").update(is_active=False)
    assert client.get("/@Anna/").status_code == 404


def test_an_address_is_never_shown(client: Client) -> None:
    new_person("Anna", "anna@example.org")
    assert "example.org" not in client.get("/@Anna/").content.decode()


@pytest.mark.parametrize("payload", PAYLOADS)
def test_s11_what_is_written_is_shown_and_does_nothing(client: Client, payload: str) -> None:
    browser_of(new_person("Anna")).post(EDIT, {"about": payload, "country": ""})
    html = client.get("/@Anna/").content.decode()
    about = html.partition('class="about"')[2].partition("</p>")[0].partition(">")[2]
    assert "<" not in about
    assert "href" not in about.replace("onerror", "")
    assert payload in about.replace("&lt;", "<").replace("&gt;", ">").replace(
        "&quot;", '"'
    ).replace("&#x27;", "'")


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"about": "x" * 501}, "500"),
        ({"country": "XX"}, "valid choice"),
        ({"country": "vn"}, "valid"),
    ],
)
def test_what_does_not_fit_is_refused_and_kept_on_the_page(
    fields: dict[str, str], complaint: str
) -> None:
    answer = browser_of(new_person("Anna")).post(EDIT, {"about": "", "country": ""} | fields)
    assert answer.status_code == 422
    assert complaint in words(answer)
    assert not Profile.objects.exists()


def test_nobody_writes_another_s() -> None:
    bob = new_person("Bob")
    Profile.objects.create(user=bob, about="mine")
    browser_of(new_person("Anna")).post(EDIT, {"about": "stolen", "country": "", "user": bob.pk})
    assert Profile.objects.get(user=bob).about == "mine"


class TestPlainText:
    @given(st.text())
    def test_nothing_in_it_acts_on_what_stands_beside_it(self, text: str) -> None:
        plain = plain_text(text)
        assert plain_text(plain) == plain
        assert not {"\u202a", "\u202e", "\u2066", "\u200b", "\ufeff", "\x00", "\r"} & set(plain)
        assert "\n\n\n" not in plain

    @pytest.mark.parametrize(
        "text",
        [
            "Xin chào, tôi là Nguyễn Thị Hồng.",
            "Здраво! Đđ Љљ",
            "გამარჯობა",
            "👩\u200d👧 🃏",
            "שלום",
        ],
    )
    def test_languages_stay_as_they_are(self, text: str) -> None:
        assert plain_text(text) == text

    def test_a_row_of_spaces_stops_nobody(self) -> None:
        with patience():
            assert len(plain_text(f"a{' ' * 200_000}b \t\nc")) == 200_004

    def test_towers_are_lowered(self) -> None:
        tower = "q" + "\u0301\u0316" * 40
        assert len(plain_text(tower)) == 1 + MOST_MARKS
