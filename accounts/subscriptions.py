"""The browsers in which somebody wants to be told that something waits for them (web push).

A subscription lives as long as the log in that made it, so that nobody's names light up on a device
they have logged out from.
"""

from collections.abc import Iterable
from typing import ClassVar, Final

from django.conf import settings
from django.db import models, transaction

MOST: Final = 10  # browsers of one person; the oldest gives way


class Subscription(models.Model):
    """A browser as its push service knows it: where to send to, and the keys to encrypt with.

    `session` is the fingerprint of the log in (accounts.sessions) that made it.
    """

    LONGEST_ENDPOINT: ClassVar = 1000

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="subscriptions"
    )
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT, unique=True)
    browser_key = models.CharField(max_length=100, help_text="p256dh, as the browser writes it")
    browser_secret = models.CharField(max_length=40, help_text="auth, as the browser writes it")
    user_agent = models.CharField(max_length=200, blank=True, default="")
    session = models.CharField(max_length=32, blank=True, default="")
    since = models.DateTimeField(db_default=models.functions.Now(), editable=False)

    def __str__(self) -> str:
        return f"a browser of {self.user_id}"


@transaction.atomic
def subscribe(
    *,
    user_id: int,
    endpoint: str,
    browser_key: str,
    browser_secret: str,
    user_agent: str = "",
    session: str = "",
) -> None:
    """Keep a browser for somebody; one that was somebody else's is theirs from now on."""
    Subscription.objects.update_or_create(
        endpoint=endpoint,
        defaults={
            "user_id": user_id,
            "browser_key": browser_key,
            "browser_secret": browser_secret,
            "user_agent": user_agent[:200],
            "session": session,
        },
    )
    newest = Subscription.objects.filter(user=user_id).order_by("-pk").values_list("pk", flat=True)
    forget(Subscription.objects.filter(pk__in=list(newest[MOST:])))


def unsubscribe(*, user_id: int, pk: int) -> None:
    """Forget one of somebody's browsers; without effect where it is none of theirs."""
    forget(Subscription.objects.filter(user=user_id, pk=pk))


def end_with_log_in(user_id: int, session: str | None = None) -> None:
    """Forget the browser of a log in that has ended; without `session` all of them."""
    ended = Subscription.objects.filter(user=user_id)
    forget(ended if session is None else ended.filter(session=session))


def end_with_log_ins(sessions: Iterable[str]) -> None:
    """Forget the browsers of log ins that have run out."""
    forget(Subscription.objects.filter(session__in=list(sessions)))


@transaction.atomic
def forget(browsers: models.QuerySet[Subscription]) -> None:
    """Delete these, and what is on its way to them."""
    # Held before they are, so that nothing new is put on its way meanwhile.
    held = list(browsers.select_for_update().values_list("pk", flat=True))
    Subscription.objects.filter(pk__in=held).delete()
