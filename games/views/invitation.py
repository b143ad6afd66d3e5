"""The link that brings the other player to the table."""

import secrets

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guests import log_in_guest, may_make_guest
from accounts.models import User
from games import access, live
from games.errors import NotFound, TableError
from games.forms.series import PRESET_LABELS
from games.models import Invitation, Series
from games.rendering import InvitationPage
from games.rules.deck import commitment
from games.services.invite import accept_as_guest, decline_invitation
from games.services.series import accept_invitation
from games.time_words import time_words
from games.views.bots import MANY_GUESTS, kept_preferences
from games.views.part import part_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    try:
        invited = access.invitation_for(token)
    except NotFound:
        raise Http404 from None
    if invited.accepted_by_id is not None and invited.accepted_by_id == request.user.pk:
        return redirect(invited.series)
    if request.method != "POST":
        return _page(request, invited)
    if isinstance(request.user, User):
        return _sit_down(request, token)
    if "guest" not in request.POST:
        return redirect_to_login(request.path)
    if not may_make_guest(request.META.get("REMOTE_ADDR", "")):
        return _page(request, invited, str(MANY_GUESTS), status=429)
    return _sit_down_as_guest(request, token)


@never_cache
@require_POST
@login_required
def decline(request: HttpRequest, token: str) -> HttpResponse:
    """Say no to an invitation by name."""
    assert request.user.pk is not None, "login_required lets no one else in"
    try:
        series = decline_invitation(token=token, user_id=request.user.pk)
    except NotFound:
        raise Http404 from None
    except TableError as refusal:
        return _page(request, access.invitation_for(token), str(refusal.notice), status=409)
    live.ring_now(series.pk, version=0, talk=series.talk + 1)
    return redirect("home")


def _sit_down(request: HttpRequest, token: str) -> HttpResponse:
    assert isinstance(request.user, User), "only who is logged in comes here"
    try:
        series = accept_invitation(token=token, user=request.user, part=part_of(request))
    except TableError as refusal:
        return _refused(request, token, refusal)
    return _at_table(series)


def _sit_down_as_guest(request: HttpRequest, token: str) -> HttpResponse:
    try:
        guest, series = accept_as_guest(
            token=token,
            preferences=kept_preferences(request),
            key=request.POST["guest"][:64],
            part=part_of(request),
        )
    except TableError as refusal:
        return _refused(request, token, refusal)
    log_in_guest(request, guest)
    return _at_table(series)


def _refused(request: HttpRequest, token: str, refusal: TableError) -> HttpResponse:
    try:
        invited = access.invitation_for(token)
    except NotFound:
        raise Http404 from None  # taken back meanwhile
    return _page(request, invited, str(refusal.notice), status=409)


def _at_table(series: Series) -> HttpResponse:
    live.ring_now(series.pk, version=1, talk=series.talk + 1)
    return redirect(series)


def _page(
    request: HttpRequest, invited: Invitation, notice: str = "", status: int = 200
) -> HttpResponse:
    series = invited.series
    page = InvitationPage(
        path=request.path,
        host=series.created_by.shown_name,
        preset=PRESET_LABELS[series.preset],
        options=series.options,
        state=_state(invited, request.user.pk),
        series_url=series.get_absolute_url() if access.may_watch(series, request.user.pk) else "",
        entered=series.source == Series.Source.ENTERED,
        time="" if series.source == Series.Source.ENTERED else time_words(series.control),
        rated=series.rated,
        commitment=""
        if series.source == Series.Source.ENTERED
        else commitment(bytes(series.next_secret)),
        guest_key=secrets.token_urlsafe(24) if invited.invited_id is None else "",
    )
    context = {"invitation": page, "notice": notice}
    return render(request, "games/invitation.html", context, status=status)


def _state(invited: Invitation, user_id: int | None) -> str:
    if invited.series.created_by_id == user_id:
        return "own"
    if invited.accepted_by_id is not None:
        return "taken"
    is_closed = invited.declined_at is not None or invited.invited_id not in (None, user_id)
    return "closed" if is_closed else "open"
