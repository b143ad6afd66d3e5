"""The first page: what this is, a new series, and a player's own series."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games.forms.series import PRESET_LABELS, SeriesForm
from games.forms.terms import QuickForm
from games.house import PERSONAS
from games.models import Invitation
from games.rendering import HomePage
from games.rendering.lobby import InvitedRow
from games.selectors.boards import boards_of, followed_at_play, series_to_look_at
from games.selectors.lists import finished_series, open_series
from games.selectors.people import invitations_for
from games.time_words import time_words
from games.views.bots import bot_form
from games.views.rows import board_part, series_rows


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    user_id = request.user.pk
    unfinished = open_series(user_id) if user_id else []
    bots = bot_form(request)
    waiting = [each for each in unfinished if not each.opponent]
    running = [each for each in unfinished if each.opponent]
    page = HomePage(
        series_form=SeriesForm(user_id=user_id) if user_id else None,
        bot_form=bots,
        quick_form=QuickForm(user_id=user_id) if _has_account(request) else None,
        bot_name=PERSONAS[bots.initial["bot"]].name,
        invitations=tuple(map(_invited, invitations_for(user_id))) if user_id else (),
        waiting=series_rows(waiting),
        running=series_rows(running),
        finished=series_rows(finished_series(user_id) if user_id else []),
        **_boards(user_id),
    )
    return render(request, "games/home.html", {"home": page})


def _has_account(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.kind == User.Kind.PERSON


def _boards(user_id: int | None) -> dict[str, Any]:
    """What is played by others: by those whom one follows, and one series worth a look."""
    followed = followed_at_play(user_id) if user_id else []
    other = series_to_look_at(user_id)
    wanted = [*followed, other] if other is not None and other not in followed else followed
    found = tuple(map(board_part, boards_of(wanted)))
    count = len(followed)
    return {"followed": found[:count], "to_watch": found[count] if found[count:] else None}


def _invited(invitation: Invitation) -> InvitedRow:
    series = invitation.series
    return InvitedRow(
        token=invitation.token,
        host=series.created_by.shown_name,
        preset=PRESET_LABELS[series.preset],
        time=time_words(series.control),
        rated=series.rated,
    )
