"""The chat of a series: lines to read, and a line to say."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from accounts.models import User
from accounts.preferences import preferences_for
from games import access, live
from games.doors import UNREADABLE, fresh_key
from games.errors import NotFound, TableError
from games.forms.action import key_of
from games.models import Series
from games.rendering.chat import chat_page
from games.services.chat import say, turn_chat
from games.views.fragments import wants_fragment


@never_cache
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "HEAD", "POST"])
def chat(request: HttpRequest, slug: str) -> HttpResponse:
    """The conversation; a POST adds a line to it."""
    series = _series(request, slug)
    if request.method != "POST":
        return _answer(request, series)
    if not isinstance(request.user, User):
        return _log_in(request, series)
    key = key_of(request.POST.dict())
    text = request.POST.get("text", "")
    if not key:
        return _answer(request, series, notice=str(UNREADABLE), text=text, status=422)
    phrase = request.POST.get("phrase", "")
    try:
        said = say(series=series, user_id=request.user.pk, key=key, text=text, phrase=phrase)
    except TableError as refusal:
        notice = str(refusal.notice)
        return _answer(request, series, notice=notice, text=text, status=refusal.status)
    if said.talk is not None:
        # The version has not moved: the bell is news by its talk.
        live.ring_now(series.pk, version=0, talk=said.talk)
    return _done(request, series)


@never_cache
@vary_on_headers("HX-Request")
@require_POST
def switch(request: HttpRequest, slug: str) -> HttpResponse:
    """Turn the chat of this series off, or on again: `chat`."""
    series = _series(request, slug)
    if not isinstance(request.user, User):
        return _log_in(request, series)
    turn_chat(series, request.user.pk, on=request.POST.get("chat") == "on")
    return _done(request, series)


def _series(request: HttpRequest, slug: str) -> Series:
    try:
        return access.table_to_watch(slug, request.user.pk)
    except NotFound:
        raise Http404 from None


def _done(request: HttpRequest, series: Series) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        return _answer(request, series)
    return redirect("series_chat", series.slug)


def _log_in(request: HttpRequest, series: Series) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        notice = _("You are logged out. Log in to go on talking.")
        return _answer(request, series, notice=notice, status=401)
    return redirect(f"{reverse('account_login')}?next={series.get_absolute_url()}")


def _answer(
    request: HttpRequest, series: Series, *, notice: str = "", text: str = "", status: int = 200
) -> HttpResponse:
    page = chat_page(
        series,
        request.user.pk,
        preferences_for(request.user, request.COOKIES).chat,
        key=fresh_key(),
        notice=notice,
        text=text,
    )
    name = "_chat" if wants_fragment(request) else "chat"
    return render(request, f"games/{name}.html", {"chat": page}, status=status)
