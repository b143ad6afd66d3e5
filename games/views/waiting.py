"""The series that wait for who asks, for the title and the icon of their open pages."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.selectors.waiting import turns_waiting


@never_cache
@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """Their addresses; none for a visitor."""
    user_id = request.user.pk
    return JsonResponse({"series": turns_waiting(user_id) if user_id else []})
