"""An action of a player: check, play, save guarded by the ply.

docs/architecture.md, One action's way, has the whole of it.
"""

from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from games import access
from games.errors import NotSeated, refusal_notice
from games.models import Round, Series
from games.rules.errors import RulesError
from games.rules.log import Entry, logged
from games.rules.round import play
from games.rules.scoring import RoundResult
from games.rules.state import RoundState
from games.selectors.table import GROWS
from games.services.bot_turns import bot_fields
from games.services.clock import awaits_credit, clock_fields, has_run_out
from games.services.finish import enter_result, result_fields
from games.services.notices import round_ends, turn_begins
from games.services.outcome import BUSY, NOTHING, Outcome, Status
from games.services.process import uncredited
from games.services.request import ActionRequest
from games.services.time_out import time_out


@transaction.atomic
def play_action(*, series_id: int, user_id: int | None, request: ActionRequest) -> Outcome:
    """Play an action for a user's seat; every way it can end is an Outcome.

    Nothing is locked: of several actions for one ply the database lets one UPDATE through, and the
    others are answered with what became of the round. Only a round's end locks the series.
    """
    row = _current(series_id, request.round)
    if row is None:
        return Outcome(Status.STALE, _("That round is not on the table any more."))
    try:
        seat = access.board_seat(row, user_id)
    except NotSeated as refusal:
        return Outcome(Status.NOT_SEATED, refusal.notice)
    if awaits_credit(row):
        return Outcome(Status.BUSY, BUSY)
    if has_run_out(row):
        return _out_of_time(row, seat, request)
    if row.ply != request.ply:
        return _too_late(row, seat, request)
    before = row.folded().state
    try:
        after = play(before, seat, request.action).state
    except RulesError as refusal:
        return _refused(row, refusal)
    changes = _changes(row, seat, request, before, after)
    if after.result is not None:
        # The series comes first wherever both are locked; two orders would wait for each other.
        Series.objects.select_for_update().get(pk=row.series_id)
    if not _store(row, changes, after.result):
        latest = _current(series_id, request.round)
        assert latest is not None, "a round is never deleted"
        return _too_late(latest, seat, request)
    if after.result is not None:
        round_ends(row.series, by=row.seat_at(seat), other=row.seat_at(1 - seat))
    elif before.turn != after.turn:
        turn_begins(row.series, row.seat_at(after.turn))
    return Outcome(
        Status.DONE,
        rings=True,
        version=row.version + 1,
        talk=row.series.talk,
        stored=NOTHING
        if after.result
        else {name: changes[name] for name in GROWS & changes.keys()},
    )


def _current(series_id: int, number: int) -> Round | None:
    rounds = Round.objects.select_related("series", "first_seat", "second_seat")
    found = rounds.filter(series=series_id, number=number)
    return found.annotate(now=Now(), uncredited=uncredited()).first()


def _changes(
    row: Round, seat: int, request: ActionRequest, before: RoundState, after: RoundState
) -> dict[str, Any]:
    """The columns that the action changes."""
    changes: dict[str, Any] = {
        "log": logged(row.log, Entry(seat, request.action)),
        "ply": row.ply + 1,
        "second_key" if seat else "first_key": request.key,
        **bot_fields(row, request, after),
        **clock_fields(row, acted=before.turn, next_seat=after.turn),
    }
    if after.result is not None:
        changes |= result_fields(after.result, row.series.control)
    return changes


def _store(row: Round, changes: dict[str, Any], result: RoundResult | None) -> bool:
    if not Round.objects.filter(pk=row.pk, ply=row.ply).update(**changes):
        return False
    if result is not None:
        enter_result(row, result)
    return True


def _out_of_time(row: Round, seat: int, request: ActionRequest) -> Outcome:
    ended = time_out(row.pk, wait=True)
    if ended is None:
        latest = _current(row.series_id, request.round)
        assert latest is not None, "a round is never deleted"
        return _too_late(latest, seat, request)
    notice = _("The time had run out before that; the series is over.")
    return Outcome(Status.OVER, notice, rings=True, version=ended.version, talk=ended.talk)


def _too_late(row: Round, seat: int, request: ActionRequest) -> Outcome:
    last_key = row.second_key if seat else row.first_key
    if last_key == request.key:
        return Outcome(Status.REPEAT)
    if row.kind:
        return Outcome(Status.OVER, _("The round is over; your action came too late."))
    return Outcome(Status.STALE, _("The table had moved on; this is how it stands now."))


def _refused(row: Round, refusal: RulesError) -> Outcome:
    if row.kind:
        return Outcome(Status.OVER, _("The round is over."))
    return Outcome(Status.ILLEGAL, refusal_notice(refusal))
