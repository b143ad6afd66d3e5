"""The log of a round: one short line that is stored and grows with each action.

`1 p t xKD d x9C k4H` is a version and, after one space each, what was done (docs/notation.md). With
the deck, the dealer and the options, it is the round: `fold` plays it out.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from games.rules.actions import Action, Resign, format_action, parse_action
from games.rules.cards import Card
from games.rules.errors import IllegalAction, RulesError, UnreadableInput, quoted
from games.rules.events import Event
from games.rules.options import Options
from games.rules.round import Progress, RoundState, deal, play, void

EMPTY_LOG: Final = "1"
"""The log of a round that has just been dealt: its version only."""

_VOID: Final = "v"


@dataclass(frozen=True, slots=True)
class Entry:
    """An action and the seat that did it; both None where the round was broken off."""

    seat: int | None = None
    action: Action | None = None

    def __str__(self) -> str:
        if self.action is None:
            return _VOID
        text = format_action(self.action)
        # Everything else is done by the seat whose turn it is.
        return f"{text}{self.seat}" if isinstance(self.action, Resign) else text


BROKEN_OFF: Final = Entry()
"""The entry of a round that ended because the series did."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A log played out: its entries, the state they lead to, and the events.

    `events` has those of the deal first, then those of each entry.
    """

    log: str
    entries: tuple[Entry, ...]
    events: tuple[tuple[Event, ...], ...]
    state: RoundState

    @property
    def all_events(self) -> tuple[Event, ...]:
        """The events of the round in one row."""
        return tuple(event for events in self.events for event in events)


def logged(log: str, entry: Entry) -> str:
    """Append an entry to a log.

    >>> from games.rules.actions import Draw
    >>> logged("1 p p", Entry(0, Draw()))
    '1 p p d'
    """
    return f"{log} {entry}"


def fold(log: str, deck: Sequence[Card], dealer: int, options: Options) -> Folded:
    """Play out a log.

    Raises UnreadableInput for a log or deck that can't be read, and IllegalAction for an action
    that wasn't allowed; the message says at which entry.

    >>> from games.rules.cards import DECK
    >>> folded = fold("1 p p d x2D", DECK, dealer=1, options=Options())
    >>> folded.state.ply, folded.events[-1]
    (4, (Discarded(seat=0, card=Card['2D']),))
    """
    dealt = deal(deck, dealer, options)
    return extend(Folded(EMPTY_LOG, (), (dealt.events,), dealt.state), log)


def extend(folded: Folded, log: str) -> Folded:
    """Play on from a folded log to one that begins with it: only the new entries are played.

    Raises what `fold` raises, and UnreadableInput where the log doesn't begin with the folded one.
    """
    new = log.removeprefix(folded.log)
    if not log.startswith(folded.log) or new[:1] not in ("", " "):
        raise UnreadableInput("bad_request", f"Not a log that begins so: {quoted(folded.log)}")
    entries, events, state = list(folded.entries), list(folded.events), folded.state
    for text in new.split(" ")[1:]:
        with located(f"Entry {len(entries) + 1} of the log, {quoted(text)}"):
            entry = _parse_entry(text, state.turn)
            progress = played(state, entry)
        entries.append(entry)
        events.append(progress.events)
        state = progress.state
    return Folded(log, tuple(entries), tuple(events), state)


def played(state: RoundState, entry: Entry) -> Progress:
    """Carry out an entry. Raises IllegalAction where it isn't allowed."""
    if entry.action is None:
        return void(state)
    if entry.seat not in (0, 1):
        raise IllegalAction("illegal_action", f"No such seat: {quoted(entry.seat)}")
    return play(state, entry.seat, entry.action)


@contextmanager
def located(place: str) -> Iterator[None]:
    """Say at which place it was where something inside is refused."""
    try:
        yield
    except RulesError as error:
        raise type(error)(error.code, f"{place}: {error}") from None


def _parse_entry(text: str, turn: int) -> Entry:
    if text == _VOID:
        return BROKEN_OFF
    if text in ("r0", "r1"):
        return Entry(int(text[1]), Resign())
    action = parse_action(text)
    if isinstance(action, Resign) or format_action(action) != text:
        raise UnreadableInput("bad_request", f"Not as the log writes it: {quoted(text)}")
    return Entry(turn, action)
