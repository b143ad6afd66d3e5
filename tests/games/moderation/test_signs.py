"""Signs of something wrong: each with a bad example that sets it off, and honest ones."""

from datetime import UTC, datetime

import pytest

from games.leavers import DeedKind, repute_after
from games.moderation.false_alarms.play import honest_play, signs_of
from games.moderation.signs import feeding, giving, knocks, language, leaving
from games.moderation.signs.figures import RARE, Figures, chance_of, figures_of
from games.moderation.signs.giving import Lost
from games.rules.options import Options
from tests.games.moderation.wrongdoers import feeds, lets_gin_go, plain, played_out
from tests.patience import patience


class TestFeeding:
    def test_who_throws_what_the_other_needs_is_noticed(self) -> None:
        figures = sum((figures_of(each, 0) for each in played_out(12, feeds, plain)), Figures())
        assert feeding.feeding(figures) < RARE

    def test_and_the_other_is_not(self) -> None:
        figures = sum((figures_of(each, 1) for each in played_out(12, feeds, plain)), Figures())
        assert not any(signs_of(figures)[name] for name in ("fed", "let go"))

    @pytest.mark.parametrize(("fed", "discards"), [(0, 0), (3, 5), (9, 30), (30, 90)])
    def test_what_is_honest(self, fed: int, discards: int) -> None:
        assert feeding.feeding(Figures(rounds=9, discards=discards, fed=fed)) >= RARE


class TestKnocks:
    def test_gin_in_most_rounds_is_noticed(self) -> None:
        assert knocks.gins(Figures(rounds=14, gins=11)) < RARE

    def test_gin_now_and_then_is_not(self) -> None:
        for gins, rounds in ((0, 0), (1, 1), (4, 14), (6, 18)):
            assert knocks.gins(Figures(rounds=rounds, gins=gins)) >= RARE

    def test_ending_most_rounds_at_once_is_noticed(self) -> None:
        assert knocks.early_ends(Figures(rounds=14, early=10)) < RARE

    def test_a_lucky_run_is_not(self) -> None:
        for early, rounds in ((0, 0), (2, 2), (5, 14)):
            assert knocks.early_ends(Figures(rounds=rounds, early=early)) >= RARE

    def test_who_holds_gin_and_plays_on_is_noticed(self) -> None:
        rounds = played_out(12, lets_gin_go, feeds)
        figures = sum((figures_of(each, 0) for each in rounds), Figures())
        assert knocks.let_go(figures) >= knocks.LET_GO_FROM

    def test_who_knocks_when_they_may_lets_nothing_go(self) -> None:
        rounds = played_out(20, plain, plain)
        assert not sum((figures_of(each, 0) for each in rounds), Figures()).let_go


class TestGivingAway:
    FIRST_HAND = Lost(to=7, actions=3, rounds=1, resigned=0, broke_off=True)
    BY_ROUNDS = Lost(to=7, actions=40, rounds=8, resigned=7, broke_off=False)
    PLAYED = Lost(to=7, actions=300, rounds=14, resigned=1, broke_off=False)
    RESIGNED_LATE = Lost(to=7, actions=200, rounds=10, resigned=0, broke_off=True)

    def test_fault_72_resigning_each_first_hand_to_one_person_is_noticed(self) -> None:
        assert giving.given_to([self.FIRST_HAND] * 3, 7) >= giving.TO_ONE
        assert giving.given_to([self.BY_ROUNDS] * 3, 7) >= giving.TO_ONE

    def test_once_or_to_others_is_not(self) -> None:
        assert giving.given_to([self.FIRST_HAND] * 2, 7) < giving.TO_ONE
        assert giving.given_to([self.FIRST_HAND] * 9, 8) < giving.TO_ONE

    def test_losing_is_not(self) -> None:
        lost = [self.PLAYED, self.RESIGNED_LATE] * 20
        assert giving.given_away(lost) == 0

    def test_giving_away_to_whomever_is_sandbagging(self) -> None:
        lost = [Lost(to=n, actions=2, rounds=1, resigned=0, broke_off=True) for n in range(5)]
        assert giving.given_away(lost) >= giving.TO_MANY
        assert giving.given_away([*lost[:4], self.PLAYED]) < giving.TO_MANY


class TestLeaving:
    AT = datetime(2026, 11, 30, tzinfo=UTC)

    def test_fault_71_the_third_series_that_is_left_is_noticed(self) -> None:
        deeds = [(DeedKind.LEFT, self.AT)] * 3
        assert leaving.step_of(repute_after(deeds, self.AT)) >= leaving.STEP

    def test_one_that_is_left_now_and_then_is_not(self) -> None:
        deeds = [(DeedKind.LEFT, self.AT), *[(DeedKind.FINISHED, self.AT)] * 2] * 5
        assert leaving.step_of(repute_after(deeds, self.AT)) < leaving.STEP
        assert leaving.step_of(None) == 0


class TestLanguage:
    @pytest.mark.parametrize(
        "line",
        [
            *("you bitch", "BITCH!", "b1tch", "b!tch", "biiiitch", "b i t c h", "b.i.t.c.h"),
            *("what a$$hole did", "ｂｉｔｃｈ", "fuck!!!", "so, fuuuuck"),
        ],
    )
    def test_words_that_hurt_are_found_disguised_too(self, line: str) -> None:
        assert language.hits(line) >= language.FROM

    @pytest.mark.parametrize(
        "line",
        [
            *("Scunthorpe beats Essex", "nice gin!", "5s 4h 3d", "I a m so slow", "prickly pear"),
            *("cocktails on the 7th", "damn, what a deal", "oh my, shiitake", "", "👍👍👍"),
            *("class, grass and bass", "The retarder brakes", "a b c d e f g"),
        ],
    )
    def test_others_are_not(self, line: str) -> None:
        assert language.hits(line) == 0

    def test_a_row_of_underscores_stops_nobody(self) -> None:
        """A line of the chat could be read in so many ways that its process stood still."""
        with patience():
            assert language.hits("_" * 199 + "!") == 0

    def test_the_lists_are_tidy(self) -> None:
        assert language.words()
        assert all(word == word.casefold() and word.isalpha() for word in language.words())


class TestFalseAlarms:
    def test_honest_play_sets_off_nothing(self) -> None:
        for players in honest_play(6, Options(), seed=7):
            for each in players:
                assert not any(signs_of(each.figures).values()), each

    def test_the_same_seed_plays_the_same_series(self) -> None:
        one, other = (list(honest_play(1, Options(), seed=3)) for _ in range(2))
        assert one == other


def test_chances_are_those_of_the_binomial() -> None:
    assert chance_of(1, 2, 0.5) == pytest.approx(0.75)
    assert chance_of(2, 2, 0.1) == pytest.approx(0.01)
    assert 0 < chance_of(60, 60, 0.1) < RARE
