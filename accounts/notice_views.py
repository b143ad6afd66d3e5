"""The page on which somebody says how they want to hear that something waits for them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import SubscriptionForm, TurnMailForm
from accounts.models import User
from accounts.pages import NoticesPage
from accounts.sessions import session_fingerprint
from accounts.subscriptions import subscribe, unsubscribe
from accounts.turn_mail import switch_mail, user_of_token


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    """How somebody is told; posted, it turns the mail on or off."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    if request.method != "POST":
        return _page(request, request.user)
    form = TurnMailForm(request.POST)
    if not form.is_valid():
        return _page(request, request.user, status=422)
    switch_mail(request.user.pk, on=form.cleaned_data["mail"] == "on")
    messages.success(request, _("That is saved."))
    return redirect("notices")


@never_cache
@require_POST
@login_required
def add_browser(request: HttpRequest) -> HttpResponse:
    """Keep the browser that asks; a script sends this, and needs the status only."""
    form = SubscriptionForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=422)
    subscribe(
        user_id=request.user.pk,  # type: ignore[arg-type] # login_required lets no one else in
        **form.cleaned_data,
        user_agent=request.headers.get("User-Agent", ""),
        session=session_fingerprint(request.session.session_key or ""),
    )
    return HttpResponse(status=204)


@never_cache
@require_POST
@login_required
def remove_browser(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a browser, this one or another."""
    assert request.user.pk is not None, "login_required lets no one else in"
    unsubscribe(user_id=request.user.pk, pk=pk)
    return redirect("notices")


@never_cache
@csrf_exempt  # the program that reads the mail posts it, with no page of ours before (RFC 8058)
@require_http_methods(["GET", "HEAD", "POST"])
def turn_mail_off(request: HttpRequest, token: str) -> HttpResponse:
    """Where the link in a mail leads: one press, and none comes any more. No log in is needed.

    Only looked at, which programs do before their owner, it changes nothing.
    """
    user_id = user_of_token(token)
    known = user_id is not None and User.objects.filter(pk=user_id, deleted_at=None).exists()
    if known and user_id is not None and request.method == "POST":
        switch_mail(user_id, on=False)
    state = "unknown" if not known else "off" if request.method == "POST" else "asked"
    status = 404 if not known else 200
    return render(request, "accounts/turn_mail_off.html", {"state": state}, status=status)


def _page(request: HttpRequest, user: User, status: int = 200) -> HttpResponse:
    page = NoticesPage.of(user)
    return render(request, "accounts/notices.html", {"page": page}, status=status)
