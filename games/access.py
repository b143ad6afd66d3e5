"""The one guarded door to a series: who may sit, act and watch.

Anyone may watch a series by its address, unless it was made private: then its players only, and
of one that was imported whoever did that. Only
the user of a seat acts for it, and only the holder of the invitation takes the free one; nobody
sits down with who has blocked them, or whom they won't sit with. Who leaves again and again waits
before they meet the next stranger. What a player has finished is for everybody to look back on,
unless they keep it to themselves; a round is replayed once it is over. Players and
spectators talk apart while the series runs.
"""

from dataclasses import dataclass

from accounts.models import Sanction, User
from accounts.people import person_named, users_named
from accounts.preferences import Preferences
from accounts.relations import may_meet
from accounts.sanctions import HELD_BACK, free_of, sanction_on
from games.errors import (
    ChatMuted,
    HeldBack,
    HostHeldBack,
    MustWait,
    NoChat,
    NotForYou,
    NotFound,
    NotSeated,
    SeatTaken,
    SelfInvited,
)
from games.leaver_words import wait_words
from games.models import Invitation, Message, Round, Seat, Series
from games.selectors.repute import repute_of


def series_to_watch(slug: str, user_id: int | None) -> Series:
    """The series at this address, for this user. Raises NotFound, of a private one as of none."""
    try:
        series = Series.objects.get(slug=slug)
    except Series.DoesNotExist:
        raise NotFound from None
    if not may_watch(series, user_id):
        raise NotFound
    return series


def table_to_watch(slug: str, user_id: int | None) -> Series:
    """The same, of one that is played here. Raises NotFound, of a sheet kept by hand as well."""
    series = series_to_watch(slug, user_id)
    if series.source != Series.Source.PLAYED:
        raise NotFound
    return series


def series_to_report(slug: str, user_id: int | None) -> Series:
    """The same, of one that people here sat down to. Raises NotFound, of an imported one as well:
    anybody may have written that."""
    series = series_to_watch(slug, user_id)
    if series.source == Series.Source.IMPORTED:
        raise NotFound
    return series


def may_watch(series: Series, user_id: int | None) -> bool:
    """Whether this user may see the table."""
    if not series.is_private or series.created_by_id == user_id:
        return True
    return seat_of(series.pk, user_id) is not None


def finished_series(slug: str, user_id: int | None) -> Series:
    """A series of two that is over and that this user may watch. Raises NotFound."""
    series = series_to_watch(slug, user_id)
    if series.status != Series.Status.OVER or series.options.players != 2:
        raise NotFound
    return series


def round_to_replay(slug: str, number: int, user_id: int | None) -> Round:
    """A round that is over, of a series that this user may watch, with its seats and their users.

    Raises NotFound: of a running one as of none, for everybody, its players and the staff too.
    """
    series = series_to_watch(slug, user_id)
    rounds = Round.objects.filter(series=series, number=number, board=0)
    rounds = rounds.exclude(kind="").exclude(log="")  # without a log there is nothing to replay
    row = rounds.select_related("series", "first_seat__user", "second_seat__user").first()
    if row is None:
        raise NotFound
    return row


def board_seat(row: Round, user_id: int | None) -> int:
    """Which of the board's two seats (0 or 1) is this user's. Raises NotSeated."""
    for number, seat in enumerate((row.first_seat, row.second_seat)):
        if user_id is not None and seat.user_id == user_id:
            return number
    raise NotSeated


def seat_of(series_id: int, user_id: int | None) -> Seat | None:
    """The user's seat in a series, None for a spectator."""
    if user_id is None:
        return None
    return Seat.objects.filter(series_id=series_id, user_id=user_id).first()


def own_seat(series_id: int, user_id: int | None) -> Seat:
    """The user's seat in a series. Raises NotSeated."""
    seat = seat_of(series_id, user_id)
    if seat is None:
        raise NotSeated
    return seat


def invitation_for(token: str) -> Invitation:
    """The invitation behind a link. Raises NotFound."""
    invitations = Invitation.objects.select_related("series", "series__created_by")
    try:
        return invitations.get(token=token)
    except Invitation.DoesNotExist:
        raise NotFound from None


def may_accept(invitation: Invitation, user_id: int) -> None:
    """Whether this user may sit down by it. Raises SelfInvited, SeatTaken or NotForYou."""
    host_id = invitation.series.created_by_id
    if host_id == user_id:
        raise SelfInvited
    if invitation.accepted_by_id == user_id:
        return
    if invitation.accepted_by_id is not None:
        raise SeatTaken
    if invitation.invited_id not in (None, user_id) or invitation.declined_at is not None:
        raise NotForYou
    if not may_meet(host_id, user_id):
        raise NotForYou


def plays_freely(user_id: int, *, rated: bool) -> bool:
    """Whether no sanction keeps this user from beginning a series with people.

    A warning that they have not read holds them back as well.
    """
    return free_of([user_id], *HELD_BACK, *([Sanction.Kind.UNRATED] if rated else []))


def may_play(user_id: int, *, rated: bool) -> None:
    """The same, for who asks for a series. Raises HeldBack."""
    if not plays_freely(user_id, rated=rated):
        raise HeldBack


def host_may_play(series: Series) -> None:
    """The same, for who set a table at which somebody sits down. Raises HostHeldBack."""
    if not plays_freely(series.created_by_id, rated=series.rated):
        raise HostHeldBack


def may_meet_strangers(user_id: int) -> None:
    """Whether this user may use quick match and the lobby. Raises MustWait."""
    repute = repute_of(user_id)
    if repute is not None and repute.waits:
        raise MustWait(wait_words(repute))


def player_named(name: str, viewer: object) -> User:
    """Who has this name and can be found; one finds oneself, also as a guest. Raises NotFound."""
    if isinstance(viewer, User) and viewer.username.lower() == name.lower():
        return viewer
    person = person_named(name)
    if person is None:
        raise NotFound
    return person


def person_to_report(name: str, series: Series | None, reporter: User) -> User:
    """Whom somebody may tell the moderators about, where both of them were at a table if at all.

    People who can be found; at a table whoever sits or talks there, guests too. Raises NotFound of
    others, and NotSeated for a guest who reports from anywhere but their own table.
    """
    person = users_named(name).filter(deleted_at=None).first()
    if person is None or person.kind == User.Kind.BOT or person.pk == reporter.pk:
        raise NotFound
    was_there = series is not None and _took_part(series, person.pk)
    if not was_there and not person.has_profile:
        raise NotFound
    if reporter.kind == User.Kind.GUEST:
        if series is None or not was_there:
            raise NotSeated
        own_seat(series.pk, reporter.pk)
    return person


def _took_part(series: Series, user_id: int) -> bool:
    if seat_of(series.pk, user_id) is not None:
        return True
    return Message.objects.filter(series=series, author=user_id).exists()


def others_at(series: Series, user_id: int | None) -> list[User]:
    """The people of a series whom this user could report: not the bots, nor who has gone, nor who
    is but a name."""
    seats = Seat.objects.filter(series=series, user__deleted_at=None)
    others = seats.exclude(user__kind=User.Kind.BOT).exclude(user=user_id).filter(name="")
    return [seat.user for seat in others.select_related("user").order_by("number")]


def may_look_back(person: User, viewer_id: int | None) -> bool:
    """Whether this user may see what a player has finished, and what is made of it."""
    return viewer_id == person.pk or Preferences.parse(person.preferences).history == "all"


@dataclass(frozen=True, slots=True)
class ChatRights:
    """What a user may do in the chat of a series: the rooms they read, and the one they write in.

    `phrases_only`: as a guest, who has promised nobody anything.
    """

    read: tuple[Message.Room, ...] = ()
    write: Message.Room | None = None
    phrases_only: bool = False


def chat_rights(series: Series, user_id: int | None) -> ChatRights | None:
    """Who reads and writes what; None where there is no chat: a bot plays, or nobody plays here.

    Two rooms: the players' and the spectators'. A spectator could advise a player, so neither sees
    the other's while the series runs; after the end everybody reads both.
    """
    if series.source != Series.Source.PLAYED:
        return None
    seats = dict(Seat.objects.filter(series=series).values_list("user_id", "bot"))
    if any(seats.values()):
        return None
    if series.status == Series.Status.WAITING:
        return ChatRights()
    rooms = tuple(Message.Room) if series.status == Series.Status.OVER else ()
    kind = _kind_of(user_id)
    if user_id in seats:
        own = Message.Room.PLAYERS
    elif kind == User.Kind.PERSON:
        own = Message.Room.WATCHERS
    else:
        return ChatRights(rooms)
    read = (*(room for room in rooms if room != own), own)  # the own one next to where one writes
    return ChatRights(read, own, phrases_only=kind == User.Kind.GUEST)


def _kind_of(user_id: int | None) -> str:
    if user_id is None:
        return ""
    return User.objects.values_list("kind", flat=True).get(pk=user_id)


def may_chat(user: User, series: Series) -> ChatRights:
    """The rights of somebody who wants to say something here. Raises NoChat or ChatMuted."""
    rights = chat_rights(series, user.pk)
    if rights is None or rights.write is None:
        raise NoChat
    if sanction_on(user.pk, Sanction.Kind.MUTE) is not None:
        raise ChatMuted
    return rights
