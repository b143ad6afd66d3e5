"""What a visitor is told while the database is away (promise R16)."""

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin

from games.errors import database_is_away, log_failure
from games.forms.action import key_of
from games.rendering import render_answer
from games.services.outcome import BUSY, Status

logger = logging.getLogger(__name__)


class DatabaseAwayMiddleware(MiddlewareMixin):
    """Answer 503 in plain words where the database is away, waited for in vain, or read-only.

    Before any other middleware that asks who the visitor is: Django lets nobody mend what goes
    wrong there.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: object, kwargs: object
    ) -> HttpResponse | None:
        try:
            bool(request.user)  # reads the session and the user
        except Exception as error:
            if not database_is_away(error):
                raise
            return self.process_exception(request, error)
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not database_is_away(exception):
            return None
        log_failure(logger, f"{request.path} could not be answered", exception)
        if "HX-Request" in request.headers:
            text = render_answer(key_of(request.POST.dict()), Status.BUSY, BUSY)
        else:
            text = render_to_string("503.html")
        return HttpResponse(text, status=503, headers={"Retry-After": "5"})
