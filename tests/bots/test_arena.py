"""The arena: mirrored deals, the same result from the same seed, and intervals by pairs."""

from dataclasses import replace
from io import StringIO
from random import Random

import pytest
from django.core.management import CommandError, call_command

from games.arena import match
from games.arena.contest import Contest, OtherContest, run
from games.arena.match import Clock, Player, Tally, play_pair, play_series
from games.arena.report import report
from games.bots import Choice, Reason, ReasonCode, bot_named
from games.rules.actions import Discard, Draw, Pass
from games.rules.options import PRESETS, Options

SHORT = Options(target=50, columns=1)
CONTEST = Contest(("club", "eaai"), SHORT, seed=4)


def timeless(tally: Tally) -> tuple[object, ...]:
    decisions = tuple(clock.decisions for clock in tally.clocks)
    return tally.won, tally.points, tally.rounds, decisions


class Recorder:
    """Plays like the club player and notes the hand it was dealt in the first round of a series."""

    name = "recorder"

    def __init__(self):
        self.dealt, self._number = [], 0

    def choose(self, view, source):
        if view.number == 1 != self._number:
            self.dealt.append(view.round.hand)
        self._number = view.number
        return bot_named("club").choose(view, source)


class Idle:
    """Never takes and never knocks."""

    name = "idle"

    def choose(self, view, source):
        action = next(a for a in view.round.actions if isinstance(a, Pass | Draw | Discard))
        return Choice(action, Reason(ReasonCode.NO_CHOICE))


def test_each_bot_plays_the_same_decks_from_both_seats():
    one, other = Recorder(), Recorder()
    play_pair((one, other), SHORT, seed=4, pair=0)
    assert len(set(one.dealt)) == 2
    assert one.dealt == other.dealt[::-1]


def test_a_bot_against_itself_wins_half_of_each_pair():
    for pair in range(3):
        tally = play_pair((bot_named("strong"), bot_named("strong")), SHORT, 4, pair)
        assert (tally.won, tally.points) == (1.0, 0)


def test_the_seed_decides_everything_but_the_times():
    bots = (bot_named("beginner"), bot_named("eaai"))
    first, again = (timeless(play_pair(bots, SHORT, 4, 1)) for _ in range(2))
    assert first == again
    assert first != timeless(play_pair(bots, SHORT, 5, 1))


def test_the_number_of_jobs_changes_nothing_but_the_order():
    alone = {number: timeless(tally) for number, tally in run(CONTEST, 6)}
    shared = {number: timeless(tally) for number, tally in run(CONTEST, 6, jobs=2)}
    assert alone == shared
    assert list(alone) == [0, 1, 2, 3, 4, 5]


def test_a_series_without_an_end_counts_half(monkeypatch):
    monkeypatch.setattr(match, "MAX_ROUNDS", 3)
    tally = play_pair((Idle(), Idle()), SHORT, 1, 0)
    assert (tally.won, tally.points, tally.rounds) == (1.0, 0, 6)


def test_points_and_rounds_are_those_of_the_sheet():
    players = [Player(bot_named(name), Random(1), Clock()) for name in ("club", "eaai")]
    state, points = play_series(players, PRESETS["hollywood"], "a name")
    won = [entry.result for entry in state.sheet.entries if entry.result]
    assert points == tuple(sum(score for side, score in won if side == seat) for seat in (0, 1))
    assert state.is_over
    assert players[0].clock.decisions > 0


class TestFile:
    def test_what_was_played_is_not_played_again(self, tmp_path, monkeypatch):
        file = tmp_path / "contest.jsonl"
        played = dict(run(CONTEST, 3, file=file))
        monkeypatch.setattr("games.arena.contest.play_pair", None)
        assert dict(run(CONTEST, 3, file=file)) == played

    def test_a_contest_is_taken_up_where_it_stopped(self, tmp_path):
        file = tmp_path / "contest.jsonl"
        whole = {number: timeless(tally) for number, tally in run(CONTEST, 5)}
        started = run(CONTEST, 5, file=file)
        next(started), next(started)
        started.close()
        # The process died in the middle of a line.
        file.write_text(file.read_text() + '{"pair": 2, "won"')
        resumed = {number: timeless(tally) for number, tally in run(CONTEST, 5, file=file)}
        assert resumed == whole
        assert {n: timeless(t) for n, t in run(CONTEST, 5, file=file)} == whole

    @pytest.mark.parametrize(
        "other",
        [
            replace(CONTEST, seed=5),
            replace(CONTEST, bots=("eaai", "club")),
            replace(CONTEST, options=Options()),
        ],
    )
    def test_a_file_of_another_contest_is_refused(self, tmp_path, other):
        file = tmp_path / "contest.jsonl"
        list(run(CONTEST, 1, file=file))
        before = file.read_text()
        with pytest.raises(OtherContest):
            list(run(other, 1, file=file))
        assert file.read_text() == before


class TestReport:
    def test_the_pair_is_the_unit(self):
        # Every deal was won by who had the better cards: nothing is left to chance.
        assert report([Tally(1.0, 0, 10) for _ in range(50)]).wins.margin == 0

    def test_a_rate_and_its_interval(self):
        tallies = [Tally(won, 0, 10) for won in (2.0, 2.0, 1.0, 0.0)]
        wins = report(tallies).wins
        assert wins.mean == 0.625
        # The standard error of 1, 1, ½, 0 is √(0.6875 / 3 / 4).
        assert wins.margin == pytest.approx(1.96 * (0.6875 / 3 / 4) ** 0.5)

    def test_points_a_round_count_long_pairs_for_more(self):
        points = report([Tally(1, 30, 10), Tally(1, 0, 20)]).points
        assert points.mean == 1.0
        assert points.margin == pytest.approx(1.96 * (2 * (20 / 15) ** 2 / 2) ** 0.5)

    def test_clocks_are_added_up(self):
        clocks = [(Clock(2, 0.5, 0.4), Clock()), (Clock(1, 0.25, 0.25), Clock(1, 1.0, 1.0))]
        tallies = [Tally(1, 0, 1, clock) for clock in clocks]
        assert report(tallies).clocks == (Clock(3, 0.75, 0.4), Clock(1, 1.0, 1.0))

    def test_one_pair_says_nothing_about_chance(self):
        assert report([Tally(2, 0, 1)]).wins.margin == float("inf")


def command(*arguments: str) -> str:
    output = StringIO()
    call_command("arena", *arguments, stdout=output, stderr=StringIO())
    return output.getvalue()


class TestCommand:
    def test_says_who_is_stronger_and_how_sure_that_is(self):
        arguments = ("club", "eaai", "--series", "3", "--target", "50", "--jobs", "1")
        lines = command(*arguments, "--preset", "gin-rummy").splitlines()
        assert lines[0].startswith("club against eaai, gin-rummy: 3 mirrored series, ")
        assert lines[1].startswith("won: ")
        assert " % ± " in lines[1]
        assert lines[2].startswith("points a round: ")
        assert [line.partition(":")[0] for line in lines[3:]] == ["club", "eaai"]

    def test_says_the_same_again(self):
        arguments = (
            "club",
            "eaai",
            "--series",
            "2",
            "--target",
            "50",
            "--jobs",
            "1",
            "--seed",
            "3",
        )
        assert command(*arguments).splitlines()[:3] == command(*arguments).splitlines()[:3]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("club", "hal"), "No bot is called 'hal'"),
            (("club", "eaai", "--target", "7"), "target"),
            (("club", "eaai", "--series", "0"), "from 1"),
        ],
    )
    def test_says_what_is_wrong(self, arguments, message):
        with pytest.raises(CommandError, match=message):
            command(*arguments, "--jobs", "1")

    def test_refuses_the_file_of_another_contest(self, tmp_path):
        file = str(tmp_path / "file")
        short = ("--series", "1", "--target", "50", "--jobs", "1", "--out", file)
        command("club", "eaai", *short)
        with pytest.raises(CommandError, match="another contest"):
            command("eaai", "club", *short)
