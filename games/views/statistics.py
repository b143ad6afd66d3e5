"""Statistics: of a player, of two against each other, of the site; and was it luck?"""

from collections.abc import Iterable
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games.access import may_look_back, player_named
from games.counts import Counts
from games.errors import NotFound
from games.formats import Format
from games.forms.series import PRESET_LABELS
from games.luck.deal import Measure
from games.luck.verdict import compare
from games.models import Tally
from games.rendering.lobby import format_words
from games.rendering.luck import luck_by_part, luck_part, luck_row
from games.rendering.numbers import percent
from games.rendering.statistics import (
    BotRow,
    PairPage,
    SitePage,
    StatisticsPage,
    figures_of,
    pair_rows,
    part_rows,
    rounds_bar,
    series_bar,
    site_endings,
    site_facts,
    style_rows,
    turn_columns,
)
from games.selectors.counting import ALL, BOTS, PEOPLE, RATED
from games.selectors.statistics import (
    tallies_of_bots,
    tallies_of_pair,
    tallies_of_player,
    tallies_of_site,
    tally_of_like,
)

SCOPE_LABELS: Final = {
    ALL: gettext_lazy("all series"),
    PEOPLE: gettext_lazy("against people"),
    BOTS: gettext_lazy("against bots"),
    RATED: gettext_lazy("rated"),
}


@never_cache
@require_safe
def statistics(request: HttpRequest, name: str) -> HttpResponse:
    """How a player plays, and whether it was luck."""
    person = _person(name, request.user)
    if person.username != name:
        return redirect("statistics", person.username)
    return render(request, "games/statistics.html", {"page": _page(request, person)})


def _page(request: HttpRequest, person: User) -> StatisticsPage:
    if not may_look_back(person, request.user.pk):
        return StatisticsPage(person.username, is_kept=True)
    tallies = tallies_of_player(person.pk)
    scope = _chosen(request, tallies)
    row = tallies.get(scope)
    mine = row.to_domain() if row else Counts()
    like = tally_of_like(person.pk, tallies_of_site()) if row else None
    return StatisticsPage(
        name=person.username,
        is_bot=person.kind == User.Kind.BOT,
        is_own=person.pk == request.user.pk,
        scope=scope,
        scopes=_scopes(tallies),
        figures=figures_of(mine, streak=row.streak, best_streak=row.best_streak) if row else None,
        style=style_rows(mine, like[0].to_domain()) if like else (),
        others=_others(like[1]) if like else "",
        luck=luck_part(mine) if row else None,
        against=_against(request.user, person),
    )


@never_cache
@require_safe
def against(request: HttpRequest, name: str, other: str) -> HttpResponse:
    """Two players against each other."""
    people = _person(name, request.user), _person(other, request.user)
    if people[0].pk == people[1].pk:
        raise Http404
    names = people[0].username, people[1].username
    if names != (name, other):
        return redirect("against", *names)
    is_among_them = request.user.pk in (people[0].pk, people[1].pk)
    if not is_among_them and not all(may_look_back(each, request.user.pk) for each in people):
        return render(request, "games/against.html", {"page": PairPage(names, is_kept=True)})
    pair = tallies_of_pair(people[0].pk, people[1].pk, is_among_them=is_among_them)
    return render(request, "games/against.html", {"page": _pair_page(names, pair)})


def _pair_page(names: tuple[str, str], pair: tuple[Tally, Tally] | None) -> PairPage:
    if pair is None:
        return PairPage(names)
    one, other = pair[0].to_domain(), pair[1].to_domain()
    return PairPage(
        names=names,
        series=series_bar(one),
        rounds=rounds_bar(one),
        rows=pair_rows(one, other, (pair[0].best_streak, pair[1].best_streak)),
        luck=(luck_part(one), luck_part(other)),
    )


@never_cache
@require_safe
def site(request: HttpRequest) -> HttpResponse:
    """How all play here, and whether the deck is fair."""
    tallies = {key: row for key, row in tallies_of_site().items() if not key.startswith("rating")}
    scope = _chosen(request, tallies)
    row = tallies.get(scope)
    counts = row.to_domain() if row else Counts()
    bots = tallies_of_bots()
    page = SitePage(
        scope=scope,
        scopes=_scopes(tallies),
        facts=site_facts(counts),
        endings=site_endings(counts),
        turns=turn_columns(counts),
        parts=part_rows(counts),
        luck=luck_part(counts, both_seats=True) if row else None,
        by_part=luck_by_part(counts) if row else None,
        bots=tuple(_bot_row(each, len(bots)) for each in bots),
    )
    return render(request, "games/site_statistics.html", {"page": page})


def _bot_row(row: Tally, looks: int) -> BotRow:
    counts = row.to_domain()
    dealt = compare(
        Measure.DEALT,
        total=sum(counts.luck(Measure.DEALT)),
        deals=sum(counts.luck_deals),
        looks=looks,
    )
    assert row.user is not None, "a bot's tally has its user"
    return BotRow(
        name=row.user.username,
        rounds=sum(counts.rounds),
        won=percent(sum(counts.rounds_won), sum(counts.rounds)),
        dealt=luck_row(dealt),
    )


def _person(name: str, viewer: object) -> User:
    try:
        return player_named(name, viewer)
    except NotFound:
        raise Http404 from None


def _chosen(request: HttpRequest, known: Iterable[str]) -> str:
    """The scope that is asked for, if there is such a tally; else all."""
    wanted = request.GET.get("of", ALL)
    return wanted if wanted in known else ALL


def _scopes(known: Iterable[str]) -> tuple[tuple[str, str], ...]:
    plain = [(scope, str(label)) for scope, label in SCOPE_LABELS.items() if scope in known]
    formats = sorted(
        (scope, format_words(Format.parse(scope), PRESET_LABELS))
        for scope in known
        if scope not in SCOPE_LABELS
    )
    return (*plain, *formats)


def _others(rating: int | None) -> str:
    if rating is None:
        return _("all players")
    return _("players rated about %(rating)d") % {"rating": rating + 100}


def _against(viewer: object, person: User) -> str:
    if not isinstance(viewer, User) or viewer.pk == person.pk:
        return ""
    return reverse("against", args=[viewer.username, person.username])
