"""A player's place in a series."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.series import Series


class Seat(models.Model):
    """One per player and series; fixed by the user, never by a connection (fault 56).

    What lists of finished series look for (`games.selectors.history`) stands here too, written with
    the end of the series; `manage.py check_series` compares it with the truth, and mends it.
    """

    class Result(models.TextChoices):
        WON = "won", _("won")
        LOST = "lost", _("lost")
        SHARED = "shared", _("shared")
        STOPPED = "stopped", _("stopped")

    series = models.ForeignKey(Series, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(help_text="0 for who made the series")
    side = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats"
    )
    bot = models.CharField(
        max_length=16, blank=True, default="", help_text="which bot plays here; empty: somebody"
    )
    name = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="of a player who has no account here (accounts.absent); empty: the user's",
    )
    joined_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)
    seen_at = models.DateTimeField(null=True, blank=True)
    ready_after = models.PositiveIntegerField(
        default=0, help_text="the last round after which this seat pressed Next round"
    )
    end_offer = models.IntegerField(
        default=0, help_text="the round in which this seat offered to stop; negative: declined"
    )
    wants_rematch = models.BooleanField(default=False)
    key = models.CharField(
        max_length=64,
        blank=True,
        default="",
        help_text="of the form by which its player sat down, so that a repeat is known as one",
    )
    promise = models.CharField(
        max_length=64,
        blank=True,
        default="",
        editable=False,
        help_text="SHA-256 of its player's part in the deal to come (games.rules.parts)",
    )
    part = models.CharField(
        max_length=64,
        blank=True,
        default="",
        editable=False,
        help_text="its player's part in the deal to come; nobody is told before the deal",
    )

    ended_at = models.DateTimeField(null=True, blank=True, help_text="as the series'")
    result = models.CharField(max_length=7, blank=True, default="", choices=Result)
    games_won = models.PositiveSmallIntegerField(default=0)
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        help_text="of two players the other one",
    )
    format = models.CharField(
        max_length=32, blank=True, default="", help_text="of games.formats; empty: of none"
    )
    is_rated = models.BooleanField(default=False, help_text="whether it has moved ratings")
    is_hidden = models.BooleanField(
        default=False, help_text="whether this player keeps the series out of others' lists"
    )
    is_listed = models.BooleanField(
        default=False, help_text="over, not private, and hidden by none of its players"
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "number"], name="one_player_a_seat"),
            # All who are but a name share one user.
            models.UniqueConstraint(
                fields=["series", "user"],
                condition=models.Q(name=""),
                name="nobody_meets_themselves",
            ),
        ]
        # A page of a list is a piece of one of these, whichever the filter is for.
        indexes: ClassVar = [
            models.Index(fields=["user", "-ended_at", "-series"]),
            models.Index(fields=["user", "opponent", "-ended_at", "-series"]),
            models.Index(fields=["user", "format", "-ended_at", "-series"]),
            models.Index(fields=["user", "result", "-ended_at", "-series"]),
            models.Index(
                fields=["user", "-ended_at", "-series"],
                condition=models.Q(is_rated=True),
                name="rated_series_of_a_player",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.series_id}"

    @property
    def shown_name(self) -> str:
        """What others are shown: the name of the user, or of who is absent."""
        return self.name or self.user.shown_name
