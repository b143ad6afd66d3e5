"""A series that people play with real cards: it is begun, entered, undone and ended here."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from games import access
from games.doors import fresh_key
from games.errors import NotFound, TableError
from games.forms.by_hand import NewSheetForm, RoundForm
from games.models import Series
from games.rendering.by_hand import KeptSheet, SheetPage, dealer_words
from games.selectors.table import Sitting, Table, load_sitting, table_for
from games.services.by_hand import can_undo, end_by_hand, enter_round, start_by_hand, undo_round
from games.services.outcome import Outcome, Status
from games.views.series import HTTP_STATUS

MOST_DIGITS: Final = 15


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_sheet(request: HttpRequest) -> HttpResponse:
    """The form that begins such a series."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    if request.method != "POST":
        return _new_page(request, NewSheetForm(user=request.user))
    form = NewSheetForm(request.POST, user=request.user)
    if not form.is_valid():
        return _new_page(request, form, status=422)
    try:
        series = start_by_hand(user=request.user, terms=form.hand_terms(), slug=form.place())
    except TableError as refusal:
        return _new_page(request, form, str(refusal.notice), status=refusal.status)
    return redirect("series_sheet", series.slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """The sheet; a POST enters a round on it."""
    sitting = _sitting(request, slug)
    if request.method != "POST":
        return _page(request, sitting, _form(request, sitting))
    form = _form(request, sitting, bound=True)
    if not form.is_valid():
        return _page(request, sitting, form, status=422)
    outcome = enter_round(
        series_id=sitting.series.pk,
        user_id=request.user.pk,
        after=form.cleaned_data["after"],
        key=form.cleaned_data["key"],
        told=form.told(),
    )
    return _answer(request, slug, outcome)


@never_cache
@require_safe
def pad(request: HttpRequest, slug: str) -> HttpResponse:
    """The pad alone, at an address of its own (fault 112); nothing while it is as it was."""
    sitting = _sitting(request, slug)
    kept = _kept(request, sitting, moved=True)
    if request.GET.get("mark") == kept.mark:
        return HttpResponse(status=204)
    response = render(request, "games/_kept_sheet.html", {"kept": kept})
    if request.GET.get("status") != kept.status:
        response["HX-Refresh"] = "true"  # there is another page now: it has begun, or is over
    return response


@never_cache
@require_POST
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the last entry off."""
    sitting = _sitting(request, slug)
    outcome = undo_round(
        series_id=sitting.series.pk,
        user_id=request.user.pk,
        round_id=_id(request.POST.get("round", "")),
    )
    return _answer(request, slug, outcome)


@never_cache
@require_POST
def end(request: HttpRequest, slug: str) -> HttpResponse:
    """End the series where it stands."""
    sitting = _sitting(request, slug)
    outcome = end_by_hand(
        series_id=sitting.series.pk,
        user_id=request.user.pk,
        after=_id(request.POST.get("after", "")),
    )
    if outcome.status is Status.DONE and not sitting.earlier and sitting.last is None:
        return redirect("home")  # nothing was entered, and nothing is left
    return _answer(request, slug, outcome)


def _id(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else 0


def _sitting(request: HttpRequest, slug: str) -> Sitting:
    try:
        series = access.series_to_watch(slug, request.user.pk)
    except NotFound:
        raise Http404 from None
    if series.source != Series.Source.ENTERED:
        raise Http404
    return load_sitting(series)


def _answer(request: HttpRequest, slug: str, outcome: Outcome) -> HttpResponse:
    """Back to the sheet; where it was refused, with the reason and all that was typed."""
    if outcome.status in (Status.DONE, Status.REPEAT):
        return redirect("series_sheet", slug)
    sitting = _sitting(request, slug)
    typed = "kind" in request.POST
    form = _form(request, sitting, typed=typed)
    status, notice = HTTP_STATUS[outcome.status], str(outcome.notice)
    return _page(request, sitting, form, status=status, notice=notice)


def _form(
    request: HttpRequest, sitting: Sitting, *, bound: bool = False, typed: bool = False
) -> RoundForm:
    """The form as it was sent; or what was typed, made to follow on the sheet as it is now."""
    table = table_for(sitting, request.user.pk)
    kept = KeptSheet.of(table, last_id=0, mark="", may_undo=False)
    names = tuple(zip(kept.sheet.order, kept.sheet.names, strict=True))
    fresh = {"after": _last_id(sitting), "key": fresh_key()}
    data = request.POST if bound else {**request.POST.dict(), **fresh} if typed else None
    return RoundForm(data, options=sitting.series.options, names=names, initial=fresh)


def _last_id(sitting: Sitting) -> int:
    return sitting.last.pk if sitting.last else 0


def _kept(request: HttpRequest, sitting: Sitting, *, moved: bool = False) -> KeptSheet:
    table = table_for(sitting, request.user.pk)
    return KeptSheet.of(
        table,
        last_id=_last_id(sitting),
        mark=f"{sitting.series.status}-{_last_id(sitting)}",
        may_undo=table.seat is not None and can_undo(sitting.series),
        moved=moved,
    )


def _page(
    request: HttpRequest,
    sitting: Sitting,
    form: RoundForm,
    *,
    status: int = 200,
    notice: str = "",
) -> HttpResponse:
    table = table_for(sitting, request.user.pk)
    page = SheetPage(
        slug=sitting.series.slug,
        title=" – ".join(chair.name for chair in table.chairs),
        kept=_kept(request, sitting),
        form=form if table.seat is not None and table.status == "playing" else None,
        number=len(table.past) + 1,
        dealer=_dealer(sitting, table),
        invitation=table.invitation or "",
        is_private=sitting.series.is_private,
        notice=notice,
    )
    return render(request, "games/by_hand.html", {"page": page}, status=status)


def _dealer(sitting: Sitting, table: Table) -> str:
    """Who deals the round that is to be entered."""
    side = sitting.state.dealing_side if sitting.state else sitting.series.first_dealer
    return dealer_words(table, side) if side is not None and table.status == "playing" else ""


def _new_page(
    request: HttpRequest, form: NewSheetForm, notice: str = "", status: int = 200
) -> HttpResponse:
    context = {"form": form, "notice": notice}
    return render(request, "games/new_sheet.html", context, status=status)
