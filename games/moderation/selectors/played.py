"""What the signs look at (games.moderation.signs): the rounds of a series, and series lost."""

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Now

from games.models import Round, Seat, Series
from games.models.fold import deck_of
from games.moderation.signs.figures import Figures, figures_of
from games.moderation.signs.giving import WITHIN, Lost
from games.rules.notation import RoundRecord, replay
from games.rules.scoring import Ending

BROKEN_OFF = (Series.Ending.RESIGNED, Series.Ending.TIME, Series.Ending.ABANDONED)


def figures_in(series: Series) -> dict[int, Figures]:
    """The figures of a series of two that is over, by the number of the seat."""
    rounds = Round.objects.filter(series=series).exclude(kind__in=("", Ending.VOID))
    found = {0: Figures(), 1: Figures()}
    for row in rounds.select_related("first_seat", "second_seat").order_by("number"):
        row.series = series  # it names the deck
        # Not by `games.models.fold`: what lies there is for the rounds that are being played.
        deck = deck_of(row)
        steps = replay(RoundRecord.from_log(row.log, deck, row.dealer, series.options))
        for board_seat in (0, 1):
            found[row.seat_at(board_seat).number] += figures_of(steps, board_seat)
    return found


def lost_lately(user_id: int) -> list[Lost]:
    """The rated series that somebody has lost lately, in one query."""
    seats = Seat.objects.filter(user=user_id, is_rated=True, result=Seat.Result.LOST)
    resigned = Q(series__rounds__kind=Ending.RESIGNED, series__rounds__winner=1 - F("number"))
    rows = seats.filter(ended_at__gt=Now() - WITHIN).annotate(
        actions=Sum("series__rounds__ply", default=0),
        rounds=Count("series__rounds"),
        resigned=Count("series__rounds", filter=resigned),
        broke_off=Q(series__ending__in=BROKEN_OFF, series__ended_by_side=F("side")),
    )
    names = ("opponent", "actions", "rounds", "resigned", "broke_off")
    return [Lost(*row) for row in rows.values_list(*names)]
