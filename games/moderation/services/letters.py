"""Noting that somebody has read what moderators told them."""

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import Sanction
from games.moderation.selectors.letters import unread_answers, unread_outcomes


@transaction.atomic
def mark_as_read(user_id: int) -> None:
    """The page that tells all of it was opened; a warning waits for its own button."""
    news = Sanction.objects.filter(user=user_id, acknowledged_at=None, lifted_at=None)
    news.exclude(kind=Sanction.Kind.WARNING).update(acknowledged_at=Now())
    unread_answers().filter(sanction__user=user_id).update(answer_seen_at=Now())
    unread_outcomes().filter(reporter=user_id).update(outcome_seen_at=Now())
