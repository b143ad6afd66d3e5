"""Series from elsewhere: brought in as records, and deleted again."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.limits import may_again
from accounts.models import User
from games.errors import NotFound, TooManyImports
from games.forms.imports import ImportForm
from games.selectors.imports import imports_of
from games.services.imports import delete_import, import_series

TIMES: Final = 10  # each may be work of a second
A_MINUTE: Final = 60  # seconds


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_import(request: HttpRequest) -> HttpResponse:
    """The form, and what was imported so far; a POST brings series in."""
    user = request.user
    assert isinstance(user, User), "login_required lets no one else in"
    if user.kind != User.Kind.PERSON:
        return render(request, "accounts/guest.html", status=403)
    if request.method != "POST":
        return _page(request, user, ImportForm(user_id=user.pk))
    if not may_again(f"import.{user.pk}", times=TIMES, seconds=A_MINUTE):
        unread = ImportForm(initial=request.POST.dict(), user_id=user.pk)
        words = _("Those were many in a short time. Wait a minute, then send it again.")
        return _page(request, user, unread, words, status=429)
    form = ImportForm(request.POST, request.FILES, user_id=user.pk)
    if not form.is_valid():
        return _page(request, user, form, _("Nothing was imported."), status=422)
    name = form.cleaned_data["name"]
    try:
        made = import_series(user=user, records=form.records, name=name, key=form.key())
    except TooManyImports as refusal:
        return _page(request, user, form, str(refusal.notice), status=429)
    if len(made) == 1:
        return redirect(made[0].rounds_url)
    return redirect(f"{reverse('new_import')}#imports")


@never_cache
@require_POST
@login_required
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete what one has imported."""
    try:
        delete_import(slug=slug, user_id=request.user.pk)
    except NotFound:
        raise Http404 from None
    return redirect(f"{reverse('new_import')}#imports")


def _page(
    request: HttpRequest, user: User, form: ImportForm, notice: str = "", status: int = 200
) -> HttpResponse:
    context = {"form": form, "notice": notice, "imports": imports_of(user.pk)}
    return render(request, "games/new_import.html", context, status=status)
