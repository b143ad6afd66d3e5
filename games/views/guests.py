"""What somebody played as a guest, once they have logged in to their account."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.guests import remembered_guest
from accounts.models import User
from accounts.ways import way_back
from games import live
from games.rendering.guests import TakeAlongPage
from games.selectors.guests import luggage_of
from games.services import guests


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def take_along(request: HttpRequest) -> HttpResponse:
    """Offer to take it along; only the session that was the guest's is asked, and may."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    way, guest = way_back(request), remembered_guest(request.session)
    luggage = None if guest is None else luggage_of(guest, request.user.pk)
    if guest is None or luggage is None:
        return redirect(way or "home")
    if request.method != "POST":
        page = TakeAlongPage(luggage=luggage, way=way)
        return render(request, "accounts/take_along.html", {"page": page})
    live.ring_all(guests.take_along(guest_id=guest.pk, user_id=request.user.pk))
    messages.success(request, _("What you played as %(name)s is yours.") % {"name": luggage.name})
    return redirect(way or "home")
