"""A round: from one deal to its score. One row a board; its log is the truth."""

from dataclasses import fields
from functools import cached_property
from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.fold import folded_round
from games.models.seat import Seat
from games.models.series import Series
from games.rules.log import Folded
from games.rules.parts import Part
from games.rules.proof import DealProof
from games.rules.scoring import Ending, RoundResult

ENDING_LABELS = {
    Ending.GIN: _("gin"),
    Ending.BIG_GIN: _("big gin"),
    Ending.KNOCK: _("knock"),
    Ending.UNDERCUT: _("undercut"),
    Ending.DRAWN: _("drawn"),
    Ending.RESIGNED: _("resigned"),
    Ending.VOID: _("void"),
}

RESULT_FIELDS = tuple(field.name for field in fields(RoundResult))


def result_columns(result: RoundResult) -> dict[str, Any]:
    """The columns of a round that has ended so."""
    return {"points": result.points} | {name: getattr(result, name) for name in RESULT_FIELDS}


class Round(models.Model):
    """The deal's secret, a text log that each action appends to, and the result.

    The state is the fold of the log (`games.models.fold`) and is not stored. An action is one
    `UPDATE … WHERE id = … AND ply = …`, so that of two for one ply exactly one counts.
    A round that was entered by hand has a result and nothing else: no log, no secret, no ply. One
    that was imported may have a log and its deck; how that was dealt nobody here can tell.
    """

    series = models.ForeignKey(Series, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveIntegerField()
    board = models.PositiveSmallIntegerField(default=0)
    first_seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    second_seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    dealer = models.PositiveSmallIntegerField(help_text="0 or 1: first or second seat")
    version_before = models.PositiveIntegerField()
    secret = models.BinaryField(max_length=32, editable=False)
    commitment = models.CharField(max_length=64)
    first_promise = models.CharField(max_length=64, blank=True, default="", editable=False)
    first_part = models.CharField(max_length=64, blank=True, default="", editable=False)
    second_promise = models.CharField(max_length=64, blank=True, default="", editable=False)
    second_part = models.CharField(
        max_length=64,
        blank=True,
        default="",
        editable=False,
        help_text="what each player gave to the deal (games.rules.parts)",
    )
    deck = models.TextField(
        blank=True,
        default="",
        editable=False,
        help_text="of an imported round: its cards; those of all others follow from the secret",
    )
    dealt_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)

    log = models.TextField()
    ply = models.PositiveIntegerField(default=0)
    first_key = models.CharField(max_length=64, blank=True, default="")
    second_key = models.CharField(max_length=64, blank=True, default="")
    due_at = models.DateTimeField(
        null=True,
        blank=True,
        db_index=True,
        help_text="when the time of whose turn it is runs out; after the result, when the next "
        "round is dealt by itself",
    )
    first_bank = models.DurationField(null=True, blank=True)
    second_bank = models.DurationField(
        null=True, blank=True, help_text="what each had left when the last action was done"
    )

    bot_due_at = models.DateTimeField(
        null=True, blank=True, help_text="when the bot whose turn it is acts, or is looked at again"
    )
    reasons = models.TextField(
        blank=True, default="", help_text="why bots did what they did; hidden while the round runs"
    )

    ended_at = models.DateTimeField(null=True, blank=True)
    kind = models.CharField(
        max_length=10,
        blank=True,
        default="",
        choices=[(e.value, t) for e, t in ENDING_LABELS.items()],
    )
    winner = models.PositiveSmallIntegerField(null=True, blank=True, help_text="0 or 1, as dealer")
    points = models.PositiveIntegerField(default=0)
    bonus = models.PositiveSmallIntegerField(default=0)
    difference = models.PositiveSmallIntegerField(default=0)
    multiplier = models.PositiveSmallIntegerField(default=1)
    knocker = models.PositiveSmallIntegerField(null=True, blank=True)
    knocker_deadwood = models.PositiveSmallIntegerField(null=True, blank=True)
    defender_deadwood = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "number", "board"], name="one_deal_a_board"),
        ]
        indexes: ClassVar = [
            # Almost no row has a bot to act: the index that each process asks stays tiny.
            models.Index(
                fields=["bot_due_at"],
                condition=models.Q(bot_due_at__isnull=False),
                name="bots_to_act",
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.series_id}"

    @property
    def has_cards(self) -> bool:
        """Whether its cards are known: of one that was entered by hand only the result is."""
        return bool(self.log)

    @property
    def was_dealt_here(self) -> bool:
        """Whether its deal can be checked (`proof`)."""
        return bool(self.commitment)

    @property
    def version(self) -> int:
        """The version of a series whose last round this is."""
        return self.version_before + 1 + self.ply

    @cached_property
    def result(self) -> RoundResult | None:
        """How the round ended, None while it runs."""
        if not self.kind:
            return None
        return RoundResult(
            Ending(self.kind), *(getattr(self, name) for name in RESULT_FIELDS if name != "kind")
        )

    def seat_at(self, number: int) -> Seat:
        """The seat that sits as board seat 0 or 1."""
        return self.second_seat if number else self.first_seat

    @property
    def parts(self) -> tuple[Part, Part]:
        """What the players gave to the deal: the lower seat, which is the first, then the other."""
        return (
            Part(self.first_promise, self.first_part),
            Part(self.second_promise, self.second_part),
        )

    @property
    def proof(self) -> DealProof:
        """How it was dealt; nobody is told before it has ended. `series` is read for its slug."""
        return DealProof(
            self.series.slug,
            self.number,
            self.board,
            bytes(self.secret),
            self.commitment,
            self.parts,
        )

    def folded(self) -> Folded:
        """The round as its log makes it: entries, state and events."""
        return folded_round(self)
