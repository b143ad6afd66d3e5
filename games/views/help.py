"""The pages that teach: how to play, the rules, a series' own rule card; and the guide's switch."""

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.kept_preferences import keep_preferences
from accounts.preferences import ALLOWED, preferences_for
from accounts.ways import way_back
from games import access
from games.errors import NotFound
from games.forms.series import PRESET_LABELS, SeriesForm
from games.rendering.help_pages import RuleCardPage, how_to_play, rules_page


@require_safe
def how(request: HttpRequest) -> HttpResponse:
    page = how_to_play(request.path, preferences_for(request.user, request.COOKIES).guide)
    return render(request, "games/help/how_to_play.html", {"how": page})


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    page = rules_page(PRESET_LABELS, more_players="players" in SeriesForm.base_fields)
    return render(request, "games/help/rules.html", {"rules": page})


@require_safe
def rule_card(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of one series, for whoever may watch it."""
    try:
        series = access.series_to_watch(slug, request.user.pk)
    except NotFound:
        raise Http404 from None
    page = RuleCardPage(
        url=series.get_absolute_url(),
        names=tuple(seat.shown_name for seat in series.seats.select_related("user")),
        preset=PRESET_LABELS[series.preset],
        options=series.options,
    )
    return render(request, "games/help/rule_card.html", {"card": page})


@require_POST
def guide(request: HttpRequest) -> HttpResponse:
    """Turn the guide on or off, or leave it to the first round: one of the preferences."""
    response = redirect(way_back(request) or "how_to_play")
    choice = request.POST.get("guide", "")
    if choice in ALLOWED["guide"]:
        known = preferences_for(request.user, request.COOKIES)
        keep_preferences(request, response, replace(known, guide=choice))
    return response
