"""What somebody may read of a chat; which rooms, `games.access` says."""

from collections.abc import Collection
from typing import Final

from django.db.models import Count, Max, QuerySet

from accounts.relations import Relation
from games.models import ChatOff, Message

MOST_LINES: Final = 200  # of a room on one page; the older ones are kept, and not shown


def lines_for(
    series_id: int, rooms: Collection[Message.Room], reader: int | None
) -> QuerySet[Message]:
    """The lines of these rooms, without those by whom the reader has blocked or who has gone."""
    blocked = Relation.objects.filter(user=reader, kind=Relation.Kind.BLOCK).values("other")
    lines = Message.objects.filter(series=series_id, room__in=rooms, hidden_at=None)
    return lines.filter(author__deleted_at=None).exclude(author__in=blocked)


def last_lines(series_id: int, room: Message.Room, reader: int | None) -> list[Message]:
    """The last lines of a room for this reader, the oldest first."""
    lines = lines_for(series_id, [room], reader).select_related("author")
    return list(lines.order_by("-pk")[:MOST_LINES])[::-1]


def lines_mark(series_id: int, rooms: Collection[Message.Room], reader: int | None) -> str:
    """A text that is another one whenever the reader would see other lines."""
    found = lines_for(series_id, rooms, reader).aggregate(last=Max("pk"), count=Count("pk"))
    return f"{len(rooms)}-{found['last'] or 0}-{found['count']}"


def has_turned_off(series_id: int, user_id: int | None) -> bool:
    """Whether a user wants no chat in this series."""
    return user_id is not None and ChatOff.objects.filter(series=series_id, user=user_id).exists()
