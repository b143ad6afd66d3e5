"""The processes that serve the site."""

from django.db import models


class Process(models.Model):
    """A process and when it was last alive, so that an outage is noticed and credited."""

    name = models.CharField(max_length=40, unique=True)
    alive_at = models.DateTimeField()
    started_at = models.DateTimeField(db_default=models.functions.Now(), editable=False)
    outage_at = models.DateTimeField(
        null=True, blank=True, help_text="when it had last been away, and was credited"
    )

    class Meta:
        verbose_name_plural = "processes"

    def __str__(self) -> str:
        return self.name
