"""The page that sets a table."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.errors import TableError
from games.forms.new_series import LINK, LOBBY, NAME, NewSeriesForm
from games.services.lobby import set_table


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_series(request: HttpRequest) -> HttpResponse:
    """The form with every choice; the short one of the first page comes here too."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    if request.method != "POST":
        return _page(request, NewSeriesForm(initial=_asked_for(request), user=request.user))
    form = NewSeriesForm(request.POST, user=request.user)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        series = set_table(
            user=request.user,
            terms=form.terms(),
            company=form.offered_to(),
            slug=form.place(),
        )
    except TableError as refusal:
        return _page(request, form, str(refusal.notice), status=refusal.status)
    return redirect(series)


def _asked_for(request: HttpRequest) -> dict[str, str]:
    """What the link that led here asks for: `?with=<name>` or `?lobby`."""
    if name := request.GET.get("with", "")[:20]:
        return {"company": NAME, "invited": name}
    return {"company": LOBBY if "lobby" in request.GET else LINK}


def _page(
    request: HttpRequest, form: NewSeriesForm, notice: str = "", status: int = 200
) -> HttpResponse:
    context = {"form": form, "notice": notice}
    return render(request, "games/new_series.html", context, status=status)
