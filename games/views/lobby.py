"""The lobby: tables with a free seat, quick match, and series to watch."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.ways import way_back
from games import live
from games.errors import TableError
from games.forms.series import PRESET_LABELS
from games.forms.terms import QuickForm
from games.leaver_words import LeaverWords
from games.models import Series
from games.rendering.lobby import LobbyPage, LobbyTables, OpenRow, RunningRow, rating_words
from games.rules.deck import commitment
from games.rules.options import PRESETS
from games.selectors.lobby import OpenTable, RunningTable, open_tables, running_tables
from games.selectors.repute import repute_of
from games.services.lobby import join_table, quick_match, withdraw_table
from games.time_words import time_words
from games.views.part import part_of


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    return _page(request)


@never_cache
@require_safe
def lobby_tables(request: HttpRequest) -> HttpResponse:
    """The lists alone, at an address of their own (fault 112); nothing if they are as they were."""
    tables = _tables(request, LeaverWords.of(repute_of(request.user.pk)))
    if request.GET.get("stamp") == tables.stamp:
        return HttpResponse(status=204)
    return render(request, "games/_lobby_tables.html", {"tables": tables})


@never_cache
@require_POST
@login_required
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the free seat of a table."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    try:
        series = join_table(slug=slug, user=request.user, part=part_of(request))
    except TableError as refusal:
        return _page(request, notice=str(refusal.notice), status=409)
    live.ring_now(series.pk, version=1, talk=series.talk + 1)
    return redirect(series)


@never_cache
@require_POST
@login_required
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Take an own table back."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    try:
        gone = withdraw_table(slug=slug, user=request.user)
    except TableError as refusal:
        return _page(request, notice=str(refusal.notice), status=409)
    if gone is not None:
        live.ring_now(gone.pk, version=0, talk=gone.talk + 1)
    return redirect(way_back(request) or "lobby")


@never_cache
@require_POST
@login_required
def quick(request: HttpRequest) -> HttpResponse:
    """Sit down with the next free player, or wait for one."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    form = QuickForm(request.POST, user_id=request.user.pk)
    if not form.is_valid():
        return _page(request, form=form, status=422)
    try:
        series = quick_match(
            user=request.user, terms=form.terms(), key=form.place(), part=part_of(request)
        )
    except TableError as refusal:
        return _page(request, form=form, notice=str(refusal.notice), status=refusal.status)
    if series.created_by_id != request.user.pk:
        live.ring_now(series.pk, version=1, talk=series.talk + 1)
    return redirect(series)


def _page(
    request: HttpRequest, *, form: QuickForm | None = None, notice: str = "", status: int = 200
) -> HttpResponse:
    leaver = LeaverWords.of(repute_of(request.user.pk))
    tables = _tables(request, leaver)
    if form is None and tables.may_join:
        form = QuickForm(user_id=request.user.pk)
    # The box says it already.
    notice = "" if leaver is not None and leaver.heading == notice else notice
    page = LobbyPage(
        tables=tables, form=form if tables.may_join else None, notice=notice, leaver=leaver
    )
    return render(request, "games/lobby.html", {"lobby": page}, status=status)


def _tables(request: HttpRequest, leaver: LeaverWords | None) -> LobbyTables:
    user, waits = request.user, leaver is not None and leaver.waits
    return LobbyTables(
        open=tuple(map(_open_row, open_tables(user.pk))),
        running=tuple(map(_running_row, running_tables())),
        may_join=isinstance(user, User) and user.kind == User.Kind.PERSON and not waits,
    )


def _open_row(table: OpenTable) -> OpenRow:
    series = table.series
    return OpenRow(
        slug=series.slug,
        url=series.get_absolute_url(),
        commitment=commitment(bytes(series.next_secret)),
        host=table.host.shown_name,
        preset=str(PRESET_LABELS[series.preset]),
        changed=_changed(series),
        time=time_words(series.control),
        rated=series.rated,
        rating=rating_words(table.strength) if table.strength else "",
        range=_range(table.least, table.most),
        is_own=table.is_own,
        fits=table.fits,
        away=table.is_own and series.control.bank is not None and not table.present,
    )


def _changed(series: Series) -> int:
    return len(series.options.to_mapping()) - len(PRESETS[series.preset].to_mapping())


def _range(least: int | None, most: int | None) -> str:
    if least is None and most is None:
        return ""
    if most is None:
        return _("%(least)s or more") % {"least": least}
    if least is None:
        return _("%(most)s or less") % {"most": most}
    return _("%(least)s to %(most)s") % {"least": least, "most": most}


def _running_row(table: RunningTable) -> RunningRow:
    series = table.series
    return RunningRow(
        url=series.get_absolute_url(),
        names=table.names,
        preset=str(PRESET_LABELS[series.preset]),
        time=time_words(series.control),
        rated=series.rated,
    )
