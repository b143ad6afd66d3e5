"""What two players sit down to."""

import secrets
from functools import lru_cache
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.rules.options import Options, OptionValue
from games.time_control import TimeControl

SHARED = -1  # winner_side of a series that ended without one winner


def new_slug() -> str:
    """A random address: nobody finds a series by counting; no command takes it for an option."""
    return secrets.token_urlsafe(9).replace("-", "_")


def new_secret() -> bytes:
    """The secret that a round's deck is derived from (games.rules.deck)."""
    return secrets.token_bytes(32)


class Series(models.Model):
    """A series: its rules, where it stands, and the secret of the deal to come.

    The version of a series is not stored here: it follows from its last round (see
    `games.selectors.versions`). `talk` counts what is no action: who sat down, who is ready.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting for an opponent")
        PLAYING = "playing", _("being played")
        OVER = "over", _("over")

    class Ending(models.TextChoices):
        PLAYED = "played", _("played to the end")
        RESIGNED = "resigned", _("resigned")
        TIME = "time", _("out of time")
        ABANDONED = "abandoned", _("abandoned")
        AGREED = "agreed", _("stopped by agreement")

    class Source(models.TextChoices):
        PLAYED = "played", _("played here")
        ENTERED = "entered", _("entered by hand")
        IMPORTED = "imported", _("imported")

    slug = models.CharField(max_length=16, unique=True, default=new_slug, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    source = models.CharField(max_length=8, choices=Source, default=Source.PLAYED)
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    preset = models.CharField(max_length=32)
    option_values = models.JSONField(help_text=_("The rules of the series, fixed at its creation."))
    time_control = models.CharField(
        max_length=16, blank=True, default="", help_text=_("As games.time_control writes it.")
    )
    rated = models.BooleanField(
        default=False, help_text=_("Whether its players want it to count, if it can.")
    )
    first_dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    winner_side = models.SmallIntegerField(null=True, blank=True)
    ending = models.CharField(max_length=9, blank=True, default="", choices=Ending)
    ended_by_side = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("Who resigned, ran out of time or left.")
    )
    is_private = models.BooleanField(
        default=False, help_text=_("Whether only its players may watch it.")
    )
    voided_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When moderators declared that it does not count.")
    )
    origin_site = models.CharField(
        max_length=200,
        blank=True,
        default="",
        help_text=_("Of an imported series: where it was played, by its record."),
    )
    origin_series = models.CharField(
        max_length=16, blank=True, default="", help_text=_("Its address there.")
    )
    rematch = models.OneToOneField(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="rematch_of",
        help_text=_("The series in which its players went on."),
    )
    talk = models.PositiveIntegerField(default=0)
    next_secret = models.BinaryField(max_length=32, default=new_secret, editable=False)

    class Meta:
        verbose_name_plural = "series"
        indexes: ClassVar = [models.Index(fields=["status", "-created_at"])]

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        return reverse("series", args=[self.slug])

    @property
    def rounds_url(self) -> str:
        """Where it is looked back on."""
        return reverse("series_rounds", args=[self.slug])

    @property
    def control(self) -> TimeControl:
        """How long the players may think."""
        return TimeControl.parse(self.time_control)

    @property
    def options(self) -> Options:
        """The rules of the series as a value of the rules package."""
        return _options(tuple(self.option_values.items()))


@lru_cache(maxsize=256)
def _options(values: tuple[tuple[str, OptionValue], ...]) -> Options:
    return Options.from_mapping(dict(values))
