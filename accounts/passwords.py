"""What makes a password too weak, beyond Django's own rules.

Everything works without a network. A site may also ask a list of breached passwords, by the first
five digits of a hash only, so that the list does not learn the password (k-anonymity).
"""

import hashlib
import logging
import re
from typing import Final
from urllib.error import URLError
from urllib.request import Request, urlopen

from django.conf import settings
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

logger = logging.getLogger(__name__)

SHORT_TAIL: Final = 4
WITHIN: Final = 2.0  # seconds
LARGEST_ANSWER: Final = 200_000  # bytes; about 1,000 lines of 40
_EDGE: Final = re.compile(r"[\W\d_]*")


class NearlyCommonValidator:
    """Refuse a common password with a few digits or signs before or after it: `Dragon2024!`."""

    def __init__(self) -> None:
        self.common = CommonPasswordValidator().passwords

    def validate(self, password: str, user: object = None) -> None:
        core = _core(password)
        if core in self.common and len(password) - len(core) <= SHORT_TAIL:
            raise ValidationError(
                _("That is a common password with a little added; guessers try it early."),
                code="password_nearly_common",
            )

    def get_help_text(self) -> str:
        return ""


class BreachedValidator:
    """Refuse a password that a list of breached ones holds, where the setting names one.

    A list that does not answer refuses nothing: nobody is kept from registering by somebody
    else's outage.
    """

    def validate(self, password: str, user: object = None) -> None:
        if settings.BREACHED_PASSWORDS_URL and _is_breached(password):
            raise ValidationError(
                _("That password has become known in a theft of data elsewhere; choose another."),
                code="password_breached",
            )

    def get_help_text(self) -> str:
        return ""


def _core(password: str) -> str:
    """Without the digits and signs at both ends.

    Looked for from the ends alone: a password may be as long as a request, and whoever signs up is
    unknown.
    """
    for _end in range(2):
        password = _EDGE.sub("", password, count=1)[::-1]
    return password.lower()


def _is_breached(password: str) -> bool:
    digest = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()
    try:
        lines = _range(digest[:5]).splitlines()
    except (URLError, TimeoutError, OSError, ValueError) as error:
        logger.warning("the list of breached passwords did not answer: %s", type(error).__name__)
        return False
    # The list pads its answers with lines that count 0.
    return any(line.startswith(f"{digest[5:]}:") and not line.endswith(":0") for line in lines)


def _range(prefix: str) -> str:
    url = settings.BREACHED_PASSWORDS_URL.rstrip("/") + "/" + prefix
    if not url.startswith(("https://", "http://127.0.0.1:")):
        raise ValueError("the list must be asked by https")
    request = Request(url, headers={"Add-Padding": "true", "User-Agent": "hollywood-gin"})  # noqa: S310
    with urlopen(request, timeout=WITHIN) as answer:  # noqa: S310 (the scheme was looked at)
        text: str = answer.read(LARGEST_ANSWER).decode("ascii", "replace")
    return text
