"""The mail server, from one address such as `smtp+tls://user:password@mail.example.org:587`."""

import logging
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.console import EmailBackend

logger = logging.getLogger(__name__)

SECURITY: Final = {
    "smtp": {},
    "smtp+tls": {"use_tls": True},
    "smtp+ssl": {"use_ssl": True},
}
TIMEOUT: Final = 10  # seconds


class NoServer(BaseEmailBackend):
    """Sends nothing and says so, without the text: it may hold a link to a new password."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        logger.warning("%d mails were not sent: EMAIL_URL names no server", len(email_messages))
        return 0


class Console(EmailBackend):
    """Writes each mail to the console as its reader sees it: a link that is broken is of no use."""

    def write_message(self, message: EmailMessage) -> None:
        to = ", ".join(message.to)
        self.stream.write(f"To: {to}\nSubject: {message.subject}\n\n{message.body}\n{'-' * 79}\n")


def mailer(url: str, *, debug: bool) -> dict[str, Any]:
    """An entry of the setting MAILERS. Raises ValueError for an address of no mail server.

    >>> mailer("smtp+tls://mail.example.org:587", debug=False)["OPTIONS"]["port"]
    587
    """
    if not url:
        return {"BACKEND": "config.mail.Console" if debug else "config.mail.NoServer"}
    parts = urlsplit(url)
    if parts.scheme not in SECURITY or not parts.hostname:
        raise ValueError("EMAIL_URL is no address such as smtp+tls://user:password@host:587")
    options: dict[str, Any] = {
        "host": parts.hostname,
        "port": parts.port or {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}[parts.scheme],
        "username": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "timeout": TIMEOUT,
        **SECURITY[parts.scheme],
    }
    return {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "OPTIONS": options}
