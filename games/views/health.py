"""For whoever runs the site: does the process live, and can it serve?"""

import logging

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

logger = logging.getLogger(__name__)


@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("alive\n", content_type="text/plain")


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        logger.warning("not ready: %s", error)
        return HttpResponse("the database does not answer\n", "text/plain", status=503)
    return HttpResponse("ready\n", content_type="text/plain")
