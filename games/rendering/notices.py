"""A notice in words, for a browser and for a mail: names and times, never a card (fault 60)."""

from dataclasses import dataclass
from datetime import timedelta, tzinfo

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.preferences import Preferences
from accounts.zones import zone_named, zone_words
from games.models import Notice
from games.selectors.waiting import Waiting


@dataclass(frozen=True, slots=True)
class MailLine:
    """One thing that waits, and where."""

    words: str
    url: str


def push_message(kind: Notice.Kind, waiting: Waiting) -> dict[str, object]:
    """What a browser is sent. A later message of one series takes the place of the earlier."""
    with translation.override(settings.LANGUAGE_CODE):
        return {
            "title": _title(kind, waiting),
            "body": _body(waiting),
            "url": waiting.url,
            "tag": waiting.series.slug,
        }


def mail_subject(waiting: tuple[Waiting, ...]) -> str:
    """The one thing that waits, or how many do."""
    with translation.override(settings.LANGUAGE_CODE):
        if len(waiting) == 1:
            return _title(_kind(waiting[0]), waiting[0])
        words = ngettext(
            "%(count)d table waits for you", "%(count)d tables wait for you", len(waiting)
        )
        return words % {"count": len(waiting)}


def mail_text(user: User, waiting: tuple[Waiting, ...], off_path: str) -> str:
    """The mail, as plain text; its times go by the zone that its reader prefers, else by UTC."""
    zone = zone_named(Preferences.parse(user.preferences).zone)
    context = {
        "name": user.username,
        "lines": [MailLine(_line(each, zone), settings.SITE_URL + each.url) for each in waiting],
        "off_url": settings.SITE_URL + off_path,
        "site": settings.SITE_URL,
    }
    with translation.override(settings.LANGUAGE_CODE):
        return render_to_string("games/email/waiting.txt", context)


def _kind(waiting: Waiting) -> Notice.Kind:
    return Notice.Kind.REMINDER if waiting.is_short else waiting.kind


def _title(kind: Notice.Kind, waiting: Waiting) -> str:
    words = {
        Notice.Kind.TURN: _("Your turn against %(name)s"),
        Notice.Kind.REMINDER: _("Your time against %(name)s runs out"),
        Notice.Kind.BEGUN: _("%(name)s has sat down at your table"),
        Notice.Kind.INVITATION: _("%(name)s asks you to a table"),
        Notice.Kind.REMATCH: _("%(name)s would like a rematch"),
    }
    return words[kind] % {"name": waiting.name}


def _body(waiting: Waiting) -> str:
    if waiting.left is None:
        return ""
    return _("You have %(time)s.") % {"time": left_words(waiting.left)}


def _line(waiting: Waiting, zone: tzinfo) -> str:
    title = _title(_kind(waiting), waiting)
    if waiting.runs_out_at is None:
        return title
    until = date_format(waiting.runs_out_at.astimezone(zone), "j F Y, H:i")
    return _("%(what)s (until %(time)s, %(zone)s)") % {
        "what": title,
        "time": until,
        "zone": zone_words(zone),
    }


def left_words(left: timedelta) -> str:
    """About how long that is, rather too short than too long.

    >>> left_words(timedelta(hours=11, minutes=50))
    '11 hours'
    """
    hours = max(0, int(left.total_seconds())) // 3600
    if hours >= 48:
        return ngettext("%(count)d day", "%(count)d days", hours // 24) % {"count": hours // 24}
    if hours:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    return _("less than an hour")
