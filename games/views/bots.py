"""The bots: who they are, and sitting down with one, account or not."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import log_in_guest, may_make_guest
from accounts.limits import may_again
from accounts.models import User
from accounts.preferences import COOKIE, Preferences
from games.figures import figures_of
from games.forms.bot import BotForm
from games.forms.series import PRESET_LABELS
from games.house import PERSONAS
from games.rendering import BotPage, FigureRow
from games.services.bot_series import last_bot, play_bot, play_bot_as_guest

SERIES_AN_HOUR: Final = 60  # nobody plays one a minute
AN_HOUR: Final = 3600  # seconds
MANY_SERIES: Final = _(
    "You have begun a great many series in one hour. Go on with one of them, or try again later."
)
MANY_GUESTS: Final = _(
    "Many guests have come from your address. Register, or try again in an hour."
)


@never_cache
@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """All of them."""
    return render(request, "games/bots.html", {"bots": PERSONAS.values()})


@never_cache
@require_safe
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """One of them: how it thinks, and a game with it."""
    if slug not in PERSONAS:
        raise Http404
    return _page(request, bot_form(request, slug), slug)


@never_cache
@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Sit down with a bot; a visitor is made a guest first."""
    # Asked before the guest is logged in, which changes it.
    form = BotForm(request.POST, shown_to=_shown_to(request))
    if not form.is_valid():
        return _page(request, form, last_bot(request.user.pk), status=422)
    if not isinstance(request.user, User):
        return _play_as_guest(request, form)
    bot = form.cleaned_data["bot"]
    if not may_again(f"bots.{request.user.pk}", times=SERIES_AN_HOUR, seconds=AN_HOUR):
        return _page(request, form, bot, str(MANY_SERIES), status=429)
    series = play_bot(user=request.user, bot=bot, options=form.options(), slug=form.place())
    return redirect(series)


def _play_as_guest(request: HttpRequest, form: BotForm) -> HttpResponse:
    bot = form.cleaned_data["bot"]
    if not may_make_guest(request.META.get("REMOTE_ADDR", "")):
        return _page(request, form, bot, str(MANY_GUESTS), status=429)
    guest, series = play_bot_as_guest(
        bot=bot,
        options=form.options(),
        slug=form.place(),
        preferences=kept_preferences(request),
    )
    log_in_guest(request, guest)
    return redirect(series)


def kept_preferences(request: HttpRequest) -> str:
    """The preferences that a visitor's browser keeps, "" if there are none."""
    text = request.COOKIES.get(COOKIE, "")
    return str(Preferences.parse(text)) if text else ""


def bot_form(request: HttpRequest, bot: str = "") -> BotForm:
    """The form for who asks, with this bot chosen, or the one that they played last."""
    chosen = bot or last_bot(request.user.pk)
    return BotForm(initial={"bot": chosen}, shown_to=_shown_to(request))


def _shown_to(request: HttpRequest) -> int | str:
    if request.user.pk is not None:
        return request.user.pk
    # The browser's own cookie, which the form's token needs anyhow.
    get_token(request)
    return f"browser {request.META['CSRF_COOKIE']}"


def _figures(slug: str) -> tuple[FigureRow, ...]:
    return tuple(
        FigureRow(
            against=PERSONAS[each.against].name if each.against in PERSONAS else each.against,
            preset=PRESET_LABELS[each.preset],
            percent=each.percent,
            pairs=each.pairs,
        )
        for each in figures_of(slug)
    )


def _page(
    request: HttpRequest, form: BotForm, slug: str, notice: str = "", status: int = 200
) -> HttpResponse:
    context = {"bot": BotPage(PERSONAS[slug], form, _figures(slug)), "notice": notice}
    return render(request, "games/bot.html", context, status=status)
