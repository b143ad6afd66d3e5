from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.preferences import preferences_for


def preferences(request: HttpRequest) -> dict[str, object]:
    """Give templates `preferences`; a page that does not look at them needs no user."""
    return {
        "preferences": SimpleLazyObject(
            lambda: preferences_for(getattr(request, "user", None), request.COOKIES)
        )
    }
