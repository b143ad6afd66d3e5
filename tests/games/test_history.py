"""The list of what a player has finished: what stands in it, for whom, and a page at a time."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from accounts.preferences import Preferences
from games.models import Seat, Series
from games.rules.options import Options
from games.selectors import history as history_selector
from games.selectors.history import Cursor, Picks, history, history_page
from games.services.history import hide_series
from games.services.leaving import delete_account
from games.services.request import Wish
from games.services.series import accept_invitation, create_series
from tests.browser import browser, text
from tests.tables import Played, keen, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def played(one: User, other: User, *, ended_at: datetime = NOON, **changes: Any) -> Series:
    """A series that `one` has won, since the other gave it up."""
    options = Options(**changes.pop("options", {}))
    series = create_series(user=one, options=options)
    Series.objects.filter(pk=series.pk).update(**changes)
    accept_invitation(token=series.invitation.token, user=other)
    table = Played(Series.objects.get(pk=series.pk), (one, other))
    table.wish(Wish.RESIGN, other)
    Series.objects.filter(pk=series.pk).update(ended_at=ended_at)
    Seat.objects.filter(series=series).update(ended_at=ended_at)
    return Series.objects.get(pk=series.pk)


def many(one: User, other: User, count: int) -> list[int]:
    """So many series of the two, each a minute after the one before; their ids, newest first."""
    return [
        played(one, other, ended_at=NOON + timedelta(minutes=minute)).pk
        for minute in reversed(range(count))
    ]


@pytest.fixture
def pair() -> tuple[User, User]:
    return new_user("Anna"), new_user("Bertil")


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_selector, "PAGE", 3)


def ids(user: User, *, is_own: bool = True, **picks: Any) -> list[int]:
    seats = history(user.pk, Picks(**picks), is_own=is_own)
    return list(seats.values_list("series_id", flat=True))


class TestWhatASeatSaysOfTheEnd:
    def test_of_a_series_that_was_played_out(self) -> None:
        table = new_table(Options(target=50))
        table.play_series(keen(random.Random(1)))
        one, other = Seat.objects.filter(series=table.series).order_by("number")
        assert {one.result, other.result} == {"won", "lost"}
        assert one.opponent_id == other.user_id
        assert other.opponent_id == one.user_id
        assert one.games_won + other.games_won == 3
        assert one.is_listed
        assert other.is_listed
        assert one.format == ""
        assert not one.is_rated

    def test_of_one_that_was_given_up(self, pair: tuple[User, User]) -> None:
        series = played(*pair)
        assert list(series.seats.order_by("number").values_list("result", "format")) == [
            ("won", "hollywood live"),
            ("lost", "hollywood live"),
        ]

    def test_of_one_that_was_stopped(self) -> None:
        table = new_table()
        for user in table.users:
            table.wish(Wish.OFFER_END, user)
        assert set(table.series.seats.values_list("result", flat=True)) == {"stopped"}

    def test_of_a_rated_one(self, pair: tuple[User, User]) -> None:
        series = played(*pair, rated=True)
        assert set(series.seats.values_list("is_rated", flat=True)) == {True}
        [row] = history_page(pair[0].pk, Picks(), is_own=True).rows
        assert row.rating_change is not None
        assert row.rating_change > 0

    def test_nothing_while_it_runs(self) -> None:
        table = new_table()
        assert list(table.series.seats.values_list("ended_at", "result", "is_listed")) == [
            (None, "", False),
            (None, "", False),
        ]
        assert ids(table.users[0]) == []


class TestWhatIsLookedFor:
    def test_an_opponent(self, pair: tuple[User, User]) -> None:
        one, other = pair
        third = new_user("Carla")
        with_other, with_third = played(one, other).pk, played(third, one).pk
        assert ids(one, opponent=other.pk) == [with_other]
        assert ids(one, opponent=third.pk) == [with_third]
        page = text(browser(one).get("/@Anna/series/", {"opponent": " carla "}))
        assert page.count('class="series-row past"') == 1
        nobody = text(browser(one).get("/@Anna/series/", {"opponent": "Nobody"}))
        assert "No series is like that." in nobody

    def test_a_deleted_opponent_is_not_found_by_what_is_left(self, pair: tuple[User, User]) -> None:
        one, other = pair
        played(one, other)
        delete_account(other.pk)
        page = browser(one).get("/@Anna/series/", {"opponent": f"deleted-{other.pk}"})
        assert "No series is like that." in text(page)
        whole = text(browser(one).get("/@Anna/series/"))
        assert "deleted player" in whole
        assert f"deleted-{other.pk}" not in whole

    def test_result_rules_and_rating(self, pair: tuple[User, User]) -> None:
        one, other = pair
        won = played(one, other, rated=True).pk
        lost = played(other, one, ended_at=NOON - timedelta(1)).pk
        odd = played(one, other, options={"undercut": 25}, ended_at=NOON - timedelta(2)).pk
        assert ids(one, result="won") == [won, odd]
        assert ids(one, result="lost") == [lost]
        assert ids(one, is_rated=True) == [won]
        assert ids(one, format="hollywood live") == [won, lost]
        assert ids(one, format="") == [odd]
        assert ids(one, result="won", is_rated=False, format="") == [odd]

    def test_what_can_t_be_read_is_left_open(self, pair: tuple[User, User]) -> None:
        played(*pair)
        query = {
            "format": "chess",
            "result": "\0",
            "rated": "x",
            "period": "2026-99",
            "before": "1",
        }
        page = browser(pair[0]).get("/@Anna/series/", query)
        assert page.status_code == 200
        assert 'class="series-row past"' in text(page)


@pytest.mark.usefixtures("small_pages")
class TestPages:
    def test_each_series_stands_on_one_page(self, pair: tuple[User, User]) -> None:
        all_ids = many(*pair, 8)
        cursor, seen, pages = None, [], 0
        while pages == 0 or cursor is not None:
            page = history_page(pair[0].pk, Picks(), cursor, is_own=True)
            seen += [row.series.pk for row in page.rows]
            cursor, pages = page.older, pages + 1
        assert seen == all_ids
        assert pages == 3

    def test_back_again(self, pair: tuple[User, User]) -> None:
        all_ids = many(*pair, 8)
        first = history_page(pair[0].pk, Picks(), is_own=True)
        second = history_page(pair[0].pk, Picks(), first.older, is_own=True)
        third = history_page(pair[0].pk, Picks(), second.older, is_own=True)
        again = history_page(pair[0].pk, Picks(), third.newer, is_own=True)
        assert [row.series.pk for row in again.rows] == all_ids[3:6]
        top = history_page(pair[0].pk, Picks(), again.newer, is_own=True)
        assert [row.series.pk for row in top.rows] == all_ids[:3]
        assert top.newer is None

    def test_two_that_ended_at_once_stand_in_one_order(self, pair: tuple[User, User]) -> None:
        at_once = sorted((played(*pair).pk for _ in range(5)), reverse=True)
        first = history_page(pair[0].pk, Picks(), is_own=True)
        rest = history_page(pair[0].pk, Picks(), first.older, is_own=True)
        assert [row.series.pk for row in (*first.rows, *rest.rows)] == at_once

    def test_a_page_keeps_its_place_when_a_series_ends_meanwhile(
        self, pair: tuple[User, User]
    ) -> None:
        all_ids = many(*pair, 5)
        client = browser(pair[0])
        page = text(client.get("/@Anna/series/"))
        older = _link(page, "next")
        played(*pair, ended_at=NOON + timedelta(1))
        after = text(client.get(older))
        slugs = list(Series.objects.filter(pk__in=all_ids[3:]).values_list("slug", flat=True))
        assert after.count('class="series-row past"') == len(slugs) == 2
        assert all(slug in after for slug in slugs)

    def test_the_filter_stays_with_the_page(self, pair: tuple[User, User]) -> None:
        many(*pair, 4)
        played(pair[1], pair[0])
        page = text(browser(pair[0]).get("/@Anna/series/", {"result": "won", "opponent": "Bertil"}))
        older = _link(page, "next")
        assert "result=won" in older
        assert "opponent=Bertil" in older
        second = text(browser(pair[0]).get(older))
        assert second.count('class="series-row past"') == 1
        assert '<option value="won" selected>' in second

    @pytest.mark.parametrize("wrong", ["", "x", "1-", "-1", "1-2-3", "9" * 40 + "-1", "٣-٣", "\0"])
    def test_a_place_that_is_none_is_the_beginning(
        self, pair: tuple[User, User], wrong: str
    ) -> None:
        many(*pair, 4)
        for name in ("before", "after"):
            page = text(browser(pair[0]).get("/@Anna/series/", {name: wrong}))
            assert page.count('class="series-row past"') == 3

    def test_far_back_there_is_nothing_and_a_way_to_the_newest(
        self, pair: tuple[User, User]
    ) -> None:
        many(*pair, 2)
        page = text(browser(pair[0]).get("/@Anna/series/?before=1-1"))
        assert "There is nothing further back." in page
        assert 'href="/@Anna/series/">The newest' in page

    def test_a_cursor_is_read_as_it_was_written(self) -> None:
        cursor = Cursor(datetime(2026, 3, 1, 2, 30, 0, 123457, UTC), 7)
        assert Cursor.parse(str(cursor)) == cursor


def _link(page: str, rel: str) -> str:
    before, _href, after = page.partition(f'rel="{rel}" href="')
    assert before != page, "there is such a link"
    return after.split('"')[0].replace("&amp;", "&")


class TestWhereItLeads:
    def test_a_series_that_is_over_is_looked_back_on_and_one_that_runs_is_played(
        self, pair: tuple[User, User]
    ) -> None:
        series, running = played(*pair), new_table()
        back = f'href="{series.get_absolute_url()}rounds/" class="series-row'
        for path in ("/@Anna/series/", "/", "/@Anna/"):
            assert back in text(browser(pair[0]).get(path)), path
        home = text(browser(running.users[0]).get("/"))
        assert f'href="{running.series.get_absolute_url()}" class="series-row' in home


class TestWhoSeesWhat:
    def test_finished_series_are_everybody_s_and_private_ones_the_players(
        self, pair: tuple[User, User]
    ) -> None:
        one, other = pair
        shown, private = played(one, other), played(one, other, is_private=True)
        for viewer in (None, new_user()):
            page = text(browser(viewer).get("/@Anna/series/"))
            assert shown.slug in page
            assert private.slug not in page
        assert private.slug in text(browser(one).get("/@Anna/series/"))
        assert private.slug not in text(browser(other).get("/@Anna/series/"))
        assert private.slug in text(browser(other).get("/@Bertil/series/"))

    def test_a_series_is_listed_unless_one_of_its_players_hides_it(
        self, pair: tuple[User, User]
    ) -> None:
        one, other = pair
        series = played(one, other)
        path = reverse("hide_series", args=[series.slug])
        way = {"next": "/@Anna/series/?result=won"}
        assert browser(one).post(path, {**way, "hide": "1"})["Location"] == way["next"]
        for viewer, owner in ((None, "Anna"), (None, "Bertil"), (one, "Bertil"), (other, "Anna")):
            assert series.slug not in text(browser(viewer).get(f"/@{owner}/series/"))
        assert "Hidden from others." in text(browser(one).get("/@Anna/series/"))
        # Hiding is each player's own: the other can't show what this one hides.
        assert "Hidden from others." not in text(browser(other).get("/@Bertil/series/"))
        browser(other).post(path)
        assert series.slug not in text(browser().get("/@Anna/series/"))
        browser(one).post(path, way)
        assert series.slug in text(browser().get("/@Anna/series/"))
        assert browser().get(series.get_absolute_url()).status_code == 200

    def test_only_a_player_hides_and_only_what_is_over(self, pair: tuple[User, User]) -> None:
        series, private = played(*pair), played(*pair, is_private=True)
        stranger = browser(new_user())
        assert browser().post(reverse("hide_series", args=[series.slug])).status_code == 302
        for slug, status in ((series.slug, 403), (private.slug, 404), ("none", 404)):
            assert stranger.post(f"/series/{slug}/hide/", {"hide": "1"}).status_code == status
        running = new_table()
        hide_series(series_id=running.series.pk, user_id=running.users[0].pk, is_hidden=True)
        assert not Seat.objects.filter(is_hidden=True).exists()

    def test_one_that_is_deleted_meanwhile_is_no_error_of_ours(
        self, pair: tuple[User, User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gone = Series(pk=0)
        monkeypatch.setattr("games.views.history.series_to_watch", lambda *asked: gone)
        answer = browser(pair[0]).post("/series/gone/hide/", {"hide": "1"})
        assert answer.status_code == 404

    def test_a_private_one_is_never_listed(self, pair: tuple[User, User]) -> None:
        series = played(*pair, is_private=True)
        for is_hidden in (True, False):
            hide_series(series_id=series.pk, user_id=pair[0].pk, is_hidden=is_hidden)
        assert not Seat.objects.filter(is_listed=True).exists()

    def test_who_keeps_it_to_themselves(self, pair: tuple[User, User]) -> None:
        one, other = pair
        series = played(one, other)
        User.objects.filter(pk=one.pk).update(preferences=str(Preferences(history="me")))
        for viewer in (None, other):
            page = text(browser(viewer).get("/@Anna/series/"))
            assert "Anna keeps this to themselves." in page
            assert series.slug not in page
        assert series.slug in text(browser(one).get("/@Anna/series/"))

    def test_of_somebody_who_can_t_be_found(self, pair: tuple[User, User]) -> None:
        guest = User.objects.create(username="Guest-77", kind=User.Kind.GUEST)
        played(guest, pair[0])
        assert browser().get("/@Nobody/series/").status_code == 404
        assert browser(pair[0]).get("/@Guest-77/series/").status_code == 404
        own = browser(guest).get("/@Guest-77/series/")
        assert own.status_code == 200
        assert 'class="series-row past"' in text(own)
        found = text(browser(pair[0]).get("/@Anna/series/?opponent=guest-77"))
        assert 'class="series-row past"' in found

    def test_the_name_is_as_its_owner_writes_it(self, pair: tuple[User, User]) -> None:
        response = browser().get("/@anna/series/?result=won")
        assert response["Location"] == "/@Anna/series/?result=won"

    def test_an_empty_list_says_what_to_do(self, pair: tuple[User, User]) -> None:
        assert 'href="/bots/"' in text(browser(pair[0]).get("/@Anna/series/"))
        assert "has finished no series yet" in text(browser().get("/@Anna/series/"))

    def test_it_is_linked_from_home_account_and_profile(self, pair: tuple[User, User]) -> None:
        played(*pair)
        for path in ("/", "/account/", "/@Anna/"):
            assert 'href="/@Anna/series/"' in text(browser(pair[0]).get(path))

    def test_what_was_entered_or_imported_is_marked(self, pair: tuple[User, User]) -> None:
        played(*pair)
        Series.objects.update(source=Series.Source.ENTERED)
        assert "<em>entered by hand</em>" in text(browser(pair[0]).get("/@Anna/series/"))


class TestWhatItCosts:
    def test_a_page_is_so_many_queries_however_long_the_list(self, pair: tuple[User, User]) -> None:
        third = new_user()

        def queries() -> int:
            client = browser(pair[0])
            with CaptureQueriesContext(connection) as found:
                assert client.get("/@Anna/series/").status_code == 200
            return len(found)

        played(*pair, rated=True)
        one = queries()
        for number in range(6):
            played(pair[0], third if number % 2 else pair[1], rated=True)
        assert queries() == one <= 9

    @pytest.mark.postgres
    def test_the_list_is_read_from_an_index(self) -> None:
        owner = _long_history()
        cursor = Cursor(NOON + timedelta(days=40), 10**9)
        for picks in (
            Picks(),
            Picks(result="shared"),
            Picks(format="oklahoma days"),
            Picks(opponent=0),
            Picks(is_rated=True),
            Picks(since=NOON, until=NOON + timedelta(days=28)),
        ):
            for is_own in (True, False):
                seats = history(owner, picks, is_own=is_own)
                for page in (seats, history_selector._before(seats, cursor)):
                    plan = page[:26].explain()
                    assert "Index Scan" in plan, plan
                    assert "Seq Scan on games_seat" not in plan, plan
                    assert "Sort" not in plan, plan


def _long_history(count: int = 4000) -> int:
    """Somebody with a long list among others; only their seats, and series that say nothing."""
    owner, other = new_user(), new_user()
    series = Series.objects.bulk_create(
        Series(created_by=owner, preset="hollywood", option_values={}, status="over")
        for _ in range(count)
    )
    Seat.objects.bulk_create(
        Seat(
            series=each,
            user=user,
            number=number,
            side=number,
            ended_at=NOON + timedelta(minutes=20 * minute),
            result="won" if minute % 2 else "lost",
            format="hollywood live",
            opponent=other if user is owner else owner,
            is_rated=minute % 10 == 0,
            is_listed=minute % 50 != 0,
        )
        for minute, each in enumerate(series)
        for number, user in enumerate((owner, other))
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_seat")
        cursor.execute("ANALYZE games_series")
    return owner.pk


class TestFault79:
    """Times and months are those of the viewer's zone."""

    AT = datetime(2026, 3, 1, 2, 30, tzinfo=UTC)

    def page(self, zone: str, query: str = "") -> str:
        client = browser()
        if zone:
            client.cookies["zone"] = zone
        return text(client.get(f"/@Anna/series/{query}"))

    def test_an_evening_in_new_york_is_the_next_morning_in_kolkata(
        self, pair: tuple[User, User]
    ) -> None:
        played(*pair, ended_at=self.AT)
        new_york = self.page("America/New_York")
        assert '<time datetime="2026-02-28T21:30:00-05:00">28 Feb 2026, 21:30</time>' in new_york
        assert "America/New York" in new_york
        kolkata = self.page("Asia/Kolkata")
        assert '<time datetime="2026-03-01T08:00:00+05:30">1 Mar 2026, 08:00</time>' in kolkata
        without = self.page("")
        assert '<time datetime="2026-03-01T02:30:00+00:00">1 Mar 2026, 02:30</time>' in without
        assert "those of UTC" in without

    @pytest.mark.parametrize(
        ("zone", "period", "is_in"),
        [
            ("America/New_York", "2026-02", True),
            ("America/New_York", "2026-03", False),
            ("Asia/Kolkata", "2026-02", False),
            ("Asia/Kolkata", "2026-03", True),
            ("Asia/Kolkata", "2026", True),
        ],
    )
    def test_a_month_is_the_viewer_s(
        self, pair: tuple[User, User], zone: str, period: str, is_in: bool
    ) -> None:
        played(*pair, ended_at=self.AT - timedelta(days=40))
        slug = played(*pair, ended_at=self.AT).slug
        assert (slug in self.page(zone, f"?period={period}")) is is_in

    def test_a_year_ends_when_the_viewer_s_does(self, pair: tuple[User, User]) -> None:
        played(*pair, ended_at=datetime(2024, 5, 1, tzinfo=UTC))
        slug = played(*pair, ended_at=datetime(2026, 1, 1, 2, tzinfo=UTC)).slug
        assert slug in self.page("America/New_York", "?period=2025")
        assert slug in self.page("America/New_York", "?period=2025-12")
        assert slug not in self.page("America/New_York", "?period=2026")
        assert slug in self.page("Asia/Kolkata", "?period=2026-01")

    def test_two_series_at_half_past_one_stand_in_their_true_order(
        self, pair: tuple[User, User]
    ) -> None:
        one = played(*pair, ended_at=datetime(2026, 11, 1, 5, 30, tzinfo=UTC))
        other = played(*pair, ended_at=datetime(2026, 11, 1, 6, 30, tzinfo=UTC))
        page = self.page("America/New_York", "?period=2026-11")
        assert page.count(">1 Nov 2026, 01:30</time>") == 2
        assert page.index(other.slug) < page.index(one.slug)
        assert page.index("01:30:00-05:00") < page.index("01:30:00-04:00")

    def test_leaderboards_say_that_their_periods_are_of_no_zone(self) -> None:
        assert "the same in every time zone" in text(browser().get("/players/"))
