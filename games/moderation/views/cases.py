"""The queue of cases, and a case with all that is known and can be done."""

from collections.abc import Callable
from typing import Any, Final

from django import forms as django_forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games import live
from games.moderation import roles
from games.moderation.access import may_handle
from games.moderation.errors import UNKNOWN, ModerationError, NotAllowed, NotYours
from games.moderation.forms.case import AsideForm, CloseForm, ImposeForm, NoteForm
from games.moderation.models import Case
from games.moderation.rendering.cases import PILE_WORDS, CaseForms, CasePage, PileTab, QueuePage
from games.moderation.selectors.dossier import dossier_of
from games.moderation.selectors.queue import (
    PAGE,
    Order,
    Pile,
    appeals_to_answer,
    pile_sizes,
    queue,
)
from games.moderation.services import cases
from games.moderation.views.staff import for_staff, staff_of
from games.services.judgement import impose_at_once


@require_safe
@for_staff(roles.HANDLE)
def case_queue(request: HttpRequest) -> HttpResponse:
    """The cases of a pile (`show`), by urgency or by age (`by`)."""
    moderator = staff_of(request)
    pile = _chosen(Pile, request.GET.get("show"), Pile.FREE)
    order = _chosen(Order, request.GET.get("by"), Order.SCORE)
    sizes = pile_sizes(moderator)
    page = QueuePage(
        pile=pile,
        order=order,
        tabs=tuple(PileTab(each, label, sizes.get(each)) for each, label in PILE_WORDS.items()),
        cases=Paginator(queue(pile, order, moderator), PAGE).get_page(request.GET.get("page")),
        appeals=appeals_to_answer(moderator).count(),
    )
    return render(request, "games/moderation/queue.html", {"page": page})


def _chosen[T: (Pile, Order)](kinds: type[T], value: str | None, usual: T) -> T:
    return next((each for each in kinds if each.value == value), usual)


@require_safe
@for_staff(roles.HANDLE)
def case(request: HttpRequest, case_id: int) -> HttpResponse:
    """A case, with everything on one page."""
    moderator = staff_of(request)
    found = _case(case_id, moderator)
    if found is None:
        return render(request, "403.html", status=403)
    return _page(request, found, _forms(moderator))


@require_POST
@for_staff(roles.HANDLE)
def act(request: HttpRequest, case_id: int, step: str) -> HttpResponse:
    """Do something with a case; where that was refused the page says why, the words kept."""
    moderator = staff_of(request)
    found = _case(case_id, moderator)
    if found is None:
        return render(request, "403.html", status=403)
    if step not in STEPS:
        raise Http404
    field, take, done = STEPS[step]
    forms = _forms(moderator, **{field: request.POST} if field else {})
    form: django_forms.Form | None = getattr(forms, field) if field else None
    if form is not None and not form.is_valid():
        return _page(request, found, forms, status=422)
    stamp = request.POST.get("stamp", "")
    if not stamp.isdecimal():
        return _page(request, found, forms, notice=str(UNKNOWN), status=422)
    try:
        take(found.pk, moderator, int(stamp), form)
    except ModerationError as refusal:
        found.refresh_from_db()
        return _page(request, found, forms, notice=str(refusal.notice), status=409)
    messages.success(request, str(done))
    still_theirs = step not in ("release", "aside", "escalate", "close")
    return redirect("moderation_case", case_id) if still_theirs else redirect("moderation")


def _case(case_id: int, moderator: User) -> Case | None:
    """The case; None where it is for senior moderators. Of one about themselves there is none."""
    case = get_object_or_404(Case.objects.select_related("person", "claimed_by"), pk=case_id)
    try:
        may_handle(case, moderator)
    except NotYours:
        raise Http404 from None
    except NotAllowed:
        return None
    return case


def _forms(moderator: User, **data: Any) -> CaseForms:
    return CaseForms(
        note=NoteForm(data.get("note")),
        impose=ImposeForm(moderator, data.get("impose")),
        aside=AsideForm(data.get("aside")),
        close=CloseForm(data.get("close")),
    )


def _page(
    request: HttpRequest, case: Case, forms: CaseForms, *, notice: str = "", status: int = 200
) -> HttpResponse:
    moderator = staff_of(request)
    page = CasePage(
        case=case,
        dossier=dossier_of(case.person, moderator),
        forms=forms,
        stamp=cases.stamp_of(case),
        is_mine=case.closed_at is None and case.claimed_by_id == moderator.pk,
        may_mend=moderator.has_perm(roles.MEND),
        may_take_over=moderator.has_perm(roles.SHUT_OUT),
        notice=notice,
    )
    return render(request, "games/moderation/case.html", {"page": page}, status=status)


type Step = Callable[[int, User, int, Any], None]


def _claim(case_id: int, moderator: User, stamp: int, form: None) -> None:
    with cases.as_seen(case_id, stamp):
        cases.claim(case_id, moderator)


def _take_over(case_id: int, moderator: User, stamp: int, form: None) -> None:
    with cases.as_seen(case_id, stamp):
        cases.take_over(case_id, moderator)


def _release(case_id: int, moderator: User, stamp: int, form: None) -> None:
    with cases.as_seen(case_id, stamp):
        cases.release(case_id, moderator)


def _escalate(case_id: int, moderator: User, stamp: int, form: None) -> None:
    with cases.as_seen(case_id, stamp):
        cases.escalate(case_id, moderator)


def _aside(case_id: int, moderator: User, stamp: int, form: AsideForm) -> None:
    with cases.as_seen(case_id, stamp):
        cases.snooze(case_id, moderator, timezone.now() + form.span)


def _note(case_id: int, moderator: User, stamp: int, form: NoteForm) -> None:
    with cases.as_seen(case_id, stamp):
        cases.write_note(case_id, moderator, form.cleaned_data["text"])


def _close(case_id: int, moderator: User, stamp: int, form: CloseForm) -> None:
    with cases.as_seen(case_id, stamp):
        cases.close(case_id, moderator, Case.Outcome(form.cleaned_data["outcome"]))


def _impose(case_id: int, moderator: User, stamp: int, form: ImposeForm) -> None:
    live.ring_all(impose_at_once(case_id=case_id, moderator=moderator, stamp=stamp, **form.told))


STEPS: Final[dict[str, tuple[str, Step, Promise]]] = {
    "claim": ("", _claim, _("The case is yours.")),
    "take-over": ("", _take_over, _("The case is yours.")),
    "release": ("", _release, _("The case is free again.")),
    "escalate": ("", _escalate, _("The senior moderators have it now.")),
    "aside": ("aside", _aside, _("The case is put aside.")),
    "note": ("note", _note, _("The note is written.")),
    "impose": ("impose", _impose, _("It holds from now on; the person is told.")),
    "close": ("close", _close, _("The case is closed; whoever reported is told.")),
}
"""What can be done: the form that it takes, "" for none; how; and what is said afterwards."""
