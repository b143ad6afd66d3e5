"""A site that asks for confirmed addresses must be able to send the links."""

from typing import Any

import pytest

from config.checks import who_must_confirm_gets_a_mail

NO_SERVER = "config.mail.NoServer"
SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.mark.parametrize(
    ("required", "backend", "found"),
    [
        (False, NO_SERVER, []),
        (True, SMTP, []),
        (True, NO_SERVER, ["config.E004"]),
    ],
)
def test_e004_without_a_mail_server_none_can_be_required(
    settings: Any, required: bool, backend: str, found: list[str]
) -> None:
    settings.EMAIL_REQUIRED = required
    settings.MAILERS = {"default": {"BACKEND": backend}}
    assert [each.id for each in who_must_confirm_gets_a_mail(None)] == found
