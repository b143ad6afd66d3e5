"""The pages of statistics: what they say, to whom, and that they say nothing of what still runs."""

import html
import random
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from accounts.preferences import Preferences
from games.counts import Counts
from games.models import Series, Tally
from games.rendering.luck import luck_part
from games.rendering.shares import bar, columns, span
from games.rendering.statistics import site_endings, site_facts, style_rows
from games.rules.options import Options
from games.services.leaving import delete_account
from games.services.request import Wish
from games.services.series import accept_invitation, create_series
from tests.browser import browser
from tests.figures import store_figures
from tests.house import bot_table
from tests.tables import Played, keen, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


def words(client: Client, path: str) -> str:
    """The text of a page, without its tags."""
    answer = client.get(path)
    assert answer.status_code == 200, path
    text = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text)).replace("\xa0", " ")


def page_of(user: User, viewer: User | None = None, query: str = "") -> str:
    return words(browser(viewer), f"/@{user.username}/statistics/{query}")


def a_series(one: User, other: User, **terms: Any) -> Played:
    series = create_series(user=one, options=Options(columns=1, target=50))
    Series.objects.filter(pk=series.pk).update(**terms)
    accept_invitation(token=series.invitation.token, user=other)
    table = Played(Series.objects.get(pk=series.pk), (one, other))
    table.play_series(keen(random.Random(3)))
    return table


class TestAPlayer:
    def test_before_the_first_series_is_over(self) -> None:
        anna, bob = new_user("Anna"), new_user("Bob")
        assert "Your figures appear here when your first series is over." in page_of(anna, anna)
        assert "Anna has played no series to its end yet." in page_of(anna, bob)

    def test_what_was_played(self) -> None:
        anna, bob = new_user("Anna"), new_user("Bob")
        table = a_series(anna, bob)
        winner, loser = (anna, bob) if table.series.winner_side == 0 else (bob, anna)
        assert "Series won 100.0 % 1 of 1" in page_of(winner)
        assert "In a row 1 won best: 1 won" in page_of(winner)
        assert "Series won 0.0 % 0 of 1" in page_of(loser)
        assert "In a row 1 lost best: 0 won" in page_of(loser)

    def test_nothing_is_claimed_of_few_hands(self) -> None:
        anna, bob = new_user("Anna"), new_user("Bob")
        a_series(anna, bob)
        page = page_of(anna)
        assert "from 30 on this says something about luck." in page
        assert "than chance explains" not in page

    def test_the_choice_of_series(self) -> None:
        table = bot_table("beginner")
        person, bot = table.users
        table.wish(Wish.RESIGN, person)
        assert "against bots" in page_of(person)
        assert "Series won 0.0 % 0 of 1" in page_of(person, query="?of=bots")
        assert "against people" in page_of(bot)

    @pytest.mark.parametrize("wanted", ["people", "nothing", "rating 1400", "", "%00", "x" * 999])
    def test_a_choice_that_there_is_not_is_that_of_all(self, wanted: str) -> None:
        table = bot_table("beginner")
        table.wish(Wish.RESIGN, table.users[0])
        assert "Series won 0.0 % 0 of 1" in page_of(table.users[0], query=f"?of={wanted}")

    def test_a_name_in_another_case_is_led_to_the_right_one(self) -> None:
        new_user("Anna"), new_user("Bob")
        assert Client().get("/@anna/statistics/")["Location"] == "/@Anna/statistics/"
        answer = Client().get("/@anna/against/BOB/")
        assert answer["Location"] == "/@Anna/against/Bob/"

    @pytest.mark.parametrize("path", ["/@Nobody/statistics/", "/@Anna/against/Nobody/"])
    def test_nobody(self, path: str) -> None:
        new_user("Anna")
        assert Client().get(path).status_code == 404

    def test_against_oneself_there_is_nothing(self) -> None:
        new_user("Anna")
        assert Client().get("/@Anna/against/anna/").status_code == 404

    def test_s13_who_is_deleted_has_no_page(self) -> None:
        anna, bob = new_user("Anna"), new_user("Bob")
        a_series(anna, bob)
        delete_account(anna.pk)
        gone = User.objects.get(pk=anna.pk).username
        for path in (f"/@{gone}/statistics/", f"/@Bob/against/{gone}/", "/@Anna/statistics/"):
            assert browser(bob).get(path).status_code == 404
        assert "1 of 1" in page_of(bob) or "0 of 1" in page_of(bob)

    def test_who_keeps_their_history_to_themselves_keeps_this_too(self) -> None:
        anna, bob = new_user("Anna"), new_user("Bob")
        a_series(anna, bob)
        User.objects.filter(pk=anna.pk).update(preferences=str(Preferences(history="me")))
        anna.refresh_from_db()
        stranger = new_user()
        for viewer in (None, stranger, bob):
            assert "Anna keeps this to themselves." in page_of(anna, viewer)
            assert "Series won" not in page_of(anna, viewer)
        assert "Series won" in page_of(anna, anna)
        pair = "/@Anna/against/Bob/"
        assert "One of them keeps this to themselves." in words(browser(stranger), pair)
        assert "Side by side" in words(browser(bob), pair)

    def test_of_a_running_series_nothing_shows(self) -> None:
        """Neither of the round on the table nor of those before it."""
        anna, bob = new_user("Anna"), new_user("Bob")
        a_series(anna, bob)
        paths = ("/@Anna/statistics/", "/@Anna/against/Bob/", "/statistics/")
        before = [words(browser(anna), path) for path in paths]
        table = new_table()
        for n, user in enumerate((anna, bob)):
            table.series.seats.filter(number=n).update(user=user)
        table = Played(table.series, (anna, bob))
        table.play_round()
        assert [words(browser(anna), path) for path in paths] == before

    def test_as_few_queries_for_much_as_for_little(
        self, django_assert_max_num_queries: Any
    ) -> None:
        anna, bob = new_user("Anna"), new_user("Bob")
        store_figures(anna, bob, rounds=40)
        for path, most in (
            ("/@Anna/statistics/", 5),
            ("/@Anna/against/Bob/", 4),
            ("/statistics/", 3),
        ):
            with django_assert_max_num_queries(most):
                assert Client().get(path).status_code == 200


FIGURES = Counts(
    series=5,
    series_won=3,
    series_lost=2,
    rated=4,
    rated_score=3000,
    rated_expected=2100,
    games_won=(3, 2, 4),
    games_lost=(2, 3, 1),
    rounds=(20, 30),
    rounds_won=(11, 14),
    rounds_lost=(8, 15),
    points_won=(330, 240),
    points_lost=(190, 420),
    won_by=(4, 1, 15, 3, 2),
    lost_by=(6, 2, 9, 5, 1),
    knocks=20,
    knock_deadwood=114,
    knock_turns=(0, 1, 4, 10, 10, *[0] * 10),
    draws=240,
    takes=60,
)
"""Fifty rounds, figure by figure; two were drawn."""


class TestEachFigure:
    @pytest.fixture
    def page(self) -> str:
        anna = new_user("Anna")
        row = {"counts": FIGURES.to_mapping(), "streak": -2, "best_streak": 3}
        Tally.objects.create(user=anna, scope="all", **row)
        Tally.objects.create(user=None, scope="all", counts=FIGURES.to_mapping())
        return page_of(anna)

    @pytest.mark.parametrize(
        "figure",
        [
            "Series won 60.0 % 3 of 5",
            "Games won 60.0 % 9 of 15",
            "Rounds won 50.0 % 25 of 50",
            "In a row 2 lost best: 3 won",
            "In 4 rated series, 2.1 wins were to be expected by the ratings; there were 3.0.",
            "Game 1 won: 3 lost: 2 won 3, lost 2 Game 2",
            "Not dealing 20 55.0 % 16.5 9.5",
            "Dealing 30 46.7 % 8.0 14.0",
            "won by gin 4 8.0 %",
            "won by big gin 1 2.0 %",
            "won by a knock 15 30.0 %",
            "undercut the other 3 6.0 %",
            "the other gave up 2 4.0 %",
            "drawn 2 4.0 %",
            "gave up 1 2.0 %",
            "was undercut 5 10.0 %",
            "lost to a knock 9 18.0 %",
            "lost to big gin 2 4.0 %",
            "lost to gin 6 12.0 %",
            "Rounds ended by their own knock or gin 50.0 % 50.0 %",
            "Of these gin 20.0 % 20.0 %",
            "In which of their turns 4.2 4.2",
            "Deadwood at a knock 5.7 5.7",
            "Knocks that were undercut 25.0 % 25.0 %",
            "The other's knocks undercut 25.0 % 25.0 %",
            "Cards drawn or taken in a round 6.0 6.0",
            "Of these from the discard pile 20.0 % 20.0 %",
        ],
    )
    def test_stands_on_the_page(self, page: str, figure: str) -> None:
        assert figure in html.unescape(page)

    def test_every_picture_has_a_table_beneath(self) -> None:
        anna, bob = new_user("Anna"), new_user("Bob")
        store_figures(anna, bob, rounds=40)
        for path in ("/@Anna/statistics/", "/@Anna/against/Bob/", "/statistics/"):
            page = Client().get(path).content.decode()
            _, *pictures = re.split(r'<svg class="bar-chart"|<figure class="histogram"', page)
            assert len(pictures) > 1, path
            # Of the games of a series the numbers stand in a line.
            assert all("<table" in after or "<small>" in after for after in pictures), path


class TestTwo:
    def test_who_never_met(self) -> None:
        new_user("Anna"), new_user("Bob")
        assert "have played no series" in words(Client(), "/@Anna/against/Bob/")

    def test_side_by_side_from_either_end(self) -> None:
        anna, bob = new_user("Anna"), new_user("Bob")
        table = a_series(anna, bob)
        one, other = (1, 0) if table.series.winner_side == 0 else (0, 1)
        assert f"Series won {one} {other}" in words(Client(), "/@Anna/against/Bob/")
        assert f"Series won {other} {one}" in words(Client(), "/@Bob/against/Anna/")

    def test_what_was_private_is_for_the_two_only(self) -> None:
        anna, bob = new_user("Anna"), new_user("Bob")
        a_series(anna, bob, is_private=True)
        path = "/@Anna/against/Bob/"
        assert "have played no series" in words(Client(), path)
        assert "have played no series" in words(browser(new_user()), path)
        assert "Side by side" in words(browser(anna), path)
        assert "Side by side" in words(browser(bob), path)

    def test_the_viewer_finds_the_way(self) -> None:
        anna, bob = new_user("Anna"), new_user("Bob")
        page = browser(bob).get("/@Anna/statistics/").content.decode()
        assert 'href="/@Bob/against/Anna/"' in page
        assert "against" not in browser(anna).get("/@Anna/statistics/").content.decode()


class TestTheSite:
    def test_nothing_played(self) -> None:
        assert "appear here when the first series is over" in words(Client(), "/statistics/")

    def test_a_round_is_one_though_both_players_count_it(self) -> None:
        table = a_series(new_user("Anna"), new_user("Bob"))
        page = words(Client(), "/statistics/")
        assert f"Series 1 Rounds {table.row.number} " in page

    def test_it_asks_whether_bots_get_better_cards(self) -> None:
        table = bot_table("beginner")
        table.wish(Wish.RESIGN, table.users[0])
        page = words(Client(), "/statistics/")
        assert "Do bots get better cards?" in page
        assert table.users[1].username in page

    def test_with_many_hands_of_a_fair_deck_it_says_so(self) -> None:
        store_figures(new_user("Anna"), new_user("Bob"), rounds=120)
        page = words(Client(), "/statistics/")
        assert "Over 240 hands the cards came as a fair deck gives them." in page

    def test_and_of_another_it_does_not(self) -> None:
        anna, bob = new_user("Anna"), new_user("Bob")
        store_figures(anna, bob, rounds=60)
        row = Tally.objects.get(user=anna, opponent=None, scope="all")
        counts = row.to_domain()
        better = tuple(sum_ * 4 // 5 for sum_ in counts.luck_dealt)
        row.counts = {**row.counts, "luck_dealt": list(better)}
        row.save()
        page = page_of(anna)
        assert "Deadwood of the ten cards dealt: better than chance explains" in page
        assert "Chance alone does so to one in twenty." in page

    def test_no_band_of_ratings_is_to_be_chosen(self) -> None:
        store_figures(new_user("Anna"), new_user("Bob"), rounds=3)
        Tally.objects.create(user=None, scope="rating 1400", counts={})
        assert "rating 1400" not in words(Client(), "/statistics/")


def test_numbers_in_pictures_have_a_point_in_every_language() -> None:
    store_figures(new_user("Anna"), new_user("Bob"), rounds=40)
    with translation.override("sr"):
        answer = Client(headers={"accept-language": "sr"}).get("/@Anna/statistics/")
    page = answer.content.decode()
    places = re.findall(r' (?:x|y|x1|x2|y1|y2|cx|cy|width|height)="([^"]*)"', page)
    assert len(places) > 100
    assert all(re.fullmatch(r"-?[0-9.]+%?", place) for place in places)


# Pictures, by hand


def test_a_bar_has_the_room_of_what_it_counts() -> None:
    slices = bar([("won", "won", 1), ("drawn", "drawn", 0), ("lost", "lost", 3)])
    places = [(each.x, each.width) for each in slices]
    assert places == [("0%", "25%"), ("25%", "0%"), ("25%", "75%")]
    assert [each.width for each in bar([("won", "won", 0)])] == ["0%"]


def test_columns_stand_beside_what_was_expected() -> None:
    low, high = columns(["a", "b"], [1, 1], [0.25, 0.75])
    assert low.height == high.height
    assert float(low.mark) > float(low.y)
    assert float(high.mark) < float(high.y)
    assert columns(["a"], [0])[0].height == "0.0"


def test_better_is_on_the_right_whichever_way_is_better() -> None:
    assert span(2.0, 1.0).seen == span(-2.0, 1.0, is_less_better=True).seen
    assert float(span(2.0, 1.0).seen.rstrip("%")) > 50
    assert span(0.0, 0.0).seen == "50%"


def test_figures_of_nothing_are_dashes() -> None:
    assert {row.mine for row in style_rows(Counts(), Counts())} == {"–"}
    assert [fact.value for fact in site_facts(Counts())] == ["0", "0", "–", "–"]
    assert site_endings(Counts()) == ()
    assert luck_part(Counts()).few
