"""A series as it stands, and as one viewer may see it: all that pages and pushes are made from."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from django.conf import settings
from django.db.models import Exists, F, FilteredRelation, OuterRef, Q
from django.urls import reverse

from games.bots import Reason
from games.errors import NotFound
from games.formats import Format
from games.glicko import Rating as Strength
from games.live import Stamp
from games.models import Invitation, Listing, Round, Seat, Series
from games.models.reasons import read_reasons
from games.rules.deck import commitment
from games.rules.options import Options
from games.rules.parts import Part
from games.rules.scoring import Ending, RoundResult
from games.rules.series import SeriesState
from games.rules.sheet import Entry, ScoreSheet
from games.rules.view import TableView, table_view
from games.selectors.standing import series_state
from games.selectors.versions import present_seats
from games.time_control import claim_time


@dataclass(frozen=True, slots=True)
class Sitting:
    """What is stored of a series, read once; it holds hidden cards and never leaves the server.

    `newcomers` are the seats of players who have not finished any round but the last of this one.
    `strengths`, by seat, are their ratings at the format of a rated series.
    """

    series: Series
    seats: tuple[Seat, ...]
    earlier: tuple[Round, ...]
    last: Round | None
    present: frozenset[int]
    newcomers: frozenset[int] = frozenset()
    strengths: Mapping[int, Strength] = field(default_factory=dict)

    @property
    def version(self) -> int:
        """The version of the series; 0 before the first deal."""
        return self.last.version if self.last else 0

    @property
    def stamp(self) -> Stamp:
        """Version, talk and presence."""
        return Stamp(self.version, self.series.talk, self.present)

    @property
    def state(self) -> SeriesState | None:
        """The series between its rounds, None before the first deal."""
        if self.last is None:
            return None
        return series_state(self.series, (*self.earlier, self.last))

    def seat_of(self, user_id: int | None) -> Seat | None:
        """The seat of a user, None for a spectator."""
        return next((seat for seat in self.seats if seat.user_id == user_id), None)


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat as everybody may see it; `ready` where its player has pressed Next round.

    `bot` is which one plays here, if one does: it is always present, and ready after each round.
    `gone`: its player has left the site. `strength`: their rating, in a rated series.
    """

    seat: int
    side: int
    name: str
    user_id: int
    ready: bool
    present: bool
    bot: str = ""
    gone: bool = False
    strength: Strength | None = None


@dataclass(frozen=True, slots=True)
class PastRound:
    """A finished round: its number, how it ended, who won, and what it did to the sheet.

    `length` counts its actions.
    """

    number: int
    result: RoundResult
    side: int | None
    dealer: int
    entry: Entry | None
    length: int


@dataclass(frozen=True, slots=True)
class BotReason:
    """Why the bot in this board seat did what it did."""

    seat: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Table:
    """A series as one viewer may see it. `seat` is None for a spectator.

    `newcomer`: the viewer sits here and plays the first round of their life on this site.

    `reasons` are those of bots, once the round on the table is over.

    `rematch_wanted`: the seats that have offered one; `rematch_url`: where they went on.
    For its host only, while nobody has sat down: `asked`, who is asked to this table by name, or
    `declined_by`, who was and has said no; `offered`, how its free seat stands in the lobby, "while
    here" being as long as the host is.

    `banks`: what each board seat had left when the last action was done, where time is limited;
    `runs_out_at`: when the time of whose turn it is runs out. `end_offered_by`, `end_declined`: the
    seats that have offered in this round to stop, and those whose offer was declined. `claim_at`:
    from when on the viewer can claim the series, the other being away while it is their turn.
    `ending` and `ended_by_side`: how the series ended, as games.models.Series stores it.
    `is_void`: moderators have declared that it does not count.

    `commitment` is that of the round on the table, `secret` its secret once the round is over, and
    `next_commitment` that of the deal to come, each in hex. `parts` are what the players gave to
    the deal on the table, by seat. To the one to come some have given a promise (`promises`, by
    seat) or already a part (`given`), which nobody is shown; `part_asked`: the viewer's is asked
    for now; `whole_parts`: a press of Next round brings it without a promise before.
    """

    series_id: str
    url: str
    status: Literal["waiting", "playing", "over"]
    version: int
    talk: int
    seat: int | None
    chairs: tuple[Chair, ...]
    options: Options
    play: TableView | None
    past: tuple[PastRound, ...]
    sheet: ScoreSheet
    winner: int | Literal["shared"] | None
    invitation: str | None
    deal_at: datetime | None
    commitment: str | None
    secret: str | None
    next_commitment: str
    newcomer: bool = False
    banks: tuple[timedelta, timedelta] | None = None
    runs_out_at: datetime | None = None
    end_offered_by: frozenset[int] = frozenset()
    end_declined: frozenset[int] = frozenset()
    claim_at: datetime | None = None
    ending: str = ""
    ended_by_side: int | None = None
    reasons: tuple[BotReason, ...] = ()
    rematch_wanted: frozenset[int] = frozenset()
    rematch_url: str = ""
    asked: str = ""
    declined_by: str = ""
    offered: Literal["", "always", "while here"] = ""
    source: str = Series.Source.PLAYED
    parts: tuple[Part, ...] = ()
    promises: tuple[str, ...] = ()
    given: frozenset[int] = frozenset()
    part_asked: bool = False
    whole_parts: bool = False
    is_void: bool = False


def load_sitting(series: Series) -> Sitting:
    """Read all that a table needs, in three queries."""
    rounds = list(
        Round.objects.filter(series=series)
        .select_related("first_seat", "second_seat")
        .order_by("number", "board")
    )
    present = present_seats([series.pk]).get(series.pk, frozenset())
    last = rounds.pop() if rounds else None
    rated_at = _format_rated(series)
    at_it = FilteredRelation("user__ratings", condition=Q(user__ratings__format=rated_at))
    seats = series.seats.select_related("user").annotate(newcomer=_is_newcomer(last), at_it=at_it)
    seats = seats.annotate(rating=F("at_it__value"), deviation=F("at_it__deviation"))
    found = tuple(seats.order_by("number"))
    newcomers = frozenset(seat.number for seat in found if seat.newcomer)
    strengths = {
        seat.number: Strength() if seat.rating is None else Strength(seat.rating, seat.deviation)
        for seat in found
        if rated_at and all(each.user.kind == each.user.Kind.PERSON for each in found)
    }
    return Sitting(series, found, tuple(rounds), last, present, newcomers, strengths)


def _format_rated(series: Series) -> str:
    """The format at which a series is rated, "" where it is casual."""
    format_ = Format.of(series.options, series.control) if series.rated else None
    return str(format_) if format_ is not None else ""


def _is_newcomer(last: Round | None) -> Q:
    """Whether a seat's player has finished no round, be it in another series, but this last one.

    Of those that were dealt here.
    """
    finished = Round.objects.exclude(kind__in=("", Ending.VOID)).exclude(commitment="")
    if last is not None:
        finished = finished.exclude(pk=last.pk)
    return ~Q(Exists(finished.filter(first_seat__user=OuterRef("user")))) & ~Q(
        Exists(finished.filter(second_seat__user=OuterRef("user")))
    )


GROWS: Final = frozenset({"log", "ply", "due_at", "first_bank", "second_bank"})
"""What an action changes of the round that goes on after it, and a viewer sees."""


def reload_sitting(old: Sitting, present: frozenset[int] | None = None) -> Sitting:
    """The same series as it stands now: one query while its last round goes on.

    Who is present is what the caller knows better, or as it was. Raises NotFound where it was taken
    back before the first deal.
    """
    if present is not None:
        old = replace(old, present=present)
    if old.last is None or old.last.kind:
        series = Series.objects.filter(pk=old.series.pk).first()
        if series is None:
            raise NotFound
        return load_sitting(series)
    rows = Round.objects.filter(pk=old.last.pk)
    grown = rows.values("kind", "series__talk", *GROWS).get()
    kind, talk = grown.pop("kind"), grown.pop("series__talk")
    if kind or talk != old.series.talk:
        return load_sitting(Series.objects.get(pk=old.series.pk))
    return grown_sitting(old, grown)


def grown_sitting(old: Sitting, grown: Mapping[str, Any]) -> Sitting:
    """The sitting after actions that did not end the round: nothing but these columns changed."""
    last = copy(old.last)
    assert last is not None, "a log grows in a round"
    for name, value in grown.items():
        setattr(last, name, value)
    return replace(old, last=last)


def table_for(sitting: Sitting, user_id: int | None) -> Table:
    """The table as this user may see it; everything hidden from them is left out here."""
    series, last = sitting.series, sitting.last
    seat = sitting.seat_of(user_id)
    state = sitting.state
    ended = last is not None and bool(last.kind)
    invitation = _invitation(series, seat)
    return Table(
        series_id=series.slug,
        url=reverse("series", args=[series.slug]),
        status=series.status,  # type: ignore[arg-type]
        version=sitting.version,
        talk=series.talk,
        seat=None if seat is None else seat.number,
        chairs=_chairs(sitting),
        options=series.options,
        play=_play(sitting, last, state, seat) if state and last and last.has_cards else None,
        past=_past(sitting, state),
        sheet=state.sheet if state else ScoreSheet(series.options),
        winner=state.winner if state and series.status == Series.Status.OVER else None,
        invitation=_link(invitation),
        deal_at=last.due_at if last and ended else None,
        commitment=last.commitment if last else None,
        secret=bytes(last.secret).hex() if last and ended else None,
        next_commitment=commitment(bytes(series.next_secret)),
        newcomer=seat is not None and seat.number in sitting.newcomers,
        banks=_banks(series, last),
        runs_out_at=last.due_at if last and not ended else None,
        end_offered_by=_offers(sitting, 1),
        end_declined=_offers(sitting, -1),
        claim_at=_claim_at(sitting, seat),
        ending=series.ending,
        is_void=series.voided_at is not None,
        ended_by_side=series.ended_by_side,
        reasons=_reasons(last) if last is not None and last.has_cards and ended else (),
        rematch_wanted=frozenset(each.number for each in sitting.seats if each.wants_rematch),
        rematch_url=_rematch_url(series),
        asked=_invited(invitation, declined=False),
        declined_by=_invited(invitation, declined=True),
        offered=_offered(series, seat),
        source=series.source,
        parts=last.parts if last else (),
        promises=tuple(each.promise for each in sitting.seats),
        given=frozenset(each.number for each in sitting.seats if each.part),
        part_asked=seat is not None and _is_asked(sitting, seat),
        whole_parts=_brings_whole(sitting),
    )


def _is_asked(sitting: Sitting, seat: Seat) -> bool:
    """Whether this player's own part in the deal to come is asked for now."""
    last = sitting.last
    if seat.part or sitting.series.status == Series.Status.OVER:
        return False
    return last is None or (
        bool(seat.promise and last.kind) and all(_is_ready(each, last) for each in sitting.seats)
    )


def _brings_whole(sitting: Sitting) -> bool:
    """Whether a promise would be of no use: nobody else gives a part, or not at the same time."""
    return not sitting.series.control.is_live or any(each.bot for each in sitting.seats)


def _banks(series: Series, last: Round | None) -> tuple[timedelta, timedelta] | None:
    if last is None or last.first_bank is None or last.second_bank is None:
        return None
    return last.first_bank, last.second_bank


def _offers(sitting: Sitting, sign: int) -> frozenset[int]:
    last = sitting.last
    if last is None or sitting.series.status != Series.Status.PLAYING:
        return frozenset()
    return frozenset(each.number for each in sitting.seats if each.end_offer == sign * last.number)


def _claim_at(sitting: Sitting, seat: Seat | None) -> datetime | None:
    """From when on the other's absence can be claimed, by what was last seen of them."""
    series, last = sitting.series, sitting.last
    if seat is None or last is None or last.kind or series.status != Series.Status.PLAYING:
        return None
    acting = (last.first_seat_id, last.second_seat_id)[last.folded().state.turn]
    other = next((each for each in sitting.seats if each.pk == acting and each != seat), None)
    if other is None or other.bot or other.number in sitting.present or not series.control.is_live:
        return None
    seen_at = Seat.objects.values_list("seen_at", flat=True).get(pk=other.pk)
    return claim_time(seen_at or other.joined_at, series.started_at or other.joined_at)


def _offered(series: Series, seat: Seat | None) -> Literal["", "always", "while here"]:
    if series.status != Series.Status.WAITING or seat is None:
        return ""
    if not Listing.objects.filter(series=series).exists():
        return ""
    return "always" if series.control.bank is None else "while here"


def _rematch_url(series: Series) -> str:
    if series.rematch_id is None:
        return ""
    return Series.objects.only("slug").get(pk=series.rematch_id).get_absolute_url()


def _reasons(ended: Round) -> tuple[BotReason, ...]:
    entries = ended.folded().entries
    found = ((entries[each.ply].seat, each.reason) for each in read_reasons(ended.reasons))
    return tuple(BotReason(seat, reason) for seat, reason in found if seat is not None)


def _chairs(sitting: Sitting) -> tuple[Chair, ...]:
    last = sitting.last
    return tuple(
        Chair(
            seat.number,
            seat.side,
            seat.shown_name,
            seat.user_id,
            ready=last is not None and _is_ready(seat, last),
            present=bool(seat.bot) or seat.number in sitting.present,
            bot=seat.bot,
            gone=not seat.user.is_active or seat.user.disabled_at is not None,
            strength=sitting.strengths.get(seat.number),
        )
        for seat in sitting.seats
    )


def _is_ready(seat: Seat, last: Round) -> bool:
    return bool(last.kind) if seat.bot else seat.ready_after >= last.number


def _play(sitting: Sitting, last: Round, state: SeriesState, seat: Seat | None) -> TableView:
    board_seats = (last.first_seat_id, last.second_seat_id)
    numbers = {each.pk: each for each in sitting.seats}
    folded = last.folded()
    return table_view(
        folded.state,
        folded.all_events,
        board_seats.index(seat.pk) if seat is not None and seat.pk in board_seats else None,
        number=last.number,
        version=sitting.version,
        sheet=state.sheet,
        sides=(numbers[board_seats[0]].side, numbers[board_seats[1]].side),
        board=last.board,
    )


def _past(sitting: Sitting, state: SeriesState | None) -> tuple[PastRound, ...]:
    if state is None or sitting.last is None:
        return ()
    entries = iter(state.sheet.entries)
    return tuple(
        _past_round(row, result, None if result.kind is Ending.VOID else next(entries))
        for row in (*sitting.earlier, sitting.last)
        if (result := row.result) is not None
    )


def _past_round(row: Round, result: RoundResult, entry: Entry | None) -> PastRound:
    return PastRound(
        number=row.number,
        result=result,
        side=entry.side if entry else None,
        dealer=row.dealer,
        entry=entry,
        length=row.ply,
    )


def _invitation(series: Series, seat: Seat | None) -> Invitation | None:
    """That of a table whose host still waits, for them."""
    if series.status != Series.Status.WAITING or seat is None:
        return None
    return Invitation.objects.select_related("invited").get(series=series)


def _link(invitation: Invitation | None) -> str | None:
    if invitation is None or invitation.declined_at is not None:
        return None
    return f"{settings.SITE_URL}{reverse('invitation', args=[invitation.token])}"


def _invited(invitation: Invitation | None, *, declined: bool) -> str:
    if invitation is None or invitation.invited is None:
        return ""
    return invitation.invited.shown_name if (invitation.declined_at is None) != declined else ""
