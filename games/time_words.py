"""Time controls in words."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.time_control import TimeControl

OFFERED: Final = ("", "300+5", "600+5", "900+10", "1800+20", "600+60r", "1d", "3d", "7d")
"""The time controls to choose from, as games.time_control writes them."""


def time_words(control: TimeControl) -> str:
    """Say how long a player may think.

    >>> time_words(TimeControl.parse("600+5"))
    '10 min + 5 s an action'
    """
    if control.days is not None:
        words = ngettext("%(count)d day a turn", "%(count)d days a turn", control.days)
        return words % {"count": control.days}
    if control.bank is None:
        return _("no time limit")
    numbers = {
        "minutes": f"{control.bank.total_seconds() / 60:g}",
        "seconds": f"{control.increment.total_seconds():g}",
    }
    if control.per == "round":
        return _("%(minutes)s min + %(seconds)s s a round") % numbers
    return _("%(minutes)s min + %(seconds)s s an action") % numbers
