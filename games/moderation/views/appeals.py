"""Appeals: the queue, and the page on which another moderator answers one."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games.moderation import roles
from games.moderation.access import appeals_for, cases_for
from games.moderation.errors import ModerationError
from games.moderation.forms.case import AnswerForm
from games.moderation.models import Appeal
from games.moderation.rendering.cases import AppealPage, AppealsPage
from games.moderation.selectors.queue import PAGE, appeals_answered, appeals_to_answer
from games.moderation.services.sanctions import answer_appeal, may_answer
from games.moderation.views.staff import for_staff, staff_of


@require_safe
@for_staff(roles.HANDLE)
def appeal_queue(request: HttpRequest) -> HttpResponse:
    """The appeals that wait, the oldest first, and the last ones that were answered."""
    moderator = staff_of(request)
    waiting = Paginator(appeals_to_answer(moderator), PAGE)
    page = AppealsPage(
        waiting=waiting.get_page(request.GET.get("page")),
        answered=list(appeals_answered(moderator)[:PAGE]),
        viewer=moderator.pk,
    )
    return render(request, "games/moderation/appeals.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(roles.HANDLE)
def appeal(request: HttpRequest, appeal_id: int) -> HttpResponse:
    """One of them, to be answered."""
    moderator = staff_of(request)
    known = appeals_for(moderator)
    related = known.select_related("sanction__user", "sanction__imposed_by", "answered_by")
    found = get_object_or_404(related, pk=appeal_id)
    form = AnswerForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return _page(request, found, form, status=status)
    granted = form.cleaned_data["granted"] == "yes"
    answer = form.cleaned_data["answer"]
    try:
        answer_appeal(found.pk, moderator, granted=granted, answer=answer)
    except ModerationError as refusal:
        found.refresh_from_db()
        return _page(request, found, form, notice=str(refusal.notice), status=409)
    messages.success(request, _("The appeal is answered; the person is told."))
    return redirect("moderation_appeals")


def _page(
    request: HttpRequest, found: Appeal, form: AnswerForm, *, notice: str = "", status: int = 200
) -> HttpResponse:
    moderator = staff_of(request)
    known = cases_for(moderator).filter(pk=found.sanction.case_id or 0)
    page = AppealPage(
        appeal=found,
        form=form,
        case_id=known.values_list("pk", flat=True).first(),
        refused=_refused(found, moderator),
        notice=notice,
    )
    return render(request, "games/moderation/appeal.html", {"page": page}, status=status)


def _refused(found: Appeal, moderator: User) -> str:
    try:
        may_answer(found.sanction, moderator)
    except ModerationError as refusal:
        return str(refusal.notice)
    return ""
