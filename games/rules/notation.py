"""The record of a round: lines that a person can read and a program replay (docs/notation.md).

It has every card, so it is for after the round, for tests and for the server. The short log that
is stored while a round runs is in `log`; its names are offered here too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from games.rules.actions import (
    Action,
    BigGin,
    Defend,
    Discard,
    Draw,
    Knock,
    Pass,
    Resign,
    Take,
    parse_action,
)
from games.rules.cards import Card, format_cards, parse_card, parse_cards
from games.rules.errors import UnreadableInput, quoted
from games.rules.log import (
    BROKEN_OFF,
    EMPTY_LOG,
    Entry,
    Folded,
    extend,
    fold,
    located,
    logged,
    played,
)
from games.rules.options import OPTION_VALUES, Options, OptionValue
from games.rules.round import Progress, deal
from games.rules.state import check_deck

__all__ = [
    "BROKEN_OFF",
    "EMPTY_LOG",
    "Entry",
    "Folded",
    "RoundRecord",
    "extend",
    "fold",
    "format_options",
    "logged",
    "parse_options",
    "replay",
]

_TITLE: Final = "Hollywood Gin round 1"
_BROKEN_OFF: Final = "broken off"
_PHRASES: Final[Mapping[str, Action]] = {
    "passes": Pass(),
    "declares big gin": BigGin(),
    "lays off at best": Defend(),
    "lays off nothing": Defend(()),
    "resigns": Resign(),
}
_WRITTEN: Final = {action: phrase for phrase, action in _PHRASES.items()}


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round as it was dealt and played; whether that was legal, `replay` says.

    >>> from games.rules.cards import DECK
    >>> record = RoundRecord.from_log("1 p p d xKC", DECK, 1, Options())
    >>> for line in record.format().splitlines()[:6] + record.format().splitlines()[7:]:
    ...     print(line)
    Hollywood Gin round 1
    Options: hollywood
    Dealer: 1
    Hand 0: AC 3C 5C 7C 9C JC KC 2D 4D 6D
    Hand 1: 2C 4C 6C 8C TC QC AD 3D 5D 7D
    Upcard: 8D
    0 passes
    1 passes
    0 draws 9D and discards KC
    """

    options: Options
    dealer: int
    deck: tuple[Card, ...]
    entries: tuple[Entry, ...] = ()

    @classmethod
    def from_log(
        cls, log: str, deck: Sequence[Card], dealer: int, options: Options
    ) -> "RoundRecord":
        """Make the record of a stored round. Raises what `fold` raises."""
        return cls(options, dealer, tuple(deck), fold(log, deck, dealer, options).entries)

    @property
    def log(self) -> str:
        """The round as the short log writes it."""
        return " ".join([EMPTY_LOG, *map(str, self.entries)])

    def format(self) -> str:
        """Write the record, a line for each turn; the last line ends with a newline too."""
        return "\n".join([_TITLE, *_format_headers(self), *_format_turns(self), ""])

    @classmethod
    def parse(cls, text: str, first_line: int = 1) -> "RoundRecord":
        """Read a record: only what `format` writes, but for the case of letters and the edges.

        `first_line` is the number of its first line, where it stands in a longer text.

        Raises UnreadableInput (`bad_request`, `bad_card`, `duplicate_card`, `wrong_count`,
        `not_a_meld`, `unknown_option`); the message names the line.

        >>> RoundRecord.parse("Hollywood Gin round 1\\nOptions: whist")
        Traceback (most recent call last):
        games.rules.errors.UnreadableInput: Line 2: No such preset: 'whist'
        """
        if not isinstance(text, str) or not text.isascii():
            raise UnreadableInput("bad_request", "A record is plain ASCII text")
        lines = text.replace("\r\n", "\n").strip().lower().split("\n")
        record = _parse_record(lines, first_line)
        _check_canonical(lines, record.format().lower().splitlines(), first_line)
        return record


def replay(record: RoundRecord) -> tuple[Progress, ...]:
    """Play a record out: the deal, then each entry.

    Raises IllegalAction for an action that wasn't allowed; the message says which.
    """
    steps = [deal(record.deck, record.dealer, record.options)]
    for number, entry in enumerate(record.entries, 1):
        with located(f"Action {number}, {str(entry)!r}"):
            steps.append(played(steps[-1].state, entry))
    return tuple(steps)


def _format_headers(record: RoundRecord) -> Iterator[str]:
    deck = record.deck
    yield f"Options: {format_options(record.options)}"
    yield f"Dealer: {record.dealer}"
    yield f"Hand 0: {format_cards(deck[1 - record.dealer : 20 : 2])}"
    yield f"Hand 1: {format_cards(deck[record.dealer : 20 : 2])}"
    yield f"Upcard: {deck[20]}"
    yield f"Stock: {format_cards(deck[21:])}"


def format_options(options: Options) -> str:
    """The options as a record's line has them: the preset, and what differs from it."""
    preset, *single = options.to_mapping().items()
    return ", ".join([str(preset[1]), *(f"{name} {value}".lower() for name, value in single)])


def _format_turns(record: RoundRecord) -> list[str]:
    turns: list[str] = []
    before = BROKEN_OFF
    for entry, phrase in zip(record.entries, _phrases(record), strict=True):
        if _is_same_turn(before, entry):
            turns[-1] += f" and {phrase}"
        else:
            turns.append(phrase if entry.action is None else f"{entry.seat} {phrase}")
        before = entry
    return turns


def _is_same_turn(before: Entry, entry: Entry) -> bool:
    return (
        entry.seat == before.seat
        and isinstance(before.action, Take | Draw)
        and isinstance(entry.action, Discard | Knock | BigGin)
    )


def _phrases(record: RoundRecord) -> Iterator[str]:
    # What was drawn or taken follows from the deck; it is written for the reader.
    stock, pile = list(reversed(record.deck[21:])), [record.deck[20]]
    for entry in record.entries:
        match entry.action:
            case Draw():
                yield f"draws {stock.pop() if stock else 'nothing'}"
            case Take():
                yield f"takes {pile.pop() if pile else 'nothing'}"
            case Discard(card):
                pile.append(card)
                yield f"discards {card}"
            case None:
                yield _BROKEN_OFF
            case action:
                yield _format_phrase(action)


def _format_phrase(action: Action) -> str:
    match action:
        case Knock(card, melds) if melds is not None:
            return f"knocks {card}: {' / '.join(map(str, melds)) or 'no melds'}"
        case Knock(card):
            return f"knocks {card}"
        case Defend(lay_offs) if lay_offs:
            laid = ", ".join(f"{lay_off.card} on {lay_off.meld}" for lay_off in lay_offs)
            return f"lays off {laid}"
        case _:
            return _WRITTEN[action]


def _parse_record(lines: Sequence[str], first: int) -> RoundRecord:
    if lines[0] != _TITLE.lower():
        raise UnreadableInput("bad_request", f"Line {first}: not {_TITLE!r} but {quoted(lines[0])}")
    options = _parse_header(lines, first, 1, "Options", parse_options)
    dealer = _parse_header(lines, first, 2, "Dealer", _parse_seat)
    hand_0 = _parse_header(lines, first, 3, "Hand 0", _parse_ten)
    hand_1 = _parse_header(lines, first, 4, "Hand 1", _parse_ten)
    upcard = _parse_header(lines, first, 5, "Upcard", parse_card)
    stock = _parse_header(lines, first, 6, "Stock", parse_cards)
    in_order = (hand_0, hand_1) if dealer == 1 else (hand_1, hand_0)
    deck = (*chain.from_iterable(zip(*in_order, strict=True)), upcard, *stock)
    with located(f"Lines {first + 3} to {first + 6}"):
        check_deck(deck)
    entries: list[Entry] = []
    for number, line in enumerate(lines[7:], first + 7):
        with located(f"Line {number}"):
            entries.extend(_parse_turn(line))
    return RoundRecord(options, dealer, deck, tuple(entries))


def _parse_header[T](
    lines: Sequence[str], first: int, place: int, name: str, parse: Callable[[str], T]
) -> T:
    with located(f"Line {first + place}"):
        line = lines[place] if place < len(lines) else ""
        label, _, value = line.partition(": ")
        if label != name.lower():
            raise UnreadableInput("bad_request", f"Not {name!r} but {quoted(line)}")
        return parse(value)


def parse_options(text: str) -> Options:
    """Read what `format_options` writes. Raises UnreadableInput."""
    preset, *single = text.split(", ", maxsplit=len(OPTION_VALUES))
    mapping: dict[str, object] = {"preset": preset}
    for option in single:
        name, _, value = option.partition(" ")
        mapping[name] = _parse_value(value)
    return Options.from_mapping(mapping)


def _parse_value(text: str) -> OptionValue:
    if text.isdigit() and len(text) <= 3:
        return int(text)
    return {"true": True, "false": False}.get(text, text)


def _parse_seat(text: str) -> int:
    if text not in ("0", "1"):
        raise UnreadableInput("bad_request", f"Not a seat, 0 or 1: {quoted(text)}")
    return int(text)


def _parse_ten(text: str) -> tuple[Card, ...]:
    cards = parse_cards(text)
    if len(cards) != 10:
        raise UnreadableInput("wrong_count", f"A hand is dealt 10 cards, not {len(cards)}")
    return cards


def _parse_turn(line: str) -> Iterator[Entry]:
    if line == _BROKEN_OFF:
        yield BROKEN_OFF
        return
    seat, _, phrases = line.partition(" ")
    for phrase in phrases.split(" and "):
        yield Entry(_parse_seat(seat), _parse_phrase(phrase))


def _parse_phrase(phrase: str) -> Action:
    # Loosely, for what is read is written again and compared.
    if phrase in _PHRASES:
        return _PHRASES[phrase]
    verb, _, rest = phrase.partition(" ")
    match verb:
        case "draws":
            return Draw()
        case "takes":
            return Take()
        case "discards":
            return Discard(parse_card(rest))
        case "knocks":
            text = rest.replace(": no melds", "=").replace(": ", "=").replace(" ", "")
            return parse_action(f"k{text}")
        case "lays":
            text = rest.removeprefix("off ").replace(" on ", "").replace(", ", ",")
            return parse_action(f"l={text}")
    raise UnreadableInput("bad_request", f"No such action: {quoted(phrase)}")


def _check_canonical(lines: Sequence[str], right: Sequence[str], first: int) -> None:
    for number, (found, expected) in enumerate(zip(lines, right, strict=True), first):
        if found != expected:
            raise UnreadableInput(
                "bad_request", f"Line {number}: not {quoted(expected)} but {quoted(found)}"
            )
