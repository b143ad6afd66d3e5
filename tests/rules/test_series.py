"""Who plays whom, who deals, what a round counts: rules sections 2, 9, 10 and 14."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.errors import IllegalAction
from games.rules.options import Options
from games.rules.scoring import DRAWN_ROUND, VOID_ROUND, Ending, RoundResult
from games.rules.series import (
    Board,
    SeriesEnding,
    agree_end,
    resign_series,
    score_round,
    side_score,
    start_series,
)

TWO = Options()
THREE = Options(players=3, columns=1)
FOUR = Options(players=4)


def won(seat, points=30):
    """A round that this seat of the board has won."""
    return RoundResult(Ending.KNOCK, winner=seat, difference=points, knocker=seat)


def dealers(options, lot, *rounds):
    """The dealer of the first round and after each of these rounds, with one board each."""
    state = start_series(options, lot)
    found = [state.boards[0].dealer_seat]
    for result in rounds:
        state = score_round(state, [result])
        found.append(state.boards[0].dealer_seat)
    return found


def pairings(*rounds):
    """The boards of four players' rounds."""
    state = start_series(FOUR, 0)
    found = [state.boards]
    for results in rounds:
        state = score_round(state, results)
        found.append(state.boards)
    return found


# Two players


@pytest.mark.parametrize("lot", [0, 1])
def test_of_two_the_lot_chooses_the_first_dealer(lot):
    state = start_series(TWO, lot)
    assert state.boards == (Board((0, 1), dealer=lot),)
    assert state.round_number == 1
    assert not state.is_over


@pytest.mark.parametrize(
    ("next_dealer", "expected"),
    [
        ("winner", [0, 1, 1, 0, 0]),
        ("loser", [0, 0, 0, 1, 1]),
        ("alternate", [0, 1, 1, 0, 1]),
    ],
)
def test_who_deals_next(next_dealer, expected):
    options = Options(next_dealer=next_dealer, target=500)
    # After the drawn round the same player deals again, whatever the option says.
    assert dealers(options, 0, won(1), DRAWN_ROUND, won(0), won(0)) == expected


def test_a_round_is_entered_for_the_seat_that_won_it():
    state = score_round(start_series(TWO, 0), [won(1, 17)])
    assert state.sheet.totals == ((0, 0, 0), (17, 0, 0))
    assert state.round_number == 2


def test_a_drawn_round_counts_as_a_round_and_scores_nothing():
    state = score_round(start_series(TWO, 0), [DRAWN_ROUND])
    assert state.sheet.results == (None,)
    assert state.round_number == 2


def test_a_resigned_round_is_a_won_round():
    resigned = RoundResult(Ending.RESIGNED, winner=0, bonus=25, difference=31)
    state = score_round(start_series(TWO, 1), [resigned])
    assert state.sheet.wins == (1, 0)
    assert state.sheet.totals[0] == (56, 0, 0)
    assert state.boards[0].dealer_seat == 0


def test_a_series_played_out_has_no_next_round():
    state = start_series(TWO, 0)
    while not state.is_over:
        state = score_round(state, [won(0, 60)])
    assert state.ending is SeriesEnding.PLAYED
    assert state.winner == 0
    assert state.boards == ()
    assert state.settlement is None  # Hollywood settles by games won
    with pytest.raises(IllegalAction) as refusal:
        score_round(state, [won(0)])
    assert refusal.value.code == "series_over"


def test_the_settlement_is_there_once_the_series_is_over():
    options = Options.from_mapping({"preset": "gin-rummy"})
    state = start_series(options, 0)
    assert state.settlement is None
    state = score_round(state, [won(0, 100)])
    assert state.settlement.net == (320, -320)


def test_a_state_is_a_value():
    state = start_series(TWO, 0)
    score_round(state, [won(1)])
    assert state == start_series(TWO, 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.dealing_side = 1


# Three players: seats 0, 1, 2


@pytest.mark.parametrize(
    ("dealer", "board"),
    [
        (0, Board((1, 2), dealer=1)),  # after the dealer comes 1, the non-dealer; 2 is the other
        (1, Board((0, 2), dealer=0)),  # after 1 comes 2, the non-dealer
        (2, Board((0, 1), dealer=1)),
    ],
)
def test_of_three_the_dealer_sits_out_and_the_next_seat_begins(dealer, board):
    assert start_series(THREE, lot=dealer).boards == (board,)


def test_of_three_the_loser_deals_and_the_winner_meets_who_sat_out():
    state = start_series(THREE, lot=0)  # 1 plays 2
    state = score_round(state, [won(0)])  # 1 wins, 2 deals
    assert state.boards[0].seats == (0, 1)
    state = score_round(state, [won(0)])  # 0 wins, 1 deals
    assert state.boards[0].seats == (0, 2)
    assert state.sheet.totals == ((30,), (30,), (0,))


def test_of_three_after_a_drawn_round_the_same_dealer_deals_again():
    state = start_series(THREE, lot=1)
    assert score_round(state, [DRAWN_ROUND]).boards == state.boards


def test_of_three_the_option_next_dealer_changes_nothing():
    options = Options(players=3, columns=1, next_dealer="alternate")
    state = score_round(start_series(options, lot=0), [won(1)])
    assert state.dealing_side == 1


# Four players: seats 0 and 2 against 1 and 3


@pytest.mark.parametrize("lot", range(4))
def test_of_four_the_lot_chooses_the_team_that_deals(lot):
    state = start_series(FOUR, lot)
    assert [board.seats for board in state.boards] == [(0, 1), (2, 3)]
    assert {state.side_of(board.dealer_seat) for board in state.boards} == {lot % 2}


def test_of_four_the_pairing_alternates_after_drawn_rounds_too():
    found = pairings([won(0), won(0)], [DRAWN_ROUND, DRAWN_ROUND], [won(0), DRAWN_ROUND])
    seats = [[board.seats for board in boards] for boards in found]
    assert seats == [[(0, 1), (2, 3)], [(0, 3), (1, 2)], [(0, 1), (2, 3)], [(0, 3), (1, 2)]]


@pytest.mark.parametrize(
    ("results", "score"),
    [
        ([won(0, 30), won(0, 12)], (0, 42)),  # both boards to one team
        ([won(1, 30), won(1, 12)], (1, 42)),
        ([won(0, 30), won(1, 12)], (0, 18)),  # one each: the difference
        ([won(0, 30), won(1, 72)], (1, 42)),
        ([won(0, 30), won(1, 30)], None),  # equal points: nobody scores
        ([won(1, 30), DRAWN_ROUND], (1, 30)),  # a drawn board counts 0
        ([DRAWN_ROUND, won(0, 30)], (0, 30)),
        ([DRAWN_ROUND, DRAWN_ROUND], None),
    ],
)
def test_of_four_what_two_boards_count(results, score):
    assert side_score(start_series(FOUR, 0), results) == score


def test_of_four_seats_score_for_their_team_in_the_other_pairing():
    state = score_round(start_series(FOUR, 0), [DRAWN_ROUND, DRAWN_ROUND])
    assert [board.seats for board in state.boards] == [(0, 3), (1, 2)]
    # Seat 0 wins the first board and seat 2, its partner, the second.
    assert side_score(state, [won(0, 30), won(1, 12)]) == (0, 42)


def test_of_four_the_team_that_won_deals_and_after_no_score_the_same_team():
    state = start_series(FOUR, 0)
    state = score_round(state, [won(1, 30), won(0, 10)])
    assert state.dealing_side == 1
    assert {board.dealer_seat for board in state.boards} == {1, 3}
    # Now 0 plays 3 and 1 plays 2: board seat 0 is the one team's, then the other's.
    for results in ([DRAWN_ROUND, DRAWN_ROUND], [won(0, 5), won(0, 5)]):
        assert score_round(state, results).dealing_side == 1


def test_of_four_a_round_that_scores_is_one_win_of_the_team():
    state = score_round(start_series(FOUR, 0), [won(0, 30), won(0, 30)])
    assert state.sheet.wins == (1, 0)
    assert state.sheet.totals[0] == (60, 0, 0)


# When people stop


def test_who_resigns_the_series_has_lost_it_and_the_sheet_stays():
    state = score_round(start_series(TWO, 0), [won(0, 60)])
    ended = resign_series(state, side=0)
    assert ended.ending is SeriesEnding.RESIGNED
    assert ended.winner == 1
    assert ended.sheet == state.sheet
    assert ended.boards == ()


def test_a_resigned_series_settles_ended_games_only():
    options = Options(settlement="classic")
    state = start_series(options, 0)
    for points in (60, 55):
        state = score_round(state, [won(0, points)])
    ended = resign_series(state, side=0)
    assert ended.winner == 1
    assert ended.settlement.net == (530, -530)
    assert [game.game for game in ended.settlement.games] == [0]


def test_of_three_the_others_stand_as_the_sheet_ranks_them():
    state = score_round(start_series(THREE, lot=0), [won(0)])
    assert resign_series(state, side=1).winner == "shared"
    assert resign_series(state, side=2).winner == 1


def test_of_four_a_team_resigns_together():
    state = start_series(FOUR, 0)
    assert resign_series(state, state.side_of(3)).winner == 0


def test_an_agreed_end_has_no_winner():
    ended = agree_end(score_round(start_series(TWO, 0), [won(0, 60)]))
    assert ended.ending is SeriesEnding.AGREED
    assert ended.winner is None
    assert ended.boards == ()


@pytest.mark.parametrize("stop", [agree_end, lambda state: resign_series(state, 1)])
def test_a_series_ends_once(stop):
    ended = stop(start_series(TWO, 0))
    for again in (agree_end, lambda state: resign_series(state, 0)):
        with pytest.raises(IllegalAction) as refusal:
            again(ended)
        assert refusal.value.code == "series_over"


# What must never be asked


@pytest.mark.parametrize(
    ("options", "results"),
    [
        (TWO, []),
        (TWO, [won(0), won(0)]),
        (FOUR, [won(0)]),
        (TWO, [VOID_ROUND]),
    ],
)
def test_a_round_has_one_real_result_a_board(options, results):
    with pytest.raises(AssertionError):
        score_round(start_series(options, 0), results)


def test_a_side_that_there_is_not_cannot_resign():
    with pytest.raises(AssertionError):
        resign_series(start_series(TWO, 0), side=2)


# Any series


@st.composite
def board_results(draw):
    winner = draw(st.sampled_from([None, 0, 1]))
    return DRAWN_ROUND if winner is None else won(winner, draw(st.integers(1, 130)))


@given(st.sampled_from([TWO, THREE, FOUR]), st.integers(0, 3), st.data())
def test_everybody_sits_at_one_board_and_the_dealers_side_deals(options, lot, data):
    state = start_series(options, lot)
    for _ in range(8):
        if state.is_over:
            break
        seats = [seat for board in state.boards for seat in board.seats]
        sits_out = [state.dealing_side] if options.players == 3 else []
        assert sorted(seats + sits_out) == list(range(options.players))
        for board in state.boards:
            assert board.seats[0] < board.seats[1]
            assert state.side_of(board.seats[0]) != state.side_of(board.seats[1])
            if options.players != 3:
                assert state.side_of(board.dealer_seat) == state.dealing_side
        state = score_round(state, [data.draw(board_results()) for _ in state.boards])
