"""Taking one's data along, and leaving: what reaches from an account to its series."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.forms import LeaveForm
from accounts.models import User
from games import live
from games.rendering.leaving import LeavePage
from games.selectors.export import archive_of
from games.services.leaving import close_account, delete_account, running_series


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def export(request: HttpRequest) -> HttpResponse:
    """The page that says what one gets; submitted, the archive itself."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    if request.method != "POST":
        return render(request, "accounts/export.html")
    name = f"hollywood-gin-{request.user.username}.zip"
    return HttpResponse(
        archive_of(request.user),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def leave(request: HttpRequest) -> HttpResponse:
    """What leaving means; submitted, it is done and everybody at the tables is told."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    form = LeaveForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        page = LeavePage(running=running_series(request.user), form=form)
        status = 422 if request.method == "POST" else 200
        return render(request, "accounts/leave.html", {"page": page}, status=status)
    return _gone(request, request.user, form.cleaned_data["step"])


def _gone(request: HttpRequest, user: User, step: str) -> HttpResponse:
    for_good = step == LeaveForm.DELETE
    bells = delete_account(user.pk) if for_good else close_account(user.pk)
    logout(request)
    live.ring_all(bells)
    if for_good:
        messages.success(request, _("Your account is deleted. Thank you for playing here."))
    else:
        messages.success(request, _("Your account is closed. Log in within 30 days to come back."))
    return redirect("home")
