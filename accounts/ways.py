"""How somebody came to a page, and the way back to where they were, if that is one of ours."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def way_back(request: HttpRequest) -> str:
    """The address that `next` names in the form or the query; "" where it is none of ours."""
    way = request.POST.get("next") or request.GET.get("next", "")
    ours = url_has_allowed_host_and_scheme(
        way, {request.get_host()}, require_https=request.is_secure()
    )
    # Relative to this page, or the name of another one's address, it is no way back either.
    return way if ours and way.startswith("/") else ""


def is_opened(request: HttpRequest) -> bool:
    """Whether somebody has opened a page, or a script of an open one, or a look ahead, asks for it.

    Over plain http browsers say no mode, but still what they take.
    """
    headers = request.headers
    is_navigation = headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
    by_script = "HX-Request" in headers or "text/html" not in headers.get("Accept", "text/html")
    return is_navigation and not by_script and "Sec-Purpose" not in headers
