"""Decks that are prepared: the secret of a round names one of them, in place of making it.

Only in the processes of the screenshots; no site that people play on has this application.
"""

import random
from functools import cache

from django.apps import AppConfig

from games.rules.cards import DECK, Card


@cache
def prepared() -> dict[str, tuple[str, str, str, str]]:
    """By name: the hands of seat 0 and seat 1, the upcard, and the stock's next cards."""
    from tests.games.scenes import DEFENDER, HAND, KNOCKER, OTHER  # they need all applications

    return {
        "sketch": (HAND, OTHER, "TD", "TC 3S 8C 9C"),
        "gin": ("4H 5H 6H 7H QC QD QS AC AD 9S", OTHER, "TD", "AS KC"),
        "defence": (DEFENDER, KNOCKER, "TD", "JD AD 4H QD 8S"),
        "drawn": ("AC 3D 5H 7D 9C JD KH 2S 4C 6D", OTHER, "TD", "3S"),
    }


def secret_for(deck: str) -> bytes:
    """The secret that stands for a prepared deck, or for a shuffled one: "7"."""
    return deck.encode().ljust(32, b".")


def deck_named(secret: bytes, dealer: int) -> tuple[Card, ...] | None:
    """The deck that a secret names, None for a secret like any other."""
    name = secret.rstrip(b".").decode("ascii", "replace")
    if len(secret) - len(name) < 8:
        return None
    if name not in prepared():
        return shuffled(int(name))
    from tests.games.scenes import deck_of

    first, second, upcard, stock = prepared()[name]
    hands = (first, second) if dealer == 1 else (second, first)
    return deck_of(*hands, upcard, stock)


def shuffled(number: int) -> tuple[Card, ...]:
    """One of many decks, the same each time."""
    deck = list(DECK)
    random.Random(number).shuffle(deck)
    return tuple(deck)


class PreparedDecks(AppConfig):
    name = "tests.screenshots"
    label = "screenshots"

    def ready(self) -> None:
        from games.models import fold

        real = fold.deck_of
        fold.deck_of = lambda row: deck_named(bytes(row.secret), row.dealer) or real(row)
