"""Saying something at a table, and turning the chat off."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final
from unicodedata import category

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from accounts.models import User
from accounts.texts import plain_text
from games import access
from games.errors import EmptyLine, LineTooLong, PhrasesOnly
from games.models import ChatOff, Message, Series
from games.models.message import LONGEST_LINE
from games.moderation.services.lines import look_at_line
from games.phrases import PHRASES
from games.selectors.newcomers import is_new
from games.services.chat_limits import NEW_LIMIT, REMEMBERED, Earlier, judge

LONGEST_RAW: Final = 10 * LONGEST_LINE  # what is longer is not even made plain


@dataclass(frozen=True, slots=True)
class Said:
    """A line that is stored; `talk` is the series' by now, None where it had been said before."""

    message: Message
    talk: int | None


@transaction.atomic
def say(*, series: Series, user_id: int, key: str, text: str = "", phrase: str = "") -> Said:
    """Store a line in the room of who says it: words, or the code of a quick phrase.

    The same words sent again with the same key are the same line. Raises NoChat, ChatMuted,
    PhrasesOnly, EmptyLine, LineTooLong, TooManyLines or SaidBefore, and nothing has changed. The
    version of the series stays; its talk moves on.
    """
    # One after the other, so that lines at once count as well.
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    key = _key_of(key, text, phrase)
    before = Message.objects.filter(author=user, key=key).first()
    if before is not None:
        return Said(before, None)
    rights = access.may_chat(user, series)
    assert rights.write is not None, "may_chat raises where nobody may write"
    text = "" if phrase else _line(text)
    if text and rights.phrases_only:
        raise PhrasesOnly
    if not text and phrase not in PHRASES:
        raise EmptyLine
    earlier = _earlier(user)
    # Of few lines it makes no difference, and need not be asked.
    new = len(earlier) >= NEW_LIMIT[0] and is_new(user)
    judge(text or phrase, earlier, is_new=new)
    message = Message.objects.create(
        series=series, room=rights.write, author=user, text=text, phrase=phrase, key=key
    )
    look_at_line(message, said_lately=len(earlier) + 1)
    Series.objects.filter(pk=series.pk).update(talk=F("talk") + 1)
    return Said(message, Series.objects.values_list("talk", flat=True).get(pk=series.pk))


def _key_of(key: str, text: str, phrase: str) -> str:
    """A page that never got its answer says something else with the key that it still has."""
    return sha256("\0".join((key, phrase, text)).encode()).hexdigest()


def turn_chat(series: Series, user_id: int, *, on: bool) -> None:
    """Let a user have the chat of a series or not; repeated, it changes nothing."""
    if on:
        ChatOff.objects.filter(series=series, user=user_id).delete()
    else:
        ChatOff.objects.get_or_create(series=series, user_id=user_id)


def forget_chat(user_id: int) -> None:
    """Take away all that somebody has said, for nobody to read again."""
    Message.objects.filter(author=user_id).delete()
    ChatOff.objects.filter(user=user_id).delete()


def _line(text: str) -> str:
    if len(text) > LONGEST_RAW:
        raise LineTooLong
    line = " ".join(plain_text(text).split())
    if len(line) > LONGEST_LINE:
        raise LineTooLong
    # Marks and joiners alone show nothing.
    return line if any(category(sign)[0] not in "CMZ" for sign in line) else ""


def _earlier(user: User) -> list[Earlier]:
    recent = Message.objects.filter(author=user, sent_at__gt=Now() - REMEMBERED)
    return [Earlier(each.said, each.now - each.sent_at) for each in recent.annotate(now=Now())]
