"""The record of a whole series: who played, each round, the score sheet (docs/notation.md).

A text for people and programs, with all that is needed to check it: the rounds can be replayed, the
decks made again from their secrets, the sheet added up. Of a series that is over, never before.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from games.rules.by_hand import ByHand, result_by_hand
from games.rules.errors import IllegalAction, UnreadableInput, quoted
from games.rules.log import located
from games.rules.notation import RoundRecord, format_options, parse_options, replay
from games.rules.options import Options
from games.rules.parts import Part, is_part
from games.rules.proof import DealProof
from games.rules.scoring import Ending, RoundResult
from games.rules.series import SeriesState, agree_end, resign_series, score_round, start_series

TITLE: Final = "Hollywood Gin series 1"
UNKNOWN: Final = "unknown"
LONGEST_NAME: Final = 40
MOST_ROUNDS: Final = 500
"""No series comes near to it: a player wins one after so few rounds that score.

A sheet that is kept by hand is full then.
"""

_AGREED: Final = "stopped by agreement"
_GAVE_UP: Final = {"resigned": "resigned", "time": "ran out of time", "abandoned": "left"}
_RESIGNATION: Final = "resignation"
_SOURCES: Final = ("played", "entered", "imported")
_TIME: Final = re.compile(
    r"(?P<year>19[7-9][0-9]|2[0-9]{3})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12][0-9]|3[01]) "
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9] UTC"
)
_LONG_MONTHS: Final = (1, 3, 5, 7, 8, 10, 12)
_CONTROL: Final = re.compile(r"none|[0-9]{1,2}d|[0-9]{1,5}\+[0-9]{1,3}r?")
_SLUG: Final = re.compile(r"[A-Za-z0-9_-]{1,16}")
_SCORE: Final = re.compile(
    r"(?P<winner>[01]) wins (?P<points>[0-9]{1,7}) by "
    r"(?P<kind>gin|big gin|knock|undercut|resignation), "
    r"(?P<bonus>[0-9]{1,6}) \+ (?P<difference>[0-9]{1,6})(?P<double>, doubled)?"
)


@dataclass(frozen=True, slots=True)
class RoundOfSeries:
    """A round and what it scored; without a record its cards are not known.

    `proof` says how it was dealt, where that is known: not of a deal away from this site.
    """

    result: RoundResult
    record: RoundRecord | None = None
    proof: DealProof | None = None


@dataclass(frozen=True, slots=True)
class SeriesRecord:
    """A series of two players that is over.

    `ending` is `played`, `agreed`, or how `by`, one of the sides, gave it up: `resigned`, `time`,
    `abandoned`. Times are UTC, as `2026-03-01 12:00:00 UTC`, or `unknown`; `control` is how long
    they might think, as games.time_control writes it. `void`: moderators have declared that it
    counts for nothing.
    """

    site: str
    series: str
    players: tuple[str, str]
    options: Options
    first_dealer: int
    rounds: tuple[RoundOfSeries, ...]
    control: str = ""
    rated: bool = False
    source: str = "played"
    started: str = UNKNOWN
    ended: str = UNKNOWN
    ending: str = "played"
    by: int | None = None
    void: bool = False

    @property
    def states(self) -> tuple[SeriesState, ...]:
        """How the series stood: before the first round, after each, and at its end."""
        states = [start_series(self.options, self.first_dealer)]
        for each in self.rounds:
            states.append(score_round(states[-1], [each.result]))
        if self.ending == "agreed":
            states.append(agree_end(states[-1]))
        elif self.by is not None:
            states.append(resign_series(states[-1], self.by))
        return tuple(states)

    def format(self) -> str:
        """Write the record; the last line ends with a newline too.

        Raises IllegalAction (`series_over`) where rounds follow the end.
        """
        states = self.states
        blocks = [[TITLE, *_headers(self, states[-1])]]
        for number, (each, after) in enumerate(zip(self.rounds, states[1:], strict=False), 1):
            blocks.append(list(_block(number, each, after)))
        return "\n\n".join("\n".join(block) for block in blocks) + "\n"

    @classmethod
    def parse(cls, text: str, first_line: int = 1) -> "SeriesRecord":
        """Read a record and check all of it: legality, the deals, each score, the sheet, the end.

        Only what `format` writes is read, but for the line ends, the edges, and the case of letters
        in the rounds. Raises UnreadableInput or IllegalAction; the message names the line.

        >>> SeriesRecord.parse("Hollywood Gin series 1\\nSite: here\\nSeries: ?")
        Traceback (most recent call last):
        games.rules.errors.UnreadableInput: Line 3: Not an address of a series: '?'
        """
        if not isinstance(text, str):
            raise UnreadableInput("bad_request", "A record is text")
        return _Reader(_Lines.of(text, first_line)).series()


def parse_all(text: str) -> Iterator[SeriesRecord]:
    """Read the records of many series that follow one another, one at a time; raises what `parse`
    does."""
    lines = text.replace("\r\n", "\n").split("\n")
    starts = [number for number, line in enumerate(lines) if line.strip() == TITLE] or [0]
    if any(line.strip() for line in lines[: starts[0]]):
        starts[0] = 0
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield SeriesRecord.parse("\n".join(lines[start:end]), start + 1)


# Writing


def _headers(record: SeriesRecord, end: SeriesState) -> Iterator[str]:
    yield f"Site: {record.site}"
    yield f"Series: {record.series}"
    yield f"Player 0: {record.players[0]}"
    yield f"Player 1: {record.players[1]}"
    yield f"Options: {format_options(record.options)}"
    yield f"Time: {record.control or 'none'}"
    yield f"Rated: {'yes' if record.rated else 'no'}"
    yield f"Source: {record.source}"
    yield f"Started: {record.started}"
    yield f"Ended: {record.ended}"
    yield f"First dealer: {record.first_dealer}"
    yield f"Result: {_result(record, end)}"
    if record.void:
        yield "Void: yes"


def _result(record: SeriesRecord, end: SeriesState) -> str:
    if record.ending == "agreed":
        return _AGREED
    words = "shared" if end.winner == "shared" else f"{end.winner} wins"
    return words if record.by is None else f"{words}, {record.by} {_GAVE_UP[record.ending]}"


def _block(number: int, each: RoundOfSeries, after: SeriesState) -> Iterator[str]:
    yield f"Round: {number}"
    if each.proof:
        yield f"Commitment: {each.proof.commitment}"
        yield f"Secret: {each.proof.secret.hex()}"
        yield f"Promises: {' '.join(part.promise or 'none' for part in each.proof.parts)}"
        yield f"Message: {each.proof.message}"
    if each.record:
        yield from each.record.format().splitlines()
    yield f"Score: {format_score(each.result)}"
    yield f"Sheet: {' / '.join(' '.join(map(str, side)) for side in after.sheet.totals)}"


def format_score(result: RoundResult) -> str:
    """What a round scored, in a line.

    >>> format_score(RoundResult(Ending.GIN, 0, 25, 18))
    '0 wins 43 by gin, 25 + 18'
    """
    if result.winner is None:
        return str(result.kind)
    doubled = ", doubled" if result.multiplier == 2 else ""
    how = _RESIGNATION if result.kind is Ending.RESIGNED else result.kind
    sum_ = f"{result.bonus} + {result.difference}{doubled}"
    return f"{result.winner} wins {result.points} by {how}, {sum_}"


# Reading


@dataclass(slots=True)
class _Lines:
    """The lines of a record, and how many have been read; `first` is the number of the first."""

    lines: list[str]
    first: int
    read: int = 0

    @classmethod
    def of(cls, text: str, first: int) -> "_Lines":
        lines = text.replace("\r\n", "\n").split("\n")
        while lines and not lines[-1].strip():
            lines.pop()
        blank = next((number for number, line in enumerate(lines) if line.strip()), 0)
        return cls(lines[blank:], first + blank)

    @property
    def place(self) -> str:
        return f"Line {self.first + self.read}"

    @property
    def is_at_end(self) -> bool:
        return self.read >= len(self.lines)

    def rest(self) -> Iterator[str]:
        # One by one: a text may have half a million lines after a round of ten.
        return (self.lines[number] for number in range(self.read, len(self.lines)))

    @property
    def line(self) -> str:
        return "" if self.is_at_end else self.lines[self.read]

    def expect(self, line: str) -> None:
        """Read this line. Raises UnreadableInput where another one stands there."""
        if self.line != line:
            raise UnreadableInput(
                "bad_request", f"{self.place}: not {quoted(line)} but {quoted(self.line)}"
            )
        self.read += 1

    def value[T](self, name: str, parse: Callable[[str], T]) -> T:
        """Read the line of this name."""
        with located(self.place):
            label, colon, value = self.line.partition(": ")
            if not colon or label != name:
                raise UnreadableInput("bad_request", f"Not {name!r} but {quoted(self.line)}")
            found = parse(value)
        self.read += 1
        return found


@dataclass(slots=True)
class _Reader:
    lines: _Lines
    rounds: list[RoundOfSeries] = field(default_factory=list)

    def series(self) -> SeriesRecord:
        head = self._head()
        state = start_series(head.options, head.first_dealer)
        while not self.lines.is_at_end:
            if len(self.rounds) == MOST_ROUNDS:
                raise UnreadableInput("bad_request", f"{self.lines.place}: too many rounds")
            state = self._round(head, state)
        record = replace(head, rounds=tuple(self.rounds))
        self._check_end(record)
        return record

    def _head(self) -> SeriesRecord:
        lines = self.lines
        lines.expect(TITLE)
        site = lines.value("Site", _parse_site)
        series = lines.value("Series", _matching(_SLUG, "an address of a series"))
        players = (lines.value("Player 0", _parse_name), lines.value("Player 1", _parse_name))
        options = lines.value("Options", _parse_options)
        control = lines.value("Time", _matching(_CONTROL, "a time control")).replace("none", "")
        rated = lines.value("Rated", _one_of("no", "yes")) == "yes"
        source = lines.value("Source", _one_of(*_SOURCES))
        started, ended = lines.value("Started", _parse_time), lines.value("Ended", _parse_time)
        first_dealer = int(lines.value("First dealer", _one_of("0", "1")))
        ending, by = lines.value("Result", _parse_result)
        void = self._is_at("Void: ") and bool(lines.value("Void", _one_of("yes")))
        return SeriesRecord(
            site=site,
            series=series,
            players=players,
            options=options,
            first_dealer=first_dealer,
            rounds=(),
            control=control,
            rated=rated,
            source=source,
            started=started,
            ended=ended,
            ending=ending,
            by=by,
            void=void,
        )

    def _round(self, head: SeriesRecord, state: SeriesState) -> SeriesState:
        lines, number = self.lines, len(self.rounds) + 1
        lines.expect("")
        place = lines.place
        with located(place):
            if state.is_over:
                raise IllegalAction("series_over", "The series is over: no round can follow")
        lines.expect(f"Round: {number}")
        proof = self._proof(head.series, number) if self._is_at("Commitment: ") else None
        record = self._record(head, state, number) if self._is_at("Hollywood ") else None
        result = self._score(head, record, number)
        with located(place):
            _check_deal(proof, record)
            after = score_round(state, [result])
        lines.expect(
            f"Sheet: {' / '.join(' '.join(map(str, side)) for side in after.sheet.totals)}"
        )
        self.rounds.append(RoundOfSeries(result, record, proof))
        return after

    def _is_at(self, beginning: str) -> bool:
        return self.lines.line.lower().startswith(beginning.lower())

    def _proof(self, series: str, number: int) -> DealProof:
        lines = self.lines
        commitment = lines.value("Commitment", _parse_hash)
        secret = lines.value("Secret", _parse_hash)
        promises = lines.value("Promises", _parse_two)
        place = lines.place
        slug, of, board, *parts = lines.value("Message", _parse_message)
        with located(place):
            if (slug, of, board) != (series, str(number), "0"):
                raise UnreadableInput("bad_request", "Not the message of this round")
        lower, higher = (
            Part("" if promise == "none" else promise, "" if part == "none" else part)
            for promise, part in zip(promises, parts, strict=True)
        )
        return DealProof(series, number, 0, bytes.fromhex(secret), commitment, (lower, higher))

    def _record(self, head: SeriesRecord, state: SeriesState, number: int) -> RoundRecord:
        lines = self.lines
        own: list[str] = []
        first = lines.first + lines.read
        for line in lines.rest():
            if line.startswith("Score: ") or not line.strip():
                break
            if not line.isascii():
                where = f"Line {first + len(own)}"
                raise UnreadableInput("bad_request", f"{where}: A record of a round is ASCII")
            own.append(line)
        record = RoundRecord.parse("\n".join(own), first)
        with located(f"Line {first}"):
            if record.options != head.options:
                raise UnreadableInput("bad_request", "The options are not those of the series")
            if record.dealer != state.boards[0].dealer:
                raise IllegalAction(
                    "illegal_action", f"Round {number} is dealt by {state.boards[0].dealer}"
                )
        lines.read += len(own)
        return record

    def _score(self, head: SeriesRecord, record: RoundRecord | None, number: int) -> RoundResult:
        place = self.lines.place
        result = self.lines.value("Score", parse_score)
        if record is None:
            with located(place):
                _check_by_hand(head.options, result)
            return result
        with located(f"{place}, round {number}"):
            played = replay(record)[-1].state.result
            if played is None or played.kind is Ending.VOID:
                raise IllegalAction("illegal_action", "The round is not played to its end")
            if format_score(played) != format_score(result):
                raise UnreadableInput("bad_request", f"The round gives {format_score(played)!r}")
        return played

    def _check_end(self, record: SeriesRecord) -> None:
        last = f"Line {self.lines.first + 12}"  # that of the result
        with located(last):
            end = record.states[-1]
            if not end.is_over:
                raise UnreadableInput("bad_request", "By its rounds the series is not over")
            found = self.lines.lines[12].removeprefix("Result: ")
            if found != _result(record, end):
                words = _result(record, end)
                raise UnreadableInput("bad_request", f"By its rounds the result is {words!r}")


def parse_score(text: str) -> RoundResult:
    """Read what `format_score` writes. Raises UnreadableInput (`bad_request`)."""
    if text == Ending.DRAWN:
        return RoundResult(Ending.DRAWN)
    found = _SCORE.fullmatch(text)
    if found:
        result = RoundResult(
            Ending.RESIGNED if found["kind"] == _RESIGNATION else Ending(found["kind"]),
            int(found["winner"]),
            int(found["bonus"]),
            int(found["difference"]),
            2 if found["double"] else 1,
        )
        if format_score(result) == text:
            return result
    raise UnreadableInput("bad_request", f"Not a score: {quoted(text)}")


def _check_by_hand(options: Options, result: RoundResult) -> None:
    """Of a round without cards: whether these rules could have brought about such a score."""
    # A round that is resigned scores as gin does (docs/rules.md, section 14).
    kind = Ending.GIN if result.kind is Ending.RESIGNED else result.kind
    points = None if result.winner is None else result.points
    told = ByHand(kind, result.winner, points, doubled=result.multiplier == 2)
    found = format_score(replace(result_by_hand(options, told), kind=result.kind))
    if found != format_score(result):
        raise UnreadableInput("bad_request", f"By the rules it would be {found!r}")


def _check_deal(proof: DealProof | None, record: RoundRecord | None) -> None:
    if proof is None:
        return
    if record is None:
        raise UnreadableInput("bad_request", "A deal is told, but no cards")
    for fault in proof.faults(record.deck):
        raise UnreadableInput("bad_request", fault.capitalize())


def _matching(pattern: re.Pattern[str], what: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if not pattern.fullmatch(text):
            raise UnreadableInput("bad_request", f"Not {what}: {quoted(text)}")
        return text

    return parse


def _one_of(*words: str) -> Callable[[str], str]:
    return _matching(re.compile("|".join(words)), f"one of {', '.join(words)}")


def _parse_time(text: str) -> str:
    found = _TIME.fullmatch(text)
    if text != UNKNOWN and (found is None or int(found["day"]) > _days(found)):
        raise UnreadableInput("bad_request", f"Not a time in UTC: {quoted(text)}")
    return text


def _days(found: re.Match[str]) -> int:
    """How many days the month has."""
    year, month = int(found["year"]), int(found["month"])
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 31 if month in _LONG_MONTHS else 30


def _parse_site(text: str) -> str:
    return _parse_text(text, 200)


def _parse_name(text: str) -> str:
    return _parse_text(text, LONGEST_NAME)


def _parse_text(text: str, longest: int) -> str:
    if not text.strip() or text != text.strip() or len(text) > longest or not text.isprintable():
        raise UnreadableInput("bad_request", f"Not a line of 1 to {longest} signs: {quoted(text)}")
    return text


def _parse_options(text: str) -> Options:
    options = parse_options(text)
    if format_options(options) != text:
        raise UnreadableInput("bad_request", f"To be written as {format_options(options)!r}")
    if options.players != 2:
        raise UnreadableInput("bad_request", "Only series of two players are recorded")
    return options


def _parse_result(text: str) -> tuple[str, int | None]:
    if text == _AGREED:
        return "agreed", None
    words, _, gave_up = text.partition(", ")
    if words in ("0 wins", "1 wins", "shared") and not gave_up:
        return "played", None
    for ending, phrase in _GAVE_UP.items():
        for by in (0, 1):
            if gave_up == f"{by} {phrase}":
                return ending, by
    raise UnreadableInput("bad_request", f"Not a result of a series: {quoted(text)}")


def _parse_hash(text: str) -> str:
    if not is_part(text):
        raise UnreadableInput("bad_request", f"Not 32 bytes in hex: {quoted(text)}")
    return text


def _parse_two(text: str) -> tuple[str, ...]:
    words = tuple(text.split(" "))
    if len(words) != 2 or not all(word == "none" or is_part(word) for word in words):
        raise UnreadableInput("bad_request", f"Not two of 32 bytes in hex, or none: {quoted(text)}")
    return words


def _parse_message(text: str) -> tuple[str, ...]:
    words = tuple(text.split("|"))
    if len(words) != 5 or not all(word == "none" or is_part(word) for word in words[3:]):
        raise UnreadableInput("bad_request", f"Not the message of a deal: {quoted(text)}")
    return words
