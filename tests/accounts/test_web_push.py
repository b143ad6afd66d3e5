"""Web push: what is sent, how it is sealed, and where it never goes (SSRF)."""

import base64
import json
import socket
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from accounts import web_push
from accounts.subscriptions import Subscription
from accounts.web_push import NotAPushService, Sent, public_address, public_key, send, service_of

SECRET = b"sixteen letters!"


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@pytest.fixture
def key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@pytest.fixture
def browser(key: ec.EllipticCurvePrivateKey) -> Subscription:
    return Subscription(
        endpoint="https://push.example.org/one?two",
        browser_key=text(point(key)),
        browser_secret=text(SECRET),
    )


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, bytes, dict[str, str]]]:
    sent: list[tuple[Any, bytes, dict[str, str]]] = []

    def post(service: Any, body: bytes, headers: dict[str, str]) -> int:
        sent.append((service, body, headers))
        return 201

    monkeypatch.setattr(web_push, "_post", post)
    return sent


def leads_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[Any]:
    """Let every name lead there; where was connected to is noted."""
    connected: list[Any] = []
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in addresses]
    monkeypatch.setattr(web_push.socket, "getaddrinfo", lambda *a, **k: found)

    def connect(address: Any, timeout: float) -> Any:
        connected.append(address)
        raise OSError

    monkeypatch.setattr(web_push.socket, "create_connection", connect)
    return connected


def test_only_the_browser_reads_it(
    browser: Subscription,
    key: ec.EllipticCurvePrivateKey,
    posted: list[tuple[Any, bytes, dict[str, str]]],
) -> None:
    assert send(browser, {"title": "Your turn against Bob"}) is Sent.DONE
    [(service, body, headers)] = posted
    assert service.hostname == "push.example.org"
    assert b"Bob" not in body
    opened = http_ece.decrypt(body, private_key=key, auth_secret=SECRET, version="aes128gcm")
    assert json.loads(opened) == {"title": "Your turn against Bob"}
    assert headers["Content-Encoding"] == "aes128gcm"
    assert int(headers["TTL"]) > 0


def test_it_is_signed_with_the_key_that_browsers_are_given(
    browser: Subscription, posted: list[tuple[Any, bytes, dict[str, str]]]
) -> None:
    send(browser, {"title": "x"})
    signed = posted[0][2]["Authorization"]
    assert Vapid02.verify(signed)
    assert signed.endswith(f"k={public_key()}")
    claims = signed.partition("t=")[2].split(".")[1]
    assert json.loads(base64.urlsafe_b64decode(claims + "=="))["aud"] == "https://push.example.org"


def test_the_key_follows_from_the_site_s_and_can_be_set(settings: Any) -> None:
    keys = []
    for secret, own in (("one", ""), ("two", ""), ("one", ""), ("two", text(b"k" * 32))):
        settings.SECRET_KEY, settings.PUSH_KEY = secret, own
        web_push._private_key.cache_clear()
        keys.append(public_key())
        settings.PUSH_KEY = web_push.private_key_text()
        web_push._private_key.cache_clear()
        assert public_key() == keys[-1]
    web_push._private_key.cache_clear()
    assert keys[0] == keys[2]
    assert len(set(keys)) == 3
    assert all(len(each) == 87 for each in keys)


@pytest.mark.parametrize(
    ("status", "sent"),
    [
        (201, Sent.DONE),
        (404, Sent.GONE),
        (410, Sent.GONE),
        (429, Sent.LATER),
        (503, Sent.LATER),
        (403, Sent.REFUSED),
        (307, Sent.REFUSED),
    ],
)
def test_what_a_push_service_answers(
    browser: Subscription, monkeypatch: pytest.MonkeyPatch, status: int, sent: Sent
) -> None:
    monkeypatch.setattr(web_push, "_post", lambda *a: status)
    assert send(browser, {"title": "x"}) is sent


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/",
        "ftp://push.example.org/",
        "//push.example.org/",
        "https://push.example.org:8443/",
        "https://push.example.org:99999/",
        "https://user:word@push.example.org/",
        "https://push.example.org@127.0.0.1/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://127.0.0.0x1/",
        "https://8.8.8.8./",
        "https://localhost/",
        "https://redis/",
        "https:///path",
        "https://push.example.org/\r\nHost: evil",
        "https://púsh.example.org/",
        "push.example.org",
        "",
    ],
)
def test_ssrf_what_is_no_push_service_is_refused(endpoint: str) -> None:
    with pytest.raises(NotAPushService):
        service_of(endpoint)


PRIVATE = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
    *("0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1"),
    *("::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1"),
)


@pytest.mark.parametrize("address", PRIVATE)
def test_ssrf_a_name_that_leads_into_a_private_network_is_never_connected_to(
    browser: Subscription, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    connected = leads_to(monkeypatch, address)
    assert send(browser, {"title": "x"}) is Sent.REFUSED
    connected += leads_to(monkeypatch, "93.184.216.34", address)
    assert send(browser, {"title": "x"}) is Sent.REFUSED
    assert connected == []


def test_ssrf_it_connects_to_the_address_that_was_looked_at(
    browser: Subscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected = leads_to(monkeypatch, "93.184.216.34")
    assert send(browser, {"title": "x"}) is Sent.LATER
    assert connected == [("93.184.216.34", 443)]
    assert public_address("push.example.org") == "93.184.216.34"


def test_a_service_that_is_away_is_no_error(
    browser: Subscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*arguments: Any, **named: Any) -> Any:
        raise socket.gaierror

    monkeypatch.setattr(web_push.socket, "getaddrinfo", fails)
    assert send(browser, {"title": "x"}) is Sent.LATER
