"""Who had the better cards: shown of rounds that are over, beside what became of them."""

import random
import re
from dataclasses import replace

import pytest
from django.test import Client

from games.luck.deal import Luck
from games.models import Series
from games.rendering.cast import Cast
from games.rendering.round_luck import cards_part, goodness
from games.rules.cards import Card
from games.rules.options import Options
from games.selectors.review import lucks_of, rounds_dealt
from games.services.request import Wish
from tests.browser import browser
from tests.tables import Played, keen, new_table

MIDDLING = Luck(dealt=56, upcard=6, first=6, five=29, card=Card["KD"])
GOOD = replace(MIDDLING, dealt=31, five=7)
BAD = replace(MIDDLING, dealt=78, upcard=0, five=51)
SPECTATOR, ANNA = Cast(("Anna", "Bob"), None), Cast(("Anna", "Bob"), 0)


def test_goodness_is_the_share_of_deals_that_are_worse() -> None:
    assert goodness(BAD) < goodness(MIDDLING) < goodness(GOOD) < 1
    assert goodness(MIDDLING) == pytest.approx(0.5, abs=0.05)


def test_who_had_the_better_cards() -> None:
    for lucks, words in (
        ((GOOD, BAD), "Anna had the better cards."),
        ((BAD, GOOD), "Bob had the better cards."),
        ((GOOD, GOOD), "The cards of both were much alike."),
    ):
        part = cards_part([lucks], SPECTATOR)
        assert part is not None
        assert part.words == words


def test_the_viewer_is_you() -> None:
    part = cards_part([(GOOD, BAD)], ANNA)
    assert part is not None
    assert part.words == "You had the better cards."
    assert part.names == ("You", "Bob")


def test_the_better_figure_of_each_measure_is_marked() -> None:
    part = cards_part([(GOOD, BAD)], SPECTATOR)
    assert part is not None
    assert [(row.near, row.far) for row in part.rows] == [
        ("31", "78"),
        ("6", "0"),
        ("6", "6"),
        ("7", "51"),
    ]
    assert [row.near_better for row in part.rows] == [True, True, False, True]
    assert not any(row.far_better for row in part.rows)


def test_over_a_series_it_is_the_mean_and_of_few_rounds_proves_nothing() -> None:
    part = cards_part([(GOOD, BAD), (BAD, GOOD)], SPECTATOR)
    assert part is not None
    assert part.words == "The cards of both were much alike."
    assert part.rows[0].near == part.rows[0].far == "54.5"
    assert part.honest.endswith("So few prove nothing about the deck.")
    many = cards_part([(GOOD, BAD)] * 40, SPECTATOR)
    assert many is not None
    assert "prove" not in many.honest


def test_without_a_round_there_is_nothing() -> None:
    assert cards_part([], SPECTATOR) is None


@pytest.mark.django_db
@pytest.mark.usefixtures("rung")
class TestPages:
    @pytest.fixture
    def table(self) -> Played:
        table = new_table(Options())
        table.play_round(keen(random.Random(1)))
        for user in table.users:
            table.press_next(user)
        return table

    def page(self, table: Played, path: str, client: Client | None = None) -> str:
        answer = (client or Client()).get(f"{table.series.get_absolute_url()}{path}")
        assert answer.status_code == 200
        return re.sub(r"<[^>]+>", "", answer.content.decode())

    def test_a_round_that_is_over_shows_its_cards(self, table: Played) -> None:
        assert "The cards of this round" in self.page(table, "rounds/1/")
        you = browser(table.users[0])
        assert "This is how the cards fell" in self.page(table, "rounds/1/", you)

    def test_seen_from_a_seat_the_other_s_cards_stay_out_of_it(self, table: Played) -> None:
        assert "The cards of this round" not in self.page(table, "rounds/1/?seat=0")

    def test_a_series_shows_its_rounds_that_are_over(self, table: Played) -> None:
        """The round on the table is not in it."""
        page = self.page(table, "rounds/")
        assert "The mean" not in page
        assert "This is how the cards fell" in page
        assert [row.number for row in rounds_dealt(table.series)] == [1]

    def test_of_a_running_round_nothing_is_told(self, table: Played) -> None:
        with pytest.raises(AssertionError, match="running round"):
            lucks_of([table.row])

    def test_a_round_that_was_broken_off_is_left_out(self, table: Played) -> None:
        table.wish(Wish.RESIGN, table.users[0])
        assert [row.number for row in rounds_dealt(table.series)] == [1]

    def test_a_series_that_was_entered_by_hand_has_no_deck(self, table: Played) -> None:
        Series.objects.filter(pk=table.series.pk).update(source=Series.Source.ENTERED)
        table.series.refresh_from_db()
        assert rounds_dealt(table.series) == []
