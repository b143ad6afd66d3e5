"""Which cards a text names, however it writes them; and which a viewer can't know."""

import re
from collections.abc import Iterator

from games.models import Round
from games.models.fold import deck_of
from games.rules.cards import DECK, Card, CardSet, card_set, cards_in
from games.rules.log import played
from games.rules.melds import arrangements
from games.rules.state import Phase, RoundState, deal

_RANKS = [
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
]
_SUITS = ["clubs", "diamonds", "hearts", "spades"]
_NAMES = {
    f"{rank} of {suit}": f"{code}{suit[0].upper()}"
    for rank, code in zip(_RANKS, "A23456789TJQK", strict=True)
    for suit in _SUITS
}
_SIGNS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
_CODE = re.compile(r"[A2-9TJQK][CDHS]")
_WORDS = re.compile(f"(?:{'|'.join(_RANKS)}) of (?:{'|'.join(_SUITS)})")
_SIGN = re.compile(r"(10|[A2-9JQK])([♣♦♥♠])")
# One-use keys, addresses and tokens are random and may spell anything.
_RANDOM = re.compile(r"[A-Za-z0-9_-]{11,}")
# The name of a time zone is no ten of clubs; no notation puts a U before a card.
_TIME_ZONE = re.compile(r"\bUTC\b")
_CARDS_ONLY = re.compile(r"([A2-9TJQK][CDHS])+")


def cards_named(text: str) -> set[Card]:
    """Every card that a page, a fragment or a line names: by code, in words, by its sign."""
    text = _RANDOM.sub(lambda found: found[0] if _CARDS_ONLY.fullmatch(found[0]) else "", text)
    text = _TIME_ZONE.sub("", text)
    codes = set(_CODE.findall(text))
    codes |= {_NAMES[name] for name in _WORDS.findall(text.lower())}
    codes |= {rank.replace("10", "T") + _SIGNS[sign] for rank, sign in _SIGN.findall(text)}
    return {Card[code] for code in codes}


def states_of(row: Round) -> Iterator[RoundState]:
    """The round after the deal, after its first action, and so on."""
    state = deal(deck_of(row), row.dealer, row.series.options).state
    yield state
    for entry in row.folded().entries:
        state = played(state, entry).state
        yield state


def hidden_from(state: RoundState, seat: int | None) -> set[Card]:
    """The cards whose place is not this seat's to know; None is a spectator.

    Told from the whole state, without the views that are under test.
    """
    known: CardSet = card_set(state.pile) | state.shown[0] | state.shown[1]
    if seat is not None:
        known |= state.hands[seat]
    if state.knocker is not None:
        known |= state.hands[state.knocker]
        if seat == state.knocker and state.knock_card is not None:
            known |= state.knock_card.bit
    if state.phase is Phase.OVER:
        known |= state.hands[0] | state.hands[1]
        known |= state.knock_card.bit if state.knock_card is not None else 0
    return set(DECK) - set(cards_in(known))


def could_fit(state: RoundState, seat: int | None) -> set[Card]:
    """The cards that would fit on a knock of this seat: told from its own hand alone.

    The arrangement before a knock names them wherever they lie, so they say nothing of that.
    """
    if seat is None or seat != state.turn or state.phase is not Phase.DISCARD:
        return set()
    hand = state.hands[seat]
    melds = (
        meld
        for card in cards_in(hand)
        for spread in arrangements(hand ^ card.bit, state.knock_limit)
        for meld in spread.melds
    )
    return {card for meld in melds for card in cards_in(meld.fits)}
