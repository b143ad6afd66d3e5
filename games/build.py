"""Which build of the site this process serves; an older page is told to reload (fault 66)."""

from functools import cache

from django.contrib.staticfiles.storage import staticfiles_storage


@cache
def build_id() -> str:
    """The hash of the static files' manifest; "dev" where there is none."""
    return getattr(staticfiles_storage, "manifest_hash", "") or "dev"
