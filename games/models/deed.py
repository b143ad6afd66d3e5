"""What somebody did that leaving, or not leaving, is judged by (games.leavers)."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from games.leavers import DeedKind
from games.models.series import Series


class Deed(models.Model):
    """One deed; forgotten once it can't count any more. A table that was taken back has no row."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deeds"
    )
    kind = models.CharField(max_length=8, choices=[(each.value, each.value) for each in DeedKind])
    series = models.ForeignKey(
        Series, null=True, blank=True, on_delete=models.CASCADE, related_name="deeds"
    )
    done_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "user"], name="one_deed_a_series"),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "done_at"])]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}"
