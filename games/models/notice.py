"""What somebody is to be told, and when: that a series waits for them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.subscriptions import Subscription
from games.models.series import Series


class Notice(models.Model):
    """One a person, series and kind: a new turn takes the place of the last one.

    When it falls due it is looked at whether it is still so, and then it is gone: into a mail, and
    into a push for each browser (games.services.notices).

    The database does not check what it points at: that would lock the series at the commit of an
    action, which holds the round. A series that has begun is never deleted, and a user neither.
    """

    class Kind(models.TextChoices):
        TURN = "turn", _("your turn")
        REMINDER = "reminder", _("time runs out")
        BEGUN = "begun", _("somebody has sat down")
        INVITATION = "invitation", _("invitation")
        REMATCH = "rematch", _("rematch")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="notices",
        db_constraint=False,
    )
    series = models.ForeignKey(
        Series, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )
    kind = models.CharField(max_length=10, choices=Kind)
    due_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "series", "kind"], name="one_notice_a_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.series_id} to {self.user_id}"


class Push(models.Model):
    """A notice on its way to one browser; gone once it is taken on, back if that has failed."""

    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="+")
    series = models.ForeignKey(
        Series, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )
    kind = models.CharField(max_length=10, choices=Notice.Kind)
    due_at = models.DateTimeField(db_index=True)
    tries = models.PositiveSmallIntegerField(default=0, help_text="how often it has failed")

    class Meta:
        verbose_name_plural = "pushes"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["subscription", "series"], name="one_push_a_browser_and_series"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.series_id} to browser {self.subscription_id}"
