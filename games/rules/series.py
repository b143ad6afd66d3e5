"""A series: who plays whom, who deals, and what a round counts (rules, sections 2, 9, 10 and 14).

A round always has two players and knows nothing of sides. Here two, three and four players become
boards of two; the results of the boards become one result on the score sheet.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from games.rules.errors import IllegalAction
from games.rules.options import Options
from games.rules.scoring import Ending, RoundResult
from games.rules.settlement import Settlement, settle
from games.rules.sheet import ScoreSheet, SheetResult, SheetWinner


class SeriesEnding(StrEnum):
    """How a series ended. Time run out and a granted claim end it as a resignation does."""

    PLAYED = "played"
    RESIGNED = "resigned"
    AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class Board:
    """Where one round is played: the series seats of board seats 0 and 1, and which of them deals.

    With three players `dealer` has the dealer's part of the round (section 3), though the player
    who sits out has dealt (section 9).
    """

    seats: tuple[int, int]
    dealer: Literal[0, 1]

    @property
    def dealer_seat(self) -> int:
        """The series seat that has the dealer's part."""
        return self.seats[self.dealer]


@dataclass(frozen=True, slots=True)
class SeriesState:
    """A series between two rounds.

    `dealing_side` deals the next round: of two players the dealer, of three the one who sits out,
    of four the team whose members deal at both boards. A seat's side is the seat itself; of four
    players, seats 0 and 2 are side 0, seats 1 and 3 side 1.
    """

    sheet: ScoreSheet
    dealing_side: int
    resigned_side: int | None = None
    agreed: bool = False

    @property
    def options(self) -> Options:
        """What the series is played by."""
        return self.sheet.options

    @property
    def ending(self) -> SeriesEnding | None:
        """How the series ended, None while it runs."""
        if self.agreed:
            return SeriesEnding.AGREED
        if self.resigned_side is not None:
            return SeriesEnding.RESIGNED
        return SeriesEnding.PLAYED if self.sheet.is_over else None

    @property
    def is_over(self) -> bool:
        """Whether no round follows."""
        return self.ending is not None

    @property
    def winner(self) -> SheetWinner:
        """The side that won the series, "shared", or None: still running, or an agreed end.

        When one of three players has resigned, the others stand as section 9 ranks them.
        """
        if self.agreed:
            return None
        if self.resigned_side is None:
            return self.sheet.winner
        best = self.sheet.leaders(
            side for side in range(self.sheet.sides) if side != self.resigned_side
        )
        return best[0] if len(best) == 1 else "shared"

    @property
    def settlement(self) -> Settlement | None:
        """The ended games settled, once the series is over; None where points are not settled."""
        return settle(self.sheet) if self.is_over else None

    @property
    def round_number(self) -> int:
        """The number of the next round, the first being 1."""
        return len(self.sheet.entries) + 1

    @property
    def boards(self) -> tuple[Board, ...]:
        """The boards of the next round; none when the series is over.

        >>> start_series(Options(players=3), lot=2).boards
        (Board(seats=(0, 1), dealer=1),)
        """
        if self.is_over:
            return ()
        if self.options.players == 4:
            return _team_boards(self.dealing_side, self.round_number)
        if self.options.players == 3:
            return (_board_without(self.dealing_side),)
        return (_board(0, 1, dealer_seat=self.dealing_side),)

    def side_of(self, seat: int) -> int:
        """Return the side that a series seat scores for."""
        return seat % self.sheet.sides


def start_series(options: Options, lot: int) -> SeriesState:
    """Return a new series; the lot, drawn by the caller, says which side deals first.

    A lot drawn evenly from `range(options.players)` is fair.

    >>> start_series(Options(), lot=1).boards
    (Board(seats=(0, 1), dealer=1),)
    """
    sheet = ScoreSheet(options)
    return SeriesState(sheet, dealing_side=lot % sheet.sides)


def side_score(state: SeriesState, results: Sequence[RoundResult]) -> SheetResult:
    """Return what a round counts for the sides: one result a board, in order (section 10).

    With both boards won by one team their points add up; with one each, the difference counts.
    """
    assert len(results) == len(state.boards), "a round has one result a board"
    assert all(result.kind is not Ending.VOID for result in results), "a void round has no score"
    points = [0] * state.sheet.sides
    for board, result in zip(state.boards, results, strict=True):
        if result.winner is not None:
            points[state.side_of(board.seats[result.winner])] += result.points
    best = max(points)
    margin = best - (sum(points) - best)
    return (points.index(best), margin) if margin else None


def score_round(state: SeriesState, results: Sequence[RoundResult]) -> SeriesState:
    """Return the series after a round: its score entered, the next dealer chosen.

    Raises `IllegalAction` (series_over).
    """
    _require_running(state)
    score = side_score(state, results)
    return replace(
        state, sheet=state.sheet.with_result(score), dealing_side=_next_dealer(state, score)
    )


def resign_series(state: SeriesState, side: int) -> SeriesState:
    """Return the series as lost by this side: resigned, out of time or abandoned (section 14).

    The running round is void and the sheet stays as it stands. Raises `IllegalAction`
    (series_over).
    """
    _require_running(state)
    assert side in range(state.sheet.sides), f"there is no side {side}"
    return replace(state, resigned_side=side)


def agree_end(state: SeriesState) -> SeriesState:
    """Return the series ended by agreement, without a winner (section 14).

    Raises `IllegalAction` (series_over).
    """
    _require_running(state)
    return replace(state, agreed=True)


def _require_running(state: SeriesState) -> None:
    if state.is_over:
        raise IllegalAction("series_over", "The series is over")


def _next_dealer(state: SeriesState, score: SheetResult) -> int:
    if score is None:
        return state.dealing_side
    winner, _ = score
    if state.options.players == 4:
        return winner
    if state.options.players == 3:
        return next(seat for seat in state.boards[0].seats if seat != winner)
    return {"winner": winner, "loser": 1 - winner, "alternate": 1 - state.dealing_side}[
        state.options.next_dealer
    ]


def _board(one: int, other: int, dealer_seat: int) -> Board:
    # The lower seat comes first, whoever deals, so that a pair has one way of being written.
    seats = (min(one, other), max(one, other))
    return Board(seats, dealer=0 if seats[0] == dealer_seat else 1)


def _board_without(dealer: int) -> Board:
    after, before = (dealer + 1) % 3, (dealer + 2) % 3
    return _board(after, before, dealer_seat=before)


def _team_boards(dealing_side: int, round_number: int) -> tuple[Board, ...]:
    pairs = ((0, 1), (2, 3)) if round_number % 2 else ((0, 3), (2, 1))
    return tuple(
        _board(*pair, dealer_seat=next(seat for seat in pair if seat % 2 == dealing_side))
        for pair in pairs
    )
