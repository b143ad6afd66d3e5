"""What is counted of rounds and series; running tallies are what all the logs come to."""

import random
from collections.abc import Sequence
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games.counts import ENDINGS, Counts, PlayedRound, count_round
from games.luck.deal import MEASURES, luck_of
from games.models import Seat, Series, Tally
from games.rules.actions import Resign
from games.rules.cards import DECK, Card
from games.rules.events import Discarded, Drew, Knocked, Took
from games.rules.log import EMPTY_LOG, Entry, fold, logged
from games.rules.options import Options
from games.rules.round import play
from games.rules.scoring import (
    DRAWN_ROUND,
    VOID_ROUND,
    Ending,
    RoundResult,
    score_big_gin,
    score_knock,
    score_resignation,
)
from games.rules.state import deal
from games.selectors import counting
from games.selectors.audit import tally_differences
from games.services.counting import count_series, move_counts, recount_all
from games.services.leaving import delete_account
from games.services.request import Wish
from games.services.series import accept_invitation, create_series
from tests.house import bot_table
from tests.tables import Played, keen, new_table, new_user

UPCARD = Card["KD"]


def played(result: RoundResult, log: str, dealer: int = 1) -> PlayedRound:
    return PlayedRound(DECK, dealer, log, result)


def knock(knocker: int, deadwood: int, left: int) -> RoundResult:
    return score_knock(
        Options(), UPCARD, knocker=knocker, knocker_deadwood=deadwood, defender_deadwood=left
    )


def by(ending: Ending) -> tuple[int, ...]:
    return tuple(int(each is ending) for each in ENDINGS)


class TestARound:
    def test_a_knock(self) -> None:
        """Seat 0 draws, seat 1 takes, seat 0 knocks in its second turn with 4 against 11."""
        both = played(knock(0, 4, 11), "1 p p d xKD t x9C d kQH")
        mine, theirs = count_round(both, 0), count_round(both, 1)
        assert (mine.rounds, mine.rounds_won, mine.rounds_lost) == ((1, 0), (1, 0), (0, 0))
        assert (theirs.rounds, theirs.rounds_won, theirs.rounds_lost) == ((0, 1), (0, 0), (0, 1))
        assert (mine.points_won, theirs.points_lost) == ((7, 0), (0, 7))
        assert mine.won_by == theirs.lost_by == by(Ending.KNOCK)
        assert (mine.knocks, mine.knock_deadwood) == (1, 4)
        assert (theirs.knocks, theirs.knock_deadwood) == (0, 0)
        assert mine.knock_turns[1] == sum(mine.knock_turns) == 1
        assert sum(theirs.knock_turns) == 0
        assert (mine.draws, mine.takes, theirs.draws, theirs.takes) == (2, 0, 0, 1)

    def test_gin_is_no_knock_with_deadwood_but_has_its_turn(self) -> None:
        mine = count_round(played(knock(0, 0, 20), "1 t kQH"), 0)
        assert (mine.won_by, mine.knocks, mine.points_won) == (by(Ending.GIN), 0, (45, 0))
        assert mine.knock_turns[0] == 1

    def test_big_gin_has_no_discard(self) -> None:
        result = score_big_gin(Options(big_gin=31), UPCARD, knocker=1, defender_deadwood=9)
        mine = count_round(played(result, "1 p p d xKD d b"), 1)
        assert (mine.won_by, mine.points_won) == (by(Ending.BIG_GIN), (0, 40))
        assert mine.knock_turns[0] == 1

    def test_an_undercut_is_one_for_the_defender_and_one_against_the_knocker(self) -> None:
        both = played(knock(0, 9, 5), "1 p p d kQH l=")
        knocker, defender = count_round(both, 0), count_round(both, 1)
        assert knocker.lost_by == defender.won_by == by(Ending.UNDERCUT)
        assert (knocker.knocks, knocker.knock_deadwood) == (1, 9)
        assert defender.knocks == 0
        assert knocker.points_lost == (14, 0)

    def test_a_drawn_round(self) -> None:
        mine = count_round(played(DRAWN_ROUND, "1 p p d xKD"), 0)
        assert (mine.rounds, mine.rounds_drawn) == ((1, 0), 1)
        assert sum(mine.won_by) + sum(mine.lost_by) == 0

    def test_a_resigned_round(self) -> None:
        result = score_resignation(Options(), UPCARD, resigner=0, deadwood=30)
        both = played(result, "1 p r0")
        assert count_round(both, 0).lost_by == by(Ending.RESIGNED)
        assert count_round(both, 1).points_won == (0, 55)

    def test_of_a_round_that_was_broken_off_the_luck_counts(self) -> None:
        """Else who gives up on bad cards would look lucky."""
        mine = count_round(played(VOID_ROUND, "1 p p d v"), 0)
        assert mine.luck_deals == (1, 0)
        assert mine.rounds == (0, 0)
        assert mine.draws == 0

    def test_the_luck_goes_by_the_part(self) -> None:
        for seat, dealer in ((0, 0), (0, 1), (1, 0), (1, 1)):
            counts = count_round(played(DRAWN_ROUND, "1 p p", dealer), seat)
            luck = luck_of(DECK, is_dealer=seat == dealer)
            for measure in MEASURES:
                assert counts.luck(measure)[int(seat == dealer)] == luck.of(measure)
                assert counts.luck(measure)[int(seat != dealer)] == 0
            assert counts.luck_tens[luck.dealt // 10] == sum(counts.luck_tens) == 1
            assert counts.luck_cards[luck.card] == sum(counts.luck_cards) == 1

    def test_a_late_knock_is_in_the_last_turn_that_is_told_apart(self) -> None:
        log = "1 p p" + " d xKD" * 60 + " d kQH"
        assert count_round(played(knock(0, 4, 11), log), 0).knock_turns[-1] == 1

    def test_letters_of_the_log_say_what_a_replay_says(self) -> None:
        """200 rounds: draws, takes and turns as the events of the rules have them."""
        chance = random.Random(5)
        for _ in range(200):
            both, events = random_round(chance)
            for seat in (0, 1):
                counts = count_round(both, seat)
                own = [each for each in events if getattr(each, "seat", None) == seat]
                assert counts.draws == sum(isinstance(each, Drew) for each in own)
                assert counts.takes == sum(isinstance(each, Took) for each in own)
                if any(isinstance(each, Knocked) for each in own):
                    turns = 1 + sum(isinstance(each, Discarded) for each in own)
                    assert counts.knock_turns[min(turns, 15) - 1] == 1


def random_round(chance: random.Random) -> tuple[PlayedRound, Sequence[Any]]:
    deck, dealer = chance.sample(DECK, 52), chance.randrange(2)
    state, log, choose = deal(deck, dealer, Options()).state, EMPTY_LOG, keen(chance)
    while state.result is None:
        entry = Entry(state.turn, choose(state))
        assert entry.action is not None
        log, state = logged(log, entry), play(state, state.turn, entry.action).state
    return PlayedRound(deck, dealer, log, state.result), fold(
        log, deck, dealer, Options()
    ).all_events


def test_counts_are_read_as_they_are_written() -> None:
    both, _events = random_round(random.Random(1))
    counts = count_round(both, 0)
    assert Counts.from_mapping(counts.to_mapping()) == counts
    assert Counts.from_mapping({}) == Counts()
    assert counts + Counts() == counts


# Tallies


def tally(user: User | None, opponent: User | None = None, scope: str = counting.ALL) -> Tally:
    return Tally.objects.get(user=user, opponent=opponent, scope=scope)


def figures(user: User | None, opponent: User | None = None, scope: str = "all") -> Counts:
    return tally(user, opponent, scope).to_domain()


def again(one: User, other: User, *, rated: bool = False, **options: Any) -> Played:
    series = create_series(user=one, options=Options(**options))
    Series.objects.filter(pk=series.pk).update(rated=rated)
    accept_invitation(token=series.invitation.token, user=other)
    return Played(Series.objects.get(pk=series.pk), (one, other))


def lose(table: Played, loser: User) -> None:
    table.wish(Wish.RESIGN, loser)


@pytest.mark.django_db
@pytest.mark.usefixtures("rung")
class TestTallies:
    def test_nothing_counts_before_the_series_is_over(self) -> None:
        """So nothing can be learned of a running round."""
        table = new_table()
        table.play_round()
        assert not Tally.objects.exists()

    def test_a_series_that_is_played_out(self) -> None:
        table = new_table(Options(target=50))
        series = table.play_series(keen(random.Random(2)))
        winner, loser = table.users if series.winner_side == 0 else table.users[::-1]
        won, lost = figures(winner), figures(loser)
        assert (won.series, won.series_won, won.series_lost) == (1, 1, 0)
        assert (lost.series, lost.series_won, lost.series_lost) == (1, 0, 1)
        assert won.games_won == lost.games_lost
        assert sum(won.games_won) + sum(lost.games_won) == 3
        assert sum(won.rounds) == sum(lost.rounds) == table.row.number
        assert won.rounds == lost.rounds[::-1]
        assert won.won_by == lost.lost_by
        assert won.points_won == lost.points_lost[::-1]
        # Each column by itself.
        for game in range(3):
            assert won.games_won[game] + lost.games_won[game] == 1
        assert list(tally_differences()) == []

    def test_a_resigned_series_counts_and_its_games_that_ended(self) -> None:
        table = new_table()
        table.act(Resign(), table.users[0])
        for user in table.users:
            table.press_next(user)
        lose(table, table.users[0])
        loser = figures(table.users[0])
        assert (loser.series_lost, sum(loser.rounds), sum(loser.luck_deals)) == (1, 1, 2)
        assert loser.lost_by == by(Ending.RESIGNED)
        assert sum(loser.games_lost) == 0

    def test_an_agreed_end_is_nobody_s(self) -> None:
        table = new_table()
        for user in table.users:
            table.wish(Wish.OFFER_END, user)
        for user in table.users:
            counts = figures(user)
            assert (counts.series, counts.series_won, counts.series_lost) == (1, 0, 0)
            assert tally(user).streak == 0

    def test_people_and_bots_apart(self) -> None:
        table = bot_table("club")
        person, bot = table.users
        lose(table, person)
        assert figures(person, scope=counting.BOTS).series == 1
        assert figures(bot, scope=counting.PEOPLE).series_won == 1
        assert not Tally.objects.filter(user=person, scope=counting.PEOPLE).exists()

    def test_formats_apart_and_rules_of_no_format_in_none(self) -> None:
        one, other = new_user(), new_user()
        lose(again(one, other), one)
        lose(again(one, other, undercut=25), one)
        assert figures(one).series == 2
        assert figures(one, scope="hollywood live").series == 1
        scopes = Tally.objects.filter(user=one, opponent=None).values_list("scope", flat=True)
        assert set(scopes) == {"all", "people", "hollywood live"}

    def test_rated_series_apart_with_what_the_ratings_let_expect(self) -> None:
        one, other = new_user(), new_user()
        lose(again(one, other, rated=True), one)
        lose(again(one, other, rated=True), one)
        lose(again(one, other), one)
        counts = figures(one, scope=counting.RATED)
        assert (counts.series, counts.rated, counts.rated_score) == (2, 2, 0)
        # 500 while both were unknown, less afterwards.
        assert 500 < counts.rated_expected < 1000
        sums = counts.rated_expected + figures(other, scope=counting.RATED).rated_expected
        assert sums == pytest.approx(2000, abs=2)
        bands = Tally.objects.filter(user=None, scope__startswith="rating")
        assert sum(each.to_domain().series for each in bands) == 4

    def test_of_a_private_series_two_know_against_whom(self) -> None:
        one, other = new_user(), new_user()
        table = again(one, other)
        Series.objects.filter(pk=table.series.pk).update(is_private=True)
        lose(table, one)
        assert figures(one, other).series == 1
        assert not Tally.objects.filter(scope=counting.OPEN).exists()
        lose(again(one, other), other)
        assert figures(one, other, counting.OPEN).series_won == 1

    @pytest.mark.parametrize("source", [Series.Source.ENTERED, Series.Source.IMPORTED])
    def test_what_was_not_played_here_stays_outside(self, source: str) -> None:
        table = new_table()
        Series.objects.filter(pk=table.series.pk).update(source=source)
        lose(table, table.users[0])
        assert not Tally.objects.exists()
        assert list(tally_differences()) == []

    def test_streaks(self) -> None:
        one, other = new_user(), new_user()
        for loser in (other, other, one, other, other, other, one, one):
            lose(again(one, other), loser)
        assert (tally(one).streak, tally(one).best_streak) == (-2, 3)
        assert (tally(other).streak, tally(other).best_streak) == (2, 2)
        assert tally(one, other).best_streak == 3

    def test_a_series_that_ended_sooner_but_is_counted_later(self) -> None:
        """The streak is that of the order in which they ended."""
        one, other = new_user(), new_user()
        tables = [again(one, other) for _ in range(3)]
        for table, loser in zip(tables, (other, one, other), strict=True):
            lose(table, loser)
        # As if the second had been counted last.
        row = tally(one)
        middle = Series.objects.get(pk=tables[1].series.pk)
        Tally.objects.all().delete()
        for table in (tables[0], tables[2]):
            count_series(Series.objects.get(pk=table.series.pk))
        count_series(middle)
        assert (tally(one).streak, tally(one).best_streak) == (row.streak, row.best_streak)
        assert list(tally_differences()) == []

    def test_the_site_is_the_sum_over_its_players(self) -> None:
        one, other = new_user(), new_user()
        lose(again(one, other, rated=True), one)
        again(one, new_user(), columns=1, target=50).play_series(keen(random.Random(4)))
        table = bot_table("beginner")
        lose(table, table.users[0])
        for scope in Tally.objects.filter(user=None).values_list("scope", flat=True):
            if scope.startswith("rating"):
                continue
            rows = Tally.objects.filter(user__isnull=False, opponent=None, scope=scope)
            assert sum((each.to_domain() for each in rows), start=Counts()) == figures(
                None, scope=scope
            )
        site = figures(None)
        assert site.won_by == site.lost_by
        assert site.luck_deals[0] == site.luck_deals[1]

    def test_who_is_deleted_leaves_figures_without_a_name(self) -> None:
        """As with their seats; no page shows them, and the opponent's are intact (S13)."""
        table = new_table()
        table.play_round()
        one, other = table.users
        delete_account(one.pk)
        assert figures(other).series_won == 1
        assert figures(None).series == 2
        assert list(tally_differences()) == []


def run(*arguments: str) -> str:
    output = StringIO()
    call_command("check_statistics", *arguments, stdout=output)
    return output.getvalue()


@pytest.mark.django_db
@pytest.mark.usefixtures("rung")
class TestTheCommand:
    def play(self) -> Played:
        one, other = new_user(), new_user()
        lose(again(one, other, rated=True), one)
        table = again(one, other, columns=1, target=50)
        table.play_series(keen(random.Random(6)))
        return table

    def test_running_tallies_are_what_the_logs_come_to(self) -> None:
        self.play()
        before = list(Tally.objects.order_by("user", "opponent", "scope").values_list("counts"))
        assert run().endswith("no difference.\n")
        assert "made anew" in run("--repair")
        after = list(Tally.objects.order_by("user", "opponent", "scope").values_list("counts"))
        assert after == before
        assert run().endswith("no difference.\n")

    @pytest.mark.parametrize(
        "change",
        [{"counts": {"series": 9}}, {"streak": 9}, {"best_streak": 9}, {"last_ended_at": None}],
    )
    def test_what_differs_is_named_and_repaired(self, change: dict[str, Any]) -> None:
        one = self.play().users[0]
        Tally.objects.filter(user=one, opponent=None, scope="all").update(**change)
        with pytest.raises(CommandError, match="1 differences"):
            run()
        run("--repair")
        assert run().endswith("no difference.\n")

    def test_what_is_missing_or_nobody_s_is_named(self) -> None:
        table = self.play()
        tally(table.users[0]).delete()
        Tally.objects.create(user=new_user(), scope="all", counts={"series": 1})
        assert len(list(tally_differences())) == 2

    def test_nothing_played_is_nothing_wrong(self) -> None:
        assert run() == "0 tallies checked, no difference.\n"

    def test_seats_that_went_to_another_account(self) -> None:
        """A guest's series go to the account that they log in to, but for where both sit."""
        guest, account, other = new_user(), new_user(), new_user()
        for loser in (account, other, account):
            lose(again(account, other), loser)
        lose(again(guest, account), guest)
        moved = [again(guest, other) for _ in range(4)]
        for table, loser in zip(moved, (guest, other, other, guest), strict=True):
            lose(table, loser)
        ids = [table.series.pk for table in moved]
        Seat.objects.filter(series__in=ids, user=guest).update(user=account)
        Seat.objects.filter(series__in=ids, opponent=guest).update(opponent=account)
        assert list(tally_differences()) != []
        move_counts(ids, left=guest.pk, joined=account.pk)
        assert list(tally_differences()) == []
        assert figures(account).series == 8
        assert figures(guest).series == 1
        assert figures(other, account).series_won == 4

    def test_where_nothing_went_over_nothing_changes(self) -> None:
        table = self.play()
        move_counts([], left=new_user().pk, joined=table.users[0].pk)
        assert list(tally_differences()) == []

    def test_a_streak_is_counted_again_from_the_seats(self) -> None:
        """By each kind of tally as by walking through the series."""
        one, other = new_user(), new_user()
        for n, loser in enumerate((other, one, other, other)):
            table = again(one, other, rated=n != 2)
            Series.objects.filter(pk=table.series.pk).update(is_private=n == 3)
            lose(table, loser)
            bots = bot_table("beginner")
            Seat.objects.filter(series=bots.series, number=0).update(user=one)
            lose(Played(bots.series, (one, bots.users[1])), one)
        rows = Tally.objects.filter(user=one)
        scopes = {"all", "people", "bots", "rated", "open", "hollywood live"}
        assert set(rows.values_list("scope", flat=True)) == scopes
        for row in rows:
            again_ = counting.streak_of(counting.key_of(row))
            assert (again_.streak, again_.best_streak) == (row.streak, row.best_streak), row

    def test_made_anew_without_anything_running(self) -> None:
        self.play()
        Tally.objects.all().delete()
        count = recount_all()
        assert count == Tally.objects.count() > 0
        assert list(tally_differences()) == []
