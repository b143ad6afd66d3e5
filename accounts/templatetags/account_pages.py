"""What the pages of an account show of keys, codes and browsers."""

import json
import re
from typing import Final

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

register = template.Library()

# The first that is found counts: most browsers also name those they descend from.
BROWSERS: Final = {
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Edg": "Edge",
    "OPR/": "Opera",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS: Final = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


@register.filter
def browser(user_agent: str) -> str:
    """Browser and system, as far as a browser says them.

    >>> browser("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    """
    found = [
        next((name for mark, name in names.items() if mark in user_agent), "")
        for names in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, found)) or _("some browser")


@register.filter
def as_json(data: object) -> str:
    """A value for a script to read, out of an attribute; the template escapes it."""
    return json.dumps(data)


@register.filter
def in_fours(secret: str) -> str:
    """Letters to type, in groups.

    >>> in_fours("ABCDEFGHIJ")
    'ABCD EFGH IJ'
    """
    return " ".join(re.findall(r".{1,4}", secret))


@register.filter
def square(svg: str) -> SafeString:
    """The square to scan as markup; accounts.mfa made it, of a path and nothing else."""
    assert re.fullmatch(r"<svg [^<>]*>(<path [^<>]*/>|<path [^<>]*></path>)</svg>", svg), "a path"
    return mark_safe(svg)  # noqa: S308 (looked at above)
