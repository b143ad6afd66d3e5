"""What a seat knows of a round, boiled down to sets of cards: what the better bots think from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from games.bots.hands import unseen_by
from games.rules.cards import NO_CARDS, Card, CardSet
from games.rules.events import Dealt, Discarded, Drew, Event, Passed, Took
from games.rules.view import TableView


class Sight(NamedTuple):
    """The hand, and what has been seen of the other's.

    `unseen` are the cards that may be in the stock or in the other's hand, `theirs` those known to
    be in it. `thrown` are those that the other threw, `left` those it did not take when it could;
    `last` is the value of the card it threw last, 10 before its first.
    """

    hand: CardSet
    unseen: CardSet
    theirs: CardSet
    thrown: CardSet
    left: CardSet
    last: int
    stock: int
    limit: int


def sight_of(view: TableView) -> Sight:
    """Boil a view down."""
    seen = view.round
    assert seen is not None, "no round to look at"
    assert seen.seat is not None, "a spectator has no hand"
    thrown, left, last = _behaviour(view.events, 1 - seen.seat)
    return Sight(
        hand=seen.hand,
        unseen=unseen_by(seen),
        theirs=seen.shown[1 - seen.seat],
        thrown=thrown,
        left=left,
        last=last,
        stock=seen.stock_size,
        limit=seen.knock_limit,
    )


def _behaviour(events: Iterable[Event], other: int) -> tuple[CardSet, CardSet, int]:
    thrown = left = NO_CARDS
    last = 10
    pile: list[Card] = []
    for event in events:
        match event:
            case Dealt(upcard=card):
                pile.append(card)
            case Took():
                pile.pop()
            case Discarded(seat, card):
                pile.append(card)
                if seat == other:
                    thrown |= card.bit
                    last = card.points
            case Passed(seat) | Drew(seat) if seat == other and pile:
                left |= pile[-1].bit
            case _:
                pass
    return thrown, left, last
