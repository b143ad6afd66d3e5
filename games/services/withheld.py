"""Who promises a part in the deal and does not tell it, again: a hint for moderators.

Once is a page that was closed. But who withholds a part has a choice between two decks, which is
worth something to whom the server has told its secret.
"""

from games.models import Round
from games.moderation.models import Signal
from games.moderation.services.signals import note_signal
from games.rules.parts import How


def note_withheld(row: Round) -> None:
    """Note who has withheld a part in this deal and in the one before; once in a series."""
    withheld = [seat for seat, part in enumerate(row.parts) if part.how is How.WITHHELD]
    if not withheld:
        return
    before = Round.objects.filter(
        series=row.series_id, number=row.number - 1, board=row.board
    ).first()
    for number in withheld:
        if before is None or before.parts[number].how is not How.WITHHELD:
            continue
        seat = row.seat_at(number)
        note_signal(
            Signal.Kind.WITHHELD,
            f"withheld:{seat.user_id}:{row.series_id}",
            seat.user_id,
            series_id=row.series_id,
            facts={"round": row.number},
        )
