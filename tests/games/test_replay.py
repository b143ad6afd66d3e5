"""Looking back: the rounds of a series, and a round action by action."""

import random
import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.models import Round, Series
from games.rendering.picture import LINE, Picture, PicturedHand
from games.rendering.words import card_name
from games.rules.actions import Resign
from games.rules.cards import CardSet, card_set, cards_in
from games.rules.melds import best_arrangement
from games.rules.options import Options
from games.rules.round import RoundState
from games.rules.state import Phase
from games.selectors.review import Replay, replay_of
from games.services.request import Wish
from games.views import replay as replay_views
from tests.browser import HTMX, browser, is_whole_page, text
from tests.cards_named import cards_named
from tests.e2e.dealing import dealt_table, plain_action
from tests.games.scenes import SCENES
from tests.games.test_templates import table_page
from tests.house import bot_table, play_round
from tests.tables import Played, keen, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


@pytest.fixture
def table() -> Played:
    """Two rounds are over, the third runs; in the first a card was taken, and somebody won."""
    table = dealt_table(lambda story: len(story) > 9 and any(story[-2].shown))
    for _ in range(2):
        table.play_round(plain_action)
        for user in table.users:
            table.press_next(user)
    return table


def rounds_of(table: Played) -> str:
    return f"{table.series.get_absolute_url()}rounds/"


def row_of(table: Played, number: int) -> Round:
    rounds = Round.objects.select_related("series", "first_seat", "second_seat")
    return rounds.get(series=table.series, number=number)


def replay_in(table: Played, number: int) -> Replay:
    return replay_of(row_of(table, number))


def get(path: str, user: User | None = None) -> str:
    response = browser(user).get(path)
    assert response.status_code == 200, path
    return text(response)


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def faces(html: str) -> CardSet:
    """The cards whose faces lie on the felt."""
    return card_set(cards_named(" ".join(re.findall(r'<img class="face"[^>]*alt="([^"]*)"', html))))


def known_to_all(state: RoundState, near: int) -> CardSet:
    """The cards that lie open, as far as the felt shows them, and those of one hand."""
    return state.hands[near] | state.shown[1 - near] | card_set(state.pile[-2:])


class TestTheRounds:
    def test_every_entry_of_the_pad_leads_to_its_round(self, table: Played) -> None:
        page = get(rounds_of(table))
        linked = re.findall(r'<td class="[^"]*"><a href="([^"]*)"[^>]*>(\d+)</a>', page)
        stored = table.series.entries.values_list("round__number", "points")
        assert {url for url, _total in linked} == {
            f"{rounds_of(table)}{number}/" for number, _points in stored
        }
        assert len(linked) == len(stored)

    def test_each_tells_who_dealt_how_it_ended_its_points_and_its_length(
        self, table: Played
    ) -> None:
        page = words(get(rounds_of(table)))
        for number in (1, 2):
            row = row_of(table, number)
            dealer = row.seat_at(row.dealer).user.username
            assert f"{dealer} dealt · {row.ply} actions" in page
            if row.winner is not None:
                winner = row.seat_at(row.winner).user.username
                assert f"{winner} : {row.get_kind_display()}" in page

    def test_the_shape_stands_in_a_table_too(self, table: Played) -> None:
        page = get(rounds_of(table))
        assert page.count('<svg class="chart leads"') == 3
        entries = list(table.series.entries.filter(game=1).order_by("round__number"))
        lead = sum(each.points if each.side == 0 else -each.points for each in entries)
        last = re.findall(
            r'<th scope="row"><a [^>]*>2</a></th><td class="number">(-?\d+)</td>', page
        )
        assert last == [str(lead)]

    def test_each_game_leads_to_the_end_of_the_round_that_ended_it(self) -> None:
        table = new_table(Options(target=50))
        table.play_series(keen(random.Random(1)))
        page = get(rounds_of(table))
        for game in (1, 2, 3):
            last = table.series.entries.filter(game=game).order_by("round__number").last()
            assert last is not None
            caption = page.split(f"<b>Game {game}</b>")[1].split("</figcaption>")[0]
            assert f"★ {table.users[last.side].username}" in caption
            end = f"{rounds_of(table)}{last.round.number}/{last.round.ply}/"
            assert f'href="{end}">in round {last.round.number}</a>' in caption
            assert "scores" in get(end)

    def test_of_one_that_still_runs_no_game_leads_anywhere(self, table: Played) -> None:
        assert "in round" not in get(rounds_of(table))

    def test_of_one_that_was_resigned_in_its_first_round_there_is_no_shape(self) -> None:
        table = new_table()
        table.wish(Wish.RESIGN, table.users[0])
        page = get(rounds_of(table))
        assert '<svg class="chart' not in page
        assert "round 1, 1 action<" in page
        assert "broken off" in page

    def test_before_the_first_has_ended_it_says_so(self) -> None:
        page = get(rounds_of(new_table()))
        assert "No round of this series has ended yet" in page
        assert '<svg class="chart' not in page

    def test_s1_the_round_that_runs_is_not_among_them(self, table: Played) -> None:
        for user in (*table.users, None):
            page = get(rounds_of(table), user)
            assert "/rounds/2/" in page
            assert "/rounds/3/" not in page
            assert "/cards/" not in page

    def test_of_a_finished_series_it_tells_who_has_won(self) -> None:
        table = new_table()
        table.play_series(lambda state: Resign())
        assert "has won the series" in get(rounds_of(table))


class TestTheReplay:
    def test_every_action_has_an_address(self, table: Played) -> None:
        replay = replay_in(table, 1)
        for ply in range(replay.last + 1):
            page = get(f"{rounds_of(table)}1/{ply}/")
            assert f'data-ply="{ply}" aria-current="step"' in page
        assert browser().get(f"{rounds_of(table)}1/{replay.last + 1}/").status_code == 404

    def test_a_round_begins_with_its_deal(self, table: Played) -> None:
        page = get(f"{rounds_of(table)}2/")
        assert "The deal." in page
        assert 'rel="next"' in page

    @pytest.mark.parametrize("number", [0, 99, 10**30])
    def test_there_is_no_other(self, table: Played, number: int) -> None:
        assert browser().get(f"{rounds_of(table)}{number}/").status_code == 404
        assert browser().get(f"{rounds_of(table)}1/{number + 900}/").status_code == 404

    def test_both_hands_lie_open_best_arranged_with_their_deadwood(self, table: Played) -> None:
        replay = replay_in(table, 1)
        for ply in range(replay.last):
            state = replay.steps[ply].state
            if state.phase in (Phase.DEFENCE, Phase.OVER):
                continue
            page = get(f"{rounds_of(table)}1/{ply}/")
            assert faces(page) == known_to_all(state, 0) | state.hands[1]
            counts = re.findall(r"deadwood <b>(\d+)</b>", page)
            best = [best_arrangement(state.hands[seat]).deadwood_points for seat in (1, 0)]
            assert counts == [str(points) for points in best]

    def test_the_deadwood_is_a_line_over_the_round_with_its_numbers_in_a_table(
        self, table: Played
    ) -> None:
        """Of eleven cards what the best discard leaves."""
        replay = replay_in(table, 1)
        page = get(f"{rounds_of(table)}1/3/")
        rows = re.findall(
            r'/1/(\d+)/">\d+</a></th><td class="number">(\d+)</td><td class="number">(\d+)</td>',
            page.partition("Deadwood after each action")[2],
        )
        assert [int(ply) for ply, *_counts in rows] == list(range(len(replay.steps)))
        for step, (_ply, *counts) in zip(replay.steps, rows, strict=True):
            if step.state.phase in (Phase.DEFENCE, Phase.OVER):
                continue
            for seat, count in enumerate(counts):
                hand = step.state.hands[seat]
                held = [hand ^ card.bit for card in cards_in(hand) if card != step.state.taken]
                kept = held if hand.bit_count() == 11 else [hand]
                assert int(count) == min(best_arrangement(ten).deadwood_points for ten in kept)
        line = page.partition('id="line"')[2].partition("</figure>")[0]
        points = [each.split() for each in re.findall(r'points="([^"]*)"', line)]
        assert [len(each) for each in points] == [len(replay.steps)] * 2

    @pytest.mark.parametrize("seat", [0, 1])
    def test_from_a_seat_one_sees_what_its_player_saw(self, table: Played, seat: int) -> None:
        replay = replay_in(table, 1)
        for ply in range(replay.last):
            state = replay.steps[ply].state
            if state.phase in (Phase.DEFENCE, Phase.OVER):
                continue
            page = get(f"{rounds_of(table)}1/{ply}/?seat={seat}")
            assert faces(page) == known_to_all(state, seat)
            drawn = {
                card
                for each in replay.steps
                if (card := each.state.drawn) is not None and each.state.turn != seat
            }
            assert not {card for card in drawn if f"drew the {card_name(card)}" in page}

    def test_its_links_keep_the_eyes(self, table: Played) -> None:
        page = get(f"{rounds_of(table)}1/3/?seat=1")
        assert f'href="{rounds_of(table)}1/4/?seat=1"' in page
        assert f'href="{rounds_of(table)}1/2/?seat=1"' in page
        assert '<input type="hidden" name="seat" value="1">' in page

    def test_the_slider_leads_there_without_javascript(self, table: Played) -> None:
        response = browser().get(f"{rounds_of(table)}1/?ply=5&seat=1")
        assert response.status_code == 302
        assert response.headers["Location"] == f"{rounds_of(table)}1/5/?seat=1"

    @pytest.mark.parametrize(
        "query", ["ply=x", "ply=-1", "ply=²", "ply=99999999", "seat=7", "seat="]
    )
    def test_a_query_that_says_nothing_is_none(self, table: Played, query: str) -> None:
        assert browser().get(f"{rounds_of(table)}1/3/?{query}").status_code == 200

    def test_it_counts_what_each_knew(self, table: Played) -> None:
        replay = replay_in(table, 1)
        ply = next(n for n, each in enumerate(replay.steps) if any(each.state.shown))
        state = replay.steps[ply].state
        page = get(f"{rounds_of(table)}1/{ply}/?seat=0")
        unseen = 52 - (known_to_all(state, 0) | card_set(state.pile)).bit_count()
        assert f"not seen {unseen} cards" in words(page)
        assert page.count('<i class="own">') == state.hands[0].bit_count()
        assert page.count('<i class="theirs">') == state.shown[1].bit_count()

    def test_the_end_shows_the_sum_and_where_it_went(self, table: Played) -> None:
        row = row_of(table, 1)
        page = words(get(f"{rounds_of(table)}1/{row.ply}/"))
        assert f"= {row.points}" in page
        assert "first win: game 1." in page

    def test_a_bot_tells_why(self, settings: Any) -> None:
        settings.BOT_PACE = 0
        table = bot_table("club")
        row = play_round(table)
        replay = replay_of(row)
        assert replay.reasons
        for ply in replay.reasons:
            assert '<p class="why">Chester' in get(f"{rounds_of(table)}1/{ply}/")

    def test_a_round_that_was_resigned_or_broken_off(self) -> None:
        for wish, words_ in ((None, "resigned the round"), (Wish.RESIGN, "was broken off")):
            table = new_table()
            if wish is None:
                table.act(Resign())
            else:
                table.wish(wish, table.users[0])
            row = table.row
            for ply in range(row.ply + 1):
                page = get(f"{rounds_of(table)}1/{ply}/")
            assert words_ in page

    @pytest.mark.parametrize("preset", ["oklahoma", "straight-gin", "gin-rummy-classic"])
    def test_under_other_rules_too(self, preset: str) -> None:
        table = new_table(Options.from_mapping({"preset": preset}))
        row = table.play_round(keen(random.Random(3)))
        for path in ("", *(f"1/{ply}/" for ply in (0, row.ply // 2, row.ply))):
            get(f"{rounds_of(table)}{path}")

    def test_it_asks_the_database_the_same_few_times(
        self, table: Played, django_assert_max_num_queries: Any
    ) -> None:
        client = browser(table.users[0])
        for ply in (0, 5):
            with django_assert_max_num_queries(6):
                client.get(f"{rounds_of(table)}1/{ply}/")


class TestWhoMayLookBack:
    def everybody(self, table: Played) -> tuple[User | None, ...]:
        boss = User.objects.create_superuser("boss")
        helper = User.objects.create(username="helper", is_staff=True)
        return (*table.users, new_user(), boss, helper, None)

    def test_s9_a_running_round_is_refused_to_everybody_as_if_there_were_none(
        self, table: Played
    ) -> None:
        for user in self.everybody(table):
            for ply in ("", "0/", "1/"):
                running = browser(user).get(f"{rounds_of(table)}3/{ply}")
                none = browser(user).get(f"{rounds_of(table)}4/{ply}")
                assert running.status_code == none.status_code == 404
                assert plain(running) == plain(none)

    def test_s9_those_of_a_private_series_are_its_players_own(self, table: Played) -> None:
        Series.objects.filter(pk=table.series.pk).update(is_private=True)
        for user in self.everybody(table):
            status = 200 if user in table.users else 404
            for path in ("", "1/", "1/2/"):
                assert browser(user).get(f"{rounds_of(table)}{path}").status_code == status

    def test_nobody_changes_anything(self, table: Played) -> None:
        for path in ("", "1/", "1/2/"):
            assert browser(table.users[0]).post(f"{rounds_of(table)}{path}").status_code == 405


def plain(response: Any) -> str:
    """A page but for the address that was asked for."""
    return re.sub(r"/series/[^\"&?]*|%2Fseries[^\"&]*", "", text(response))


class TestFault112:
    def test_a_step_is_a_fragment_and_says_that_it_varies(self, table: Played) -> None:
        path = f"{rounds_of(table)}1/3/"
        fragment, page = browser().get(path, headers=HTMX), browser().get(path)
        assert not is_whole_page(fragment)
        assert is_whole_page(page)
        for response in (fragment, page):
            assert "HX-Request" in response.headers["Vary"]
            assert "no-cache" in response.headers["Cache-Control"]
        for part in ("looks", "felt", "steps", "line", "known"):
            assert f' id="{part}"' in text(fragment)
            assert f' id="{part}"' in text(page)

    def test_what_comes_back_in_the_history_is_a_page(self, table: Played) -> None:
        headers = {**HTMX, "HX-History-Restore-Request": "true"}
        assert is_whole_page(browser().get(f"{rounds_of(table)}1/3/", headers=headers))


class TestTheWayThere:
    def test_the_table_leads_to_the_replay_once_a_round_is_over(self, table: Played) -> None:
        table.play_round(keen(random.Random(3)))
        page = get(table.series.get_absolute_url(), table.users[0])
        slip = page.split('class="slip')[1].split("</div>")[0]
        assert f'href="{rounds_of(table)}3/"' in slip
        assert page.count(f'href="{rounds_of(table)}1/"') >= 1

    def test_no_way_leads_to_the_running_round(self, table: Played) -> None:
        page = get(table.series.get_absolute_url(), table.users[0])
        assert f'href="{rounds_of(table)}2/"' in page
        assert f"{rounds_of(table)}3/" not in page

    def test_the_scenes_of_the_table_offer_it_only_at_the_end(self) -> None:
        for name, make in SCENES.items():
            scene = make()
            over = scene.state.phase is Phase.OVER
            assert ("Replay</a>" in table_page(scene.table(0))) == over, name


class TestThePicture:
    def test_it_is_a_png_of_the_size_that_sites_show(self, table: Played) -> None:
        for ply in (0, 3, row_of(table, 1).ply):
            response = browser().get(f"{rounds_of(table)}1/{ply}/picture.png")
            assert response.headers["Content-Type"] == "image/png"
            assert "public, max-age=" in response.headers["Cache-Control"]
            assert response.content[:8] == b"\x89PNG\r\n\x1a\n"
            size = response.content[16:24]
            assert (int.from_bytes(size[:4]), int.from_bytes(size[4:])) == (1200, 630)

    def test_each_action_has_its_own_and_all_see_the_same(self, table: Played) -> None:
        first, second = (f"{rounds_of(table)}1/{ply}/picture.png" for ply in (1, 2))
        assert browser().get(first).content != browser().get(second).content
        assert browser(table.users[0]).get(first).content == browser().get(first).content

    def test_the_page_says_where_it_is(self, table: Played, settings: Any) -> None:
        page = get(f"{rounds_of(table)}1/3/")
        address = f"{settings.SITE_URL}{rounds_of(table)}1/3/"
        assert f'<meta property="og:url" content="{address}">' in page
        assert f'<meta property="og:image" content="{address}picture.png">' in page
        assert '<meta name="twitter:card" content="summary_large_image">' in page

    def test_its_words_fit_in_two_lines(self) -> None:
        long = " ".join(["nine of clubs,"] * 30)
        hand = PicturedHand("Bob", 3, won=False, groups=(), fresh=None)
        lines = Picture(1, "The deal.", hand, hand, long, "").lines
        assert len(lines) == 2
        assert all(len(line) <= LINE for line in lines)

    def test_s9_there_is_none_of_a_running_round_nor_of_a_private_series(
        self, table: Played
    ) -> None:
        paths = [f"{rounds_of(table)}3/0/picture.png", f"{rounds_of(table)}1/900/picture.png"]
        for path in paths:
            assert browser(table.users[0]).get(path).status_code == 404
        Series.objects.filter(pk=table.series.pk).update(is_private=True)
        path = f"{rounds_of(table)}1/3/"
        assert browser(table.users[0]).get(f"{path}picture.png").status_code == 404
        assert "og:image" not in get(path, table.users[0])

    def test_who_asks_for_very_many_waits(
        self, table: Played, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(replay_views, "PICTURES", 1)
        path = f"{rounds_of(table)}1/3/picture.png"
        client = Client(REMOTE_ADDR="203.0.113.77")
        assert [client.get(path).status_code for _ in range(2)] == [200, 429]
