"""Keeping somebody's preferences: in their account, or in their browser."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from accounts.preferences import COOKIE, Preferences

A_YEAR: Final = 365 * 24 * 3600  # seconds


def keep_preferences(request: HttpRequest, response: HttpResponse, chosen: Preferences) -> None:
    """Keep them in the account of who asks, or in a visitor's browser."""
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(preferences=str(chosen))
        return
    response.set_cookie(
        COOKIE,
        str(chosen),
        max_age=A_YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SITE_IS_SECURE,
    )
