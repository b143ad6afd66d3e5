"""The score sheet: rules sections 7 and 9."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.errors import IllegalAction, UnreadableInput
from games.rules.options import Options
from games.rules.sheet import MAX_POINTS, ScoreSheet, Standing
from tests.rules import sheet_oracle
from tests.rules.sheet_strategies import score_sheets, sheet_options

HOLLYWOOD = Options()
STRICT = Options(entry="strict")
A, B, C = 0, 1, 2

TWO_GAMES_TO_ONE = [(A, 40), (A, 35), (A, 30), (B, 20), (B, 28), None, (A, 40), (B, 75)]


def sheet_of(*results, options=HOLLYWOOD):
    return ScoreSheet.of(options, results)


def test_an_empty_sheet():
    sheet = ScoreSheet(HOLLYWOOD)
    assert sheet.totals == ((0, 0, 0), (0, 0, 0))
    assert sheet.ended == (None, None, None)
    assert sheet.wins == sheet.games_won == (0, 0)
    assert not sheet.is_over
    assert sheet.winner is None
    assert sheet.results == ()


def test_the_first_example_of_the_rules():
    alexandra, bob = 0, 1
    sheet = sheet_of((bob, 10), (alexandra, 18), (bob, 30), (bob, 4))
    assert sheet.totals == ((18, 0, 0), (44, 34, 4))
    assert sheet.wins == (1, 3)


def test_the_second_example_of_the_rules():
    sheet = sheet_of(*TWO_GAMES_TO_ONE)
    assert [entry.after.totals for entry in sheet.entries[2:]] == [
        ((105, 65, 30), (0, 0, 0)),
        ((105, 65, 30), (0, 20, 0)),
        ((105, 65, 30), (0, 48, 28)),
        ((105, 65, 30), (0, 48, 28)),
        ((105, 105, 70), (0, 48, 28)),
        ((105, 105, 70), (0, 48, 103)),
    ]
    assert sheet.ended == (A, A, B)
    assert sheet.winner == A
    assert sheet.games_won == (2, 1)


def test_the_second_example_with_strict_entry():
    sheet = sheet_of(*TWO_GAMES_TO_ONE, options=STRICT)
    assert sheet.entries[3].games == ()  # B's 20 is lost
    assert sheet.entries[4].games == (1,)  # B's 28 enters game 2 alone
    assert sheet.totals == ((105, 105, 70), (0, 28, 75))
    assert sheet.ended == (A, A, None)
    assert not sheet.is_over


def test_each_side_counts_its_own_wins():
    sheet = sheet_of((A, 5), (B, 6), (A, 7), (B, 8), (A, 9), (A, 1))
    assert [entry.win for entry in sheet.entries] == [1, 1, 2, 2, 3, 4]
    assert [entry.games for entry in sheet.entries] == [
        (0,),
        (0,),
        (0, 1),
        (0, 1),
        (0, 1, 2),
        (0, 1, 2),
    ]


def test_a_drawn_round_enters_no_game_and_is_no_win():
    sheet = sheet_of((A, 5), None, (A, 7))
    drawn = sheet.entries[1]
    assert (drawn.side, drawn.points, drawn.games, drawn.closed, drawn.win) == (None, 0, (), (), 0)
    assert drawn.after == sheet.entries[0].after
    assert drawn.result is None
    assert sheet.totals == ((12, 7, 0), (0, 0, 0))


def test_an_entry_says_which_games_it_ended():
    sheet = sheet_of((A, 60), (A, 55), (A, 50), (A, 60))
    assert [entry.closed for entry in sheet.entries] == [(), (0,), (1,), (2,)]
    assert sheet_of((A, 1), (A, 99)).entries[-1].closed == (0,)
    assert sheet_of((A, 1), (A, 1), (A, 100)).entries[-1].closed == (0, 1, 2)


def test_the_total_stays_as_scored():
    assert sheet_of((A, 40), (A, 65)).totals[A] == (105, 65, 0)


def test_a_side_shut_out_of_two_games_enters_late_in_the_third():
    sheet = sheet_of((A, 50), (A, 50), (A, 50), (B, 30), (B, 30))
    assert sheet.ended == (A, A, None)
    assert [entry.games for entry in sheet.entries[3:]] == [(2,), (2,)]
    assert sheet.totals[B] == (0, 0, 60)


def test_late_entry_is_one_new_game_a_win():
    sheet = sheet_of((A, 60), (A, 40), (B, 10), (B, 20))
    assert [entry.games for entry in sheet.entries[2:]] == [(1,), (1, 2)]


def test_series_end_two_stops_after_two_games():
    options = Options(series_end="two")
    sheet = sheet_of((A, 60), (A, 55), (A, 50), options=options)
    assert sheet.ended == (A, A, None)
    assert sheet.is_over
    assert sheet.winner == A
    with pytest.raises(IllegalAction):
        sheet.with_result((A, 60))


def test_series_end_two_goes_on_at_one_game_each():
    sheet = sheet_of((A, 100), (B, 100), options=Options(series_end="two"))
    assert sheet.ended == (A, B, None)
    assert not sheet.is_over


def test_one_game_ends_at_its_target():
    options = Options.from_mapping({"preset": "gin-rummy"})
    sheet = sheet_of((A, 46), (B, 60), (A, 54), options=options)
    assert sheet.totals == ((100,), (60,))
    assert [entry.games for entry in sheet.entries] == [(0,), (0,), (0,)]
    assert sheet.winner == A


@pytest.mark.parametrize(
    ("results", "winner"),
    [
        ([(A, 100), (A, 100), (A, 100)], A),
        ([(A, 100), (B, 100), (B, 100)], B),  # most games
        ([(A, 100), (B, 101), (C, 102)], C),  # a game each: the highest sum
        ([(C, 99), (A, 100), (B, 101), (C, 1), (B, 100)], B),  # most games before sums
        ([(A, 110), (B, 110), (C, 105)], "shared"),
        ([(A, 100), (B, 100), (C, 100)], "shared"),
    ],
)
def test_three_players_most_games_then_the_highest_sum_then_shared(results, winner):
    sheet = sheet_of(*results, options=Options(players=3))
    assert sheet.sides == 3
    assert sheet.is_over
    assert sheet.winner == winner


def test_the_best_of_some_sides_only():
    sheet = sheet_of((A, 40), (B, 30), (C, 30), options=Options(players=3))
    assert sheet.leaders([A, B, C]) == (A,)
    assert sheet.leaders([B, C]) == (B, C)


def test_four_players_are_two_sides():
    assert ScoreSheet(Options(players=4)).sides == 2


@pytest.mark.parametrize("options", [HOLLYWOOD, Options(columns=1), Options(series_end="two")])
def test_no_result_after_the_end(options):
    sheet = ScoreSheet(options)
    while not sheet.is_over:
        sheet = sheet.with_result((A, 60))
    for result in [(A, 5), (B, 5), None]:
        with pytest.raises(IllegalAction) as refusal:
            sheet.with_result(result)
        assert refusal.value.code == "series_over"


@pytest.mark.parametrize("result", [(2, 5), (-1, 5), (0, 0), (0, -3), (0, MAX_POINTS + 1)])
def test_what_is_no_result_is_refused(result):
    with pytest.raises(UnreadableInput) as refusal:
        ScoreSheet(HOLLYWOOD).with_result(result)
    assert refusal.value.code == "bad_request"


def test_a_sheet_is_a_value():
    sheet = sheet_of((A, 40))
    later = sheet.with_result((A, 30))
    assert sheet == sheet_of((A, 40))
    assert later == sheet_of((A, 40), (A, 30))
    assert hash(later) == hash(sheet_of((A, 40), (A, 30)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        sheet.entries = ()


@given(score_sheets())
def test_the_sheet_equals_the_oracle_after_every_round(sheet):
    options = sheet.options
    history, count = sheet_oracle.play(
        sheet.results,
        sides=sheet.sides,
        columns=options.columns,
        target=options.target,
        entry=options.entry,
        series_end=options.series_end,
    )
    ours = [
        ([list(row) for row in entry.after.totals], list(entry.after.ended))
        for entry in sheet.entries
    ]
    assert ours == history
    assert [list(row) for row in sheet.standing.boxes] == count
    assert sheet.is_over == sheet_oracle.is_over(sheet.ended, sheet.sides, options.series_end)


@given(score_sheets(to_the_end=True))
def test_the_winner_equals_the_oracles(sheet):
    assert sheet.winner == sheet_oracle.winner(sheet.totals, sheet.ended, sheet.sides)


@given(score_sheets())
def test_no_total_rises_from_left_to_right_among_open_games(sheet):
    for entry in sheet.entries:
        for totals in entry.after.totals:
            shown = [totals[game] for game in entry.after.open_games]
            assert shown == sorted(shown, reverse=True)


@given(score_sheets())
def test_games_end_in_order(sheet):
    for entry in sheet.entries:
        still_open = [winner is None for winner in entry.after.ended]
        assert still_open == sorted(still_open)


@given(score_sheets())
def test_an_ended_game_never_changes(sheet):
    before = Standing.at_start(sheet.sides, sheet.options.columns)
    for entry in sheet.entries:
        for game, winner in enumerate(before.ended):
            if winner is not None:
                assert entry.after.ended[game] == winner
                assert game not in entry.games
                assert [row[game] for row in entry.after.totals] == [
                    row[game] for row in before.totals
                ]
        before = entry.after


@given(score_sheets())
def test_a_game_is_won_by_the_side_that_reached_the_target_and_by_nobody_else(sheet):
    for game, winner in enumerate(sheet.ended):
        reached = [
            side for side, totals in enumerate(sheet.totals) if totals[game] >= sheet.options.target
        ]
        assert reached == ([] if winner is None else [winner])


@given(score_sheets())
def test_entries_say_all_that_the_totals_come_from(sheet):
    for side in range(sheet.sides):
        for game in range(sheet.options.columns):
            entered = [e.points for e in sheet.entries if e.side == side and game in e.games]
            assert sheet.totals[side][game] == sum(entered)
            assert sheet.standing.boxes[side][game] == len(entered)
    closed = [game for entry in sheet.entries for game in entry.closed]
    assert closed == [game for game, winner in enumerate(sheet.ended) if winner is not None]


@given(sheet_options.filter(lambda options: options.entry == "late"), st.data())
def test_with_late_entry_every_win_is_entered_somewhere(options, data):
    sheet = data.draw(score_sheets(st.just(options)))
    assert all(entry.games for entry in sheet.entries if entry.side is not None)


@given(score_sheets())
def test_results_build_the_same_sheet_again(sheet):
    assert ScoreSheet.of(sheet.options, sheet.results) == sheet
