"""Contexts of the page on which a deal is checked by the browser."""

from dataclasses import dataclass
from typing import Self

from django.urls import reverse

from games.models import Round
from games.models.fold import deck_of
from games.rules.cards import format_cards


@dataclass(frozen=True, slots=True)
class DealCheck:
    """`templates/games/verify.html`, as `check`: what is known of a deal, or all empty to fill in.

    `names` are of the lower and the higher seat, as are `promises`.
    """

    round: int = 0
    names: tuple[str, str] = ("", "")
    series_url: str = ""
    replay_url: str = ""
    record_url: str = ""
    message: str = ""
    secret: str = ""
    commitment: str = ""
    promises: tuple[str, str] = ("", "")
    deck: str = ""

    @classmethod
    def of(cls, row: Round) -> Self:
        """The check of a round that has ended."""
        proof = row.proof
        lower, higher = proof.parts
        return cls(
            round=row.number,
            names=(row.first_seat.shown_name, row.second_seat.shown_name),
            series_url=row.series.get_absolute_url(),
            replay_url=reverse("replay", args=[row.series.slug, row.number]),
            record_url=reverse("verify_record", args=[row.series.slug, row.number]),
            message=proof.message,
            secret=proof.secret.hex(),
            commitment=proof.commitment,
            promises=(lower.promise, higher.promise),
            deck=format_cards(deck_of(row)),
        )

    @property
    def promised(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Each player's name and what they promised."""
        return (self.names[0], self.promises[0]), (self.names[1], self.promises[1])
