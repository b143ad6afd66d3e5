"""Who may open the pages of moderation: the rule of the admin, and a permission."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.models import User
from accounts.second_factor import has_second_factor

type View[**P] = Callable[Concatenate[HttpRequest, P], HttpResponse]


def for_staff[**P](permission: str) -> Callable[[View[P]], View[P]]:
    """Let in staff with this permission and a second factor, and nobody else.

    A visitor is led to log in; a player is told that there is no such page; staff without the
    permission, that it is not theirs; staff without a second factor, to set one up first.
    """

    def guard(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            user = request.user
            if not isinstance(user, User):
                return redirect_to_login(request.get_full_path())
            if not user.is_staff:
                raise Http404
            if not has_second_factor(request):
                messages.info(request, _("Staff work here with a second factor: set one up first."))
                return redirect("mfa_index")
            if not user.has_perm(permission):
                return render(request, "403.html", status=403)
            return view(request, *args, **kwargs)

        return never_cache(guarded)

    return guard


def staff_of(request: HttpRequest) -> User:
    """Who asks, behind the guard."""
    assert isinstance(request.user, User), "for_staff lets no one else in"
    return request.user
