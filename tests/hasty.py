"""An application that makes the servers' patience with a silent socket short, for tests."""

import os
from typing import Final

from django.apps import AppConfig

TIMES: Final = 10


class HastyConfig(AppConfig):
    name = "tests"
    label = "hasty"

    def ready(self) -> None:
        if not os.environ.get("HASTY"):
            return
        from games import consumers, poller

        consumers.SILENT_FOR /= TIMES  # type: ignore[misc]
        poller.EVERY_FIVE_SECONDS /= TIMES  # type: ignore[misc]
