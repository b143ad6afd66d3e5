"""Whether somebody who works here may enter: staff do with a second factor only, at every door."""

from allauth.mfa.utils import is_mfa_enabled
from django.http import HttpRequest


def has_second_factor(request: HttpRequest) -> bool:
    """Whether who asks has set one up; a page asks several times, the database once."""
    kept = vars(request)
    if "has_second_factor" not in kept:
        kept["has_second_factor"] = is_mfa_enabled(request.user)
    return bool(kept["has_second_factor"])
