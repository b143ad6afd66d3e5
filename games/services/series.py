"""Making a series and sitting down to it."""

from dataclasses import dataclass
from typing import Final, Self

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from accounts.models import User
from games import access
from games.errors import NotFound
from games.models import Invitation, Seat, Series
from games.models.series import new_slug
from games.rules.options import Options
from games.rules.series import start_series
from games.services.deal import deal_round, draw_lot
from games.services.notices import table_begins
from games.time_control import Clocks, TimeControl

UNLIMITED: Final = TimeControl()


@dataclass(frozen=True, slots=True)
class Terms:
    """What a series is played by, and whether others may watch it."""

    options: Options
    control: TimeControl = UNLIMITED
    rated: bool = False
    is_private: bool = False

    @classmethod
    def of(cls, series: Series) -> Self:
        return cls(series.options, series.control, series.rated, series.is_private)


def create_series(
    *,
    user: User,
    options: Options,
    slug: str | None = None,
    control: TimeControl = UNLIMITED,
) -> Series:
    """A casual series with these rules that all may watch: `create_by_terms`."""
    return create_by_terms(user=user, terms=Terms(options, control), slug=slug)


@transaction.atomic
def create_by_terms(*, user: User, terms: Terms, slug: str | None = None) -> Series:
    """A series on these terms, its maker in seat 0, and an invitation for the other seat.

    `slug` is an address set aside for it: asked for twice, the series is made once (fault 110).
    """
    series, is_new = Series.objects.get_or_create(
        slug=slug or new_slug(),
        created_by=user,
        defaults={
            "preset": terms.options.preset,
            "option_values": terms.options.to_mapping(),
            "time_control": str(terms.control),
            "rated": terms.rated,
            "is_private": terms.is_private,
        },
    )
    if Terms.of(series) != terms:
        # A form from before, gone back to, that now asks for something else.
        return create_by_terms(user=user, terms=terms)
    if not is_new:
        return series
    Seat.objects.create(series=series, user=user, number=0, side=0)
    Invitation.objects.create(series=series)
    return series


@transaction.atomic
def accept_invitation(
    *, token: str, user: User, bot: str = "", key: str = "", part: str = ""
) -> Series:
    """Sit down in the free seat; the first round is dealt at once, or, of a series that is entered
    by hand, none. A repeat changes nothing.

    `bot` says which one plays there; without it the user does. `key` is that of the form, and
    `part` what their browser adds to the deal.
    Raises NotFound, SelfInvited, SeatTaken, NotForYou, HeldBack or HostHeldBack (games.errors).
    """
    invitation = access.invitation_for(token)
    # Of two who accept at once one waits here and then finds the seat taken (fault 53).
    series = Series.objects.select_for_update().filter(pk=invitation.series_id).first()
    if series is None:
        raise NotFound
    invitation.refresh_from_db(fields=["accepted_by", "declined_at"])
    access.may_accept(invitation, user.pk)
    if invitation.accepted_by_id is None:
        if not bot:
            access.may_play(user.pk, rated=series.rated)
            access.host_may_play(series)
        _sit_down(series, invitation, user, bot=bot, key=key, part=part)
    return series


@transaction.atomic
def take_back(series_id: int) -> bool:
    """Remove a series that nobody has joined: before the first deal nothing is recorded.

    False if somebody has joined meanwhile; True if it is gone, also from before.
    """
    series = Series.objects.select_for_update().filter(pk=series_id).first()
    if series is None:
        return True
    if series.status != Series.Status.WAITING:
        return False
    Invitation.objects.filter(series=series).delete()
    Seat.objects.filter(series=series).delete()
    series.delete()
    return True


def _sit_down(series: Series, invitation: Invitation, user: User, **seat: str) -> None:
    Seat.objects.create(series=series, user=user, number=1, side=1, **seat)
    Invitation.objects.filter(pk=invitation.pk).update(accepted_by=user, accepted_at=Now())
    is_entered = series.source == Series.Source.ENTERED
    lot = series.first_dealer if is_entered else draw_lot(series.options.players)
    assert lot is not None, "who enters a series has said who deals first"
    Series.objects.filter(pk=series.pk).update(
        status=Series.Status.PLAYING,
        started_at=Now(),
        first_dealer=lot,
        # What a guest begins stays casual, whoever they become.
        rated=series.rated and user.kind == User.Kind.PERSON,
    )
    if is_entered:
        Series.objects.filter(pk=series.pk).update(talk=F("talk") + 1)
        return
    series.refresh_from_db(fields=["started_at"])
    if not seat.get("bot"):
        table_begins(series, series.created_by_id)
    clocks = Clocks.full(series.control)
    deal_round(series, start_series(series.options, lot), version_before=0, clocks=clocks)
