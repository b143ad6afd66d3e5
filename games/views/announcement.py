"""Putting an announcement away."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.ways import way_back
from games.announcements import COOKIE, MOST_CLOSED, closed_by, numbers_in

A_MONTH: Final = 30 * 24 * 3600  # seconds


@require_POST
def close(request: HttpRequest) -> HttpResponse:
    """Close the announcements that the page has shown, in this browser."""
    response = redirect(way_back(request) or "home")
    closed = (*closed_by(request.COOKIES), *numbers_in(request.POST.getlist("announcement")))
    response.set_cookie(
        COOKIE,
        ".".join(map(str, dict.fromkeys(closed[-MOST_CLOSED:]))),
        max_age=A_MONTH,
        httponly=True,
        samesite="Lax",
        secure=settings.SITE_IS_SECURE,
    )
    return response
