"""How often somebody may do something, counted in the cache, and who counts as one."""

from ipaddress import IPv6Address, ip_address

from django.core.cache import cache


def may_again(key: str, *, times: int, seconds: int) -> bool:
    """Count one more under this key; False once it was more than `times` within so many seconds.

    Without its cache the site lets people go on: it is no reason to turn them away.
    """
    try:
        cache.add(key, 0, seconds)
        return cache.incr(key) <= times
    except ValueError:
        return True  # it ran out between the two calls, or the cache is away


def party_at(address: str) -> str:
    """Who is counted as one: an address, or of the new kind the half of it that names a customer.

    Whoever has one of these has the other 2⁶⁴ that begin alike.

    >>> party_at("203.0.113.77"), party_at("2001:db8:7:1:a:b:c:d"), party_at("::ffff:203.0.113.77")
    ('203.0.113.77', '2001:db8:7:1::', '203.0.113.77')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address  # a Unix socket has none
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))
