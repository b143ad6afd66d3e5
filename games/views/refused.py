"""What is answered to a form whose token is not the browser's: it logged in or out meanwhile."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure

from games.forms.action import key_of
from games.rendering import render_answer
from games.services.outcome import Status


def csrf_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A page in plain words, or to htmx the answer that settles the action which waits for it."""
    if "HX-Request" not in request.headers:
        return csrf_failure(request, reason)
    notice = _("You have logged in or out in another tab. Reload the page; nothing has changed.")
    answer = render_answer(key_of(request.POST.dict()), Status.SESSION_OVER, notice)
    return HttpResponse(answer, status=403)
