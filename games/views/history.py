"""What a player has finished, as a list to look through; and which of it others find there."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.ways import way_back
from accounts.zones import current_zone, zone_words
from games.access import may_look_back, player_named, series_to_watch
from games.errors import NotFound, NotSeated
from games.formats import FORMATS
from games.forms.history import HistoryForm
from games.forms.series import PRESET_LABELS
from games.rendering.history import HistoryPage, PastRow
from games.rendering.lobby import format_words
from games.selectors.history import Cursor, Picks, first_end, history_page
from games.services.history import hide_series
from games.views.fragments import render_either


@never_cache
@require_safe
def history(request: HttpRequest, name: str) -> HttpResponse:
    """The finished series of a player: filter and place are in the address."""
    try:
        person = player_named(name, request.user)
    except NotFound:
        raise Http404 from None
    if person.username != name:
        query = f"?{request.GET.urlencode()}" if request.GET else ""
        return redirect(reverse("history", args=[person.username]) + query)
    page = _page(request, person)
    return render_either(request, "games/history.html", "games/_history.html", {"history": page})


@never_cache
@require_POST
@login_required
def hide(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep an own series out of others' lists (`hide`), or let it in again."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    try:
        series = series_to_watch(slug, request.user.pk)
        is_hidden = bool(request.POST.get("hide"))
        hide_series(series_id=series.pk, user_id=request.user.pk, is_hidden=is_hidden)
    except NotFound:
        raise Http404 from None
    except NotSeated:
        return render(request, "403.html", status=403)
    return redirect(way_back(request) or reverse("history", args=[request.user.username]))


def _page(request: HttpRequest, person: User) -> HistoryPage:
    is_own = person.pk == request.user.pk
    path = reverse("history", args=[person.username])
    zone = current_zone()
    if not may_look_back(person, request.user.pk):
        return HistoryPage(person.username, is_own, path, zone_words(zone))
    form = HistoryForm(
        request.GET,
        formats=[(str(each), format_words(each, PRESET_LABELS)) for each in FORMATS],
        zone=zone,
        first=first_end(person.pk, is_own=is_own),
        now=timezone.now(),
    )
    picks, cursor = form.picks(), _cursor(request.GET)
    found = history_page(person.pk, picks, cursor, is_own=is_own)
    filters = {name: value for name in form.fields if (value := request.GET.get(name))}
    return HistoryPage(
        name=person.username,
        is_own=is_own,
        path=path,
        zone=zone_words(zone),
        form=form,
        rows=tuple(PastRow.of(row, PRESET_LABELS) for row in found.rows),
        here=_address(path, filters, cursor),
        first=_address(path, filters) if cursor else "",
        newer=_address(path, filters, found.newer) if found.newer else "",
        older=_address(path, filters, found.older) if found.older else "",
        records=_records(path, filters) if found.rows else (),
        picked=picks != Picks(),
    )


def _records(path: str, filters: dict[str, str]) -> tuple[tuple[str, str], ...]:
    forms = ((_("Text"), "txt"), ("JSON", "json"), (_("Table (CSV)"), "csv"))
    return tuple((words, _address(f"{path}series.{form}", filters)) for words, form in forms)


def _cursor(query: QueryDict) -> Cursor | None:
    return Cursor.parse(query.get("before", "")) or Cursor.parse(query.get("after", ""), newer=True)


def _address(path: str, filters: dict[str, str], cursor: Cursor | None = None) -> str:
    place = {"after" if cursor.newer else "before": str(cursor)} if cursor else {}
    query = urlencode({**filters, **place})
    return f"{path}?{query}" if query else path
