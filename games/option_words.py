"""The options of a series in words: what each is called and says, and what its values mean."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.options import OPTION_VALUES, PRESETS, Options, OptionValue
from games.rules.settlement import FLAT_SHUTOUT

type Words = str | Promise

_POINTS: Final = _("%(value)s points")


@dataclass(frozen=True, slots=True)
class OptionWords:
    """An option in words. A value that is not among `values` is written by `number`."""

    label: Words
    what: Words
    values: Mapping[OptionValue, Words]
    number: Words = _POINTS

    def of(self, value: OptionValue) -> str:
        """Write one value."""
        words = next(
            (words for each, words in self.values.items() if _same(each, value)), self.number
        )
        return str(words) % {"value": value, "flat": FLAT_SHUTOUT}


def _same(one: OptionValue, other: OptionValue) -> bool:
    # False is 0 to Python, but not the same answer.
    return type(one) is type(other) and one == other


OPTION_WORDS: Final[Mapping[str, OptionWords]] = {
    "columns": OptionWords(
        _("Games"),
        _("How many games are scored at once. Three of them are Hollywood, one is gin rummy."),
        {3: _("three games at once"), 1: _("one game")},
    ),
    "target": OptionWords(
        _("Target"), _("Who reaches it, or passes it, has won that game."), {}, _("%(value)s")
    ),
    "entry": OptionWords(
        _("Late entry"),
        _("Where a won round goes when the game it would be entered in has ended."),
        {
            "late": _("into the next open game"),
            "strict": _("nowhere: the nth win goes to games 1 to n only"),
        },
    ),
    "series_end": OptionWords(
        _("End of the series"),
        _("When nothing more is dealt. A game left unfinished counts for nothing."),
        {
            "all": _("when all three games have ended"),
            "two": _("as soon as a side has won two games"),
        },
    ),
    "gin": OptionWords(
        _("Gin bonus"),
        _("What gin scores, besides the deadwood of the other hand."),
        {},
    ),
    "undercut": OptionWords(
        _("Undercut bonus"),
        _("What the defender scores for an undercut, besides the difference."),
        {},
    ),
    "knock_limit": OptionWords(
        _("Knock limit"),
        _("The most deadwood that a knocker may keep."),
        {
            10: _("10 or less"),
            "upcard": _("what the first upcard counts"),
            0: _("gin only"),
        },
    ),
    "oklahoma_ace": OptionWords(
        _("Ace turned up"),
        _("The knock limit that an ace sets, where the first upcard sets it."),
        {0: _("gin only"), 1: _("1 or less")},
    ),
    "spades_double": OptionWords(
        _("Spade turned up"),
        _("Whether a spade as the first upcard doubles the points of the round."),
        {False: _("counts like any other"), True: _("the round counts double")},
    ),
    "big_gin": OptionWords(
        _("Big gin"),
        _("What it scores, in place of the gin bonus, when all eleven cards meld."),
        {0: _("not played")},
    ),
    "last_card": OptionWords(
        _("Last discard"),
        _("What happens when two cards are left in the stock."),
        {
            "draw": _("the round is drawn at once"),
            "offer": _("it may be taken, only to knock or go gin"),
        },
    ),
    "settlement": OptionWords(
        _("Settlement"),
        _("What counts in the end: the games won, or each game settled in points."),
        {"games": _("the games won"), "classic": _("in points, game by game")},
    ),
    "game_bonus": OptionWords(
        _("Game bonus"), _("What the winner of a game adds, where it is settled in points."), {}
    ),
    "box": OptionWords(
        _("Box"),
        _("What each side adds for every round it has won, where games are settled in points."),
        {0: _("nothing")},
    ),
    "shutout": OptionWords(
        _("Shutout"),
        _("What the winner gains where the loser has no entry and games are settled in points."),
        {
            "double": _("that game counts double"),
            "flat": _("%(flat)s points more"),
        },
    ),
    "next_dealer": OptionWords(
        _("Next dealer"),
        _("Which of two players deals the next round. After a drawn round the same deals again."),
        {
            "winner": _("who won the round"),
            "loser": _("who lost the round"),
            "alternate": _("both in turn"),
        },
    ),
    "players": OptionWords(
        _("Players"),
        _("How many sit at the table."),
        {2: _("two"), 3: _("three, one of whom sits out"), 4: _("four, in two teams")},
    ),
}
assert OPTION_WORDS.keys() == OPTION_VALUES.keys(), "every option has its words"

OPTION_GROUPS: Final[tuple[tuple[Words, tuple[str, ...]], ...]] = (
    (_("The score sheet"), ("columns", "target", "entry", "series_end")),
    (
        _("A round"),
        (
            "gin",
            "undercut",
            "knock_limit",
            "oklahoma_ace",
            "spades_double",
            "big_gin",
            "last_card",
        ),
    ),
    (_("In the end"), ("settlement", "game_bonus", "box", "shutout")),
    (_("Who sits and deals"), ("players", "next_dealer")),
)
"""The options in the order in which they are shown, under a heading each."""


def matters(options: Options, name: str) -> bool:
    """Whether a series with these options could tell one value of this option from another.

    >>> matters(Options(), "box"), matters(Options(columns=1), "box")
    (False, True)
    """
    match name:
        case "entry" | "series_end":
            return options.columns > 1
        case "oklahoma_ace":
            return options.knock_limit == "upcard"
        case "undercut":
            return options.knock_limit != 0
        case "game_bonus" | "box" | "shutout":
            return options.settlement == "classic"
        case "next_dealer":
            return options.players == 2
    return True


@dataclass(frozen=True, slots=True)
class RuleLine:
    """An option of one series. `origin`: "chosen" for it, set by its "preset", or "usual".

    `idle`: with the other options as they are, it makes no difference.
    """

    name: str
    label: Words
    value: str
    origin: str
    idle: bool


def rule_lines_by_group(options: Options) -> tuple[tuple[Words, tuple[RuleLine, ...]], ...]:
    """Every option of a series, under its heading."""
    return tuple(
        (heading, tuple(rule_line(options, name) for name in names))
        for heading, names in OPTION_GROUPS
    )


def rule_line(options: Options, name: str) -> RuleLine:
    """One option of a series."""
    words = OPTION_WORDS[name]
    value = words.of(getattr(options, name))
    idle = not matters(options, name)
    return RuleLine(name, words.label, value, origin_of(options, name), idle)


def origin_of(options: Options, name: str) -> str:
    """Say where the value of an option comes from: "chosen", "preset" or "usual".

    >>> options = Options.from_mapping({"preset": "oklahoma", "target": 200})
    >>> [origin_of(options, name) for name in ("target", "undercut", "gin")]
    ['chosen', 'preset', 'usual']
    """
    if name == "settlement" and options.columns == 1:
        name = "columns"  # which says how it is settled
    value = getattr(options, name)
    if value != getattr(PRESETS[options.preset], name):
        return "chosen"
    return "usual" if value == getattr(Options(), name) else "preset"
