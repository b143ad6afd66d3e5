"""Setting a table, and finding one: in the lobby, or by asking somebody by name."""

from dataclasses import dataclass
from typing import Final

from django.db import connection, transaction

from accounts.models import User
from accounts.relations import may_meet
from games import access
from games.errors import (
    HasBegun,
    HostAway,
    NotForYou,
    NotOffered,
    RatingOutOfRange,
    TableError,
    TooManyWaiting,
)
from games.models import Invitation, Listing, Seat, Series
from games.selectors.lobby import fits, format_of, free_tables, own_listings, strength_at
from games.services.deeds import note_withdrawal
from games.services.invitation_limits import may_invite
from games.services.notices import asked_by_name
from games.services.series import Terms, accept_invitation, create_by_terms, take_back

MOST_WAITING: Final = 5
_QUICK_MATCH: Final = 5_204  # the number of the lock, among those of this database


@dataclass(frozen=True, slots=True)
class Company:
    """Who may take the free seat: whoever has the link, who comes by in the lobby, who is asked.

    `invited` is the id of who is asked by name.
    """

    listed: bool = False
    least: int | None = None
    most: int | None = None
    invited: int | None = None


LINK: Final = Company()
LOBBY: Final = Company(listed=True)


@transaction.atomic
def set_table(*, user: User, terms: Terms, company: Company, slug: str | None = None) -> Series:
    """Make a series and offer its free seat; asked for twice with one `slug`, it is made once.

    Raises TooManyWaiting, HeldBack, MustWait for the lobby, or what
    `invitation_limits.may_invite` does.
    """
    # One at a time for each person, so that the limit holds; nothing else waits for this lock.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    made = Series.objects.filter(slug=slug or "", created_by=user).first()
    if made is not None and (Terms.of(made), company_of(made)) == (terms, company):
        return made
    access.may_play(user.pk, rated=terms.rated)
    if company.listed:
        access.may_meet_strangers(user.pk)
    if Series.objects.filter(created_by=user, status=Series.Status.WAITING).count() >= MOST_WAITING:
        raise TooManyWaiting
    if company.invited is not None:
        may_invite(user, company.invited)
    series = create_by_terms(user=user, terms=terms, slug=None if made else slug)
    _offer(series, company)
    return series


def company_of(series: Series) -> Company:
    """To whom the free seat of a series was offered."""
    invited = Invitation.objects.values_list("invited", flat=True).get(series=series)
    listing = Listing.objects.filter(series=series).first()
    if listing is None:
        return Company(invited=invited)
    return Company(True, listing.least_rating, listing.most_rating, invited)


@transaction.atomic
def join_table(*, slug: str, user: User, key: str = "", part: str = "") -> Series:
    """Take the free seat of a listed table; the first round is dealt at once.

    `part` is what their browser adds to the deal. Repeated, it changes nothing. Raises NotOffered,
    SelfInvited, SeatTaken, NotForYou, HostAway, RatingOutOfRange or MustWait.
    """
    # Of two who come at once the second looks at what the first has left.
    series = Series.objects.select_for_update().filter(slug=slug).first()
    listing = Listing.objects.select_related("series__invitation").filter(series=series).first()
    if listing is None or user.kind != User.Kind.PERSON:
        raise NotOffered
    invitation = listing.series.invitation
    if invitation.accepted_by_id is None and listing.series.created_by_id != user.pk:
        _may_join(listing, user)
    return accept_invitation(token=invitation.token, user=user, key=key, part=part)


@transaction.atomic
def withdraw_table(*, slug: str, user: User) -> Series | None:
    """Take back an own table that nobody has joined; what it was, None if it is gone already.

    Raises HasBegun.
    """
    # Of two presses the second finds it gone, and counts for nothing.
    series = Series.objects.select_for_update().filter(slug=slug, created_by=user).first()
    if series is None:
        return None
    was_listed = Listing.objects.filter(series=series).exists()
    gone = Series(pk=series.pk, talk=series.talk)
    if not take_back(series.pk):
        raise HasBegun
    if was_listed:
        note_withdrawal(user.pk)
    return gone


@transaction.atomic
def quick_match(*, user: User, terms: Terms, key: str | None, part: str = "") -> Series:
    """Meet the next free player on these terms: at the oldest table that fits, else at an own one.

    `key` is the address that the form set aside: a second press finds what the first has done.
    `part` is for the deal, where somebody waits; who waits themselves gives theirs at the table.
    Raises TooManyWaiting or MustWait.
    """
    # Two who look at the same moment would each find nobody, and wait beside each other.
    _one_after_the_other()
    done = _done_by(user, key)
    # A form from before, gone back to, may ask for something else, or for one more.
    if done is not None and Terms.of(done) == terms and done.status != Series.Status.OVER:
        return done
    access.may_meet_strangers(user.pk)
    own = [each.series for each in own_listings(user.pk) if Terms.of(each.series) == terms]
    for listing in _matching(user, terms):
        try:
            joined = join_table(slug=listing.series.slug, user=user, key=key or "", part=part)
        except TableError:
            continue  # somebody came first, by the lobby
        for series in own:
            take_back(series.pk)
        return joined
    return own[0] if own else set_table(user=user, terms=terms, company=LOBBY, slug=key)


def _matching(user: User, terms: Terms) -> list[Listing]:
    alike = free_tables(user.pk).filter(
        series__preset=terms.options.preset,
        series__time_control=str(terms.control),
        series__rated=terms.rated,
    )
    return [each for each in alike if Terms.of(each.series) == terms]


def _done_by(user: User, key: str | None) -> Series | None:
    if not key:
        return None
    made = Series.objects.filter(slug=key, created_by=user).first()
    seat = Seat.objects.select_related("series").filter(user=user, key=key).first()
    return made or (seat.series if seat is not None else None)


def _offer(series: Series, company: Company) -> None:
    if company.listed:
        Listing.objects.create(series=series, least_rating=company.least, most_rating=company.most)
    if company.invited is not None:
        Invitation.objects.filter(series=series).update(invited=company.invited)
        asked_by_name(series, company.invited)


def _may_join(listing: Listing, user: User) -> None:
    access.may_meet_strangers(user.pk)
    if not may_meet(listing.series.created_by_id, user.pk):
        raise NotForYou
    if not free_tables(user.pk).filter(pk=listing.pk).exists():
        raise HostAway
    if not fits(listing, strength_at(user.pk, format_of(listing.series))):
        raise RatingOutOfRange


def _one_after_the_other() -> None:
    # SQLite lets one writer in at a time anyhow.
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_QUICK_MATCH])
