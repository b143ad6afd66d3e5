"""People for the tests of accounts, and what they do in their browsers."""

import re
import secrets
import time
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User

PASSWORD = "three-games-at-once"
ADDRESS = "anna@example.org"


def new_person(name: str = "Anna", address: str = "", *, confirmed: bool = True) -> User:
    """Somebody with the usual password; an address is confirmed unless it is said not to be."""
    user = User.objects.create_user(name, email=address, password=PASSWORD)
    if address:
        EmailAddress.objects.create(user=user, email=address, primary=True, verified=confirmed)
    return user


def log_in(client: Client, name: str = "Anna", password: str = PASSWORD, **headers: Any) -> Any:
    """By the page, as people do."""
    return client.post("/account/login/", {"login": name, "password": password}, **headers)


def browser_of(user: User) -> Client:
    """A browser in which they have just logged in and shown that it is them."""
    client = Client()
    assert log_in(client, user.username).status_code == 302
    shown = client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert shown.status_code == 302
    return client


def user_of(client: Client) -> str | None:
    """Who a browser is logged in as."""
    key = client.session.get("_auth_user_id")
    return User.objects.get(pk=key).username if key else None


def words(response: Any) -> str:
    """A page as it reads."""
    text = re.sub(r"<[^>]*>", " ", response.content.decode())
    return re.sub(r"\s+", " ", text).replace("&#x27;", "'").replace("&quot;", '"').strip()


def link_in(mail: EmailMessage) -> str:
    """The path of the only link in a mail."""
    [link] = re.findall(r"https?://[^/\s]+(/\S+)", mail.body)
    return link


def with_app(user: User) -> str:
    """Turn on an authenticator app for somebody; its secret."""
    secret = "JBSWY3DPEHPK3PXP"
    TOTP.activate(user, secret)
    return secret


def code_of(secret: str) -> str:
    """What the app shows now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def own_cache(settings: Any) -> None:
    """Limits start anew; tests that run beside this one may use the same cache."""
    default = {**settings.CACHES["default"], "KEY_PREFIX": secrets.token_hex(4)}
    settings.CACHES = {**settings.CACHES, "default": default}
