"""Rounds between two fast players: the rules of play on plain integers, for millions of them.

The deal, the knock and its score are the rules package's own; a test plays the same rounds by both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from games.bots.sight import Sight
from games.rules.cards import ALL_CARDS, CardSet
from games.rules.deadwood import deadwood_points
from games.rules.lay_offs import best_defence
from games.rules.melds import automatic_spread
from games.rules.round import LAST_STOCK, TAKE_LIMIT


class Outcome(NamedTuple):
    """How a round ended: `kind` is gin, knock, undercut or drawn, `difference` without bonus."""

    winner: int
    kind: str
    difference: int


DRAWN = Outcome(-1, "drawn", 0)


class FastPlayer(Protocol):
    """A player that is asked for what matters only."""

    def takes(self, sight: Sight, top: int) -> bool:
        """Say whether to take the top card of the pile."""
        ...

    def throws(self, sight: Sight, barred: int, other: CardSet) -> tuple[int, bool]:
        """Say which of eleven cards to throw, and whether to knock with it."""
        ...


def knock_outcome(knocker: int, kept: CardSet, other: CardSet) -> Outcome:
    """Score a knock with these ten cards against these ten."""
    least = deadwood_points(kept)
    melds = automatic_spread(kept).melds
    against = best_defence(other, melds, gin=not least).deadwood_points
    if not least:
        return Outcome(knocker, "gin", against)
    if least < against:
        return Outcome(knocker, "knock", against - least)
    return Outcome(1 - knocker, "undercut", least - against)


def play_fast(
    players: tuple[FastPlayer, FastPlayer],
    deck: Sequence[int],
    dealer: int,
    limit: int,
) -> Outcome:
    """Play a round and say how it ended."""
    hands = [0, 0]
    for place in range(20):
        hands[1 - dealer if place % 2 == 0 else dealer] |= 1 << deck[place]
    upcard = deck[20]
    stock, drawn = deck[21:], 0
    pile = [upcard]
    buried = [ALL_CARDS ^ hand ^ 1 << upcard for hand in hands]  # what each has not seen
    shown, thrown, left, last = [0, 0], [0, 0], [0, 0], [10, 10]

    def sight(seat: int) -> Sight:
        other = 1 - seat
        return Sight(
            hands[seat],
            buried[seat],
            shown[other],
            thrown[other],
            left[other],
            last[other],
            len(stock) - drawn,
            limit,
        )

    turn = 1 - dealer
    took = False
    for seat in (turn, dealer):
        if players[seat].takes(sight(seat), upcard):
            turn, took = seat, True
            break
        left[seat] |= 1 << upcard
    takes, first = 0, True
    while True:
        player, barred = players[turn], -1
        if not took and not first:
            took = player.takes(sight(turn), pile[-1])
            if not took:
                left[turn] |= 1 << pile[-1]
        elif not took:
            left[turn] |= 1 << pile[-1]
        if took:
            barred = pile.pop()
            shown[turn] |= 1 << barred
            hands[turn] |= 1 << barred
            takes += 1
        else:
            card = stock[drawn]
            drawn += 1
            hands[turn] |= 1 << card
            buried[turn] ^= 1 << card
        card, knocks = player.throws(sight(turn), barred, hands[1 - turn])
        bit = 1 << card
        hands[turn] ^= bit
        if knocks:
            return knock_outcome(turn, hands[turn], hands[1 - turn])
        if not shown[turn] & bit:
            buried[1 - turn] ^= bit
        shown[turn] &= ~bit
        thrown[turn] |= bit
        last[turn] = min(card % 13 + 1, 10)
        pile.append(card)
        if len(stock) - drawn <= LAST_STOCK or takes >= TAKE_LIMIT:
            return DRAWN
        turn, took, first = 1 - turn, False, False
