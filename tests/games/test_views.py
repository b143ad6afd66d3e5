"""The pages: the table, the first page, health, and what is shown when something is wrong."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, InternalError, OperationalError
from django.db.models import F
from django.test import Client
from django.urls import reverse

from games.models import Seat
from games.rendering import REGIONS
from games.rules.actions import Draw, Pass, Resign
from games.rules.cards import cards_in
from games.rules.options import Options
from games.selectors.versions import present_seats
from games.services import presence
from games.services.series import accept_invitation, create_series
from games.views import series as series_views
from tests.browser import HTMX, browser, is_whole_page, text
from tests.page import Page, elements_of, forms_of
from tests.players import GIVING_UP
from tests.tables import Played, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


@pytest.fixture
def table() -> Played:
    return new_table()


@pytest.fixture
def mover(table: Played) -> Client:
    """The browser of the player whose turn it is."""
    return browser(table.turn_user)


class TestThePage:
    def test_it_shows_every_region_once(self, table: Played, mover: Client) -> None:
        html = text(mover.get(table.series.get_absolute_url()))
        assert [html.count(f'id="{name}"') for name in REGIONS] == [1] * len(REGIONS)

    def test_while_nobody_has_sat_down_its_maker_sees_the_invitation(self) -> None:
        series = create_series(user=new_user(), options=Options())
        link = reverse("invitation", args=[series.invitation.token])
        path = series.get_absolute_url()
        assert f"http://127.0.0.1:8000{link}" in text(browser(series.created_by).get(path))
        for other in (new_user(), None):
            assert series.invitation.token not in text(browser(other).get(path))

    def test_fault_56_a_player_finds_their_seat_from_any_browser(self, table: Played) -> None:
        path = table.series.get_absolute_url()
        for user in (*table.users, *reversed(table.users)):
            page = Page.loaded(text(browser(user).get(path)))
            offered = {form.action for form in page.forms}
            assert ("pass" in offered) == (user == table.turn_user)
        assert Seat.objects.filter(series=table.series).count() == 2

    @pytest.mark.parametrize("logged_in", [True, False])
    def test_others_watch_and_see_no_hand(self, table: Played, logged_in: bool) -> None:
        visitor = browser(new_user() if logged_in else None)
        page = Page.loaded(text(visitor.get(table.series.get_absolute_url())))
        assert [form for form in page.forms if form.method == "post"] == []
        html = "".join(element.html for element in page.regions.values())
        for hand in table.state.hands:
            assert not [card for card in cards_in(hand) if f"{card}.svg" in html]

    def test_after_the_end_it_stays(self, table: Played) -> None:
        table.play_series(lambda state: Resign())
        for user in (*table.users, None):
            response = browser(user).get(table.series.get_absolute_url())
            assert response.status_code == 200
            actions = {form.action for form in Page.loaded(text(response)).forms}
            assert not actions & {"pass", "draw", "next-round", "resign"}

    def test_every_form_that_is_offered_is_taken(self, table: Played) -> None:
        for _ in range(6):
            page = text(browser(table.turn_user).get(table.series.get_absolute_url()))
            forms = [
                f for f in forms_of(page) if f.method == "post" and f.action not in ("", *GIVING_UP)
            ]
            chosen = forms[-1] if table.row.ply % 2 else forms[0]
            response = browser(table.turn_user).post(table.series.get_absolute_url(), chosen.fields)
            assert response.status_code == 200, chosen

    @pytest.mark.parametrize("address", ["/series/no-such-one/", "/series/%00/", "/series/a%2Fb/"])
    def test_where_there_is_no_table(self, address: str) -> None:
        response = browser().get(address)
        assert response.status_code == 404
        assert is_whole_page(response)

    def test_head_has_no_body_and_others_are_refused(self, table: Played, mover: Client) -> None:
        path = table.series.get_absolute_url()
        assert mover.head(path).status_code == 200
        for method in (mover.put, mover.delete, mover.patch):
            assert method(path).status_code == 405

    @pytest.mark.parametrize(
        "query",
        ["card=1X", "card=", "lay=", "lay=9S0", "lay=zz", f"lay={'9S0,' * 100}", "card=%00", "x=1"],
    )
    def test_a_draft_that_says_nothing_is_none(
        self, table: Played, mover: Client, query: str
    ) -> None:
        path = table.series.get_absolute_url()
        assert mover.get(f"{path}?{query}").status_code == 200
        assert mover.get(f"{path}draft/?{query}").status_code == 200


class TestFragmentsAndTheCache:
    """Fault 112: no browser mixes up a page and its fragments."""

    def test_a_draft_has_an_address_of_its_own(self, table: Played, mover: Client) -> None:
        path = table.series.get_absolute_url()
        card = cards_in(table.state.hands[table.state.turn])[0]
        response = mover.get(f"{path}draft/?card={card}", headers=HTMX)
        assert not is_whole_page(response)
        assert elements_of(text(response)).keys() & set(REGIONS) == {"showdown", "hand", "actions"}

    @pytest.mark.parametrize("headers", [{}, HTMX, {**HTMX, "HX-History-Restore-Request": "true"}])
    def test_the_address_of_the_table_is_always_the_whole_page(
        self, table: Played, mover: Client, headers: dict[str, str]
    ) -> None:
        response = mover.get(table.series.get_absolute_url(), headers=headers)
        assert is_whole_page(response)

    def test_a_player_without_a_socket_is_here_while_they_think(self, table: Played) -> None:
        def present() -> list[int]:
            return sorted(present_seats([table.series.pk]).get(table.series.pk, ()))

        assert present() == []
        browser(table.users[1]).get(table.series.get_absolute_url())
        browser().get(table.series.get_absolute_url())
        assert present() == [1]
        seats = Seat.objects.filter(series=table.series)
        seats.update(seen_at=F("seen_at") - timedelta(seconds=60))
        assert present() == [1]
        seats.update(seen_at=F("seen_at") - timedelta(seconds=13))
        assert present() == []

    def test_a_host_who_has_left_the_page_is_not_there_for_a_minute(self, table: Played) -> None:
        """Somebody sat down with them, and their clock ran at once."""
        host = table.users[0]
        series = create_series(user=host, options=Options())
        browser(host).get(series.get_absolute_url())
        assert present_seats([series.pk]) == {series.pk: {0}}
        seats = Seat.objects.filter(series=series)
        seats.update(seen_at=F("seen_at") - timedelta(seconds=13))
        assert present_seats([series.pk]) == {}

    def test_r16_a_page_is_shown_though_its_fetching_can_t_be_noted(
        self, table: Played, mover: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def read_only(*arguments: object, **named: object) -> None:
            raise OperationalError("read-only")

        monkeypatch.setattr(presence, "see_seats", read_only)
        assert mover.get(table.series.get_absolute_url()).status_code == 200

    def test_a_page_is_sent_small(self, table: Played, mover: Client) -> None:
        page = mover.get(table.series.get_absolute_url(), headers={"Accept-Encoding": "gzip"})
        assert page["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in page["Vary"]

    def test_what_is_anybody_s_own_is_kept_by_nobody(self, table: Played, mover: Client) -> None:
        path = table.series.get_absolute_url()
        waiting = create_series(user=table.turn_user, options=Options())
        invited = reverse("invitation", args=[waiting.invitation.token])
        for response in (
            mover.get(path),
            mover.get(f"{path}draft/"),
            mover.post(path, {}),
            mover.get(reverse("home")),
            mover.get(invited),
        ):
            assert "no-store" in response["Cache-Control"], response.request
            assert "private" in response["Cache-Control"]
        assert "HX-Request" in mover.get(path)["Vary"]
        assert "Cookie" in mover.get(path)["Vary"]


class TestTheFirstPage:
    def test_a_visitor_is_told_what_this_is(self) -> None:
        html = text(browser().get(reverse("home")))
        assert reverse("account_signup") in html
        assert reverse("account_login") in html

    def test_fault_80_it_says_your_turn_to_whom_the_table_says_it(self, table: Played) -> None:
        def lists() -> list[bool]:
            pages = [text(browser(user).get(reverse("home"))) for user in table.users]
            return ["your turn" in page for page in pages]

        for action in (Pass(), Pass(), Draw()):
            assert lists() == [user == table.turn_user for user in table.users]
            table.act(action)
        table.act(Resign())
        assert lists() == [True, True]
        table.press_next(table.users[0])
        assert lists() == [False, True]

    def test_fault_80_at_the_end_it_is_nobody_s_turn(self, table: Played) -> None:
        table.play_series(lambda state: Resign())
        for user in table.users:
            page = text(browser(user).get(reverse("home")))
            assert "your turn" not in page
            assert table.series.get_absolute_url() in page

    def test_a_player_finds_their_series(self, table: Played) -> None:
        waiting = create_series(user=table.users[0], options=Options())
        own, other, stranger = (
            text(browser(user).get(reverse("home"))) for user in (*table.users, new_user())
        )
        address = table.series.get_absolute_url()
        assert [address in page for page in (own, other, stranger)] == [True, True, False]
        assert waiting.get_absolute_url() in own
        assert waiting.get_absolute_url() not in other

    def test_it_asks_little_however_many_series(
        self, table: Played, django_assert_max_num_queries: Any
    ) -> None:
        for _ in range(8):
            series = create_series(user=table.users[0], options=Options())
            accept_invitation(token=series.invitation.token, user=new_user())
        client = browser(table.users[0])
        with django_assert_max_num_queries(14):
            client.get(reverse("home"))


class TestHealth:
    def test_alive_and_ready(self, client: Client) -> None:
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").status_code == 200

    def test_not_ready_without_a_database(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Away:
            def cursor(self) -> None:
                raise DatabaseError("away: password=secret")

        monkeypatch.setattr("games.views.health.connection", Away())
        response = client.get("/readyz")
        assert response.status_code == 503
        assert "secret" not in text(response)
        assert client.get("/healthz").status_code == 200


class TestTrouble:
    @pytest.mark.parametrize("address", ["/nothing/", "/series/x/draft/", "/account/nothing/"])
    def test_a_page_that_is_not_there(self, address: str) -> None:
        response = browser().get(address)
        assert response.status_code == 404
        assert is_whole_page(response)

    @pytest.mark.parametrize("address", ["/", "/account/"])
    def test_r16_a_log_in_that_cannot_be_read_is_told_in_words(
        self, address: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Asked for before any view, it was an error page of 500."""
        client = browser(new_user())

        def away(store: SessionStore) -> None:
            raise OperationalError("the database is away")

        monkeypatch.setattr(SessionStore, "_get_session_from_db", away)
        response = client.get(address)
        assert response.status_code == 503
        assert "in a moment" in text(response)
        assert 'data-status="busy"' in text(client.post(address, {}, headers=HTMX))

    def test_r16_a_database_that_takes_no_writes_is_told_in_words(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """PostgreSQL's refusal comes as an InternalError, and was an error page of 500."""

        class ReadOnlySqlTransaction(Exception):
            sqlstate = "25006"

        def refuse(**asked: object) -> None:
            raise InternalError from ReadOnlySqlTransaction()

        monkeypatch.setattr("games.views.new_series.set_table", refuse)
        response = browser(new_user()).post("/new/", {"preset": "hollywood", "company": "link"})
        assert response.status_code == 503
        assert "in a moment" in text(response)

    def test_fault_59_an_error_page_tells_nothing(
        self, table: Played, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*arguments: object, **named: object) -> None:
            raise RuntimeError(f"a state: {table.state}")

        monkeypatch.setattr(series_views, "table_for", broken)
        client = Client(raise_request_exception=False)
        client.force_login(table.turn_user)
        for response in (
            client.get(table.series.get_absolute_url()),
            client.post(table.series.get_absolute_url(), {}, headers=HTMX),
        ):
            assert response.status_code == 500
            assert "RoundState" not in text(response)
            assert "Traceback" not in text(response)

    def test_a_host_that_is_not_ours(self) -> None:
        response = browser().get("/", headers={"host": "evil.example"})
        assert response.status_code == 400
        assert "evil.example" not in text(response)
