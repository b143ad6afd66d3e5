"""Hashes with the site's key: they say nothing to whoever has the database only."""

from django.conf import settings
from django.utils.crypto import salted_hmac


def digests(purpose: str, text: str) -> list[str]:
    """Hashes of a text for one purpose: with the site's key first, then with its earlier keys."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [salted_hmac(purpose, text, secret=key, algorithm="sha256").hexdigest() for key in keys]
