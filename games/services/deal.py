"""The deal. Chance has two places: the lot is drawn here, and the secret of a deck by `new_secret`.

That stands beside the series' row, which is made with one; `secrets` draws from the operating
system for both. The deck follows from the series' secret and the players' own parts by the one
final function (games.rules.deck). SHA-256 of the secret stands on the table before the players give
their parts, and the secret itself after the round.
"""

import secrets

from django.db.models import F
from django.db.models.functions import Now

from games.models import Round, Seat, Series
from games.models.series import new_secret
from games.rules.deck import commitment
from games.rules.log import EMPTY_LOG
from games.rules.series import SeriesState
from games.services.bot_turns import first_turn_fields
from games.services.clock import given_to_come, running
from games.services.notices import turn_begins
from games.services.withheld import note_withheld
from games.time_control import Clocks


def draw_lot(players: int) -> int:
    """Who deals first: an even choice from `range(players)`."""
    return secrets.randbelow(players)


def deal_round(series: Series, state: SeriesState, *, version_before: int, clocks: Clocks) -> None:
    """Store the deal of the next round, and a new secret for the one after it; talk moves by one.

    What the seats have given to this deal goes into the round, and is none of the next one. The
    clock of who acts first, the non-dealer, begins to run.

    The caller holds the series' row; the unique constraint on (series, number, board) holds
    against everybody else.
    """
    seats = {seat.number: seat for seat in Seat.objects.filter(series=series)}
    for number, board in enumerate(state.boards):
        first, second = board.seats
        acts = seats[board.seats[1 - board.dealer]]
        began_at = series.started_at if state.round_number == 1 else None
        to_come = given_to_come(acts, series, began_at)
        row = Round.objects.create(
            series=series,
            number=state.round_number,
            board=number,
            first_seat=seats[first],
            second_seat=seats[second],
            dealer=board.dealer,
            version_before=version_before,
            secret=bytes(series.next_secret),
            commitment=commitment(bytes(series.next_secret)),
            **_parts_of(seats[first], seats[second]),
            log=EMPTY_LOG,
            **first_turn_fields(acts, series),
            **running(clocks, seat=1 - board.dealer, now=Now(), to_come=to_come),
        )
        turn_begins(series, acts)
        note_withheld(row)
    Seat.objects.filter(series=series).update(promise="", part="")
    Series.objects.filter(pk=series.pk).update(next_secret=new_secret(), talk=F("talk") + 1)


def _parts_of(first: Seat, second: Seat) -> dict[str, str]:
    return {
        "first_promise": first.promise,
        "first_part": first.part,
        "second_promise": second.promise,
        "second_part": second.part,
    }
