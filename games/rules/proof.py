"""All that shows how a round was dealt, told when it is over; anybody can make the deck again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.rules.cards import Card, format_cards
from games.rules.deck import commitment, deal_message, shuffled_deck
from games.rules.parts import Part


@dataclass(frozen=True, slots=True)
class DealProof:
    """A deal: where it was, the secret and its commitment, and the parts by lower and higher seat.

    >>> proof = DealProof("3f2a", 7, 0, bytes(32), commitment(bytes(32)), (Part(), Part()))
    >>> proof.message, list(proof.faults(proof.deck))
    ('3f2a|7|0|none|none', [])
    """

    series: str
    round: int
    board: int
    secret: bytes
    commitment: str
    parts: tuple[Part, Part]

    @property
    def message(self) -> str:
        """What the deck follows from, together with the secret."""
        lower, higher = self.parts
        return deal_message(self.series, self.round, self.board, lower.word, higher.word)

    @property
    def deck(self) -> tuple[Card, ...]:
        """The deck that follows."""
        return shuffled_deck(self.secret, self.message)

    def faults(self, dealt: Sequence[Card]) -> Iterator[str]:
        """What is wrong with a deal of this deck, a sentence each; nothing where all is well."""
        if commitment(self.secret) != self.commitment:
            yield "the commitment is not that of the secret"
        for seat, part in enumerate(self.parts):
            if not part.is_kept:
                yield f"the part of seat {seat} is not the one that was promised"
        if self.deck != tuple(dealt):
            yield "the deck is not the one that follows"

    def record(self, dealt: Sequence[Card]) -> dict[str, object]:
        """The deal as plain values, as JSON has it (docs/fair-deal.md)."""
        return {
            "format": "Hollywood Gin deal 1",
            "series": self.series,
            "round": self.round,
            "board": self.board,
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "promises": [part.promise or None for part in self.parts],
            "parts": [part.word for part in self.parts],
            "deck": format_cards(dealt),
        }
