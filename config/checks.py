"""System checks of the whole installation: what would break silently is refused at the start."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register()
def several_processes_need_servers(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """The in-memory layer and SQLite serve one process only (fault 98)."""
    if settings.WEB_PROCESSES <= 1:
        return []
    problems = []
    if not settings.REDIS_URL:
        problems.append(
            Error(
                "Several processes can't tell each other of an action without Redis.",
                hint="Set REDIS_URL, or WEB_PROCESSES=1.",
                id="config.E001",
            )
        )
    if settings.DATABASE["ENGINE"].endswith("sqlite3"):
        problems.append(
            Error(
                "Several processes need PostgreSQL; SQLite serves one.",
                hint="Set DATABASE_URL, or WEB_PROCESSES=1.",
                id="config.E002",
            )
        )
    return problems


@register()
def somebody_plays_the_bots_turns(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """With a word that nobody knows no process would, and people would wait for ever."""
    if settings.BOT_WORKER in ("serve", "work"):
        return []
    return [
        Error(
            f"BOT_WORKER is {settings.BOT_WORKER!r}.",
            hint="serve: the web processes play the bots' turns; work: `manage.py work` does.",
            id="config.E003",
        )
    ]


@register()
def who_must_confirm_gets_a_mail(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Without a mail server nobody who registers would ever get in."""
    sends_none = settings.MAILERS["default"]["BACKEND"] == "config.mail.NoServer"
    if not (settings.EMAIL_REQUIRED and sends_none):
        return []
    return [
        Error(
            "EMAIL_REQUIRED asks for a confirmation by mail, and no mail is sent.",
            hint="Set EMAIL_URL, or leave EMAIL_REQUIRED off.",
            id="config.E004",
        )
    ]
