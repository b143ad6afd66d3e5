"""Telling the moderators about somebody."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games.access import others_at, person_to_report, series_to_report
from games.doors import fresh_key
from games.errors import NotFound, NotSeated
from games.forms.action import key_of
from games.models import Series
from games.moderation.errors import ModerationError, TooManyReports
from games.moderation.evidence import chat_lines
from games.moderation.forms.player import ReportForm
from games.moderation.rendering.player import AttachedLine, ReportPage
from games.moderation.services.reports import file_report
from games.rendering.chat import report_url
from games.selectors.last_round import last_round


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report(request: HttpRequest, name: str) -> HttpResponse:
    """The form about one person, from a table if `series` says so; submitted, it is told."""
    reporter = request.user
    assert isinstance(reporter, User), "login_required lets no one else in"
    try:
        series = _series(request, reporter)
        person = person_to_report(name, series, reporter)
    except NotFound:
        raise Http404 from None
    except NotSeated:
        return render(request, "accounts/guest.html", status=403)
    if request.method != "POST":
        return _form(request, reporter, person, series, ReportForm())
    form = ReportForm(request.POST)
    if not form.is_valid():
        return _form(request, reporter, person, series, form, status=422)
    try:
        file_report(
            reporter=reporter,
            person=person,
            rule=form.cleaned_data["rule"],
            text=form.cleaned_data["text"],
            key=key_of(request.POST.dict()) or fresh_key(),
            series=series,
        )
    except ModerationError as refusal:
        status = 429 if isinstance(refusal, TooManyReports) else 422
        return _form(request, reporter, person, series, form, refusal=refusal, status=status)
    query = f"?{urlencode({'series': series.slug})}" if series else ""
    return redirect(reverse("reported") + query)


@never_cache
@require_safe
@login_required
def report_at_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Whom of a table it is about; straight on where that can be only one."""
    reporter = request.user
    assert isinstance(reporter, User), "login_required lets no one else in"
    try:
        series = series_to_report(slug, reporter.pk)
    except NotFound:
        raise Http404 from None
    others = others_at(series, reporter.pk)
    ways = [(each.username, report_url(each, series)) for each in others]
    if len(ways) == 1:
        return redirect(ways[0][1])
    context = {"ways": ways, "table": series.get_absolute_url()}
    return render(request, "games/moderation/whom.html", context)


@never_cache
@require_safe
@login_required
def reported(request: HttpRequest) -> HttpResponse:
    """Thanks, and what happens next."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    try:
        series = _series(request, request.user)
    except NotFound:
        series = None
    context = {"table": series.get_absolute_url() if series else ""}
    return render(request, "games/moderation/reported.html", context)


def _series(request: HttpRequest, reporter: User) -> Series | None:
    slug = request.GET.get("series", "")
    return series_to_report(slug, reporter.pk) if slug else None


def _form(
    request: HttpRequest,
    reporter: User,
    person: User,
    series: Series | None,
    form: ReportForm,
    *,
    refusal: ModerationError | None = None,
    status: int = 200,
) -> HttpResponse:
    last = last_round(series) if series else None
    lines = chat_lines(series, reporter_id=reporter.pk, person_id=person.pk) if series else ()
    way_back = series.get_absolute_url() if series else person.get_absolute_url()
    page = ReportPage(
        name=person.shown_name,
        path=request.get_full_path(),
        form=form,
        key=key_of(request.POST.dict()) or fresh_key(),
        series=series.get_absolute_url() if series else "",
        round=last.number if last else 0,
        lines=tuple(map(AttachedLine.of, lines)),
        way_back=way_back,
        notice=refusal.notice if refusal else "",
    )
    return render(request, "games/moderation/report.html", {"report": page}, status=status)
