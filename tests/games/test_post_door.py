"""The POST door of the table, to htmx and to a page without JavaScript."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Series
from games.rendering import REGIONS
from games.rules.actions import Discard, Draw, Pass, Resign
from games.rules.cards import DECK, cards_in
from games.rules.options import Options
from games.services import action as action_service
from games.services.outcome import Outcome, Status
from games.services.series import create_series
from games.views import series as series_views
from tests.browser import HTMX, browser, is_whole_page, text
from tests.fields import action_fields, next_round_fields
from tests.page import elements_of, forms_of
from tests.tables import Played, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


@pytest.fixture
def table() -> Played:
    return new_table()


@pytest.fixture
def mover(table: Played) -> Client:
    """The browser of the player whose turn it is."""
    return browser(table.turn_user)


class TestThePostDoor:
    """The statuses of docs/architecture.md, to htmx and to a page without JavaScript."""

    @pytest.fixture(params=[True, False], ids=["htmx", "plain"])
    def htmx(self, request: pytest.FixtureRequest) -> bool:
        return bool(request.param)

    def post(self, table: Played, user: User | None, fields: Mapping[str, str], htmx: bool) -> Any:
        path = table.series.get_absolute_url()
        return browser(user).post(path, fields, headers=HTMX if htmx else {})

    def check(self, response: Any, status: Status, htmx: bool, key: str = "") -> None:
        """The answer is complete: the message, and the table as it stands."""
        html, elements = text(response), elements_of(text(response))
        assert {"notice", *REGIONS} <= elements.keys()
        assert bool(elements["notice"].text.strip()) == (status not in ("done", "repeat"))
        assert 'role="alert"' in elements["notice"].html
        assert is_whole_page(response) != htmx
        if htmx:
            assert elements["ack"].attributes["data-status"] == status
            assert elements["ack"].attributes["data-key"] == key
            assert html.count("hx-swap-oob") == len(
                elements.keys() & {"ack", "pulse", "notice", *REGIONS}
            )

    def test_done_and_again(self, table: Played, htmx: bool, rung: list[Any]) -> None:
        player, fields = table.turn_user, action_fields(table.row, Pass(), "once")
        for status in (Status.DONE, Status.REPEAT):
            response = self.post(table, player, fields, htmx)
            assert response.status_code == 200
            self.check(response, status, htmx, "once")
        assert rung == [(table.series.pk, 2, table.series.talk)]
        assert table.row.log == "1 p"

    def test_s6_a_flood_is_told_to_slow_down(
        self,
        table: Played,
        htmx: bool,
        settings: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Only the socket had a limit, and this door is as wide."""
        settings.POSTS = 3
        monkeypatch.setattr(series_views, "FRAMES_WITHIN", 600.0)
        fields = action_fields(table.row, Pass(), "once")
        answers = [self.post(table, table.users[0], fields, htmx) for _ in range(4)]
        assert [each.status_code == 429 for each in answers] == [False] * 3 + [True]
        self.check(answers[-1], Status.SLOW_DOWN, htmx, "once")
        assert self.post(table, table.users[1], fields, htmx).status_code != 429
        assert self.post(table, None, fields, htmx).status_code == 401

    def test_stale(self, table: Played, htmx: bool, rung: list[Any]) -> None:
        player, fields = table.turn_user, action_fields(table.row, Pass())
        table.act(Pass())
        response = self.post(table, player, fields, htmx)
        assert response.status_code == 409
        self.check(response, Status.STALE, htmx, fields["key"])
        assert rung == []

    def test_over(self, table: Played, htmx: bool) -> None:
        player, fields = table.turn_user, action_fields(table.row, Pass())
        table.act(Resign())
        response = self.post(table, player, fields, htmx)
        assert response.status_code == 409
        self.check(response, Status.OVER, htmx, fields["key"])

    def test_illegal(self, table: Played, htmx: bool) -> None:
        fields = action_fields(table.row, Draw())
        response = self.post(table, table.turn_user, fields, htmx)
        assert response.status_code == 422
        self.check(response, Status.ILLEGAL, htmx, fields["key"])

    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"action": "fly"},
            {"action": "draw", "round": "x", "ply": "0", "key": "k"},
            {"action": "draw", "round": "1", "ply": "-1", "key": "k"},
            {"action": "draw", "round": "1", "ply": "0", "key": "<script>"},
            {
                "action": "knock",
                "round": "1",
                "ply": "0",
                "key": "k",
                "card": "9C",
                "spread": "9C9D",
            },
            {"action": "defend", "round": "1", "ply": "0", "key": "k", "lay_offs": "9S"},
            {"action": "draw", "round": "1" * 300, "ply": "0", "key": "k"},
        ],
    )
    def test_unreadable(self, table: Played, htmx: bool, fields: dict[str, str]) -> None:
        response = self.post(table, table.turn_user, fields, htmx)
        assert response.status_code == 422
        key = fields.get("key", "")
        self.check(response, Status.UNREADABLE, htmx, key if key == "k" else "")

    def test_not_seated(self, table: Played, htmx: bool) -> None:
        fields = action_fields(table.row, Pass())
        response = self.post(table, new_user(), fields, htmx)
        assert response.status_code == 403
        self.check(response, Status.NOT_SEATED, htmx, fields["key"])

    def test_fault_92_a_session_that_is_over_is_told_and_led_to_the_log_in(
        self, table: Played, htmx: bool
    ) -> None:
        fields = action_fields(table.row, Pass())
        response = self.post(table, None, fields, htmx)
        assert response.status_code == 401
        self.check(response, Status.SESSION_OVER, htmx, fields["key"])
        path = table.series.get_absolute_url()
        if htmx:
            assert response["HX-Redirect"] == f"{reverse('account_login')}?next={path}"
        assert table.row.ply == 0

    def test_a_form_from_before_another_log_in_is_told_at_once(
        self, table: Played, htmx: bool
    ) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(table.turn_user)
        fields = action_fields(table.row, Pass())
        headers = HTMX if htmx else {}
        response = client.post(table.series.get_absolute_url(), fields, headers=headers)
        assert response.status_code == 403
        assert is_whole_page(response) != htmx
        if htmx:
            elements = elements_of(text(response))
            assert elements["ack"].attributes["data-key"] == fields["key"]
            assert "Reload" in elements["notice"].text
        assert table.row.ply == 0

    @pytest.mark.parametrize("status", [Status.SLOW_DOWN, Status.BUSY])
    def test_slow_down_and_busy(
        self, table: Played, htmx: bool, status: Status, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answer = Outcome(status, "Try again in a moment.")
        monkeypatch.setattr(series_views, "answer_request", lambda **asked: answer)
        response = self.post(table, table.turn_user, action_fields(table.row, Pass()), htmx)
        assert response.status_code == (503 if status is Status.BUSY else 429)
        assert "Try again in a moment." in text(response)

    @pytest.mark.parametrize("error", [DatabaseError, OperationalError, InterfaceError])
    def test_r16_a_database_that_refuses_is_busy(
        self,
        table: Played,
        htmx: bool,
        error: type[Exception],
        monkeypatch: pytest.MonkeyPatch,
        rung: list[Any],
    ) -> None:
        def refuse(*arguments: object) -> None:
            raise error("read only")

        fields = action_fields(table.row, Pass())
        with monkeypatch.context() as patch:
            patch.setattr(action_service, "_store", refuse)
            response = self.post(table, table.turn_user, fields, htmx)
        assert response.status_code == 503
        self.check(response, Status.BUSY, htmx, fields["key"])
        assert rung == []
        assert self.post(table, table.turn_user, fields, htmx).status_code == 200

    def test_r16_so_is_one_that_is_away(
        self, table: Played, htmx: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def away(*arguments: object) -> None:
            raise OperationalError("the connection is lost")

        user, fields = table.turn_user, action_fields(table.row, Pass())
        monkeypatch.setattr(series_views, "load_sitting", away)
        response = self.post(table, user, fields, htmx)
        assert response.status_code == 503
        assert response["Retry-After"]
        assert is_whole_page(response) != htmx
        assert "the connection is lost" not in text(response)
        if htmx:
            assert elements_of(text(response))["ack"].attributes["data-key"] == fields["key"]

    def test_next_round(self, table: Played, htmx: bool, rung: list[Any]) -> None:
        table.act(Resign())
        row = table.row
        for user in table.users:
            assert self.post(table, user, next_round_fields(row), htmx).status_code == 200
        assert table.row.number == 2
        assert len(rung) == 2
        assert rung[-1][1] == table.row.version
        early = self.post(table, table.users[0], next_round_fields(table.row), htmx)
        assert early.status_code == 422

    def test_fault_62_one_answer_for_every_card_that_is_not_held(
        self, table: Played, htmx: bool
    ) -> None:
        for action in (Pass(), Pass(), Draw()):
            table.act(action)
        state, row = table.state, table.row
        theirs = cards_in(state.hands[1 - state.turn])
        cards = [theirs[0], theirs[-1], *state.stock[:2], *state.pile]
        texts = [*map(str, cards), "1X", "", "9c9c", "x" * 300_000, "♠♠", "<b>", "\0"]
        answers = set()
        for card in texts:
            fields = {**action_fields(row, Discard(DECK[0]), "key"), "card": card}
            response = self.post(table, table.turn_user, fields, htmx)
            answers.add((response.status_code, elements_of(text(response))["notice"].html))
        assert len(answers) == 1
        assert table.row.ply == row.ply

    def test_fault_66_the_answer_says_which_build_it_is(self, table: Played) -> None:
        response = self.post(table, table.turn_user, action_fields(table.row, Pass()), True)
        assert "data-build" in elements_of(text(response))["pulse"].attributes


class TestCrossSiteRequests:
    def test_a_post_without_a_token_is_refused(self, table: Played) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(table.turn_user)
        for path in (table.series.get_absolute_url(), reverse("create_series")):
            response = client.post(path, action_fields(table.row, Pass()))
            assert response.status_code == 403
            assert is_whole_page(response)
        assert table.row.ply == 0
        assert Series.objects.count() == 1

    def test_the_forms_of_the_page_carry_it(self, table: Played) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(table.turn_user)
        path = table.series.get_absolute_url()
        form = next(f for f in forms_of(text(client.get(path))) if f.action == "pass")
        assert client.post(path, form.fields).status_code == 200

    def test_so_does_the_page_for_forms_that_came_over_the_socket(self, table: Played) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(table.turn_user)
        path = table.series.get_absolute_url()
        token = re.search(r'"X-CSRFToken": "(\w+)"', text(client.get(path)))
        assert token
        headers = {"X-CSRFToken": token[1], **HTMX}
        fields = action_fields(table.row, Pass())
        assert client.post(path, fields, headers=headers).status_code == 200

    def test_an_invitation_is_not_accepted_without_it(self) -> None:
        series = create_series(user=new_user(), options=Options())
        client = Client(enforce_csrf_checks=True)
        client.force_login(new_user())
        path = reverse("invitation", args=[series.invitation.token])
        assert client.post(path).status_code == 403
        form = next(f for f in forms_of(text(client.get(path))) if f.method == "post")
        assert client.post(path, form.fields).status_code == 302
