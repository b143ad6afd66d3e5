"""What the examples of the rule pages are made of: hands, turns, knocks, sheets, settlements.

The templates hold the sentences; every card and number in them is played and scored by
`games.rules`, so that a page can't promise what the program doesn't score.
"""

from dataclasses import dataclass
from typing import Final, Self

from games.rendering.cast import Cast
from games.rendering.sentences import closed_sentences, entry_sentence
from games.rendering.sheet import SheetContext
from games.rendering.words import card_names, sum_words
from games.rules.cards import NO_CARDS, Card, CardSet, card_set, cards_in, parse_cards
from games.rules.deadwood import best_discard
from games.rules.errors import UnreadableInput
from games.rules.lay_offs import Defence, best_defence, extended_melds
from games.rules.melds import Arrangement, Meld, best_arrangement
from games.rules.options import PRESETS, Options
from games.rules.scoring import RoundResult, score_knock
from games.rules.settlement import Settlement, settle
from games.rules.sheet import Entry, ScoreSheet

HOLLYWOOD: Final = PRESETS["hollywood"]
GIN_RUMMY: Final = PRESETS["gin-rummy"]
PLAIN_UPCARD: Final = Card["2D"]  # no option looks at it twice


def cards_of(text: str) -> CardSet:
    return card_set(parse_cards(text))


def by_rank(cards: CardSet) -> tuple[Card, ...]:
    return tuple(sorted(cards_in(cards), key=lambda card: (card.rank, card.suit)))


@dataclass(frozen=True, slots=True)
class Fan:
    """Cards that lie together. `kind`: "run", "set", "deadwood", "none" (no meld) or "cards".

    `marked` are those to look at: new, laid off, thrown.
    """

    kind: str
    cards: tuple[Card, ...]
    marked: CardSet = NO_CARDS

    @classmethod
    def of_meld(cls, meld: Meld, marked: CardSet = NO_CARDS) -> Self:
        return cls(meld.kind.value, cards_in(meld.cards), marked & meld.cards)

    @classmethod
    def of(cls, text: str) -> Self:
        """Cards in the order given: the meld that they are, or none."""
        cards = parse_cards(text)
        try:
            return cls(Meld(card_set(cards)).kind.value, cards)
        except UnreadableInput:
            return cls("none", cards)

    @property
    def points(self) -> int:
        """What the cards count as deadwood."""
        return sum(card.points for card in self.cards)

    @property
    def faces(self) -> tuple[tuple[Card, bool], ...]:
        """Each card, and whether it is marked."""
        return tuple((card, bool(card.bit & self.marked)) for card in self.cards)


def fans(arrangement: Arrangement, marked: CardSet = NO_CARDS) -> tuple[Fan, ...]:
    """A hand as it lies: its melds, the longest first, then its deadwood."""
    in_order = sorted(arrangement.melds, key=lambda meld: -meld.cards.bit_count())
    melds = tuple(Fan.of_meld(meld, marked) for meld in in_order)
    if not arrangement.deadwood:
        return melds
    return (*melds, Fan("deadwood", by_rank(arrangement.deadwood), marked & arrangement.deadwood))


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand laid out: its best arrangement, or the one that is shown."""

    arrangement: Arrangement
    marked: CardSet = NO_CARDS

    @classmethod
    def of(cls, text: str, marked: str = "") -> Self:
        return cls(best_arrangement(cards_of(text)), cards_of(marked))

    @property
    def fans(self) -> tuple[Fan, ...]:
        return fans(self.arrangement, self.marked)

    @property
    def points(self) -> int:
        return self.arrangement.deadwood_points

    @property
    def sum(self) -> str:
        """What the deadwood counts, card by card: "1 + 2 + 10"."""
        return " + ".join(str(card.points) for card in by_rank(self.arrangement.deadwood))


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: the hand before it, the card drawn, the one thrown, and the hand after it."""

    hand: CardSet
    drawn: Card
    upcard: Card

    @property
    def thrown(self) -> Card:
        return best_discard(self.hand | self.drawn.bit)[0]

    @property
    def before(self) -> Hand:
        return Hand(best_arrangement(self.hand))

    @property
    def after(self) -> Hand:
        kept = (self.hand | self.drawn.bit) ^ self.thrown.bit
        return Hand(best_arrangement(kept), self.drawn.bit)


@dataclass(frozen=True, slots=True)
class Showdown:
    """A knock and its defence. `defence` are the lay-offs and what is kept."""

    spread: Arrangement
    defence: Defence
    result: RoundResult

    @classmethod
    def of(cls, spread: Arrangement, hand: CardSet, options: Options = HOLLYWOOD) -> Self:
        gin = not spread.deadwood
        defence = best_defence(hand, spread.melds, gin=gin)
        result = score_knock(
            options,
            PLAIN_UPCARD,
            knocker=0,
            knocker_deadwood=spread.deadwood_points,
            defender_deadwood=defence.deadwood_points,
        )
        return cls(spread, defence, result)

    @property
    def laid_off(self) -> tuple[Card, ...]:
        return tuple(lay_off.card for lay_off in self.defence.lay_offs)

    @property
    def laid_off_words(self) -> str:
        return card_names(self.laid_off)

    @property
    def table(self) -> tuple[Fan, ...]:
        """The knocker's cards with what was laid off on them."""
        melds = extended_melds(self.spread.melds, self.defence.lay_offs)
        return fans(Arrangement(melds, self.spread.deadwood), card_set(self.laid_off))

    @property
    def table_melds(self) -> tuple[Fan, ...]:
        return tuple(fan for fan in self.table if fan.kind != "deadwood")

    @property
    def kept(self) -> Hand:
        return Hand(self.defence.arrangement)

    @property
    def left(self) -> tuple[Card, ...]:
        """The defender's deadwood."""
        return by_rank(self.defence.arrangement.deadwood)

    @property
    def sum(self) -> str:
        return sum_words(self.result)


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A round on the sheet in words: who won it, its points, and where they went."""

    number: int
    side: int | None
    name: str
    points: int
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SheetStory:
    """A score sheet with the names of its sides, and how it came about."""

    sheet: ScoreSheet
    sides: Cast

    @property
    def pad(self) -> SheetContext:
        """The pad as the table shows it."""
        return SheetContext(self.sheet, self.sides, last=None, winner=None, over=False)

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        return tuple(
            self._line(number, entry) for number, entry in enumerate(self.sheet.entries, 1)
        )

    def _line(self, number: int, entry: Entry) -> SheetLine:
        told = (entry_sentence(entry, self.sides), *closed_sentences(entry, self.sides))
        return SheetLine(
            number,
            entry.side,
            "" if entry.side is None else self.sides.name(entry.side),
            entry.points,
            tuple(filter(None, told)),
        )


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One ending of a round, scored by the options of two presets."""

    knocker: int
    defender: int

    def _by(self, options: Options) -> RoundResult:
        return score_knock(
            options,
            PLAIN_UPCARD,
            knocker=0,
            knocker_deadwood=self.knocker,
            defender_deadwood=self.defender,
        )

    @property
    def result(self) -> RoundResult:
        return self._by(HOLLYWOOD)

    @property
    def kind(self) -> str:
        return self.result.kind.value

    @property
    def sum(self) -> str:
        return sum_words(self.result)

    @property
    def in_gin_rummy(self) -> int:
        return self._by(GIN_RUMMY).points


@dataclass(frozen=True, slots=True)
class Upcard:
    """What the first upcard means in Oklahoma."""

    card: Card
    options: Options

    @property
    def limit(self) -> int:
        return self.options.limit_for(self.card)

    @property
    def doubles(self) -> bool:
        return self.options.multiplier_for(self.card) != 1


@dataclass(frozen=True, slots=True)
class SettledLine:
    """One game settled, term by term."""

    game: int
    winner: str
    won: int
    lost: int
    difference: int
    bonus: int
    boxes: int
    shutout: int
    points: int


@dataclass(frozen=True, slots=True)
class Settled:
    """A sheet settled in points."""

    sheet: ScoreSheet
    sides: Cast

    @property
    def settlement(self) -> Settlement:
        settlement = settle(self.sheet)
        assert settlement is not None, "an example of classic settlement"
        return settlement

    @property
    def lines(self) -> tuple[SettledLine, ...]:
        return tuple(
            SettledLine(
                each.game + 1,
                self.sides.name(each.winner),
                self.sheet.totals[each.winner][each.game],
                self.sheet.totals[1 - each.winner][each.game],
                claim.difference,
                claim.game_bonus,
                claim.boxes,
                claim.shutout,
                each.points,
            )
            for each in self.settlement.games
            for claim in each.claims
        )

    @property
    def net(self) -> int:
        """What the first side has in the end."""
        return self.settlement.net[0]

    @property
    def net_words(self) -> str:
        """The same, with a minus as it is printed."""
        return str(self.net).replace("-", "−")

    @property
    def rounds(self) -> tuple[int, ...]:
        """How many rounds each side has won."""
        return self.sheet.wins

    @property
    def counts(self) -> tuple[int, ...]:
        """Of the first game, what each side counts before the difference is taken."""
        options, standing = self.sheet.options, self.sheet.standing
        return tuple(
            standing.totals[side][0]
            + options.box * standing.boxes[side][0]
            + options.game_bonus * (standing.ended[0] == side)
            for side in range(self.sheet.sides)
        )
