"""`manage.py serve` and the address it speaks of."""

import os
import sys

import pytest
from django.core.management import call_command


class Replaced(Exception):
    """Stands for the process having become another."""


def test_another_port_is_the_address_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[tuple[str, list[str]]] = []

    def become(path: str, arguments: list[str]) -> None:
        called.append((path, arguments))
        raise Replaced

    monkeypatch.delenv("SITE_URL", raising=False)
    monkeypatch.setattr("os.execv", become)
    with pytest.raises(Replaced):
        call_command("serve", port=8055)
    assert os.environ.pop("SITE_URL") == "http://127.0.0.1:8055"
    assert called == [(sys.executable, sys.orig_argv)]
