"""Pages that ask, and then mend: a series, ratings, a name, a text, a sanction that was wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Sum
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.models import Profile, Sanction, User
from accounts.ways import way_back
from games import live
from games.live import Bell
from games.models import Message, Series
from games.moderation import roles
from games.moderation.errors import ModerationError
from games.moderation.forms.remedy import LiftForm, RefundForm, RemedyForm, RenameForm
from games.moderation.rendering.remedies import RemedyPage
from games.moderation.services.sanctions import lift_sanction
from games.moderation.views.staff import for_staff, staff_of
from games.services import remedies


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be mended: its key, what the page says of it, and words of the person."""

    pk: int
    what: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A way to mend something.

    `find` takes the key of the address, and raises Http404. `do` takes the key of the subject, the
    moderator, and what was given in the form; it says what to ring, if anything. `follows` is what
    will be so afterwards, `button` what is pressed, `done` what is said then.
    """

    find: Callable[[Any], Subject]
    do: Callable[..., Bell | None]
    title: Promise
    follows: Promise
    button: Promise
    done: Promise
    form: type[Form] = RemedyForm
    permission: str = roles.MEND


def asking(remedy: Remedy) -> Callable[..., HttpResponse]:
    """The page of a remedy: it shows what would be done; submitted, it does it, or says why not."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @for_staff(remedy.permission)
    def page(request: HttpRequest, key: Any) -> HttpResponse:
        subject = remedy.find(key)
        form = remedy.form(request.POST if request.method == "POST" else None)
        if request.method != "POST":
            return _show(request, remedy, subject, form)
        if not form.is_valid():
            return _show(request, remedy, subject, form, status=422)
        try:
            bell = remedy.do(subject.pk, staff_of(request), **form.cleaned_data)
        except ModerationError as refusal:
            return _show(request, remedy, subject, form, notice=str(refusal.notice), status=409)
        if bell is not None:
            live.ring_all([bell])
        messages.success(request, str(remedy.done))
        return redirect(way_back(request) or "moderation")

    return page


def _show(
    request: HttpRequest,
    remedy: Remedy,
    subject: Subject,
    form: Form,
    *,
    notice: str = "",
    status: int = 200,
) -> HttpResponse:
    page = RemedyPage(
        title=remedy.title,
        what=subject.what,
        quote=subject.quote,
        follows=remedy.follows,
        button=remedy.button,
        form=form,
        back=way_back(request),
        notice=notice,
    )
    return render(request, "games/moderation/remedy.html", {"page": page}, status=status)


def _series(slug: str) -> Subject:
    series = get_object_or_404(Series, slug=slug)
    seats = series.seats.select_related("user").order_by("number")
    return Subject(series.pk, " – ".join(seat.shown_name for seat in seats))


def _losses(name: str) -> Subject:
    person = get_object_or_404(User, username=name)
    losses = remedies.losses_to(person.pk, remedies.MOST_DAYS)
    sums = losses.aggregate(before=Sum("before"), after=Sum("after"))
    words = _("%(count)d losses to %(name)s in %(days)d days, %(points)d points in all.") % {
        "count": losses.count(),
        "name": person.shown_name,
        "days": remedies.MOST_DAYS,
        "points": round((sums["before"] or 0) - (sums["after"] or 0)),
    }
    return Subject(person.pk, words)


def _name(name: str) -> Subject:
    person = get_object_or_404(User, username=name)
    return Subject(person.pk, person.shown_name)


def _profile(name: str) -> Subject:
    person = get_object_or_404(User, username=name)
    about = Profile.objects.filter(user=person).values_list("about", flat=True).first()
    return Subject(person.pk, person.shown_name, about or "")


def _line(line_id: int) -> Subject:
    line = get_object_or_404(Message.objects.select_related("author"), pk=line_id)
    return Subject(line.pk, line.author.shown_name, line.words)


def _sanction(sanction_id: int) -> Subject:
    sanction = get_object_or_404(Sanction.objects.select_related("user"), pk=sanction_id)
    what = f"{sanction.user.shown_name}: {sanction.get_kind_display()}"
    return Subject(sanction.pk, what, sanction.text)


void = asking(
    Remedy(
        find=_series,
        do=remedies.void_series,
        title=gettext_lazy("Declare a series void"),
        follows=gettext_lazy(
            "Its rounds and its sheet stay, marked as void. What it made of the players' ratings "
            "is given back, and it counts in no statistics. Both players are told. That can't be "
            "undone."
        ),
        button=gettext_lazy("Declare it void"),
        done=gettext_lazy("The series is void; its players are told."),
    )
)
refund = asking(
    Remedy(
        find=_losses,
        do=remedies.refund_ratings,
        form=RefundForm,
        title=gettext_lazy("Give ratings back"),
        follows=gettext_lazy(
            "Who lost rated series to them stands as if those had not been rated, and is told. The "
            "person's own rating stays; to take that away, declare the series void."
        ),
        button=gettext_lazy("Give it back"),
        done=gettext_lazy("The ratings are given back; whoever gets some is told."),
    )
)
rename = asking(
    Remedy(
        find=_name,
        do=remedies.rename_person,
        form=RenameForm,
        title=gettext_lazy("Rename somebody"),
        follows=gettext_lazy(
            "Everybody sees the new name at once, in old series as well. Nobody gets the old one "
            "any more. They log in with the new one: they are told on the site and, if they have "
            "confirmed an address, by mail."
        ),
        button=gettext_lazy("Rename them"),
        done=gettext_lazy("They have another name, and are told."),
    )
)
profile = asking(
    Remedy(
        find=_profile,
        do=remedies.remove_profile_text,
        title=gettext_lazy("Empty a profile"),
        follows=gettext_lazy(
            "The text is gone from their page, and they are told. An open case about them keeps "
            "it, as a note."
        ),
        button=gettext_lazy("Empty it"),
        done=gettext_lazy("The profile is empty; they are told."),
    )
)
line = asking(
    Remedy(
        find=_line,
        do=remedies.remove_line,
        title=gettext_lazy("Remove a line"),
        follows=gettext_lazy(
            "It is gone from every page, and its author is told; moderators can still read it here."
        ),
        button=gettext_lazy("Remove it"),
        done=gettext_lazy("The line is removed; its author is told."),
    )
)
lift = asking(
    Remedy(
        find=_sanction,
        do=lift_sanction,
        form=LiftForm,
        permission=roles.HANDLE,
        title=gettext_lazy("Lift a sanction"),
        follows=gettext_lazy("It ends now, and stays on record as lifted."),
        button=gettext_lazy("Lift it"),
        done=gettext_lazy("The sanction is lifted."),
    )
)
