"""Pages that ask, and then mend: a series, ratings, a name, a text, a sanction that was wrong."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.models import Profile, Sanction, User
from accounts.ways import way_back
from games import live
from games.models import Message, Series
from games.moderation import roles
from games.moderation.errors import ModerationError
from games.moderation.forms.remedy import LiftForm, RefundForm, RemedyForm, RenameForm
from games.moderation.rendering.remedies import RemedyPage
from games.moderation.services.sanctions import lift_sanction
from games.moderation.views.staff import for_staff, staff_of
from games.phrases import phrase_words
from games.services import remedies
from games.services.time_out import Rung

ASKED_AND_DONE = require_http_methods(["GET", "HEAD", "POST"])


@dataclass(frozen=True, slots=True)
class Remedy:
    """What is done with a valid form; what to ring, if anything; and what is said afterwards."""

    do: Callable[[User, dict[str, Any]], Rung | None]
    done: str | Promise


@ASKED_AND_DONE
@for_staff(roles.MEND)
def void(request: HttpRequest, slug: str) -> HttpResponse:
    """Declare that a series does not count."""
    series = get_object_or_404(Series, slug=slug)
    seats = series.seats.select_related("user").order_by("number")
    page = RemedyPage(
        title=_("Declare a series void"),
        what=" – ".join(seat.user.shown_name for seat in seats if seat.user),
        follows=gettext_lazy(
            "Its rounds and its sheet stay, marked as void. What it made of the players' ratings "
            "is given back, and it counts in no statistics. That can't be undone."
        ),
        button=gettext_lazy("Declare it void"),
        form=RemedyForm(request.POST or None),
    )

    def do(moderator: User, given: dict[str, Any]) -> Rung:
        return remedies.void_series(series_id=series.pk, moderator=moderator, rule=given["rule"])

    return _ask(request, page, Remedy(do, gettext_lazy("The series is void.")))


@ASKED_AND_DONE
@for_staff(roles.MEND)
def refund(request: HttpRequest, name: str) -> HttpResponse:
    """Give back what others have lost in ratings to somebody."""
    person = get_object_or_404(User, username=name)
    page = RemedyPage(
        title=_("Give ratings back"),
        what=_lost_to(person),
        follows=gettext_lazy(
            "Who lost rated series to them stands as if those had not been rated. The person's own "
            "rating stays; to take that away, declare the series void."
        ),
        button=gettext_lazy("Give it back"),
        form=RefundForm(request.POST or None),
    )

    def do(moderator: User, given: dict[str, Any]) -> None:
        remedies.refund_ratings(person_id=person.pk, moderator=moderator, **given)

    return _ask(request, page, Remedy(do, gettext_lazy("The ratings are given back.")))


def _lost_to(person: User) -> str:
    losses = remedies.losses_to(person.pk, remedies.MOST_DAYS)
    sums = losses.aggregate(before=Sum("before"), after=Sum("after"))
    words = _("%(count)d losses to %(name)s in %(days)d days, %(points)d points in all.")
    return words % {
        "count": losses.count(),
        "name": person.shown_name,
        "days": remedies.MOST_DAYS,
        "points": round((sums["before"] or 0) - (sums["after"] or 0)),
    }


@ASKED_AND_DONE
@for_staff(roles.MEND)
def rename(request: HttpRequest, name: str) -> HttpResponse:
    """Give somebody another name."""
    person = get_object_or_404(User, username=name)
    page = RemedyPage(
        title=_("Rename somebody"),
        what=person.shown_name,
        follows=gettext_lazy(
            "Everybody sees the new name at once, in old series as well. Nobody gets the old one "
            "any more. They log in with the new name: tell them by a warning, or by mail."
        ),
        button=gettext_lazy("Rename them"),
        form=RenameForm(request.POST or None),
    )

    def do(moderator: User, given: dict[str, Any]) -> None:
        remedies.rename_person(person_id=person.pk, moderator=moderator, **given)

    return _ask(request, page, Remedy(do, gettext_lazy("They have another name.")))


@ASKED_AND_DONE
@for_staff(roles.MEND)
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Empty what somebody has written about themselves."""
    person = get_object_or_404(User, username=name)
    page = RemedyPage(
        title=_("Empty a profile"),
        what=person.shown_name,
        quote=Profile.objects.filter(user=person).values_list("about", flat=True).first() or "",
        follows=gettext_lazy(
            "The text is gone from their page. An open case about them keeps it, as a note."
        ),
        button=gettext_lazy("Empty it"),
        form=RemedyForm(request.POST or None),
    )

    def do(moderator: User, given: dict[str, Any]) -> None:
        remedies.remove_profile_text(person_id=person.pk, moderator=moderator, **given)

    return _ask(request, page, Remedy(do, gettext_lazy("The profile is empty.")))


@ASKED_AND_DONE
@for_staff(roles.MEND)
def line(request: HttpRequest, line_id: int) -> HttpResponse:
    """Take a line of the chat from every page."""
    found = get_object_or_404(Message.objects.select_related("author"), pk=line_id)
    page = RemedyPage(
        title=_("Remove a line"),
        what=found.author.shown_name,
        quote=found.text or phrase_words(found.phrase),
        follows=gettext_lazy("It is gone from every page; moderators can still read it here."),
        button=gettext_lazy("Remove it"),
        form=RemedyForm(request.POST or None),
    )

    def do(moderator: User, given: dict[str, Any]) -> Rung:
        return remedies.remove_line(line_id=line_id, moderator=moderator, rule=given["rule"])

    return _ask(request, page, Remedy(do, gettext_lazy("The line is removed.")))


@ASKED_AND_DONE
@for_staff(roles.HANDLE)
def lift(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """End a sanction before its term."""
    sanction = get_object_or_404(Sanction.objects.select_related("user"), pk=sanction_id)
    page = RemedyPage(
        title=_("Lift a sanction"),
        what=f"{sanction.user.shown_name}: {sanction.get_kind_display()}",
        quote=sanction.text,
        follows=gettext_lazy("It ends now, and stays on record as lifted."),
        button=gettext_lazy("Lift it"),
        form=LiftForm({} if request.method == "POST" else None),
    )

    def do(moderator: User, given: dict[str, Any]) -> None:
        lift_sanction(sanction_id, moderator)

    return _ask(request, page, Remedy(do, gettext_lazy("The sanction is lifted.")))


def _ask(request: HttpRequest, page: RemedyPage, remedy: Remedy) -> HttpResponse:
    """Show what would be done; submitted, do it, or say why not."""
    back = way_back(request)
    page = replace(page, back=back)
    if request.method != "POST" or not page.form.is_valid():
        return _show(request, page, 422 if request.method == "POST" else 200)
    try:
        rung = remedy.do(staff_of(request), page.form.cleaned_data)
    except ModerationError as refusal:
        return _show(request, replace(page, notice=str(refusal.notice)), 409)
    if rung is not None:
        series_id, version, talk = rung
        live.ring_now(series_id, version=version, talk=talk)
    messages.success(request, str(remedy.done))
    return redirect(back or "moderation")


def _show(request: HttpRequest, page: RemedyPage, status: int) -> HttpResponse:
    return render(request, "games/moderation/remedy.html", {"page": page}, status=status)
