"""Regions as text: into the page, into an answer, into a push."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from django.template import Context, Template
from django.template.loader import get_template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.live import Stamp
from games.rendering.forms import Forms
from games.rendering.regions import RegionContext


@cache
def _template(name: str) -> Template:
    # The engine's own template: the wrapper around it would make a request context for each.
    template: Any = get_template(f"games/_{name}.html")
    inner: Template = template.template
    return inner


def render_region(
    name: str,
    context: RegionContext,
    *,
    stamp: Stamp,
    key: str,
    csrf: str | None = None,
    oob: bool = False,
) -> SafeString:
    """Render one region. `csrf` is for forms that may be sent without JavaScript: page and POST."""
    turn = getattr(context, "turn", None)
    values = {
        name: context,
        "forms": Forms(turn, key, csrf) if turn is not None else None,
        "attributes": _attributes(name, stamp, oob),
    }
    # Numbers here are small and plain: no time for their local form.
    return _template(name).render(Context(values, use_l10n=False))


def _attributes(name: str, stamp: Stamp, oob: bool) -> SafeString:
    swap = ' hx-swap-oob="true"' if oob else ""
    # What is older is dropped by the page, whichever way it came.
    age = f'data-version="{stamp.version:d}" data-talk="{stamp.talk:d}"'
    return mark_safe(f'id="{name}" {age}{swap}')  # noqa: S308


def render_push(
    old: Mapping[str, RegionContext] | None,
    new: Mapping[str, RegionContext],
    *,
    since: int,
    stamp: Stamp,
    key: str,
    now: datetime | None = None,
    csrf: str | None = None,
    build: str = "",
    chat: str = "",
) -> SafeString:
    """Render the pulse and, out of band, the regions whose context differs from the old one.

    `now` is the server's time; it is sent while the page counts down. `chat` is the mark of the
    lines: a page that has others asks for them.
    """
    counts_down = "actions" in new and new["actions"].counts_down()
    changed = [
        render_region(name, context, stamp=stamp, key=key, csrf=csrf, oob=True)
        for name, context in new.items()
        if old is None or old.get(name) != context
    ]
    pulse = _pulse(since, stamp, build, now if counts_down else None, chat)
    return SafeString(pulse + "".join(changed))


def _pulse(since: int, stamp: Stamp, build: str, now: datetime | None, chat: str) -> str:
    time = f' data-now="{now.isoformat()}"' if now is not None else ""
    talk = f' data-chat="{escape(chat)}"' if chat else ""
    return (
        f'<div id="pulse" hidden hx-swap-oob="true" data-since="{since:d}"'
        f' data-version="{stamp.version:d}" data-talk="{stamp.talk:d}"'
        f' data-stamp="{escape(str(stamp))}" data-build="{escape(build)}"{time}{talk}></div>'
    )


def render_answer(key: str, status: str, notice: object = "") -> SafeString:
    """Render the answer to the request with this key: `#ack` and `#notice`, out of band."""
    words = escape(str(notice))
    return mark_safe(  # noqa: S308 (every part is escaped)
        f'<div id="ack" hidden hx-swap-oob="true" data-key="{escape(key)}"'
        f' data-status="{escape(status)}"></div>'
        f'<div id="notice" role="alert" hx-swap-oob="true">{words}</div>'
    )
