"""Pages that answer htmx with a part of themselves, at one address (fault 112)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx will put the answer into the page; going back, it shows it as a whole."""
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and not htmx.history_restore_request


def render_either(
    request: HttpRequest, page: str, fragment: str, context: dict[str, object]
) -> HttpResponse:
    """The page, or the part of it that htmx asks for; no cache takes one for the other."""
    is_part = wants_fragment(request)
    template = fragment if is_part else page
    response = render(request, template, {**context, "is_part": is_part})
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response
