"""What is counted of a player's rounds and series: one value that can be added up.

Everything here is a whole number, so that a sum is the same in whatever order it is made. Pairs are
told by the part in a round: not dealing first, dealing second.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self

from games.luck.deal import Measure, luck_of
from games.rules.cards import DECK, Card
from games.rules.scoring import Ending, RoundResult

ENDINGS: Final = (Ending.GIN, Ending.BIG_GIN, Ending.KNOCK, Ending.UNDERCUT, Ending.RESIGNED)
"""How a round is won and lost, in the order of `won_by` and `lost_by`."""

TURNS: Final = 15
"""The turns that `knock_turns` tells apart; the last stands for all later ones."""

TENS: Final = 10
GAMES: Final = 3
_PARTS: Final = 2


def _zeros(length: int) -> tuple[int, ...]:
    return (0,) * length


@dataclass(frozen=True, slots=True)
class Counts:
    """The figures of a player. An undercut in `won_by` is one that they did; `lost_by`: suffered.

    `rated_score` and `rated_expected` are in thousandths of a series. `knocks` are those with
    deadwood; `knock_turns` counts gin as well, by the player's own turn in the round. What begins
    with `luck` is decided by the deck alone and counts each deal, also of a round that was broken
    off: else who gives up on bad cards would look lucky.
    """

    series: int = 0
    series_won: int = 0
    series_lost: int = 0
    rated: int = 0
    rated_score: int = 0
    rated_expected: int = 0
    games_won: tuple[int, ...] = _zeros(GAMES)
    games_lost: tuple[int, ...] = _zeros(GAMES)
    rounds: tuple[int, ...] = _zeros(_PARTS)
    rounds_won: tuple[int, ...] = _zeros(_PARTS)
    rounds_lost: tuple[int, ...] = _zeros(_PARTS)
    points_won: tuple[int, ...] = _zeros(_PARTS)
    points_lost: tuple[int, ...] = _zeros(_PARTS)
    won_by: tuple[int, ...] = _zeros(len(ENDINGS))
    lost_by: tuple[int, ...] = _zeros(len(ENDINGS))
    knocks: int = 0
    knock_deadwood: int = 0
    knock_turns: tuple[int, ...] = _zeros(TURNS)
    draws: int = 0
    takes: int = 0
    luck_deals: tuple[int, ...] = _zeros(_PARTS)
    luck_dealt: tuple[int, ...] = _zeros(_PARTS)
    luck_upcard: tuple[int, ...] = _zeros(_PARTS)
    luck_first: tuple[int, ...] = _zeros(_PARTS)
    luck_five: tuple[int, ...] = _zeros(_PARTS)
    luck_tens: tuple[int, ...] = _zeros(TENS)
    luck_cards: tuple[int, ...] = _zeros(len(DECK))

    def __add__(self, other: "Counts") -> "Counts":
        """Add figure by figure.

        >>> (Counts(series=2, rounds=(1, 0)) + Counts(series=1, rounds=(4, 5))).rounds
        (5, 5)
        """
        sums: dict[str, Any] = {
            field.name: _sum(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
        }
        return Counts(**sums)

    def __sub__(self, other: "Counts") -> "Counts":
        """Take away what was added.

        >>> Counts(series=3, rounds=(5, 5)) - Counts(series=1, rounds=(4, 5))
        ... # doctest: +ELLIPSIS
        Counts(series=2, ...rounds=(1, 0)...)
        """
        rest: dict[str, Any] = {
            field.name: _rest(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
        }
        return Counts(**rest)

    def to_mapping(self) -> dict[str, Any]:
        """As it is stored: what is nought is left out.

        >>> Counts(series=2, rounds=(1, 0)).to_mapping()
        {'series': 2, 'rounds': [1, 0]}
        """
        named = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in named
            if value != _NOTHING[name]
        }

    @classmethod
    def from_mapping(cls, stored: Mapping[str, Any]) -> Self:
        """Read what `to_mapping` has made."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in stored.items()
        }
        return cls(**values)

    def luck(self, measure: Measure) -> tuple[int, ...]:
        """The sums of a measure of luck, by part."""
        sums: tuple[int, ...] = getattr(self, f"luck_{measure.value}")
        return sums

    @property
    def rounds_drawn(self) -> int:
        return sum(self.rounds) - sum(self.rounds_won) - sum(self.rounds_lost)


_NOTHING: Final[dict[str, Any]] = {field.name: field.default for field in fields(Counts)}


def _sum(one: Any, two: Any) -> Any:
    if isinstance(one, tuple):
        return tuple(a + b for a, b in zip(one, two, strict=True))
    return one + two


def _rest(one: Any, other: Any) -> Any:
    if isinstance(one, tuple):
        return tuple(a - b for a, b in zip(one, other, strict=True))
    return one - other


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that is over: its deck, who dealt (0 or 1), its log, and how it ended."""

    deck: Sequence[Card]
    dealer: int
    log: str
    result: RoundResult


def count_round(played: PlayedRound, seat: int) -> Counts:
    """The figures of a round for its seat 0 or 1; of one that was broken off the luck only."""
    luck = _luck_counts(played, seat)
    if played.result.kind is Ending.VOID:
        return luck
    return luck + _result_counts(played, seat) + _play_counts(played, seat)


def _part(played: PlayedRound, seat: int, figure: int) -> tuple[int, ...]:
    return (0, figure) if seat == played.dealer else (figure, 0)


def _one_of(place: int, length: int) -> tuple[int, ...]:
    return tuple(int(number == place) for number in range(length))


def _result_counts(played: PlayedRound, seat: int) -> Counts:
    result, nothing = played.result, _zeros(_PARTS)
    rounds, points = _part(played, seat, 1), _part(played, seat, result.points)
    knocked = result.knocker == seat and bool(result.knocker_deadwood)
    won, lost = result.winner == seat, result.winner == 1 - seat
    how = _one_of(ENDINGS.index(result.kind), len(ENDINGS)) if won or lost else None
    return Counts(
        rounds=rounds,
        rounds_won=rounds if won else nothing,
        rounds_lost=rounds if lost else nothing,
        points_won=points if won else nothing,
        points_lost=points if lost else nothing,
        won_by=how if how and won else _zeros(len(ENDINGS)),
        lost_by=how if how and lost else _zeros(len(ENDINGS)),
        knocks=int(knocked),
        knock_deadwood=(result.knocker_deadwood or 0) if knocked else 0,
    )


def _play_counts(played: PlayedRound, seat: int) -> Counts:
    turns = draws = takes = 0
    for turn, letter in _acts(played):
        if turn == seat:
            draws += letter == "d"
            takes += letter == "t"
            turns += letter in _ENDS_A_TURN
    knocked = played.result.knocker == seat
    return Counts(
        draws=draws,
        takes=takes,
        knock_turns=_one_of(min(turns, TURNS) - 1, TURNS) if knocked else _zeros(TURNS),
    )


# Passing too hands the turn on, but it is none of one's own; see docs/notation.md.
_ENDS_A_TURN: Final = frozenset("xkb")
_HANDS_ON: Final = frozenset("pxkb")


def _acts(played: PlayedRound) -> Iterator[tuple[int, str]]:
    """Who did what, by the letter of the log: enough to count, and far less than to replay."""
    turn = 1 - played.dealer
    for text in played.log.split(" ")[1:]:
        yield turn, text[0]
        if text[0] in _HANDS_ON:
            turn = 1 - turn


def _luck_counts(played: PlayedRound, seat: int) -> Counts:
    luck = luck_of(played.deck, is_dealer=seat == played.dealer)
    return Counts(
        luck_deals=_part(played, seat, 1),
        luck_dealt=_part(played, seat, luck.dealt),
        luck_upcard=_part(played, seat, luck.upcard),
        luck_first=_part(played, seat, luck.first),
        luck_five=_part(played, seat, luck.five),
        luck_tens=_one_of(luck.dealt // TENS, TENS),
        luck_cards=_one_of(luck.card, len(DECK)),
    )
