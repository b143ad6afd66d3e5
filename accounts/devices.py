"""Devices that people have logged in from, so that others' tries can't shut them out (promise S7).

A signed cookie that is sent to the pages of the account only; of its name a keyed hash is stored
(accounts.traces).
"""

import secrets
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from accounts.models import User

COOKIE: Final = "device"
PATH: Final = "/account/"
A_YEAR: Final = 365 * 24 * 3600  # seconds
MOST_NAMES: Final = 5
_SALT: Final = "accounts.devices"


def known_device(request: HttpRequest, name: str) -> str | None:
    """What to call this device, if somebody of this name has logged in from it before."""
    device, names = _read(request)
    return device if name.lower() in names else None


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> str:
    """Note in the browser that this user has logged in from it; what to call the device."""
    device, names = _read(request)
    device = device or secrets.token_urlsafe(9)
    name = user.username.lower()
    names = [name, *(each for each in names if each != name)][:MOST_NAMES]
    response.set_cookie(
        COOKIE,
        signing.dumps([device, *names], salt=_SALT),
        max_age=A_YEAR,
        path=PATH,
        httponly=True,
        samesite="Lax",
        secure=settings.SITE_IS_SECURE,
    )
    return device


def _read(request: HttpRequest) -> tuple[str, list[str]]:
    try:
        device, *names = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=A_YEAR)
    except signing.BadSignature:
        return "", []
    return device, names
