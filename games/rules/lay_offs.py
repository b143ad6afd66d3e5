"""Lay-offs: what a defender adds to the knocker's melds. `docs/rules.md`, section 5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.rules.cards import NO_CARDS, Card, CardSet, cards_in
from games.rules.deadwood import deadwood_points
from games.rules.errors import IllegalAction
from games.rules.melds import MELDS, Arrangement, Meld, MeldKind, best_arrangement


@dataclass(frozen=True, slots=True)
class LayOff:
    """One card laid off on the knocker's meld of this index."""

    card: Card
    meld: int


@dataclass(frozen=True, slots=True)
class Defence:
    """The lay-offs in a legal order, and how the cards that the defender keeps are arranged."""

    lay_offs: tuple[LayOff, ...]
    arrangement: Arrangement

    @property
    def deadwood_points(self) -> int:
        return self.arrangement.deadwood_points


def best_defence(hand: CardSet, melds: Sequence[Meld], gin: bool) -> Defence:
    """The own melds and lay-offs that together leave the least deadwood; none against gin.

    Among equals the fewest lay-offs, then the first cards in text order. So there are no lay-offs
    in it exactly where none lowers the count.

    >>> from games.rules.cards import card_set, parse_cards
    >>> hand = card_set(parse_cards("3H 4H 8H QC QD QS AC 7D 5S JC"))
    >>> defence = best_defence(hand, [Meld.parse("5H 6H 7H"), Meld.parse("9C 9D 9S")], gin=False)
    >>> [str(lay_off.card) for lay_off in defence.lay_offs], defence.deadwood_points
    (['4H', '3H', '8H'], 23)
    """
    choices = [NO_CARDS] if gin else _choices(hand, melds)
    laid = min(choices, key=lambda laid: (deadwood_points(hand ^ laid), laid.bit_count(), laid))
    return Defence(_in_legal_order(laid, melds), best_arrangement(hand ^ laid))


def next_lay_offs(
    hand: CardSet, melds: Sequence[Meld], done: Sequence[LayOff]
) -> tuple[LayOff, ...]:
    """What may be laid off next from a hand of which some cards are laid off already.

    Raises IllegalAction (`not_in_hand`, `illegal_action`) if what is done could not be.

    >>> from games.rules.cards import card_set, parse_cards
    >>> hand, melds = card_set(parse_cards("3H 4H KS")), [Meld.parse("5H 6H 7H")]
    >>> next_lay_offs(hand, melds, [])
    (LayOff(card=Card['4H'], meld=0),)
    >>> next_lay_offs(hand, melds, [LayOff(Card["4H"], 0)])
    (LayOff(card=Card['3H'], meld=0),)
    """
    kept, extended = _laid(hand, melds, done)
    return tuple(sorted(_fitting(kept, extended), key=lambda each: (each.card, each.meld)))


def defence_with(hand: CardSet, melds: Sequence[Meld], lay_offs: Sequence[LayOff]) -> Defence:
    """The defence with exactly these lay-offs, what is kept arranged at its best.

    Raises IllegalAction (`not_in_hand`, `illegal_action`).

    >>> from games.rules.cards import card_set, parse_cards
    >>> hand, melds = card_set(parse_cards("3H 4H KS")), [Meld.parse("5H 6H 7H")]
    >>> defence_with(hand, melds, [LayOff(Card["4H"], 0)]).deadwood_points
    13
    >>> defence_with(hand, melds, [LayOff(Card["3H"], 0)])
    Traceback (most recent call last):
    games.rules.errors.IllegalAction: 3H can't be laid off on 5H 6H 7H
    """
    kept, _ = _laid(hand, melds, lay_offs)
    return Defence(tuple(lay_offs), best_arrangement(kept))


def extended_melds(melds: Sequence[Meld], lay_offs: Sequence[LayOff]) -> tuple[Meld, ...]:
    """The knocker's melds as they lie with these lay-offs on them.

    Raises IllegalAction (`illegal_action`).

    >>> [str(meld) for meld in extended_melds([Meld.parse("5H 6H 7H")], [LayOff(Card["4H"], 0)])]
    ['4H 5H 6H 7H']
    """
    extended = list(melds)
    for lay_off in lay_offs:
        if lay_off.meld not in range(len(extended)):
            raise IllegalAction("illegal_action", f"There is no meld {lay_off.meld}")
        meld = extended[lay_off.meld]
        if not meld.fits & lay_off.card.bit:
            raise IllegalAction("illegal_action", f"{lay_off.card} can't be laid off on {meld}")
        extended[lay_off.meld] = MELDS[meld.cards | lay_off.card.bit]
    return tuple(extended)


def _laid(
    hand: CardSet, melds: Sequence[Meld], lay_offs: Sequence[LayOff]
) -> tuple[CardSet, tuple[Meld, ...]]:
    for lay_off in lay_offs:
        if not hand & lay_off.card.bit:
            raise IllegalAction("not_in_hand", f"Not in the hand: {lay_off.card}")
        hand ^= lay_off.card.bit
    return hand, extended_melds(melds, lay_offs)


def _fitting(cards: CardSet, melds: Sequence[Meld]) -> Iterator[LayOff]:
    for index, meld in enumerate(melds):
        for card in cards_in(meld.fits & cards):
            yield LayOff(card, index)


def _choices(hand: CardSet, melds: Sequence[Meld]) -> set[CardSet]:
    """Every set of cards that can be laid off together.

    A card that two melds want is no hindrance: the run takes it, or either of two runs.
    """
    choices = {NO_CARDS}
    for meld in melds:
        if meld.fits & hand:
            chains = _chains(hand, meld)
            choices = {laid | chain for laid in choices for chain in chains}
    return choices


def _chains(hand: CardSet, meld: Meld) -> list[CardSet]:
    chains = [NO_CARDS]
    for chain in chains:  # grows on the way
        for card in cards_in(MELDS[meld.cards | chain].fits & hand):
            if chain | card.bit not in chains:
                chains.append(chain | card.bit)
    return chains


def _in_legal_order(laid: CardSet, melds: Sequence[Meld]) -> tuple[LayOff, ...]:
    order: list[LayOff] = []
    extended = tuple(melds)
    while laid:
        # Runs first: the next card of the run may wait for one that a set would take as well.
        lay_off = min(
            _fitting(laid, extended),
            key=lambda each: (extended[each.meld].kind is MeldKind.SET, each.card, each.meld),
        )
        order.append(lay_off)
        laid ^= lay_off.card.bit
        extended = extended_melds(extended, [lay_off])
    return tuple(order)
