"""The deck of a round, made from a secret so that the deal can be checked later.

This function is final: no stored round ever changes its meaning. The server shows `commitment`
before the deal and the secret after the round; whoever knows both can make the deck again. Dealt
are deck[0] to the non-dealer, deck[1] to the dealer and so on, 20 cards; deck[20] is the upcard,
deck[21:] the stock, the next card first.
"""

import hashlib
import hmac
from collections.abc import Iterator
from typing import Final

from games.rules.cards import DECK, Card

NO_PART: Final = "none"
"""What stands in the message for a player who gave no part."""


def commitment(secret: bytes) -> str:
    """Return what is shown before the deal: the SHA-256 of the secret, in hex.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(secret).hexdigest()


def deal_message(
    series: str,
    round_number: int,
    board: int,
    part_lower: str = NO_PART,
    part_higher: str = NO_PART,
) -> str:
    """Name a deal: the round's place and the parts of the players in the lower and higher seat.

    A part is in hex, or `none`.

    >>> deal_message("3f2a", 7, 0)
    '3f2a|7|0|none|none'
    """
    return f"{series}|{round_number}|{board}|{part_lower}|{part_higher}"


def shuffled_deck(secret: bytes, message: str) -> tuple[Card, ...]:
    """Shuffle the 52 cards, sorted at first by suit C D H S and rank, from place 51 down to 1.

    For place i a byte b of the stream is used if it is below the largest multiple of i + 1 up to
    256, and the card changes places with that at b mod (i + 1); otherwise the next byte is tried.

    >>> [str(card) for card in shuffled_deck(bytes(32), deal_message("3f2a", 7, 0))[:4]]
    ['3S', 'AS', '4S', '4C']
    """
    deck, stream = list(DECK), _stream(secret, message)
    for i in range(51, 0, -1):
        limit = 256 - 256 % (i + 1)
        j = next(byte for byte in stream if byte < limit) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def _stream(secret: bytes, message: str) -> Iterator[int]:
    n = 0
    while True:
        yield from hmac.digest(secret, f"{message}|{n}".encode("ascii"), "sha256")
        n += 1
