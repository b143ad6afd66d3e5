"""A sanction with all that follows from it at once, at the tables as well."""

from datetime import timedelta

from accounts.models import Sanction, User
from accounts.sanctions import SHUT_OUT
from games.live import Bell
from games.moderation.services.cases import as_seen
from games.moderation.services.sanctions import impose_in_case
from games.services.leaving import leave_tables


def impose_at_once(
    *,
    case_id: int,
    moderator: User,
    stamp: int,
    kind: Sanction.Kind,
    rule: str,
    text: str,
    term: timedelta | None,
) -> list[Bell]:
    """Put the person of a case, as it was seen, under a sanction; what to ring.

    Who is suspended or shut out for good leaves their tables now. If the process dies before
    that, the next round of the clock finds them (`games.services.leaving.left_behind`). Raises
    what `impose_in_case` does, and Meanwhile.
    """
    with as_seen(case_id, stamp):
        sanction = impose_in_case(
            case_id=case_id, moderator=moderator, kind=kind, rule=rule, text=text, term=term
        )
    return leave_tables(sanction.user_id) if kind in SHUT_OUT else []
