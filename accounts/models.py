"""Who people are. Every seat at a table has a user: a person, a guest, a bot, or the absent one."""

from collections.abc import Iterator
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Value
from django.db.models.functions import Lower, Replace
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import countries, names
from accounts.preferences import LONGEST_TEXT
from accounts.relations import Relation as Relation
from accounts.sanctions import KeptBar as KeptBar
from accounts.sanctions import Sanction as Sanction
from accounts.subscriptions import Subscription as Subscription
from accounts.traces import Trace as Trace
from accounts.turn_mail import TurnMail as TurnMail


def glance_of(field: str) -> Lower:
    """`names.glance` of a field, worked out by the database."""
    shown: F | Replace = F(field)
    for one, other in names.ALIKE:
        shown = Replace(shown, Value(one), Value(other))
    return Lower(shown)


class User(AbstractUser):
    """An account: a name (ASCII, unique without case), a password, perhaps an e-mail address.

    Who leaves goes in three steps, each with its time (accounts.leaving): disabled, deleted,
    erased. The row stays for the seats that point at it.
    """

    class Kind(models.TextChoices):
        PERSON = "person", _("person")
        GUEST = "guest", _("guest")
        BOT = "bot", _("bot")
        ABSENT = "absent", _("absent")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("name"),
        max_length=names.MAX_LENGTH,
        validators=names.USERNAME_VALIDATORS,
        error_messages={"unique": _("That name is taken.")},
        unique=True,
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.PERSON)
    preferences = models.CharField(
        _("preferences"),
        max_length=LONGEST_TEXT,
        blank=True,
        default="",
        editable=False,
        help_text="accounts.preferences.Preferences as a text; empty: none were kept",
    )
    generation = models.PositiveIntegerField(
        default=0, editable=False, help_text="of log ins: when it moves on, all earlier ones end"
    )
    shut_out_until = models.DateTimeField(
        _("shut out until"),
        null=True,
        blank=True,
        editable=False,
        help_text="of the longest suspension or closing (accounts.sanctions.follow)",
    )
    disabled_at = models.DateTimeField(_("disabled at"), null=True, blank=True, editable=False)
    deleted_at = models.DateTimeField(_("deleted at"), null=True, blank=True, editable=False)
    erased_at = models.DateTimeField(_("erased at"), null=True, blank=True, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                Lower("username"),
                name="user_name_unique_without_case",
                violation_error_message=_("That name is taken."),
            ),
            models.UniqueConstraint(
                glance_of("username"),
                name="no_two_names_look_alike",
                violation_error_message=_("That name is taken."),
            ),
        ]
        indexes: ClassVar = [
            # Almost nobody is leaving: what each process asks again and again stays tiny.
            models.Index(
                fields=["disabled_at"],
                condition=models.Q(disabled_at__isnull=False, erased_at__isnull=True),
                name="people_who_leave",
            ),
        ]

    @property
    def shown_name(self) -> str:
        """What others are shown: the name, or that there was a player who has gone."""
        return gettext("deleted player") if self.deleted_at else self.username

    @property
    def is_shut_out(self) -> bool:
        """Whether a suspension or closing lets them see one page only."""
        return self.shut_out_until is not None and self.shut_out_until > timezone.now()

    @property
    def has_profile(self) -> bool:
        """Whether others find a page about them."""
        return self.is_active and self.disabled_at is None and self.kind != self.Kind.GUEST

    def get_absolute_url(self) -> str:
        return reverse("profile", args=[self.username])

    def clean(self) -> None:
        """Refuse the name of somebody who has gone, as the admin would else give it away."""
        super().clean()
        before = User.objects.filter(pk=self.pk).values_list("username", flat=True).first()
        if self.username != before and NameTaken.holds(self.username):
            raise ValidationError({"username": _("That name is taken.")})

    def get_session_auth_hash(self) -> str:
        """What a log in must know to go on: the password as it is now, and the generation."""
        return self._of_this_generation(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        yield from map(self._of_this_generation, super().get_session_auth_fallback_hash())

    def _of_this_generation(self, session_hash: str) -> str:
        return f"{session_hash}.{self.generation}" if self.generation else session_hash


class Profile(models.Model):
    """What somebody tells others about themselves; a row only if they do."""

    LONGEST: ClassVar = 500

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="profile")
    about = models.CharField(_("about me"), max_length=LONGEST, blank=True, default="")
    country = models.CharField(
        _("country"), max_length=2, blank=True, default="", choices=countries.CHOICES
    )

    def __str__(self) -> str:
        return f"profile of {self.user_id}"


class NameTaken(models.Model):
    """A name that somebody had and that nobody gets again: not it, and none that looks like it.

    Kept as a hash with the site's key, so that the list does not tell who was here.
    """

    digest = models.CharField(max_length=64, unique=True)

    class Meta:
        verbose_name_plural = "names taken"

    def __str__(self) -> str:
        return self.digest[:12]

    @classmethod
    def holds(cls, name: str) -> bool:
        """Whether a name, or one that looks like it, was somebody's who has gone."""
        return cls.objects.filter(digest__in=names.digests(name)).exists()

    @classmethod
    def keep(cls, name: str) -> None:
        """Give a name to nobody any more."""
        cls.objects.get_or_create(digest=names.digests(name)[0])
