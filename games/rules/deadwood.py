"""The least deadwood of a hand, fast: bots ask for it at every action.

Sets of different ranks never share a card, and runs of different suits neither. So the solver
tries each choice of sets, which are few, and looks up what the runs of each suit then leave; three
or more cards in a row always leave nothing. Only where a card lies in a run too is a set a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.cards import DECK, NO_CARDS, Card, CardSet, cards_in

_SUIT: CardSet = 0x1FFF  # all clubs; the other suits lie 13, 26 and 39 bits higher
_TWO_SUITS: CardSet = 0x3FFFFFF
_RANK: CardSet = sum(1 << 13 * suit for suit in range(4))  # all aces; the kings 12 bits higher
_RUN_STARTS: CardSet = 0x7FF * _RANK  # ace to jack


def _in_runs(hand: CardSet) -> CardSet:
    starts = hand & hand >> 1 & hand >> 2 & _RUN_STARTS
    return starts | starts << 1 | starts << 2


# By the cards of one suit: their points, …
_POINTS = [0]
for _card in DECK[:13]:
    _POINTS += [points + _card.points for points in _POINTS]
# … the least deadwood that its runs leave, …
_LOOSE = [_POINTS[suit & ~_in_runs(suit)] for suit in range(_SUIT + 1)]
# … and its best discard as a number that compares right: 1024 × what it saves, 64 × its points,
# and 51 less its place in the deck, were the suit clubs. No card to discard is worse than any.
_NOTHING = -(1 << 20)
_DISCARD = [_NOTHING]
_PLACES = tuple(64 * min(rank + 1, 10) + 51 - rank for rank in range(13))


def _fill_discard_table() -> None:
    places = [(1 << rank, place) for rank, place in enumerate(_PLACES)]
    for suit in range(1, _SUIT + 1):
        best = max([place - 1024 * _LOOSE[suit ^ bit] for bit, place in places if suit & bit])
        _DISCARD.append(best + 1024 * _LOOSE[suit])


_fill_discard_table()


def _set_choices(held: CardSet, contested: CardSet) -> tuple[CardSet, ...]:
    """What may be set aside of the cards held of a rank; only contested ones may be better kept."""
    kept = [NO_CARDS, *(card.bit for card in cards_in(contested))]
    sets = [held ^ card for card in kept if (held ^ card).bit_count() >= 3]
    # With one contested card of four a set of three serves as well as none.
    none = contested.bit_count() > held.bit_count() - 3
    return (*sets, NO_CARDS) if none else tuple(sets)


def _subsets(cards: CardSet) -> Iterator[CardSet]:
    subset = cards
    while subset:
        yield subset
        subset = (subset - 1) & cards
    yield NO_CARDS


# Contested cards are shifted one rank up, so that one number tells both.
_SET_CHOICES: dict[int, tuple[CardSet, ...]] = {
    (held | contested << 1) << rank: tuple(choice << rank for choice in choices)
    for held in _subsets(_RANK)
    if held.bit_count() >= 3
    for contested in _subsets(held)
    for choices in [_set_choices(held, contested)]
    for rank in range(13)
}


def _without_sets(hand: CardSet, ranks: CardSet) -> list[CardSet]:
    """What is left of the hand after each choice of sets of these ranks."""
    runs = _in_runs(hand)
    if not runs & ranks * _RANK:
        return [hand & ~(ranks * _RANK)]
    rests = [hand]
    while ranks:
        rank = ranks & -ranks
        cards = rank * _RANK
        choices = _SET_CHOICES[hand & cards | (runs & cards) << 1]
        rests = [rest ^ chosen for rest in rests for chosen in choices]
        ranks ^= rank
    return rests


def _ranks_with_sets(hand: CardSet) -> CardSet:
    low, high = hand & _TWO_SUITS, hand >> 26
    both_low, both_high = low & low >> 13, high & high >> 13
    return (both_low & (high | high >> 13) | both_high & (low | low >> 13)) & _SUIT


def _least_by_runs(rest: CardSet) -> int:
    low, high = rest & _TWO_SUITS, rest >> 26
    return _LOOSE[low & _SUIT] + _LOOSE[low >> 13] + _LOOSE[high & _SUIT] + _LOOSE[high >> 13]


def deadwood_points(hand: CardSet) -> int:
    """The least deadwood that any arrangement of the hand leaves; any number of cards.

    >>> from games.rules.cards import card_set, parse_cards
    >>> deadwood_points(card_set(parse_cards("8S 8H 8D 8C 9C TC 2D 4H KS AH")))
    17
    """
    # Halves of the deck, and no helper: Python is fastest with small integers and few calls.
    low, high = hand & _TWO_SUITS, hand >> 26
    clubs = low & _SUIT
    diamonds = low >> 13
    hearts = high & _SUIT
    spades = high >> 13
    ranks = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    if ranks:
        return min(map(_least_by_runs, _without_sets(hand, ranks)))
    return _LOOSE[clubs] + _LOOSE[diamonds] + _LOOSE[hearts] + _LOOSE[spades]


def best_melds(hand: CardSet) -> list[CardSet]:
    """The cards of each meld in an arrangement of least deadwood, melds by first card.

    >>> from games.rules.cards import card_set, format_cards, parse_cards
    >>> hand = card_set(parse_cards("8S 8H 8D 8C 9C TC 2D 4H KS AH"))
    >>> [format_cards(meld) for meld in best_melds(hand)]
    ['8C 9C TC', '8D 8H 8S']
    """
    ranks = _ranks_with_sets(hand)
    rest = min(_without_sets(hand, ranks), key=_least_by_runs) if ranks else hand
    return sorted(_sets_in(hand ^ rest) + _runs_in(rest), key=_first_card)


def _first_card(cards: CardSet) -> CardSet:
    return cards & -cards


def _sets_in(chosen: CardSet) -> list[CardSet]:
    found = []
    while chosen:
        rank = (_first_card(chosen).bit_length() - 1) % 13
        found.append(chosen & _RANK << rank)
        chosen ^= found[-1]
    return found


def _runs_in(rest: CardSet) -> list[CardSet]:
    found = []
    runs = _in_runs(rest)
    for shift in (0, 13, 26, 39):
        suit = runs >> shift & _SUIT
        while suit:
            # Adding the first card carries through all that follow it without a gap.
            run = suit & ~(suit + _first_card(suit))
            found.append(run << shift)
            suit ^= run
    return found


def best_discard(hand: CardSet, barred: Card | None = None) -> tuple[Card, int]:
    """The discard from eleven cards that leaves the least deadwood, and that deadwood.

    Among equals the card of most points, then the first in text order. The barred card (just
    taken from the discard pile) is never chosen.

    >>> from games.rules.cards import card_set, parse_cards
    >>> card, points = best_discard(card_set(parse_cards("5C 6C 7C JD JH JS AS 2D 3H 4S KD")))
    >>> str(card), points
    ('KD', 10)
    """
    low, high = hand & _TWO_SUITS, hand >> 26
    clubs = low & _SUIT
    diamonds = low >> 13
    hearts = high & _SUIT
    spades = high >> 13
    ranks = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    if ranks:
        best = _best_discard_value(hand, ranks)
    else:
        least = _LOOSE[clubs] + _LOOSE[diamonds] + _LOOSE[hearts] + _LOOSE[spades]
        best = _discard_value(clubs, diamonds, hearts, spades) - 1024 * least
    card = DECK[51 - (best & 63)]
    return (card, -(best >> 10)) if card is not barred else _next_best_discard(hand, card)


def _best_discard_value(hand: CardSet, ranks: CardSet) -> int:
    best = _NOTHING
    for rest in _without_sets(hand, ranks):
        low, high = rest & _TWO_SUITS, rest >> 26
        clubs = low & _SUIT
        diamonds = low >> 13
        hearts = high & _SUIT
        spades = high >> 13
        least = _LOOSE[clubs] + _LOOSE[diamonds] + _LOOSE[hearts] + _LOOSE[spades]
        # A discard saves ten points at most, so most choices of sets need no second look.
        if best < 1024 * (11 - least):
            best = max(best, _discard_value(clubs, diamonds, hearts, spades) - 1024 * least)
    # No set of three is broken for a discard: the other eight cards have a better one, a loose
    # card or the end of a longer meld. Of four the first may go: no other leaves less.
    for club in cards_in(hand & hand >> 13 & hand >> 26 & hand >> 39):
        best = max(best, _PLACES[club] - 1024 * deadwood_points(hand ^ club.bit))
    return best


def _discard_value(clubs: CardSet, diamonds: CardSet, hearts: CardSet, spades: CardSet) -> int:
    """As in the table of discards, for a hand of these suits."""
    return max(
        _DISCARD[clubs], _DISCARD[diamonds] - 13, _DISCARD[hearts] - 26, _DISCARD[spades] - 39
    )


def _next_best_discard(hand: CardSet, barred: Card) -> tuple[Card, int]:
    left = {card: deadwood_points(hand ^ card.bit) for card in cards_in(hand ^ barred.bit)}
    card = min(left, key=lambda card: (left[card], -card.points, card))
    return card, left[card]


def knock_discards(hand: CardSet, limit: int, barred: Card | None = None) -> dict[Card, int]:
    """The discards that leave deadwood within the knock limit, each with what it leaves.

    >>> from games.rules.cards import card_set, parse_cards
    >>> hand = card_set(parse_cards("2S 3S 4S 9D 9H 9C JH QH KH TC 8D"))
    >>> {str(card): points for card, points in knock_discards(hand, 10).items()}
    {'TC': 8, '8D': 10}
    """
    # A discard saves its own points at most.
    excess = deadwood_points(hand) - limit
    if excess > 10:
        return {}
    cards = [card for card in cards_in(hand) if card.points >= excess and card is not barred]
    left = {card: deadwood_points(hand ^ card.bit) for card in cards}
    return {card: points for card, points in left.items() if points <= limit}


def is_big_gin(hand: CardSet) -> bool:
    """Whether there are eleven cards and all of them meld.

    >>> from games.rules.cards import card_set, parse_cards
    >>> is_big_gin(card_set(parse_cards("3D 4D 5D 6D 8C 8H 8S QC QD QH QS")))
    True
    """
    return hand.bit_count() == 11 and deadwood_points(hand) == 0
