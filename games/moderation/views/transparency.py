"""What moderators have done, in counts, for everybody to read."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.moderation.rendering.summary import MonthPart, SummaryPage
from games.moderation.selectors.summary import months_until


@require_safe
def transparency(request: HttpRequest) -> HttpResponse:
    """The last months, this one first."""
    months = months_until(timezone.now())
    page = SummaryPage(
        tuple(MonthPart.of(month, is_running=not number) for number, month in enumerate(months))
    )
    return render(request, "games/moderation/transparency.html", {"page": page})
