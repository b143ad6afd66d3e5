"""What holds for every page: who may see it, by whose clocks it tells times, and that it is used.

Guests have no account, and some people are shut out. To the pages where one registers or logs in
guests come as visitors.
"""

import logging
from collections.abc import Callable
from datetime import UTC, tzinfo
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import UpdateError
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from accounts.models import User
from accounts.preferences import preferences_for
from accounts.sessions import begin_time, is_half_over
from accounts.ways import is_opened
from accounts.zones import ZoneOf, zone_for

logger = logging.getLogger(__name__)

PERSONS_ONLY: Final = frozenset(
    {
        *("account", "profile_edit", "account_export", "account_leave"),
        *("account_email", "account_change_password", "account_set_password"),
        *("account_reauthenticate", "usersessions_list"),
        *("relations", "change_relation", "people"),
        *("notices", "add_browser", "remove_browser"),
        *("lobby_join", "lobby_quick", "decline_invitation", "take_along"),
    }
)
WAYS_IN: Final = frozenset(
    {"account_signup", "account_login", "mfa_authenticate", "mfa_login_webauthn"}
)
"""Where a guest becomes somebody else; `request.guest` says who they were."""


# What is left to somebody who is shut out: why, how long, their say about it, and their data.
FOR_THE_SHUT_OUT: Final = frozenset(
    {
        *("standing", "appeal", "account_export", "account_logout", "preferences"),
        *("account_reauthenticate", "mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
        *("privacy", "terms", "conduct", "contact"),
        *("healthz", "readyz", "manifest", "service_worker", "offline"),
    }
)


class ShutOutMiddleware(MiddlewareMixin):
    """Who is suspended, or whose account was closed, is led to the page that says so."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: object, kwargs: object
    ) -> HttpResponse | None:
        match = request.resolver_match
        if match is not None and match.url_name in FOR_THE_SHUT_OUT:
            return None
        if isinstance(request.user, User) and request.user.is_shut_out:
            return _to_standing(request)
        return None


def _to_standing(request: HttpRequest) -> HttpResponse:
    """The person to their page; no script of an old tab, which would show it where it can."""
    if is_opened(request):
        return redirect("standing")
    ways = {"HX-Redirect": reverse("standing")} if "HX-Request" in request.headers else {}
    return HttpResponse(status=403, headers=ways)


class RenewalMiddleware(MiddlewareMixin):
    """A log in ends some time after it was last used, not after it began."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        session = request.session
        was_modified = session.modified
        try:
            if session.accessed and is_half_over(session):
                begin_time(session)
                session.save()
        except (DatabaseError, InterfaceError, UpdateError) as error:
            # The page is shown all the same; the next one tries again.
            session.modified = was_modified
            logger.warning("a log in could not be renewed: %s", type(error).__name__)
        return response


class ZoneMiddleware(MiddlewareMixin):
    """Times in templates, and periods that are asked for, are those of the viewer's zone.

    The admin goes by UTC, for all who work there.
    """

    def process_request(self, request: HttpRequest) -> None:
        def find() -> tzinfo:
            match = request.resolver_match
            if match is not None and match.app_name == "admin":
                return UTC
            preferences = preferences_for(getattr(request, "user", None), request.COOKIES)
            return zone_for(preferences.zone, request.COOKIES)

        timezone.activate(ZoneOf(find))

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        timezone.deactivate()
        return response


class PersonsOnlyMiddleware(MiddlewareMixin):
    """Keep guests from the pages of an account, and from those where people meet by name.

    A password or an address would be theirs there, and they are invited to register.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: object, kwargs: object
    ) -> HttpResponse | None:
        match = request.resolver_match
        name = (match and match.url_name) or ""
        if not isinstance(request.user, User) or request.user.kind != User.Kind.GUEST:
            return None
        if name in WAYS_IN:
            request.guest = request.user  # type: ignore[attr-defined] # for the adapter, receivers
            request.user = AnonymousUser()
            return None
        if name not in PERSONS_ONLY and not name.startswith("mfa_"):
            return None
        return render(request, "accounts/guest.html", status=403)
