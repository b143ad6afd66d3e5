"""A browser without JavaScript, in process: Django's test client, and what it was shown."""

from typing import Any

from django.test import Client

from accounts.models import User

HTMX = {"HX-Request": "true"}


def browser(user: User | None = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def text(response: Any) -> str:
    return str(response.content.decode())


def is_whole_page(response: Any) -> bool:
    return "<html" in text(response) and "</html>" in text(response)
