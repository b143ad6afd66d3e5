"""Once more: a series after a series. Two offers are an acceptance."""

from django.db.models import F
from django.utils.translation import gettext as _

from accounts.relations import may_meet
from games import access
from games.errors import HeldBack
from games.models import Seat, Series
from games.selectors.last_round import last_round
from games.selectors.versions import present_seats
from games.services.notices import rematch_offered, table_begins
from games.services.outcome import Outcome, Status
from games.services.series import Terms, accept_invitation, create_by_terms


def offer_rematch(series: Series, seat: Seat) -> Outcome:
    """Note that a seat wants another series on the same terms; begin it if the other does too.

    A bot always does. The caller holds the row of this series, which is over.
    """
    if series.rematch_id is not None:
        return Outcome(Status.REPEAT)
    other = Seat.objects.select_related("user").exclude(pk=seat.pk).get(series=series)
    if not other.user.is_active or other.user.disabled_at is not None:
        return Outcome(Status.ILLEGAL, _("The other player has left the site."))
    if not may_meet(seat.user_id, other.user_id):
        return Outcome(Status.ILLEGAL, _("You can't sit down with this player again."))
    if not other.bot and (refusal := _held_back(series, seat, other)):
        return refusal
    if other.bot or (other.wants_rematch and _may_begin(series, other)):
        _begin(series, seat, other)
    elif seat.wants_rematch:
        return Outcome(Status.REPEAT)
    else:
        rematch_offered(series, other)
    Seat.objects.filter(pk=seat.pk).update(wants_rematch=True)
    Series.objects.filter(pk=series.pk).update(talk=F("talk") + 1)
    last = last_round(series)
    assert last is not None, "a series that is over has been played"
    return Outcome(Status.DONE, rings=True, version=last.version, talk=series.talk + 1)


def _held_back(series: Series, seat: Seat, other: Seat) -> Outcome | None:
    if not access.plays_freely(other.user_id, rated=series.rated):
        return Outcome(Status.ILLEGAL, _("The other player can't begin a series just now."))
    if not access.plays_freely(seat.user_id, rated=series.rated):
        return Outcome(Status.ILLEGAL, str(HeldBack.notice))
    return None


def _may_begin(series: Series, other: Seat) -> bool:
    """With a clock, who has offered must still be there: it would run while they are away."""
    if series.control.bank is None:
        return True
    return other.number in present_seats([series.pk]).get(series.pk, frozenset())


def _begin(series: Series, seat: Seat, other: Seat) -> None:
    """The seats are swapped; who deals first is drawn by lot."""
    first, second = (seat, other) if seat.number == 1 else (other, seat)
    new = create_by_terms(user=first.user, terms=Terms.of(series))
    if first.bot:
        Seat.objects.filter(series=new).update(bot=first.bot)
    accept_invitation(token=new.invitation.token, user=second.user, bot=second.bot)
    Series.objects.filter(pk=series.pk).update(rematch=new)
    if not other.bot:
        table_begins(new, other.user_id)
