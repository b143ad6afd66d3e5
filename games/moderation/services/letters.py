"""Telling somebody what was mended of theirs, and noting that they have read it."""

from typing import Any

from django.db import connection, transaction
from django.db.models.functions import Now

from accounts.models import Sanction
from accounts.texts import plain_text
from games.models import Series
from games.moderation.models import Letter
from games.moderation.selectors.letters import unread_answers, unread_outcomes


def write_letter(
    kind: Letter.Kind,
    user_id: int,
    *,
    rule: str,
    text: str = "",
    quote: str = "",
    series: Series | None = None,
    facts: dict[str, Any] | None = None,
) -> Letter:
    """Tell somebody, in the transaction that does it; they read it on their own page."""
    assert connection.in_atomic_block, "what is done and its letter are one transaction"
    return Letter.objects.create(
        kind=kind,
        user_id=user_id,
        rule=rule,
        text=plain_text(text)[: Letter.LONGEST],
        quote=quote[: Letter.LONGEST],
        series=series,
        facts=facts or {},
    )


@transaction.atomic
def mark_as_read(user_id: int) -> None:
    """The page that tells all of it was opened; a warning waits for its own button."""
    news = Sanction.objects.filter(user=user_id, acknowledged_at=None, lifted_at=None)
    news.exclude(kind=Sanction.Kind.WARNING).update(acknowledged_at=Now())
    unread_answers().filter(sanction__user=user_id).update(answer_seen_at=Now())
    unread_outcomes().filter(reporter=user_id).update(outcome_seen_at=Now())
    Letter.objects.filter(user=user_id, seen_at=None).update(seen_at=Now())
