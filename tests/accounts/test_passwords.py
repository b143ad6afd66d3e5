"""Passwords that are too easy: without a network, and with a list that may be asked."""

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.contrib.auth.hashers import identify_hasher, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accounts.models import User
from tests.patience import patience

BREACHED = "correct-horse-of-ours"


def refused(password: str) -> set[str]:
    try:
        validate_password(password, User(username="Alexandra"))
    except ValidationError as error:
        return {each.code or "" for each in error.error_list}
    return set()


@pytest.mark.parametrize(
    "password", ["Password2024", "!!dragon99", "Princess_1", "123sunshine!", "football#7"]
)
def test_a_common_one_with_a_little_added_is_refused(password: str) -> None:
    assert refused(password) == {"password_nearly_common"}


@pytest.mark.parametrize(
    "password",
    ["three-games-at-once", "dragon-73951-b", "x9!kd02-Wq", "mậtkhẩucủatôi", "dragon836194726"],
)
def test_others_are_taken(password: str) -> None:
    assert refused(password) == set()


def test_a_password_as_long_as_a_request_stops_nobody() -> None:
    """Of digits between two letters, it took the square of its length."""
    with patience():
        assert refused(f"a{'1' * 500_000}a") == set()


def test_a_hash_is_argon2_in_19_mib() -> None:
    encoded = make_password(BREACHED)
    assert identify_hasher(encoded).algorithm == "argon2"
    assert "$m=19456,t=2,p=1$" in encoded


class TestTheList:
    @pytest.fixture
    def asked(self, settings: Any) -> Iterator[list[str]]:
        """A list of breached passwords, and what it was asked."""
        paths: list[str] = []

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                paths.append(self.path)
                digest = hashlib.sha1(BREACHED.encode()).hexdigest().upper()
                padded = hashlib.sha1(b"only-padding-here").hexdigest().upper()
                body = f"{'0' * 35}:7\r\n{digest[5:]}:12\r\n{padded[5:]}:0\r\n".encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            settings.BREACHED_PASSWORDS_URL = f"http://127.0.0.1:{server.server_port}/range"
            yield paths
            server.shutdown()

    def test_one_that_it_holds_is_refused_and_it_learns_five_digits(self, asked: list[str]) -> None:
        assert refused(BREACHED) == {"password_breached"}
        digest = hashlib.sha1(BREACHED.encode()).hexdigest().upper()
        assert asked == [f"/range/{digest[:5]}"]

    def test_others_are_taken(self, asked: list[str]) -> None:
        assert refused("three-games-at-once") == set()
        assert refused("only-padding-here") == set()

    def test_without_the_setting_nobody_is_asked(self, asked: list[str], settings: Any) -> None:
        settings.BREACHED_PASSWORDS_URL = ""
        assert refused(BREACHED) == set()
        assert asked == []

    @pytest.mark.parametrize(
        "url", ["http://127.0.0.1:9/range", "http://example.org/", "file:///etc"]
    )
    def test_one_that_does_not_answer_refuses_nothing(
        self, settings: Any, caplog: pytest.LogCaptureFixture, url: str
    ) -> None:
        settings.BREACHED_PASSWORDS_URL = url
        assert refused(BREACHED) == set()
        assert "did not answer" in caplog.text
        assert BREACHED not in caplog.text
