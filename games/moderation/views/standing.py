"""Where somebody stands: what was imposed on them and what they say to it, and their reports."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.sanctions import acknowledge
from accounts.ways import is_opened
from accounts.zones import current_zone, zone_words
from games.leaver_words import LeaverWords
from games.moderation.errors import HasAppealed, ModerationError
from games.moderation.forms.player import AppealForm
from games.moderation.rendering.player import LetterPart, ReportedPart, SanctionPart, StandingPage
from games.moderation.selectors.letters import letters_to, reports_of, sanctions_of
from games.moderation.services.letters import mark_as_read
from games.moderation.services.sanctions import file_appeal
from games.selectors.repute import repute_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def standing(request: HttpRequest) -> HttpResponse:
    """All of it; a POST says that a warning (`sanction`) has been read."""
    user = request.user
    assert isinstance(user, User), "login_required lets no one else in"
    if request.method != "POST":
        return _page(request, user)
    number = request.POST.get("sanction", "")
    if number.isascii() and number.isdigit():
        acknowledge(int(number[:18]), user.pk)
        messages.success(request, _("Thank you for reading it."))
    return redirect("standing")


@never_cache
@require_POST
@login_required
def appeal(request: HttpRequest, sanction: int) -> HttpResponse:
    """Ask for another look at a sanction of one's own."""
    user = request.user
    assert isinstance(user, User), "login_required lets no one else in"
    form = AppealForm(request.POST, auto_id=f"appeal-{sanction}-%s")
    if not form.is_valid():
        return _page(request, user, about=sanction, form=form, status=422)
    try:
        file_appeal(sanction, user, form.cleaned_data["text"])
    except HasAppealed:
        pass  # a double click: it stands on the page
    except ModerationError as refusal:
        return _page(request, user, about=sanction, form=form, refusal=refusal, status=422)
    messages.success(request, _("Your appeal is with the moderators; another one answers it here."))
    return redirect("standing")


def _page(
    request: HttpRequest,
    user: User,
    *,
    about: int = 0,
    form: AppealForm | None = None,
    refusal: ModerationError | None = None,
    status: int = 200,
) -> HttpResponse:
    page = StandingPage(
        shut_out=user.is_shut_out,
        is_guest=user.kind == User.Kind.GUEST,
        sanctions=tuple(
            SanctionPart.of(row, form if row.pk == about else None) for row in sanctions_of(user.pk)
        ),
        letters=tuple(map(LetterPart.of, letters_to(user.pk))),
        reports=tuple(map(ReportedPart.of, reports_of(user.pk))),
        leaver=LeaverWords.of(repute_of(user.pk)),
        zone=zone_words(current_zone()),
        notice=refusal.notice if refusal else "",
    )
    response = render(request, "games/moderation/standing.html", {"page": page}, status=status)
    # After it was made, so that what is new is marked as such; no script or look ahead reads it.
    if request.method == "GET" and is_opened(request):
        mark_as_read(user.pk)
    return response
