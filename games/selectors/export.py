"""All that is stored about somebody, for them to take along: one zip archive of JSON texts.

Each table that points at a user has its place in `PARTS`, or a reason in `LEFT_OUT`; a test holds
the two to the models. Nobody's hidden cards leave by it: a round counts from its result on.
"""

import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import Profile, Sanction, Trace, User
from accounts.preferences import Preferences
from accounts.relations import Relation
from accounts.subscriptions import Subscription
from accounts.turn_mail import TurnMail
from games.models import (
    ChatOff,
    Deed,
    Invitation,
    Message,
    Notice,
    Rating,
    RatingChange,
    Round,
    Seat,
    Series,
    SheetEntry,
    Tally,
)
from games.models.fold import deck_of
from games.moderation.models import Appeal, Case, Letter, Note, Report, Signal
from games.rules.notation import RoundRecord
from games.rules.scoring import Ending
from games.selectors.records import record_of

type Part = Mapping[str, object] | Sequence[Mapping[str, object]]


def archive_of(user: User) -> bytes:
    """The archive: one text for each part, and a word about them."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _readme(user))
        for name, (_table, part) in PARTS.items():
            text = json.dumps(part(user), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
            archive.writestr(f"{name}.json", text + "\n")
    return file.getvalue()


def _readme(user: User) -> str:
    words = _("All that this site keeps about %(name)s. Times are UTC.") % {"name": user.username}
    return f"{words}\n"


def _account(user: User) -> Part:
    return {
        "name": user.username,
        "kind": user.kind,
        "email": user.email,
        "registered": user.date_joined,
        "last_login": user.last_login,
        "preferences": asdict(Preferences.parse(user.preferences)),
    }


def _profile(user: User) -> Part:
    return list(Profile.objects.filter(user=user).values("about", "country"))


def _addresses(user: User) -> Part:
    return list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary"))


def _log_ins(user: User) -> Part:
    rows = UserSession.objects.filter(user=user).order_by("created_at")
    return list(rows.values("created_at", "last_seen_at", "ip", "user_agent"))


def _traces(user: User) -> Part:
    """When, and from how many places; the hashes say nothing to anybody without the site's key."""
    return list(Trace.objects.filter(user=user).order_by("pk").values("kind", "last_seen"))


def _second_steps(user: User) -> Part:
    """That they exist and when they were used; never a secret."""
    rows = Authenticator.objects.filter(user=user).order_by("created_at")
    return [
        {
            "type": row.type,
            "name": str(row),
            "created_at": row.created_at,
            "last_used_at": row.last_used_at,
        }
        for row in rows
    ]


def _staff_log(user: User) -> Part:
    rows = LogEntry.objects.filter(user=user).order_by("action_time")
    return list(rows.values("action_time", "action_flag", "object_repr", "change_message"))


def _seats(user: User) -> Part:
    seats = Seat.objects.filter(user=user).select_related("series").order_by("series")
    return [_series(seat) for seat in seats]


def _series(own: Seat) -> dict[str, Any]:
    series = own.series
    seats = Seat.objects.filter(series=series).select_related("user").order_by("number")
    return {
        "address": series.slug,
        "source": series.source,
        "rules": series.options.to_mapping(),
        "time": series.time_control,
        "status": series.status,
        "created_at": series.created_at,
        "started_at": series.started_at,
        "ended_at": series.ended_at,
        "how_it_ended": series.ending,
        "winner_side": series.winner_side,
        "declared_void_at": series.voided_at,
        "result": own.result,
        "rated": own.is_rated,
        "hidden_from_lists": own.is_hidden,
        "own_seat": own.number,
        "joined_at": own.joined_at,
        "seen_at": own.seen_at,
        "players": [
            {"seat": seat.number, "side": seat.side, "name": seat.shown_name} for seat in seats
        ],
        "rounds": [_round(row) for row in _finished(series)],
        "sheet": list(
            SheetEntry.objects.filter(series=series)
            .order_by("round", "game")
            .values("round__number", "game", "side", "points")
        ),
    }


def _finished(series: Series) -> list[Round]:
    """The rounds whose hands have lain open; one that was broken off shows nobody's cards."""
    rounds = Round.objects.filter(series=series).exclude(kind__in=("", Ending.VOID))
    related = rounds.select_related("series", "first_seat", "second_seat")
    return list(related.order_by("number", "board"))


def _round(row: Round) -> dict[str, Any]:
    return {
        "number": row.number,
        "board": row.board,
        "seats": [row.first_seat.number, row.second_seat.number],
        "dealt_at": row.dealt_at,
        "ended_at": row.ended_at,
        "kind": row.kind,
        "winner": row.winner,
        "points": row.points,
        **(_cards(row) if row.has_cards else {}),
    }


def _cards(row: Round) -> dict[str, Any]:
    deck = deck_of(row)
    record = RoundRecord.from_log(row.log, deck, row.dealer, row.series.options)
    deal = row.proof.record(deck) if row.was_dealt_here else None
    return {"record": record.format(), "deal": deal}


def _made(user: User) -> Part:
    rows = Series.objects.filter(created_by=user).order_by("pk")
    return [
        {
            "slug": row.slug,
            "created_at": row.created_at,
            "preset": row.preset,
            # Whoever imported it need not sit there.
            **({"record": record_of(row).format()} if row.source == row.Source.IMPORTED else {}),
        }
        for row in rows
    ]


def _accepted(user: User) -> Part:
    rows = Invitation.objects.filter(Q(accepted_by=user) | Q(invited=user)).order_by("pk")
    return list(rows.values("series__slug", "accepted_at", "declined_at"))


def _notices(user: User) -> Part:
    rows = Notice.objects.filter(user=user).order_by("due_at")
    return list(rows.values("kind", "series__slug", "due_at"))


def _turn_mail(user: User) -> Part:
    return list(TurnMail.objects.filter(user=user).values("is_on", "due_at", "sent_at"))


def _browsers(user: User) -> Part:
    """Where they are told; not what lets others write there."""
    rows = Subscription.objects.filter(user=user).order_by("pk")
    return list(rows.values("user_agent", "since"))


def _relations(user: User) -> Part:
    """Whom they follow, block or avoid; not who does so with them."""
    rows = Relation.objects.filter(user=user).select_related("other").order_by("pk")
    return [{"kind": row.kind, "who": row.other.shown_name, "since": row.since} for row in rows]


def _ratings(user: User) -> Part:
    rows = Rating.objects.filter(user=user).order_by("format")
    return list(rows.values("format", "value", "deviation", "series_count", "rated_at"))


def _rating_changes(user: User) -> Part:
    rows = RatingChange.objects.filter(user=user).order_by("rated_at")
    names = ("series__slug", "format", "score", "before", "after", "rated_at", "given_back_at")
    return list(rows.values(*names))


def _sanctions(user: User) -> Part:
    fields = ("kind", "rule", "text", "since", "until", "lifted_at", "acknowledged_at")
    appeal = ("appeal__text", "appeal__made_at", "appeal__answer", "appeal__granted")
    return list(Sanction.objects.filter(user=user).values(*fields, *appeal))


def _reports(user: User) -> Part:
    return list(
        Report.objects.filter(reporter=user).values("rule", "text", "made_at", "case__outcome")
    )


def _letters(user: User) -> Part:
    fields = ("kind", "rule", "text", "quote", "series__slug", "facts", "made_at")
    return list(Letter.objects.filter(user=user).values(*fields))


def _cases(user: User) -> Part:
    # Who reported stays with the moderators.
    return list(Case.objects.filter(person=user).values("opened_at", "closed_at", "outcome"))


def _signals(user: User) -> Part:
    # About whom else it is stays with the moderators.
    return list(Signal.objects.filter(Q(user=user) | Q(other=user)).values("kind", "made_at"))


def _deeds(user: User) -> Part:
    rows = Deed.objects.filter(user=user).order_by("done_at", "pk")
    return list(rows.values("kind", "series__slug", "done_at"))


def _statistics(user: User) -> Part:
    rows = Tally.objects.filter(user=user).select_related("opponent").order_by("pk")
    return [
        {
            "of": row.scope,
            "against": row.opponent.shown_name if row.opponent else None,
            "counts": row.counts,
            "streak": row.streak,
            "best_streak": row.best_streak,
        }
        for row in rows
    ]


def _messages(user: User) -> Part:
    rows = Message.objects.filter(author=user).order_by("pk")
    return list(rows.values("series__slug", "room", "text", "phrase", "sent_at"))


def _chat_off(user: User) -> Part:
    return list(ChatOff.objects.filter(user=user).order_by("pk").values("series__slug"))


PARTS: Final[dict[str, tuple[type, Callable[[User], Part]]]] = {
    "account": (User, _account),
    "profile": (Profile, _profile),
    "addresses": (EmailAddress, _addresses),
    "log_ins": (UserSession, _log_ins),
    "log_in_traces": (Trace, _traces),
    "second_steps": (Authenticator, _second_steps),
    "staff_log": (LogEntry, _staff_log),
    "series": (Seat, _seats),
    "ratings": (Rating, _ratings),
    "rating_changes": (RatingChange, _rating_changes),
    "statistics": (Tally, _statistics),
    "series_made": (Series, _made),
    "invitations": (Invitation, _accepted),
    "relations": (Relation, _relations),
    "signals": (Signal, _signals),
    "deeds": (Deed, _deeds),
    "notices": (Notice, _notices),
    "turn_mail": (TurnMail, _turn_mail),
    "browsers_told": (Subscription, _browsers),
    "sanctions": (Sanction, _sanctions),
    "letters": (Letter, _letters),
    "reports": (Report, _reports),
    "cases": (Case, _cases),
    "messages": (Message, _messages),
    "chat_off": (ChatOff, _chat_off),
}
"""Each text of the archive, the table it is of, and who makes it."""

LEFT_OUT: Final[dict[str, str]] = {
    Note._meta.label: "what moderators wrote to each other, by whom of them",
    Appeal._meta.label: "points at who answered; what somebody appealed stands in `sanctions`",
}
"""Tables that point at a user and hold nothing of theirs, with the reason."""
