"""People: finding some to invite, somebody's page, and the best at each format."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.limits import may_again
from accounts.models import User
from accounts.pages import ProfilePage
from accounts.people import followed_by, people_beginning, person_named
from accounts.relations import has_blocked, kinds_between, may_meet
from games.access import may_look_back
from games.formats import FORMATS, Format
from games.forms.series import PRESET_LABELS
from games.models import Rating
from games.rendering import GamesPart
from games.rendering.lobby import (
    PeoplePage,
    PlaceRow,
    PlayersPage,
    RatingRow,
    StandingPart,
    format_words,
    rating_words,
)
from games.selectors.boards import played_now
from games.selectors.leaderboard import LEAST_SERIES, PERIODS, leaderboard, ratings_of
from games.selectors.lists import public_series
from games.selectors.people import recent_opponents
from games.views.rows import series_rows

SEARCHES: Final = 30
A_MINUTE: Final = 60  # seconds
PERIOD_LABELS: Final = {
    "week": gettext_lazy("the last week"),
    "month": gettext_lazy("the last month"),
    "year": gettext_lazy("the last year"),
}
assert PERIOD_LABELS.keys() == PERIODS.keys(), "every period has a label"


@never_cache
@require_safe
@login_required
def people(request: HttpRequest) -> HttpResponse:
    """Names to invite: by their beginning, of the last opponents, and of those one follows."""
    user = request.user
    assert isinstance(user, User), "login_required lets no one else in"
    text, notice, found = request.GET.get("q", "").strip()[:20], "", None
    if text and may_again(f"searches.{user.pk}", times=SEARCHES, seconds=A_MINUTE):
        found = _names(people_beginning(text, asker=user.pk))
    elif text:
        notice = _("Those were many searches. Wait a minute, then go on.")
    page = PeoplePage(
        text=text,
        found=found,
        recent=_names(recent_opponents(user.pk)),
        followed=_names(followed_by(user.pk)),
        notice=notice,
    )
    return render(request, "games/people.html", {"people": page}, status=429 if notice else 200)


def _names(users: list[User]) -> tuple[str, ...]:
    return tuple(user.username for user in users)


@never_cache
@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """What somebody tells about themselves and how they play, for everybody to read."""
    person = person_named(name)
    if person is None:
        raise Http404
    if person.username != name:
        return redirect(person)
    context = {
        "profile": ProfilePage.of(person, viewer=request.user.pk),
        "standing": _standing(person, request.user),
        "games": _games(person, request.user.pk),
    }
    return render(request, "accounts/profile.html", context)


def _games(person: User, viewer: int | None) -> GamesPart:
    now = played_now(person.pk)
    return GamesPart(
        now=now.get_absolute_url() if now is not None else "",
        running=series_rows(public_series(person.pk, over=False)),
        finished=series_rows(public_series(person.pk, over=True))
        if may_look_back(person, viewer)
        else None,
    )


def _standing(person: User, viewer: object) -> StandingPart:
    ratings = tuple(map(_rating_row, ratings_of(person.pk)))
    is_other = isinstance(viewer, User) and viewer.pk != person.pk
    if not isinstance(viewer, User) or not is_other or not viewer.kind == person.kind == "person":
        return StandingPart(ratings, None, can_invite=False)
    welcome = may_meet(viewer.pk, person.pk) and not has_blocked(person.pk, viewer.pk)
    return StandingPart(ratings, kinds_between(viewer.pk, person.pk), can_invite=welcome)


def _rating_row(row: Rating) -> RatingRow:
    strength = row.to_domain()
    return RatingRow(
        format=format_words(Format.parse(row.format), PRESET_LABELS),
        rating=rating_words(strength),
        provisional=strength.is_provisional,
        series=row.series_count,
    )


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """The leaderboard of a format and a period; of what is neither, the usual one."""
    wanted = request.GET.get("format", "")
    format_ = next((each for each in FORMATS if str(each) == wanted), FORMATS[0])
    period = request.GET.get("period", "")
    period = period if period in PERIODS else "month"
    page = PlayersPage(
        format=str(format_),
        period=period,
        formats=tuple((str(each), format_words(each, PRESET_LABELS)) for each in FORMATS),
        periods=tuple(PERIOD_LABELS.items()),
        places=tuple(
            PlaceRow(each.place, each.user.username, each.value, each.series_count)
            for each in leaderboard(format_, period)
        ),
        least_series=LEAST_SERIES,
    )
    return render(request, "games/players.html", {"players": page})
