"""Mistakes that other programs made on the score sheet; the numbers are those of the fault log."""

import pytest

from games.rules.cards import Card
from games.rules.errors import IllegalAction
from games.rules.options import PRESETS, Options
from games.rules.scoring import DRAWN_ROUND, Ending, RoundResult, score_knock
from games.rules.series import score_round, start_series
from games.rules.settlement import settle
from games.rules.sheet import ScoreSheet

A, B = 0, 1
CLASSIC = Options(settlement="classic")
PLAIN_UPCARD = Card["7H"]


def sheet_of(*results, options=CLASSIC):
    return ScoreSheet.of(options, results)


def columns(sheet):
    """The games as a score-keeper reads them: (A's total, B's total)."""
    return list(zip(*sheet.totals, strict=True))


@pytest.mark.parametrize(
    ("preset", "points"), [("hollywood", 15), ("hollywood-20", 15), ("gin-rummy", 30)]
)
def test_fault_27_the_bonus_is_always_that_of_the_options(preset, points):
    options = PRESETS[preset]
    result = score_knock(options, PLAIN_UPCARD, knocker=A, knocker_deadwood=8, defender_deadwood=3)
    assert (result.kind, result.winner, result.points) == (Ending.UNDERCUT, B, points)
    state = score_round(start_series(options, 0), [result])
    assert state.sheet.totals[B][0] == points


def test_fault_28_an_undercut_across_the_target_wins_for_the_defender():
    state = start_series(Options(columns=1), 0)
    for winner, points in [(A, 50), (B, 50), (A, 45), (B, 40)]:
        won = RoundResult(Ending.KNOCK, winner=winner, difference=points, knocker=winner)
        state = score_round(state, [won])
    assert state.sheet.totals == ((95,), (90,))
    undercut = score_knock(
        state.options, PLAIN_UPCARD, knocker=A, knocker_deadwood=8, defender_deadwood=3
    )
    state = score_round(state, [undercut])
    assert state.sheet.totals == ((95,), (105,))
    assert state.winner == B
    (game,) = state.settlement.games
    assert (game.winner, game.claims[0].game_bonus) == (B, 100)


def test_fault_37_the_winner_deals_and_a_drawn_round_changes_nothing():
    state = start_series(Options(), 0)
    dealers = []
    for winner in [A, A, None, B]:
        won = RoundResult(Ending.KNOCK, winner=winner, difference=5, knocker=winner)
        state = score_round(state, [DRAWN_ROUND if winner is None else won])
        dealers.append(state.boards[0].dealer_seat)
    assert dealers == [A, A, A, B]


def test_fault_38_an_ended_game_takes_no_more_and_keeps_its_winner():
    sheet = sheet_of((A, 60), (B, 45), (A, 45), (B, 40), (B, 30), (B, 25))
    assert columns(sheet) == [(105, 45), (45, 95), (0, 55)]
    assert sheet.ended == (A, None, None)


def test_fault_39_three_games_are_played_and_games_decide():
    results = [(A, 60), (A, 50), (B, 40), (A, 55), (B, 30), (B, 45), (B, 38)]
    sheet = sheet_of(*results)
    assert not sheet_of(*results[:-1]).is_over
    assert columns(sheet) == [(110, 0), (105, 40), (55, 113)]
    assert sheet.ended == (A, A, B)
    assert sheet.winner == A
    settlement = settle(sheet)
    assert [(game.winner, game.points) for game in settlement.games] == [
        (A, 520),
        (A, 190),
        (B, 208),
    ]
    assert settlement.net == (502, -502)


def test_fault_40_the_first_win_after_a_game_has_ended_is_entered_in_the_next():
    sheet = sheet_of((A, 50), (A, 40), (A, 30), (B, 35))
    assert columns(sheet) == [(120, 0), (70, 35), (30, 0)]
    sheet = sheet.with_result((B, 20))
    assert columns(sheet) == [(120, 0), (70, 55), (30, 20)]


@pytest.mark.parametrize(("target", "winner"), [(100, A), (125, None), (150, None)])
def test_fault_43_a_game_ends_at_exactly_its_target(target, winner):
    sheet = sheet_of((A, 75), (B, 10), (A, 25), options=Options(target=target))
    assert columns(sheet)[0] == (100, 10)
    assert sheet.ended[0] == winner


def test_fault_44_a_shutout_doubles_everything():
    sheet = sheet_of((A, 60), (A, 55), (A, 50), (A, 60))
    assert columns(sheet) == [(115, 0), (105, 0), (110, 0)]
    assert [game.points for game in settle(sheet).games] == [530, 510, 520]
    with pytest.raises(IllegalAction) as refusal:
        sheet.with_result((B, 5))
    assert refusal.value.code == "series_over"
