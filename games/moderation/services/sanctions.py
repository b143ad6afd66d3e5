"""Imposing a sanction in a case, lifting one, and answering an appeal."""

from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from accounts import sanctions
from accounts.models import Sanction, User
from accounts.texts import plain_text
from games.conduct import RULES
from games.moderation import roles
from games.moderation.access import may_judge
from games.moderation.errors import (
    HasAppealed,
    NoSuchRule,
    NotAllowed,
    NotByTheSame,
    NoText,
    NotInForce,
)
from games.moderation.models import Appeal
from games.moderation.services.audit import note_action
from games.moderation.services.cases import claimed_by

# The longest that a moderator imposes alone; anything longer is for a senior moderator.
LONGEST_ALONE: Final = timedelta(days=30)


@transaction.atomic
def impose_in_case(
    *,
    case_id: int,
    moderator: User,
    kind: Sanction.Kind,
    rule: str,
    text: str,
    term: timedelta | None,
) -> Sanction:
    """Put the person of a claimed case under a sanction, for this long or, with None, for good.

    Raises what `claimed_by` does, NoSuchRule, NoText or NotAllowed.
    """
    case = claimed_by(case_id, moderator)
    if rule not in RULES:
        raise NoSuchRule
    if not text.strip():
        raise NoText
    if _is_heavy(kind, term) and not moderator.has_perm(roles.SHUT_OUT):
        raise NotAllowed
    made = sanctions.impose(
        user_id=case.person_id,
        kind=kind,
        rule=rule,
        text=text.strip(),
        until=_now() + term if term and kind != Sanction.Kind.CLOSING else None,
        imposed_by_id=moderator.pk,
        case_id=case.pk,
    )
    note_action(
        moderator.pk,
        f"sanction.{kind}",
        made,
        user_id=case.person_id,
        case_id=case.pk,
        rule=rule,
        facts={"hours": int(term.total_seconds() // 3600) if term else None},
    )
    return made


@transaction.atomic
def lift_sanction(sanction_id: int, moderator: User) -> None:
    """End a sanction before its term. Raises NotInForce, NotYours or NotAllowed."""
    sanction = Sanction.objects.select_for_update().get(pk=sanction_id)
    may_judge(sanction, moderator)
    if not sanctions.lift(sanction):
        raise NotInForce
    note_action(moderator.pk, "sanction.lift", sanction, user_id=sanction.user_id)


def file_appeal(sanction_id: int, user: User, text: str) -> Appeal:
    """Ask for another look at a sanction of one's own. Raises NotInForce, NoText or HasAppealed."""
    if not Sanction.objects.filter(sanctions.standing(), pk=sanction_id, user=user).exists():
        raise NotInForce
    text = plain_text(text)
    if not text:
        raise NoText
    text = text[: Appeal.LONGEST]
    try:
        with transaction.atomic():
            return Appeal.objects.create(sanction_id=sanction_id, text=text)
    except IntegrityError:
        raise HasAppealed from None


@transaction.atomic
def answer_appeal(appeal_id: int, moderator: User, *, granted: bool, answer: str) -> Appeal:
    """Answer it; if granted the sanction ends.

    Raises NotByTheSame for who imposed it, NotYours, NotAllowed, NoText, or NotInForce where it has
    been answered.
    """
    appeal = (
        Appeal.objects.select_for_update(of=("self",)).select_related("sanction").get(pk=appeal_id)
    )
    sanction = appeal.sanction
    may_answer(sanction, moderator)
    if not answer.strip():
        raise NoText
    if appeal.answered_at is not None:
        raise NotInForce
    appeal.answered_by = moderator
    appeal.answered_at = Now()
    appeal.answer = answer.strip()[: Appeal.LONGEST]
    appeal.granted = granted
    appeal.save()
    if granted:
        sanctions.lift(sanction)
    action = "appeal.grant" if granted else "appeal.reject"
    note_action(moderator.pk, action, appeal, user_id=sanction.user_id, rule=sanction.rule)
    return appeal


def may_answer(sanction: Sanction, moderator: User) -> None:
    """Whether this moderator may answer an appeal. Raises NotByTheSame, NotYours or NotAllowed."""
    if sanction.imposed_by_id == moderator.pk:
        raise NotByTheSame
    may_judge(sanction, moderator)


def _is_heavy(kind: Sanction.Kind, term: timedelta | None) -> bool:
    if kind == Sanction.Kind.WARNING:
        return False
    return kind == Sanction.Kind.CLOSING or term is None or term > LONGEST_ALONE


def _now() -> datetime:
    """The time of the database, which terms are judged by."""
    now = User.objects.values_list(Now(), flat=True).first()
    assert isinstance(now, datetime), "whoever imposes something is a user"
    return now
