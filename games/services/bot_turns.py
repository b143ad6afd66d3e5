"""A bot's turn: due work that stands in the round's row, done by whichever process comes first.

`bot_due_at` is written together with the action (or the deal) that makes it a bot's turn. A process
takes a turn on by moving that time ahead, which one of several can do; should it die over it, the
turn is due again by then. The action itself is guarded by the ply like everybody's, so that even
two who think about one turn can't both act.
"""

import hmac
import zlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models.functions import Now

from games.models import Round, Seat, Series
from games.models.reasons import write_reason
from games.rules.actions import Action, Defend, Discard, Draw, Pass, Resign
from games.rules.deadwood import best_discard
from games.rules.deck import commitment
from games.rules.state import Phase, RoundState
from games.rules.view import TableView
from games.selectors.table import load_sitting, table_for
from games.services.request import ActionRequest

LEASE: Final = timedelta(seconds=8)  # longer than a turn takes when thinking fails twice
OVERDUE: Final = timedelta(seconds=30)
AT_ONCE: Final = 100  # turns read in one query

# Nothing here is hidden: how long a bot takes must not tell what it holds.
_SLOWNESS: Final = {
    Phase.OFFER: 1.2,
    Phase.DRAW: 0.8,
    Phase.DISCARD: 1.2,
    Phase.LAST_OFFER: 1.2,
    Phase.DEFENCE: 1.6,
}


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A turn of a bot: where it is, and all that the bot is given: its view and a seed."""

    series_id: int
    user_id: int
    round: int
    ply: int
    bot: str
    view: TableView
    seed: int


def bot_fields(row: Round, request: ActionRequest, after: RoundState) -> dict[str, Any]:
    """The columns of a round that change with an action if bots sit there, in its one UPDATE."""
    if not (row.first_seat.bot or row.second_seat.bot):
        return {}
    next_seat = _seat_to_act(row, after)
    fields = _due_fields(next_seat, row.commitment, after.ply, after.phase)
    if request.reason is not None:
        fields["reasons"] = row.reasons + write_reason(row.ply, request.reason)
    return fields


def first_turn_fields(seat: Seat, series: Series) -> dict[str, Any]:
    """The column of a new round that says when a bot acts, if one in this seat begins."""
    return _due_fields(seat, commitment(bytes(series.next_secret)), 0, Phase.OFFER)


def _seat_to_act(row: Round, state: RoundState) -> Seat:
    return row.seat_at(state.turn)


def _due_fields(seat: Seat, commitment: str, ply: int, phase: Phase) -> dict[str, Any]:
    if not seat.bot or phase is Phase.OVER:
        return {"bot_due_at": None}
    pause = _pause(commitment, ply, phase)
    return {"bot_due_at": Now() + pause if pause else Now()}


def _pause(commitment: str, ply: int, phase: Phase) -> timedelta:
    spread = zlib.crc32(f"{commitment} {ply}".encode()) / 2**32
    first_look = 1 if ply else 2
    factor = first_look * _SLOWNESS[phase] * (0.6 + 0.8 * spread)
    return timedelta(seconds=settings.BOT_PACE * factor)


def due_turns() -> list[int]:
    """The ids of rounds in which a bot's turn is due, the one that waits longest first."""
    due = Round.objects.filter(bot_due_at__lte=Now()).order_by("bot_due_at")
    return list(due.values_list("pk", flat=True)[:AT_ONCE])


def overdue_turns() -> int:
    """How many turns nobody has played for half a minute: a sign that nobody plays them at all."""
    return Round.objects.filter(bot_due_at__lt=Now() - OVERDUE).count()


def take_turn(round_id: int) -> BotTurn | None:
    """Take on the turn that is due in this round; None where another has, or it is over."""
    due = Round.objects.filter(pk=round_id, bot_due_at__lte=Now())
    if not due.update(bot_due_at=Now() + LEASE):
        return None
    turn = bot_turn(round_id)
    if turn is None:
        # The series has ended in the middle of the round.
        Round.objects.filter(pk=round_id).exclude(kind="").update(bot_due_at=None)
    return turn


def bot_turn(round_id: int) -> BotTurn | None:
    """The turn of the bot that is to act in this round, None where there is none.

    The bot's view is made as for anybody's page: it never sees the state.
    """
    sitting = load_sitting(Round.objects.select_related("series").get(pk=round_id).series)
    row = sitting.last
    if row is None or row.pk != round_id or row.kind:
        return None
    state = row.folded().state
    seat = _seat_to_act(row, state)
    view = table_for(sitting, seat.user_id).play
    if not seat.bot or view is None:
        return None
    seed = seed_of(row, state.ply)
    return BotTurn(row.series_id, seat.user_id, row.number, row.ply, seat.bot, view, seed)


def seed_of(row: Round, ply: int) -> int:
    """The seed of a bot's chance at this ply of a round.

    It follows from the round's secret, so that after the round everybody can have the bot choose
    once more; and one way only, so that a bot learns nothing of the deck from it. No deal has such
    a message (games.rules.deck): an address is never "bot".
    """
    message = f"bot|{row.series.slug}|{row.number}|{row.board}|{ply}"
    return int.from_bytes(hmac.digest(bytes(row.secret), message.encode("ascii"), "sha256")[:8])


def plain_action(view: TableView) -> Action:
    """A legal action that does little harm: what a bot does whose thinking has failed."""
    seen = view.round
    assert seen is not None, "a bot acts in a round"
    actions = [action for action in seen.actions if not isinstance(action, Resign)]
    if any(isinstance(action, Discard) for action in actions):
        return Discard(best_discard(seen.hand, seen.taken)[0])
    quiet = [action for action in actions if isinstance(action, Draw | Pass | Defend)]
    return (quiet or actions)[0]
