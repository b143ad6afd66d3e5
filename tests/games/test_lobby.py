"""The lobby: tables with a free seat, quick match, and series to watch."""

from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.relations import Relation, relate
from games.errors import (
    HasBegun,
    HostAway,
    NotForYou,
    NotOffered,
    RatingOutOfRange,
    SelfInvited,
    TooManyWaiting,
)
from games.models import Listing, Rating, Round, Seat, Series
from games.rules.options import Options
from games.selectors.lobby import open_tables, running_tables
from games.services.bot_series import play_bot
from games.services.lobby import (
    LINK,
    LOBBY,
    MOST_WAITING,
    Company,
    join_table,
    quick_match,
    set_table,
    withdraw_table,
)
from games.services.series import Terms
from games.time_control import TimeControl
from tests.browser import browser, is_whole_page, text
from tests.page import forms_of
from tests.tables import new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

PLAIN = Terms(Options())
CLOCK = Terms(Options(), TimeControl.parse("600+5"))


def listed(user: User | None = None, terms: Terms = PLAIN, company: Company = LOBBY) -> Series:
    return set_table(user=user or new_user(), terms=terms, company=company)


def rate(user: User, value: float, format_: str = "hollywood live") -> None:
    Rating.objects.create(
        user=user,
        format=format_,
        value=value,
        deviation=60,
        volatility=0.06,
        series_count=20,
        rated_at=Now(),
    )


def here(series: Series) -> None:
    """Its host looks at the table."""
    Seat.objects.filter(series=series, number=0).update(seen_at=Now())


def words(response: Any) -> str:
    return " ".join(text(response).split())


class TestTheList:
    def test_it_shows_what_is_offered_and_nothing_else(self) -> None:
        offered, by_link = listed(), listed(company=LINK)
        taken = listed()
        join_table(slug=taken.slug, user=new_user())
        assert [each.series for each in open_tables(new_user().pk)] == [offered]
        page = words(browser().get(reverse("lobby")))
        assert offered.created_by.username in page
        assert by_link.created_by.username not in page

    def test_without_any_table_it_says_so(self) -> None:
        page = words(browser(new_user()).get(reverse("lobby")))
        assert "No table is waiting." in page
        assert "Nobody plays just now." in page

    def test_rules_time_rating_and_range_are_told(self) -> None:
        host = new_user()
        rate(host, 1612)
        terms = Terms(Options(), TimeControl.parse("600+5"), rated=True)
        here(listed(host, terms, Company(listed=True, least=1400, most=1700)))
        page = words(browser(new_user()).get(reverse("lobby")))
        for told in ("Hollywood Gin · 10 min + 5 s an action · rated", "1612", "1400 to 1700"):
            assert told in page

    def test_of_a_host_of_whom_little_is_known_the_rating_is_provisional(self) -> None:
        listed()
        assert "1500?" in words(browser(new_user()).get(reverse("lobby")))

    def test_rules_of_one_s_own_are_marked_and_lead_to_their_card(self) -> None:
        options = Options.from_mapping({"preset": "hollywood", "gin": 20, "box": 0})
        series = listed(terms=Terms(options))
        page = text(browser(new_user()).get(reverse("lobby")))
        assert "2 rules changed" in page
        assert reverse("series_rules", args=[series.slug]) in page

    def test_people_who_are_kept_apart_do_not_see_each_other_s_tables(self) -> None:
        one, other, third = new_user(), new_user(), new_user()
        listed(one)
        listed(other)
        relate(one.pk, other.pk, Relation.Kind.BLOCK)
        assert [each.host for each in open_tables(one.pk)] == [one]
        assert [each.host for each in open_tables(other.pk)] == [other]
        assert len(open_tables(third.pk)) == 2

    def test_with_a_clock_it_is_offered_only_while_its_host_is_there(self) -> None:
        series = listed(terms=CLOCK)
        assert open_tables(new_user().pk) == []
        [own] = open_tables(series.created_by_id)
        assert not own.present
        assert "only while you are at it" in words(browser(series.created_by).get(reverse("lobby")))
        here(series)
        assert [each.series for each in open_tables(new_user().pk)] == [series]

    def test_public_series_of_people_can_be_watched(self) -> None:
        public, private = new_table(), new_table()
        Series.objects.filter(pk=private.series.pk).update(is_private=True)
        play_bot(user=new_user(), bot="beginner", options=Options())
        assert [each.series for each in running_tables()] == [public.series]
        page = text(browser().get(reverse("lobby")))
        assert f'href="{public.series.get_absolute_url()}"' in page
        assert private.series.slug not in page

    def test_a_visitor_and_a_guest_are_told_what_they_need(self) -> None:
        series = listed()
        guest = User.objects.create(username="Guest-77", kind=User.Kind.GUEST)
        for client in (browser(), browser(guest)):
            page = text(client.get(reverse("lobby")))
            assert reverse("account_signup") in page
            assert reverse("lobby_join", args=[series.slug]) not in page
        assert browser(guest).post(reverse("lobby_join", args=[series.slug])).status_code == 403
        with pytest.raises(NotOffered):
            join_table(slug=series.slug, user=guest)


class TestItIsLive:
    def test_nothing_is_sent_while_nothing_changes(self) -> None:
        client = browser(new_user())
        first = client.get(reverse("lobby_tables"))
        stamp = text(first).partition("stamp=")[2].partition('"')[0]
        assert client.get(reverse("lobby_tables"), {"stamp": stamp}).status_code == 204
        listed()
        news = client.get(reverse("lobby_tables"), {"stamp": stamp})
        assert news.status_code == 200
        assert "Sit down" in text(news)

    def test_fault_112_the_part_and_the_page_have_addresses_of_their_own(self) -> None:
        client = browser(new_user())
        assert is_whole_page(client.get(reverse("lobby"), headers={"HX-Request": "true"}))
        assert not is_whole_page(client.get(reverse("lobby_tables")))
        assert "no-store" in client.get(reverse("lobby_tables"))["Cache-Control"]


class TestSittingDown:
    def test_by_the_button_of_the_page(self, rung: list[Any]) -> None:
        series, user = listed(), new_user()
        client = browser(user)
        page = text(client.get(reverse("lobby")))
        assert f'action="{reverse("lobby_join", args=[series.slug])}"' in page
        response = client.post(reverse("lobby_join", args=[series.slug]))
        assert response["Location"] == series.get_absolute_url()
        assert Seat.objects.get(series=series, number=1).user == user
        series.refresh_from_db()
        assert series.status == Series.Status.PLAYING
        assert rung == [(series.pk, 1, series.talk)]

    def test_fault_110_again_it_leads_to_the_table(self) -> None:
        series, user = listed(), new_user()
        for _ in range(2):
            response = browser(user).post(reverse("lobby_join", args=[series.slug]))
            assert response["Location"] == series.get_absolute_url()
        assert Round.objects.count() == 1

    def test_fault_53_the_second_is_told_that_it_is_taken(self) -> None:
        series = listed()
        browser(new_user()).post(reverse("lobby_join", args=[series.slug]))
        response = browser(new_user()).post(reverse("lobby_join", args=[series.slug]))
        assert response.status_code == 409
        assert "taken the seat already" in text(response)
        assert Seat.objects.filter(series=series).count() == 2

    def test_fault_55_nobody_meets_themselves(self) -> None:
        series = listed()
        with pytest.raises(SelfInvited):
            join_table(slug=series.slug, user=series.created_by)

    @pytest.mark.parametrize("kind", [Relation.Kind.BLOCK, Relation.Kind.AVOID])
    @pytest.mark.parametrize("who", [0, 1])
    def test_nor_whom_either_is_kept_apart_from(self, kind: Relation.Kind, who: int) -> None:
        host, guest = new_user(), new_user()
        series = listed(host)
        pair = (host, guest) if who else (guest, host)
        relate(pair[0].pk, pair[1].pk, kind)
        with pytest.raises(NotForYou):
            join_table(slug=series.slug, user=guest)
        link = reverse("invitation", args=[series.invitation.token])
        assert browser(guest).post(link).status_code == 409
        assert Seat.objects.filter(series=series).count() == 1

    def test_only_who_is_in_the_range(self) -> None:
        series = listed(company=Company(listed=True, least=1600))
        strong, weak = new_user(), new_user()
        rate(strong, 1600)
        rate(weak, 1599)
        with pytest.raises(RatingOutOfRange):
            join_table(slug=series.slug, user=weak)
        assert "another rating" in text(browser(weak).get(reverse("lobby")))
        assert join_table(slug=series.slug, user=strong) == series

    def test_not_with_a_clock_whose_host_has_gone(self) -> None:
        series = listed(terms=CLOCK)
        with pytest.raises(HostAway):
            join_table(slug=series.slug, user=new_user())
        here(series)
        assert join_table(slug=series.slug, user=new_user()) == series

    def test_not_by_an_address_that_is_not_offered(self) -> None:
        unlisted = listed(company=LINK)
        for slug in ("nothing", unlisted.slug):
            response = browser(new_user()).post(reverse("lobby_join", args=[slug]))
            assert response.status_code == 409
            assert "not in the lobby any more" in text(response)
        assert Seat.objects.count() == 1

    def test_a_get_sits_nobody_down(self) -> None:
        series = listed()
        assert browser(new_user()).get(reverse("lobby_join", args=[series.slug])).status_code == 405


class TestTakingBack:
    def test_nothing_is_kept(self, rung: list[Any]) -> None:
        series = listed()
        response = browser(series.created_by).post(reverse("lobby_withdraw", args=[series.slug]))
        assert response["Location"] == reverse("lobby")
        assert not Series.objects.exists()
        assert not Listing.objects.exists()
        assert rung == [(series.pk, 0, series.talk + 1)]
        again = browser(series.created_by).post(reverse("lobby_withdraw", args=[series.slug]))
        assert again["Location"] == reverse("lobby")

    def test_not_by_others(self) -> None:
        series = listed()
        browser(new_user()).post(reverse("lobby_withdraw", args=[series.slug]))
        assert Series.objects.filter(pk=series.pk).exists()

    def test_not_once_somebody_has_sat_down(self) -> None:
        series = listed()
        join_table(slug=series.slug, user=new_user())
        with pytest.raises(HasBegun):
            withdraw_table(slug=series.slug, user=series.created_by)
        response = browser(series.created_by).post(reverse("lobby_withdraw", args=[series.slug]))
        assert response.status_code == 409
        assert Round.objects.filter(series=series).exists()


@pytest.mark.parametrize(
    ("control", "company", "hint"),
    [
        ("", LOBBY, "It stands in the lobby. You may leave"),
        ("3d", LOBBY, "It stands in the lobby. You may leave"),
        ("600+5", LOBBY, "Stay here: with a clock, the lobby offers it only while you do."),
        ("600+5", LINK, "You may leave: this table waits on your home page."),
    ],
)
def test_who_waits_is_told_whether_they_may_leave(
    control: str, company: Company, hint: str
) -> None:
    terms = Terms(Options(), TimeControl.parse(control))
    series = set_table(user=new_user(), terms=terms, company=company)
    page = text(browser(series.created_by).get(series.get_absolute_url()))
    assert hint in page
    assert ("when the next free player sits down" in page) == company.listed
    assert hint not in text(browser(new_user()).get(series.get_absolute_url()))


class TestQuickMatch:
    def test_nobody_there_sets_a_table_and_the_next_sits_down(self) -> None:
        first, second = new_user(), new_user()
        made = quick_match(user=first, terms=PLAIN, key=None)
        assert Listing.objects.filter(series=made).exists()
        assert quick_match(user=second, terms=PLAIN, key=None) == made
        assert {seat.user for seat in made.seats.all()} == {first, second}
        assert Series.objects.count() == 1

    def test_the_oldest_that_fits(self) -> None:
        listed(terms=Terms(Options.from_mapping({"preset": "oklahoma"})))
        listed(terms=Terms(Options(), TimeControl.parse("3d")))
        listed(terms=Terms(Options(), rated=True))
        listed(terms=Terms(Options.from_mapping({"target": 150})))
        listed(company=Company(listed=True, least=1900))
        listed(company=LINK)
        listed(terms=CLOCK)  # and nobody at it
        oldest = listed()
        listed()
        assert quick_match(user=new_user(), terms=PLAIN, key=None) == oldest

    def test_fault_55_in_two_browsers_it_meets_nobody(self) -> None:
        user = new_user()
        first = quick_match(user=user, terms=PLAIN, key="one")
        assert quick_match(user=user, terms=PLAIN, key="two") == first
        assert Seat.objects.count() == 1

    def test_who_is_blocked_is_passed_over(self) -> None:
        one, other = new_user(), new_user()
        listed(one)
        relate(other.pk, one.pk, Relation.Kind.BLOCK)
        assert quick_match(user=other, terms=PLAIN, key=None).created_by == other

    def test_fault_110_a_second_press_finds_what_the_first_has_done(self) -> None:
        listed()
        listed()
        user = new_user()
        client = browser(user)
        page = text(client.get(reverse("lobby")))
        fields = next(f.fields for f in forms_of(page) if "address" in f.fields)
        fields |= {"preset": "hollywood", "time": "", "rated": "casual"}
        first, second = (client.post(reverse("lobby_quick"), fields) for _ in range(2))
        assert first["Location"] == second["Location"]
        assert Seat.objects.filter(user=user).count() == 1

    def test_a_form_gone_back_to_that_asks_for_something_else_is_another_wish(self) -> None:
        user, days = new_user(), Terms(Options(), TimeControl.parse("3d"))
        first = quick_match(user=user, terms=PLAIN, key="one")
        second = quick_match(user=user, terms=days, key="one")
        assert (Terms.of(first), Terms.of(second)) == (PLAIN, days)
        Series.objects.filter(pk=second.pk).update(status=Series.Status.OVER)
        assert quick_match(user=user, terms=days, key="one") != second

    def test_an_own_table_of_the_same_kind_is_taken_back(self) -> None:
        user = new_user()
        relate(user.pk, (other := new_user()).pk, Relation.Kind.AVOID)
        listed(other)
        own = quick_match(user=user, terms=PLAIN, key=None)
        theirs = listed()
        assert quick_match(user=user, terms=PLAIN, key=None) == theirs
        assert not Series.objects.filter(pk=own.pk).exists()

    @pytest.mark.parametrize(
        "fields",
        [{}, {"preset": "poker"}, {"preset": "hollywood", "time": "1+1"}, {"rated": "very"}],
    )
    def test_not_by_what_is_no_wish(self, fields: dict[str, str]) -> None:
        response = browser(new_user()).post(reverse("lobby_quick"), fields)
        assert response.status_code == 422
        assert is_whole_page(response)
        assert not Series.objects.exists()


class TestTheLimit:
    def test_so_many_may_wait_and_no_more(self) -> None:
        user = new_user()
        for _ in range(MOST_WAITING):
            listed(user)
        with pytest.raises(TooManyWaiting):
            listed(user, company=LINK)
        clients: list[tuple[Client, str, dict[str, str]]] = [
            (browser(user), reverse("create_series"), {"preset": "hollywood"}),
            (browser(user), reverse("lobby_quick"), {"preset": "oklahoma"}),
        ]
        for client, path, fields in clients:
            response = client.post(path, fields)
            assert response.status_code == 429
            assert "too many tables waiting" in text(response)
        assert Series.objects.count() == MOST_WAITING

    def test_what_is_played_does_not_count(self) -> None:
        user = new_user()
        for _ in range(MOST_WAITING + 1):
            join_table(slug=listed(user).slug, user=new_user())
        assert Series.objects.filter(status=Series.Status.PLAYING).count() == MOST_WAITING + 1


def test_a_table_asked_for_twice_with_one_address_is_one() -> None:
    user = new_user()
    one, same, other = (
        set_table(user=user, terms=PLAIN, company=company, slug="set-aside")
        for company in (LOBBY, LOBBY, LINK)
    )
    assert one == same
    assert one.slug == "set-aside"
    assert other != one
    assert not Listing.objects.filter(series=other).exists()
