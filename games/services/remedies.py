"""What moderators mend: a series declared void, ratings given back, a name, a text.

Each is one transaction with its row in the audit trail, which names the rule of conduct that it was
done for, and with a letter to each whom it concerns, which tells the rule and, in `text`, what the
moderator has to say. Nobody mends anything of their own.
"""

from datetime import timedelta
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import Profile, User
from accounts.rank import outranks
from accounts.renaming import rename
from games.conduct import RULES
from games.live import Bell
from games.models import Message, RatingChange, Series
from games.moderation import roles
from games.moderation.errors import (
    BadName,
    DoneBefore,
    NoSuchRule,
    NotAllowed,
    NothingThere,
    NotReportable,
    NotYours,
    StillPlayed,
)
from games.moderation.models import Case, Letter, Note
from games.moderation.services.audit import note_action
from games.moderation.services.letters import write_letter
from games.selectors.last_round import last_round
from games.services.counting import uncount_series
from games.services.giving_back import Moved, give_back
from games.services.history import mend_seat_ends

MOST_DAYS: Final = 90


@transaction.atomic
def void_series(series_id: int, moderator: User, *, rule: str, text: str = "") -> Bell:
    """Declare that a series does not count; what to ring.

    Its rounds and its sheet stay, marked as void; what it made of ratings is given back, and it
    leaves all statistics. Raises StillPlayed, DoneBefore, and what `_may_mend` does.
    """
    series = Series.objects.select_for_update().get(pk=series_id)
    people = series.seats.filter(bot="").exclude(user__kind=User.Kind.ABSENT)
    players = list(people.values_list("user", flat=True))
    _may_mend(moderator, rule, *players)
    if series.status != Series.Status.OVER:
        raise StillPlayed
    if series.voided_at is not None:
        raise DoneBefore
    Series.objects.filter(pk=series_id).update(voided_at=Now(), talk=F("talk") + 1)
    series.refresh_from_db()
    changes = _locked(RatingChange.objects.filter(series=series))
    moved = give_back(changes)
    for user_id in players:
        facts = _moved(moved, user_id)
        write_letter(Letter.Kind.VOID, user_id, rule=rule, text=text, series=series, facts=facts)
    uncount_series(series)
    mend_seat_ends(series_id)
    note_action(
        moderator.pk, "series.void", series, rule=rule, facts={"rating_changes": len(changes)}
    )
    last = last_round(series)
    return Bell(series_id, last.version if last else 0, series.talk)


def losses_to(person_id: int, days: int) -> QuerySet[RatingChange]:
    """What others have lost in ratings to somebody in these last days, and not got back."""
    lately = RatingChange.objects.filter(user=person_id, rated_at__gt=Now() - timedelta(days=days))
    others = RatingChange.objects.filter(series__in=lately.values("series"))
    return others.exclude(user=person_id).filter(after__lt=F("before"), given_back_at=None)


@transaction.atomic
def refund_ratings(
    person_id: int, moderator: User, *, rule: str, days: int, text: str = ""
) -> None:
    """Give back what others have lost in ratings to this person.

    The person's own rating stays. Raises NothingThere, and what `_may_mend` does.
    """
    _may_mend(moderator, rule, person_id)
    person = User.objects.get(pk=person_id)
    losses = _locked(losses_to(person_id, min(days, MOST_DAYS)).exclude(user=moderator))
    if not losses:
        raise NothingThere
    moved = give_back(losses)
    for user_id in {each.user_id for each in moved}:
        told = _moved(moved, user_id)
        write_letter(Letter.Kind.REFUND, user_id, rule=rule, text=text, facts=told)
    facts: dict[str, Any] = {"days": days, "losses": len(losses)}
    note_action(moderator.pk, "rating.refund", person, user_id=person_id, rule=rule, facts=facts)


@transaction.atomic
def rename_person(person_id: int, moderator: User, *, rule: str, name: str, text: str = "") -> None:
    """Give somebody another name: with it they log in, so it is not given to who may do more.

    Raises BadName, DoneBefore, and what `_may_mend` does.
    """
    _may_mend(moderator, rule, person_id)
    person = User.objects.get(pk=person_id)
    if outranks(person, moderator):
        raise NotAllowed
    if person.kind != User.Kind.PERSON or person.deleted_at is not None:
        raise NotReportable
    if person.username == name:
        raise DoneBefore
    try:
        rename(person_id, name)
    except ValidationError as error:
        raise BadName(" ".join(error.messages)) from None
    write_letter(Letter.Kind.RENAMED, person_id, rule=rule, text=text, quote=person.username)
    note_action(moderator.pk, "person.rename", person, user_id=person_id, rule=rule)


@transaction.atomic
def remove_line(line_id: int, moderator: User, *, rule: str, text: str = "") -> Bell:
    """Take a line of the chat from every page; what to ring. It is kept for moderators.

    Raises DoneBefore, and what `_may_mend` does.
    """
    line = Message.objects.select_for_update(of=("self",)).select_related("series").get(pk=line_id)
    _may_mend(moderator, rule, line.author_id)
    if line.hidden_at is not None:
        raise DoneBefore
    Message.objects.filter(pk=line_id).update(hidden_at=Now())
    Series.objects.filter(pk=line.series_id).update(talk=F("talk") + 1)
    write_letter(
        Letter.Kind.LINE, line.author_id, rule=rule, text=text, quote=line.said, series=line.series
    )
    note_action(moderator.pk, "line.remove", line, user_id=line.author_id, rule=rule)
    talk = Series.objects.values_list("talk", flat=True).get(pk=line.series_id)
    return Bell(line.series_id, 0, talk)


@transaction.atomic
def remove_profile_text(person_id: int, moderator: User, *, rule: str, text: str = "") -> None:
    """Empty what somebody has written about themselves.

    Where there is an open case about them it keeps the text, as a note. Raises NothingThere, and
    what `_may_mend` does.
    """
    _may_mend(moderator, rule, person_id)
    profile = Profile.objects.select_for_update().filter(user=person_id).exclude(about="").first()
    if profile is None:
        raise NothingThere
    case = Case.objects.filter(person=person_id, closed_at=None).first()
    if case is not None:
        kept = _("Removed from the profile: %(text)s") % {"text": profile.about}
        Note.objects.create(case=case, author=moderator, text=kept[: Note.LONGEST])
    write_letter(Letter.Kind.PROFILE, person_id, rule=rule, text=text, quote=profile.about)
    Profile.objects.filter(pk=profile.pk).update(about="")
    note_action(moderator.pk, "profile.clear", profile, user_id=person_id, rule=rule)


def _may_mend(moderator: User, rule: str, *people: int) -> None:
    """Raises NotAllowed, NoSuchRule, or NotYours where it is about this moderator."""
    if not moderator.has_perm(roles.MEND):
        raise NotAllowed
    if rule not in RULES:
        raise NoSuchRule
    if moderator.pk in people:
        raise NotYours


def _moved(moved: list[Moved], user_id: int) -> dict[str, Any]:
    """What a letter says of somebody's ratings: pairs of before and after."""
    own = (each for each in moved if each.user_id == user_id)
    return {"ratings": [[round(each.before), round(each.after)] for each in own]}


def _locked(changes: QuerySet[RatingChange]) -> list[RatingChange]:
    """These changes that still count, each held until the end of the transaction."""
    return list(changes.filter(given_back_at=None).select_for_update(of=("self",)).order_by("pk"))
