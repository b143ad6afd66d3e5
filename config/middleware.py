"""What a visitor is told while the database is away (promise R16)."""

import logging
from collections.abc import Callable

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin

from games.doors import BUSY
from games.forms.action import key_of
from games.rendering import render_answer
from games.services.outcome import Status

logger = logging.getLogger(__name__)


class DatabaseAwayMiddleware(MiddlewareMixin):
    """Answer 503 in plain words where the database could not be reached, or waited for in vain.

    Before any other middleware that asks who the visitor is: Django lets nobody mend what goes
    wrong there.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: object, kwargs: object
    ) -> HttpResponse | None:
        try:
            bool(request.user)  # reads the session and the user
        except (OperationalError, InterfaceError) as error:
            return self.process_exception(request, error)
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, OperationalError | InterfaceError):
            return None
        logger.warning("%s could not be answered: %s", request.path, exception)
        if "HX-Request" in request.headers:
            text = render_answer(key_of(request.POST.dict()), Status.BUSY, BUSY)
        else:
            text = render_to_string("503.html")
        return HttpResponse(text, status=503, headers={"Retry-After": "5"})
