"""What the site adds to a report by itself. A hand of a running round is never part of it.

Of the chat it takes what the two of them have said where the reporter may read it: whoever else
talked there has no part in this, and their words go with them when they leave. Of a profile it
takes the text, which its owner may change before a moderator comes.
"""

from typing import Any, Final

from accounts.models import Profile
from games.access import chat_rights
from games.models import Message, Series
from games.selectors.last_round import last_round

MOST_LINES: Final = 20


def evidence_of(series: Series | None, *, reporter_id: int, person_id: int) -> dict[str, Any]:
    """Where it happened, as ids and figures, and what was said; else what their profile says."""
    if series is None:
        about = Profile.objects.filter(user=person_id).values_list("about", flat=True).first()
        return {"about": about} if about else {}
    last = last_round(series)
    lines = chat_lines(series, reporter_id=reporter_id, person_id=person_id)
    return {
        "series": series.slug,
        "round": last.number if last else None,
        "ply": last.ply if last else None,
        "chat": [
            {"author": line.author_id, "text": line.said, "at": line.sent_at.isoformat()}
            for line in lines
        ],
    }


def chat_lines(series: Series, *, reporter_id: int, person_id: int) -> list[Message]:
    """The last lines of the two, the oldest first, with their authors."""
    rights = chat_rights(series, reporter_id)
    rooms = rights.read if rights else ()
    lines = Message.objects.filter(
        series=series, room__in=rooms, author__in=(reporter_id, person_id)
    )
    return list(lines.select_related("author").order_by("-pk")[:MOST_LINES])[::-1]
