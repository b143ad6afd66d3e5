"""Sending to a browser through its push service, by the standards: encrypted, and signed by us.

Where to send to is what a browser has said, so it is believed as little as anything else: https
only, no address that leads into a private network, no redirect followed, no answer read.
"""

import base64
import hashlib
import hmac
import ipaddress
import json
import logging
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from email.utils import parseaddr
from enum import Enum, auto
from functools import cache
from http.client import HTTPException, HTTPSConnection
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from accounts.subscriptions import Subscription

logger = logging.getLogger(__name__)

PORT: Final = 443
PATIENCE: Final = 10.0  # seconds for each step; twice that for all of them
KEPT_FOR: Final = 24 * 3600  # seconds that a push service keeps it for a device that is off
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256
# Addresses that stand for one of IPv4, which may be a private one.
_TRANSLATED: Final = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "2002::/16")))


class Sent(Enum):
    """What became of it. GONE: nobody is there any more. REFUSED: it is no use to try again."""

    DONE = auto()
    GONE = auto()
    LATER = auto()
    REFUSED = auto()


class NotAPushService(ValueError):
    """What a browser, or somebody else, has named as its push service is none we send to."""


def service_of(endpoint: str) -> SplitResult:
    """The parts of an endpoint that may be sent to. Raises NotAPushService.

    Where its name leads is looked at again whenever something is sent.

    >>> service_of("https://push.example.org/abc").hostname
    'push.example.org'
    """
    try:
        parts = urlsplit(endpoint)
        port = parts.port or PORT
    except ValueError:
        raise NotAPushService("no address") from None
    host = parts.hostname or ""
    if parts.scheme != "https" or port != PORT or "@" in parts.netloc:
        raise NotAPushService("no https address")
    if "." not in host or _is_number(host) or not endpoint.isascii() or not endpoint.isprintable():
        raise NotAPushService("no name of a host")
    return parts


def is_browser_key(text: str) -> bool:
    """Whether this is a public key as browsers write them."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(text))
    except ValueError:
        return False
    return len(_bytes(text)) == 65


def is_browser_secret(text: str) -> bool:
    """Whether this is a secret as browsers write them."""
    try:
        return len(_bytes(text)) == 16
    except ValueError:
        return False


def public_key() -> str:
    """The key by which browsers and push services know this site."""
    point = _private_key().public_key()
    raw = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def private_key_text() -> str:
    """The private key as the setting PUSH_KEY takes it."""
    number = _private_key().private_numbers().private_value
    return base64.urlsafe_b64encode(number.to_bytes(32)).decode().rstrip("=")


def send(subscription: Subscription, message: Mapping[str, object]) -> Sent:
    """Send a message to a browser; whatever goes wrong is an answer, and no error."""
    try:
        service = service_of(subscription.endpoint)
        status = _post(service, *_sealed(subscription, service, message))
    except NotAPushService as error:
        logger.warning("a push was not sent: %s", error)
        return Sent.REFUSED
    except (OSError, HTTPException, ValueError) as error:
        logger.warning("a push service did not answer: %s", type(error).__name__)
        return Sent.LATER
    return _sent(status)


def _sent(status: int) -> Sent:
    if status in (404, 410):
        return Sent.GONE
    if 200 <= status < 300:
        return Sent.DONE
    logger.warning("a push service answered %d", status)
    return Sent.LATER if status == 429 or status >= 500 else Sent.REFUSED


def _sealed(
    subscription: Subscription, service: SplitResult, message: Mapping[str, object]
) -> tuple[bytes, dict[str, str]]:
    """The body, which only the browser can read, and the headers that say whose it is."""
    # Imported here: they bring two clients along that nothing else needs.
    from py_vapid import Vapid02
    from pywebpush import WebPusher

    keys = {"p256dh": subscription.browser_key, "auth": subscription.browser_secret}
    pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
    body: bytes = pusher.encode(json.dumps(message).encode())["body"]
    claims = {"aud": f"https://{service.hostname}", "sub": f"mailto:{_who_runs_it()}"}
    headers = {
        **Vapid02(_private_key()).sign(claims),
        "Content-Encoding": "aes128gcm",
        "TTL": str(KEPT_FOR),
    }
    return body, headers


def _post(service: SplitResult, body: bytes, headers: Mapping[str, str]) -> int:
    """The status with which a push service answers. Raises NotAPushService, OSError and others."""
    connection = _Connection(str(service.hostname), PORT, timeout=PATIENCE)
    path = service.path + (f"?{service.query}" if service.query else "")
    # A service that answers byte by byte would else hold us for as long as it likes.
    end = threading.Timer(2 * PATIENCE, connection.give_up)
    end.daemon = True
    end.start()
    try:
        connection.request("POST", path or "/", body, dict(headers))
        return connection.getresponse().status
    finally:
        end.cancel()
        connection.close()


class _Connection(HTTPSConnection):
    """A connection to the very address that was found to be a public one."""

    def connect(self) -> None:
        plain = socket.create_connection((public_address(self.host), PORT), PATIENCE)
        context = ssl.create_default_context()
        self.sock = context.wrap_socket(
            plain, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock.do_handshake()

    def give_up(self) -> None:
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def public_address(host: str) -> str:
    """An address of this host. Raises NotAPushService where any of them is a private one."""
    found: Any = socket.getaddrinfo(host, PORT, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in found]
    if not addresses or not all(map(is_public, addresses)):
        raise NotAPushService("its name leads into a private network")
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an address is one of the internet's own.

    >>> is_public("10.0.0.1"), is_public("::ffff:127.0.0.1"), is_public("8.8.8.8")
    (False, False, True)
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if any(found in network for network in _TRANSLATED):
            return False
    return found.is_global and not found.is_multicast


def _is_number(host: str) -> bool:
    """Whether a host is written as an address, in whatever notation."""
    last = host.rstrip(".").rpartition(".")[2]
    return ":" in host or last.isdigit() or last.lower().startswith("0x")


@cache
def _private_key() -> ec.EllipticCurvePrivateKey:
    """The site's key: the setting's, else one that follows from SECRET_KEY.

    So all processes have the same one, and nobody has to make it.
    """
    if settings.PUSH_KEY:
        number = int.from_bytes(_bytes(settings.PUSH_KEY))
    else:
        seed = hmac.digest(settings.SECRET_KEY.encode(), b"web push", hashlib.sha512)
        number = int.from_bytes(seed) % (_ORDER - 1) + 1
    return ec.derive_private_key(number, ec.SECP256R1())


def _who_runs_it() -> str:
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1]


def _bytes(text: str) -> bytes:
    """What base64 for addresses says. Raises ValueError."""
    plain = text.rstrip("=").encode("ascii")
    return base64.b64decode(plain + b"=" * (-len(plain) % 4), altchars=b"-_", validate=True)
