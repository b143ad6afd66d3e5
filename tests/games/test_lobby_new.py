"""The page that sets a table: every choice, checked by the server; errors are said at the field."""

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.relations import Relation, relate
from games import access
from games.errors import NotFound
from games.forms.new_series import BY_NAME
from games.models import Invitation, Listing, Series
from games.rules.options import OPTION_VALUES, Options
from games.services.invite import decline_invitation
from games.services.lobby import company_of
from games.services.series import Terms, take_back
from games.time_control import TimeControl
from games.time_words import OFFERED, time_words
from tests.browser import browser, is_whole_page, text
from tests.page import forms_of
from tests.tables import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

PATH = "/new/"
type Fields = dict[str, str]


def set_by(user: User, **fields: str) -> Series:
    response = browser(user).post(PATH, {"preset": "hollywood", **fields})
    assert response.status_code == 302, text(response)
    return Series.objects.get(created_by=user)


def refused(user: User, **fields: str) -> str:
    response = browser(user).post(PATH, {"preset": "hollywood", **fields})
    assert response.status_code == 422
    assert is_whole_page(response)
    assert not Series.objects.filter(created_by=user).exists()
    return text(response)


class TestTheChoices:
    def test_what_the_page_offers_is_taken(self) -> None:
        user = new_user()
        client = browser(user)
        fields = next(f.fields for f in forms_of(text(client.get(PATH))) if "address" in f.fields)
        response = client.post(PATH, {**fields, "preset": "oklahoma"})
        series = Series.objects.get()
        assert response["Location"] == series.get_absolute_url()
        assert Terms.of(series) == Terms(Options.from_mapping({"preset": "oklahoma"}))
        client.post(PATH, {**fields, "preset": "oklahoma"})
        assert Series.objects.count() == 1, "fault 110"

    @pytest.mark.parametrize("control", OFFERED)
    def test_each_time(self, control: str) -> None:
        assert set_by(new_user(), time=control).control == TimeControl.parse(control)

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            (name, text)
            for name, values in BY_NAME.items()
            for text in values
            if name != "settlement"  # of one game it follows, and is tested below
        ],
    )
    def test_each_option(self, name: str, value: str) -> None:
        series = set_by(new_user(), **{f"option_{name}": value})
        assert getattr(series.options, name) == BY_NAME[name][value]

    def test_every_option_with_a_choice_is_there(self) -> None:
        single = {name for name, values in OPTION_VALUES.items() if len(values) == 1}
        assert BY_NAME.keys() == OPTION_VALUES.keys() - single - {"target", "players"}
        page = text(browser(new_user()).get(PATH))
        for name in BY_NAME:
            assert f'name="option_{name}"' in page

    def test_options_go_over_the_preset_s(self) -> None:
        series = set_by(
            new_user(), preset="oklahoma", target="200", option_gin="20", option_columns="3"
        )
        given = {"preset": "oklahoma", "target": 200, "gin": 20, "columns": 3}
        assert series.options == Options.from_mapping(given)

    def test_rated_private_and_by_link(self) -> None:
        series = set_by(new_user(), rated="rated", company="link", is_private="on")
        assert (series.rated, series.is_private) == (True, True)
        assert not Listing.objects.exists()

    def test_in_the_lobby_with_a_range(self) -> None:
        series = set_by(new_user(), company="lobby", least="1400", most="1600")
        company = company_of(series)
        assert (company.listed, company.least, company.most) == (True, 1400, 1600)

    def test_links_choose_beforehand(self) -> None:
        page = text(browser(new_user()).get(PATH, {"with": '"><b>Bob'}))
        assert "&quot;&gt;&lt;b&gt;Bob" in page
        lobby = text(browser(new_user()).get(PATH, {"lobby": ""}))
        assert 'value="lobby" class="unseen" id="id_company_1" checked' in lobby


class TestWhatIsWrong:
    @pytest.mark.parametrize(
        ("fields", "told"),
        [
            (
                {"rated": "rated", "option_gin": "20"},
                "played to 100 to 150 points",
            ),
            ({"rated": "rated", "target": "151"}, "played to 100 to 150 points"),
            ({"company": "lobby", "is_private": "on"}, "Everybody may watch a table"),
            ({"company": "link", "least": "1400"}, "Only a table in the lobby"),
            ({"company": "lobby", "least": "1600", "most": "1500"}, "below the lowest"),
            ({"company": "lobby", "least": "1", "target": "200"}, "no ratings for these rules"),
            ({"company": "lobby", "least": "-1"}, "greater than or equal to 0"),
            ({"company": "name", "invited": "Nobody"}, "Nobody of that name can be invited."),
            ({"company": "name"}, "Nobody of that name can be invited."),
            ({"target": "501"}, "less than or equal to 500"),
            ({"time": "60+1"}, "Select a valid choice"),
            ({"company": "everybody"}, "Select a valid choice"),
            ({"option_gin": "21"}, "Select a valid choice"),
            ({"option_knock_limit": "upcards"}, "Select a valid choice"),
            ({"is_private": "on", "preset": "poker"}, "Select a valid choice"),
        ],
    )
    def test_it_is_said_and_nothing_is_made(self, fields: Fields, told: str) -> None:
        assert told in refused(new_user(), **fields)

    def test_where_an_option_is_wrong_the_part_stands_open(self) -> None:
        assert "<details" in refused(new_user(), option_gin="21")
        assert 'class="more-options" open' in refused(new_user(), option_gin="21")
        assert 'class="more-options" open' not in text(browser(new_user()).get(PATH))

    def test_a_guest_sends_links_and_no_more(self) -> None:
        guest = User.objects.create(username="Guest-31", kind=User.Kind.GUEST)
        new_user("Bob")
        assert "Guests invite by link only." in refused(guest, company="lobby")
        assert "Guests invite by link only." in refused(guest, company="name", invited="Bob")
        assert "Guests have no rating." in refused(guest, rated="rated")
        assert set_by(guest, company="link").created_by == guest


class TestByName:
    def test_who_is_asked_finds_it_and_sits_down(self) -> None:
        host, asked = new_user(), new_user("Berta")
        series = set_by(host, company="name", invited="berta")
        home = text(browser(asked).get("/"))
        path = reverse("invitation", args=[series.invitation.token])
        assert f'href="{path}"' in home
        assert host.username in home
        assert "Berta is asked" in text(browser(host).get(series.get_absolute_url()))
        assert "Berta" not in text(browser().get(series.get_absolute_url()))
        assert f'action="{path}decline/"' in text(browser(asked).get(path))
        assert browser(asked).post(path)["Location"] == series.get_absolute_url()
        assert path not in text(browser(asked).get("/"))

    def test_nobody_else_may_by_the_same_link(self) -> None:
        series = set_by(new_user(), company="name", invited=new_user().username)
        path = reverse("invitation", args=[series.invitation.token])
        for client in (browser(new_user()), browser()):
            assert "asks somebody else" in text(client.get(path))
            assert client.post(path, {"guest": "1"}).status_code == 409
        assert not User.objects.filter(kind=User.Kind.GUEST).exists(), "made for nothing"
        assert series.seats.count() == 1

    def test_a_no_is_told_to_the_host(self) -> None:
        host, asked = new_user(), new_user("Berta")
        series = set_by(host, company="name", invited="Berta")
        path = reverse("decline_invitation", args=[series.invitation.token])
        assert browser(new_user()).post(path).status_code == 409
        for _ in range(2):
            assert browser(asked).post(path)["Location"] == "/"
        waits = text(browser(host).get(series.get_absolute_url()))
        assert "Berta has declined" in waits
        assert series.invitation.token not in waits, "a link that leads nowhere"
        assert "Berta has declined" not in text(browser().get(series.get_absolute_url()))
        assert host.username not in text(browser(asked).get("/"))
        link = reverse("invitation", args=[series.invitation.token])
        assert browser(asked).post(link).status_code == 409

    def test_a_no_to_a_table_that_is_taken_back_meanwhile_is_none(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = new_user()
        series = set_by(new_user(), company="name", invited=asked.username)
        read = access.invitation_for(series.invitation.token)
        take_back(series.pk)
        # The moment between its two reads.
        monkeypatch.setattr(access, "invitation_for", lambda _: read)
        with pytest.raises(NotFound):
            decline_invitation(token=read.token, user_id=asked.pk)

    def test_a_yes_is_not_taken_back_by_a_no(self) -> None:
        asked = new_user()
        series = set_by(new_user(), company="name", invited=asked.username)
        browser(asked).post(reverse("invitation", args=[series.invitation.token]))
        path = reverse("decline_invitation", args=[series.invitation.token])
        assert browser(asked).post(path).status_code == 409
        assert Invitation.objects.get(series=series).declined_at is None

    @pytest.mark.parametrize("who", ["me", "guest", "bot", "gone", "blocker", "blocked", "apart"])
    def test_whom_one_can_not_ask_is_told_of_all_alike(self, who: str) -> None:
        host, other = new_user(), new_user("Otto")
        if who in ("guest", "bot"):
            User.objects.filter(pk=other.pk).update(kind=who)
        elif who == "gone":
            User.objects.filter(pk=other.pk).update(is_active=False)
        elif who == "blocker":
            relate(other.pk, host.pk, Relation.Kind.BLOCK)
        elif who == "blocked":
            relate(host.pk, other.pk, Relation.Kind.BLOCK)
        elif who == "apart":
            relate(other.pk, host.pk, Relation.Kind.AVOID)
        name = host.username if who == "me" else "Otto"
        assert "Nobody of that name can be invited." in refused(host, company="name", invited=name)

    def test_who_is_blocked_afterwards_has_no_invitation_any_more(self) -> None:
        host, asked = new_user(), new_user("Berta")
        series = set_by(host, company="name", invited="Berta")
        relate(asked.pk, host.pk, Relation.Kind.BLOCK)
        assert series.invitation.token not in text(browser(asked).get("/"))
        link = reverse("invitation", args=[series.invitation.token])
        assert browser(asked).post(link).status_code == 409


class TestByLinkAsAGuest:
    def test_a_visitor_plays_at_once(self) -> None:
        series = set_by(new_user())
        client = browser()
        path = reverse("invitation", args=[series.invitation.token])
        form = next(f for f in forms_of(text(client.get(path))) if "guest" in f.fields)
        assert client.post(path, form.fields)["Location"] == series.get_absolute_url()
        seat = series.seats.select_related("user").get(number=1)
        assert seat.user.kind == User.Kind.GUEST
        assert 'data-action="' in text(client.get(series.get_absolute_url()))

    def test_fault_110_pressed_twice_by_one_browser_it_is_one_guest(self) -> None:
        series = set_by(new_user())
        path = reverse("invitation", args=[series.invitation.token])
        page = text(browser().get(path))
        form = next(f for f in forms_of(page) if "guest" in f.fields)
        # The second leaves before the first is answered: neither browser has the guest's cookie.
        first, second = browser(), browser()
        for client in (first, second):
            assert client.post(path, form.fields)["Location"] == series.get_absolute_url()
        users = {client.session["_auth_user_id"] for client in (first, second)}
        assert users == {str(User.objects.get(kind=User.Kind.GUEST).pk)}
        assert browser().post(path, {"guest": ""}).status_code == 409
        assert browser().post(path, {"guest": "x" * 30}).status_code == 409

    def test_where_the_seat_is_taken_no_guest_is_made(self) -> None:
        series = set_by(new_user())
        path = reverse("invitation", args=[series.invitation.token])
        browser(new_user()).post(path)
        assert browser().post(path, {"guest": "1"}).status_code == 409
        assert not User.objects.filter(kind=User.Kind.GUEST).exists()


@pytest.mark.parametrize(
    ("control", "told"),
    [
        ("", "no time limit"),
        ("1d", "1 day a turn"),
        ("3d", "3 days a turn"),
        ("90+0", "1.5 min + 0 s an action"),
        ("600+60r", "10 min + 60 s a round"),
    ],
)
def test_times_in_words(control: str, told: str) -> None:
    assert time_words(TimeControl.parse(control)) == told
