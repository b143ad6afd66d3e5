"""What somebody is told who has left series: what for, what follows, and how long."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.zones import zone_words
from games.leavers import FADES_AFTER, DeedKind
from games.selectors.repute import ReputeNow

_WHY: Final = {
    DeedKind.LEFT: gettext_lazy("You left a series, and the other player waited in vain."),
    DeedKind.RAN_OUT: gettext_lazy("You went away from a series and let the time run out."),
    DeedKind.WITHDREW: gettext_lazy("You took back one table after another from the lobby."),
}


@dataclass(frozen=True, slots=True)
class LeaverWords:
    """What the lobby says to somebody: `heading`, then `why`, then what follows.

    `waits`: they can't sit down with strangers yet.
    """

    waits: bool
    heading: str
    why: str
    follows: str

    @classmethod
    def of(cls, repute: ReputeNow | None) -> "LeaverWords | None":
        """The words for somebody; None where there is nothing to be said."""
        if repute is None or repute.repute.why is None:
            return None
        why = str(_WHY[repute.repute.why])
        if repute.waits:
            return cls(True, wait_words(repute), why, _after_the_wait())
        span = span_words(repute.repute.next_wait)
        heading = _("Please stay until the end")
        words = _("If it happens again, you wait %(span)s before you sit down with strangers.")
        return cls(False, heading, why, f"{words % {'span': span}} {_what_helps()}")


def wait_words(repute: ReputeNow) -> str:
    """How long they have to wait, and until when."""
    until = repute.repute.until
    assert until is not None, "who waits, waits for something"
    words = _("You can sit down with strangers again in %(span)s: on %(time)s (%(zone)s).")
    return words % {
        "span": span_words(repute.repute.wait(repute.now)),
        "time": date_format(timezone.localtime(until), "j F, H:i"),
        "zone": zone_words(timezone.get_current_timezone()),
    }


def span_words(span: timedelta) -> str:
    """A wait in words, rounded up: a minute or more.

    >>> span_words(timedelta(minutes=5)), span_words(timedelta(days=1))
    ('5 minutes', '24 hours')
    """
    minutes = -(-span // timedelta(minutes=1))
    if minutes < 120:
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    hours = -(-minutes // 60)
    return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}


def _after_the_wait() -> str:
    words = _("Until then bots are there, and friends to whom you send a link.")
    return f"{words} {_what_helps()}"


def _what_helps() -> str:
    words = _(
        "Each series with somebody that you stay in until its end takes a step back, and so do"
        " %(days)d days without leaving."
    )
    return words % {"days": FADES_AFTER.days}
