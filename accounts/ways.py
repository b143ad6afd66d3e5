"""Back to the page that somebody came from, if it is one of ours."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def way_back(request: HttpRequest) -> str:
    """The address that `next` names in the form or the query; "" where it is none of ours."""
    way = request.POST.get("next") or request.GET.get("next", "")
    ours = url_has_allowed_host_and_scheme(
        way, {request.get_host()}, require_https=request.is_secure()
    )
    return way if ours else ""
