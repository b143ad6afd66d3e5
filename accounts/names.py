"""Names that people may take: plain ASCII, and no two that look alike (fault 74)."""

import re
from collections.abc import Callable
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from accounts import keyed

MAX_LENGTH = 20
# Read first to last, before case is dropped: a small L and a large i are one stroke.
ALIKE: Final = (("I", "l"), ("1", "l"), ("0", "o"), ("rn", "m"), ("vv", "w"), ("_", "-"))
RESERVED = frozenset(
    {
        *("admin", "administrator", "mod", "moderator", "operator", "root", "staff", "support"),
        *("anonymous", "bot", "deleted", "guest", "nobody", "spectator", "system", "you"),
        *("hollywood", "host", "server"),
        # The bots of the house.
        *("mabel", "chester", "vivienne", "sinclair"),
    }
)

username_shape = RegexValidator(
    re.compile(r"\A[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*\Z"),
    _(
        "A name starts with a letter and has letters A–Z, digits, and single - or _ "
        "between them, at most 20."
    ),
    code="name_shape",
)


def glance(name: str) -> str:
    """What is left of a name at a glance; two names with the same glance look alike.

    >>> glance("Iimes") == glance("limes"), glance("Anna") == glance("Hanna")
    (True, False)
    """
    for one, other in ALIKE:
        name = name.replace(one, other)
    return name.lower()


def digests(name: str) -> list[str]:
    """Hashes of what a name looks like: with the site's key first, then with its earlier keys."""
    return keyed.digests("accounts.names", glance(name))


def not_reserved(name: str) -> None:
    """Refuse names that speak for the site. Raises ValidationError (code `name_reserved`)."""
    plain = name.lower().replace("1", "i").replace("0", "o")
    if (
        plain in RESERVED
        or glance(name) in _RESERVED_GLANCES
        or re.match(r"(?i)(?:guest|deleted)[-_]?\d", name)
    ):
        raise ValidationError(_("That name is kept for the site."), code="name_reserved")


def guest_name(number: int) -> str:
    """The name of a guest; nobody else may take such a one.

    >>> guest_name(4821)
    'Guest-4821'
    """
    return f"Guest-{number}"


_RESERVED_GLANCES = frozenset(map(glance, RESERVED))
USERNAME_VALIDATORS: list[Callable[[Any], None]] = [username_shape, not_reserved]
