"""What both doors of the table, the socket and the POST, do with a request: the same."""

import logging
import secrets
from collections.abc import Mapping
from typing import Final

from django.db import DatabaseError, IntegrityError, InterfaceError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.sessions import Ticket, session_runs
from games.errors import NotFound, log_failure, refusal_notice
from games.forms.action import parse_request
from games.models import Series
from games.rules.errors import UnreadableInput
from games.services.action import play_action
from games.services.next_round import give_part, press_next_round
from games.services.outcome import BUSY, Outcome, Status
from games.services.request import (
    ActionRequest,
    NextRoundRequest,
    PartRequest,
    SeriesRequest,
    TableRequest,
)
from games.services.stopping import grant_wish

logger = logging.getLogger(__name__)

FRAMES: Final = 40
FRAMES_WITHIN: Final = 4.0  # seconds: nobody acts ten times a second
SLOW_DOWN: Final = gettext_lazy("That was too fast. Nothing has changed; wait a moment.")
UNREADABLE: Final = gettext_lazy("The table could not read that. Nothing has changed.")


def fresh_key() -> str:
    """The one-use key of the forms of one rendering; each form adds its own action to it."""
    return secrets.token_urlsafe(9)


def answer_request(
    *, series_id: int, user_id: int | None, ticket: Ticket | None, fields: Mapping[str, object]
) -> Outcome:
    """Read a form's fields and carry them out. Every failure that can happen is an Outcome."""
    try:
        request = parse_request(fields)
    except UnreadableInput as error:
        if error.code == "bad_card":
            return Outcome(Status.ILLEGAL, refusal_notice(error))
        return Outcome(Status.UNREADABLE, UNREADABLE)
    try:
        if user_id is None or (ticket is not None and not session_runs(ticket)):
            return Outcome(Status.SESSION_OVER, _("You are logged out. Log in to go on playing."))
        return _carry_out(series_id, user_id, request)
    except Series.DoesNotExist:
        return Outcome(Status.OVER, NotFound.notice)  # taken back before anybody had joined
    except IntegrityError:
        # Two requests made the same row: the other one's effect stands, and this one has none.
        return Outcome(Status.STALE, _("The table had moved on; this is how it stands now."))
    except (DatabaseError, InterfaceError) as error:
        log_failure(logger, "a request could not be carried out", error)
        return Outcome(Status.BUSY, BUSY)


def _carry_out(series_id: int, user_id: int | None, request: TableRequest) -> Outcome:
    match request:
        case ActionRequest():
            return play_action(series_id=series_id, user_id=user_id, request=request)
        case NextRoundRequest():
            return press_next_round(series_id=series_id, user_id=user_id, request=request)
        case PartRequest():
            return give_part(series_id=series_id, user_id=user_id, request=request)
        case SeriesRequest():
            return grant_wish(series_id=series_id, user_id=user_id, request=request)
