"""Contexts of the pages that teach: how to play, the rules, the rule card of one series."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from games.option_words import (
    OPTION_GROUPS,
    OPTION_WORDS,
    RuleLine,
    rule_line,
    rule_lines_by_group,
)
from games.rendering.cast import Cast
from games.rendering.rulebook import (
    GIN_RUMMY,
    HOLLYWOOD,
    PLAIN_UPCARD,
    Fan,
    Hand,
    ScoreRow,
    Settled,
    SheetStory,
    Showdown,
    Turn,
    Upcard,
    cards_of,
)
from games.rules.cards import NO_CARDS, Card, cards_in, parse_card
from games.rules.deadwood import deadwood_points, is_big_gin, knock_discards
from games.rules.lay_offs import defence_with
from games.rules.melds import Arrangement, Meld, arrangement_with, best_arrangement, spreads
from games.rules.options import OPTION_VALUES, PRESETS, Options, OptionValue
from games.rules.scoring import RoundResult, score_big_gin, score_knock
from games.rules.sheet import ScoreSheet, SheetResult

type Words = str | Promise


@dataclass(frozen=True, slots=True)
class HowToPlay:
    """`templates/games/help/how_to_play.html`, as `how`.

    `guide`: the preference of whoever looks.
    """

    path: str
    guide: str
    turn: Turn
    knock: Showdown
    later: tuple[SheetResult, ...]
    options: Options = HOLLYWOOD

    @property
    def result(self) -> RoundResult:
        return self.knock.result

    @property
    def sheet(self) -> SheetStory:
        results = ((self.result.winner or 0, self.result.points), *self.later)
        return SheetStory(ScoreSheet.of(self.options, results), Cast((_("You"), _("Bea")), 0))


def how_to_play(path: str, guide: str) -> HowToPlay:
    """Make the page: one hand, a turn, the knock, the count, and where the points go."""
    turn = Turn(cards_of("4H 5H 6H 7H QC QD QS AC 2D KS"), parse_card("8H"), parse_card("5C"))
    other = cards_of("9C 9D 9S 2C 3C 4C 3H QH 6D 8S")
    knock = Showdown.of(turn.after.arrangement, other)
    return HowToPlay(path, guide, turn, knock, later=((1, 18), (0, 30), (0, 4)))


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of `templates/games/help/rules.html`; they know no language."""

    melds: tuple[Fan, ...]
    no_melds: tuple[Fan, ...]
    one_meld: tuple[Hand, ...]
    knock: Hand
    knock_with: dict[Card, int]
    gin: Hand
    spreads: tuple[tuple[Hand, tuple[Card, ...]], ...]
    chain: Showdown
    broken: Showdown
    unbroken: Hand
    scores: tuple[ScoreRow, ...]
    upcards: tuple[Upcard, ...]
    oklahoma: RoundResult
    big_gin: Hand
    big_gin_result: RoundResult


@cache
def examples() -> Examples:
    """Make the examples, once."""
    knock = cards_of("2S 3S 4S 9D 9H 9C JH QH KH TC 8D")
    choice = spreads(cards_of("7C 7D 7H 7S 8S 9S TS AC 2D 3H"), HOLLYWOOD.limit_for(PLAIN_UPCARD))
    even = [each for each in choice if each.deadwood_points == choice[0].deadwood_points]
    tricky, spade_run = cards_of("2S 3S 4S 4H 4D 3H KC KD KH 9C"), Meld.parse("5S 6S 7S")
    knocker = Arrangement((spade_run, Meld.parse("5H 6H 7H")), cards_of("AC AD 2D 3C"))
    oklahoma = PRESETS["oklahoma"]
    return Examples(
        melds=tuple(map(Fan.of, ("7C 7D 7H", "QC QD QH QS", "5S 6S 7S", "AH 2H 3H 4H"))),
        no_melds=tuple(map(Fan.of, ("QC KC AC", "KD AD 2D", "4H 5H 6D"))),
        one_meld=_one_meld("7C 7D 7H 8C 9C"),
        knock=Hand(best_arrangement(knock)),
        knock_with=knock_discards(knock, HOLLYWOOD.limit_for(PLAIN_UPCARD)),
        gin=Hand.of("4H 5H 6H 7H QC QD QS AC AD AS"),
        spreads=tuple((Hand(each), _fits(each)) for each in even),
        chain=Showdown.of(
            best_arrangement(cards_of("5H 6H 7H KC KD KH TC 9C 8C 2D")),
            cards_of("3H 4H 8H QC QD QS AC 7D 5S KS"),
        ),
        broken=Showdown.of(knocker, tricky),
        unbroken=Hand(defence_with(tricky, knocker.melds, ()).arrangement),
        scores=tuple(ScoreRow(*counts) for counts in ((0, 21), (0, 0), (3, 12), (10, 10), (8, 3))),
        upcards=tuple(Upcard(Card[name], oklahoma) for name in ("7H", "KD", "AC", "9S")),
        oklahoma=score_knock(
            oklahoma, Card["9S"], knocker=0, knocker_deadwood=3, defender_deadwood=12
        ),
        big_gin=_big_gin("4H 5H 6H 7H 8H QC QD QS AC AD AS"),
        big_gin_result=score_big_gin(
            PRESETS["tournament-hollywood"], PLAIN_UPCARD, knocker=0, defender_deadwood=21
        ),
    )


def _one_meld(text: str) -> tuple[Hand, ...]:
    """The same cards melded in either way, the better first."""
    hand = cards_of(text)
    best = best_arrangement(hand)
    other = next(
        arrangement_with(hand, [meld])
        for meld in (Meld.parse("7C 7D 7H"), Meld.parse("7C 8C 9C"))
        if meld not in best.melds
    )
    return Hand(best), Hand(other)


def _fits(spread: Arrangement) -> tuple[Card, ...]:
    """The cards outside the hand that a defender could lay off on it at once."""
    own = spread.deadwood | sum(meld.cards for meld in spread.melds)
    fits = NO_CARDS
    for meld in spread.melds:
        fits |= meld.fits & ~own
    return cards_in(fits)


def _big_gin(text: str) -> Hand:
    cards = cards_of(text)
    assert is_big_gin(cards), "an example of big gin"
    assert deadwood_points(cards) == 0, "an example of big gin"
    return Hand(best_arrangement(cards))


RESULTS: Final[tuple[SheetResult, ...]] = (
    *((0, 50), (0, 30), (0, 25)),
    *((1, 30), (1, 45), (0, 50), (1, 60)),
)
"""The second example of docs/rules.md, section 7: a late entry and a shutout."""


def _names() -> Cast:
    return Cast((_("Ali"), _("Bea")), None)


@dataclass(frozen=True, slots=True)
class OptionSection:
    """An option as the rules explain it. `values`: each in words, and the presets that set it.

    The first value is the usual one; a number that may be chosen freely has `low` and `high`.
    """

    name: str
    label: Words
    what: Words
    values: tuple[tuple[str, tuple[Words, ...]], ...]
    low: int = 0
    high: int = 0

    @classmethod
    def of(cls, name: str, labels: "Labels") -> "OptionSection":
        words, allowed = OPTION_WORDS[name], OPTION_VALUES[name]
        usual = getattr(HOLLYWOOD, name)
        set_by = {value: _set_by(name, value, labels) for value in _values(name)}
        values = tuple(
            (words.of(value), () if value == usual else presets)
            for value, presets in set_by.items()
        )
        if isinstance(allowed, range):
            return cls(name, words.label, words.what, values, allowed[0], allowed[-1])
        return cls(name, words.label, words.what, values)


def _values(name: str) -> tuple[OptionValue, ...]:
    allowed = OPTION_VALUES[name]
    if not isinstance(allowed, range):
        return allowed
    used = {getattr(options, name) for options in PRESETS.values()}
    usual = getattr(HOLLYWOOD, name)
    return (usual, *sorted(used - {usual}))


def _set_by(name: str, value: OptionValue, labels: "Labels") -> tuple[Words, ...]:
    return tuple(
        labels[preset] for preset, options in PRESETS.items() if getattr(options, name) == value
    )


@dataclass(frozen=True, slots=True)
class PresetRow:
    """A preset, and the options in which it differs from the usual ones."""

    name: str
    label: Words
    lines: tuple[RuleLine, ...]

    @classmethod
    def of(cls, name: str, labels: "Labels") -> "PresetRow":
        options = PRESETS[name]
        lines = (rule_line(options, each) for _title, names in OPTION_GROUPS for each in names)
        return cls(name, labels[name], tuple(line for line in lines if line.origin == "preset"))


@dataclass(frozen=True, slots=True)
class RulesPage:
    """`templates/games/help/rules.html`, as `rules`: the examples, and the options in words.

    `more_players`: series for three and four can be made here.
    """

    options: tuple[OptionSection, ...]
    presets: tuple[PresetRow, ...]
    more_players: bool

    @property
    def examples(self) -> Examples:
        return examples()

    @property
    def hollywood(self) -> Options:
        return HOLLYWOOD

    @property
    def gin_rummy(self) -> Options:
        return GIN_RUMMY

    @property
    def first_sheet(self) -> SheetStory:
        return SheetStory(ScoreSheet.of(HOLLYWOOD, ((1, 12), (0, 20), (1, 25), (1, 8))), _names())

    @property
    def late_sheet(self) -> SheetStory:
        return SheetStory(ScoreSheet.of(HOLLYWOOD, RESULTS), _names())

    @property
    def strict_sheet(self) -> SheetStory:
        return SheetStory(ScoreSheet.of(replace(HOLLYWOOD, entry="strict"), RESULTS), _names())

    @property
    def settled(self) -> Settled:
        options = replace(HOLLYWOOD, settlement="classic")
        return Settled(ScoreSheet.of(options, RESULTS), _names())

    @property
    def dear_win(self) -> Settled:
        """Four rounds to 100 against ten rounds to 99."""
        results = (*((1, 10),) * 9, (1, 9), *((0, 25),) * 4)
        return Settled(ScoreSheet.of(GIN_RUMMY, results), _names())


type Labels = Mapping[str, Words]
"""The presets' names, as the form that makes a series shows them."""


def rules_page(labels: Labels, *, more_players: bool) -> RulesPage:
    """Make the page of the rules."""
    return RulesPage(
        options=tuple(
            OptionSection.of(name, labels) for _title, names in OPTION_GROUPS for name in names
        ),
        presets=tuple(PresetRow.of(name, labels) for name in PRESETS),
        more_players=more_players,
    )


@dataclass(frozen=True, slots=True)
class RuleCardPage:
    """`templates/games/help/rule_card.html`, as `card`: the rules of one series."""

    url: str
    names: tuple[str, ...]
    preset: Words
    options: Options

    @property
    def groups(self) -> tuple[tuple[Words, tuple[RuleLine, ...]], ...]:
        return rule_lines_by_group(self.options)

    @property
    def chosen(self) -> tuple[RuleLine, ...]:
        """Where the series differs from its preset."""
        return tuple(
            line for _title, lines in self.groups for line in lines if line.origin == "chosen"
        )
