"""Origins and hosts as text, written one way: `https://host` or `http://host:8000`."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"[a-z0-9_.:-]+")


def normal_origin(text: str) -> str | None:
    """`scheme://host[:port]` in lower case without a default port, or None if it is no origin.

    >>> normal_origin("HTTPS://Gin.Example:443")
    'https://gin.example'
    >>> normal_origin("http://[::1]:8000")
    'http://[::1]:8000'
    >>> normal_origin("null") is None
    True
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    name = parts.hostname or ""
    if parts.scheme not in _DEFAULT_PORTS or not _NAME.fullmatch(name) or "@" in parts.netloc:
        return None
    host = f"[{name}]" if ":" in name else name
    shown_port = "" if port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{shown_port}"


def host_of(origin: str) -> str:
    """The host of an origin as ALLOWED_HOSTS writes it: no scheme, no port."""
    host = urlsplit(origin).hostname or ""
    return f"[{host}]" if ":" in host else host


def origins_of(site_url: str, site_hosts: Iterable[str]) -> list[str]:
    """The origins the site answers to: SITE_URL, and each of SITE_HOSTS with SITE_URL's scheme.

    An address of this machine has several names: where SITE_URL is one of them, all are meant.
    Raises ValueError for an entry that is no host.
    """
    scheme = urlsplit(site_url).scheme
    named = [site_url, *(f"{scheme}://{host}" for host in site_hosts)]
    if urlsplit(site_url).hostname in ("127.0.0.1", "localhost", "::1"):
        port = urlsplit(site_url).port
        tail = f":{port}" if port else ""
        named += [f"{scheme}://{host}{tail}" for host in ("127.0.0.1", "localhost", "[::1]")]
    origins: list[str] = []
    for text in named:
        origin = normal_origin(text)
        if origin is None:
            raise ValueError(f"{text!r} in SITE_URL or SITE_HOSTS is no address of a site")
        if origin not in origins:
            origins.append(origin)
    return origins
