"""The site as an app: what a device asks for to install it, and to say something when offline."""

import json
from typing import Final

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.build import build_id

INK: Final = "#10161f"
SHELL: Final = ("games/site.css", "games/pages.css", "games/favicon.svg")
KEPT: Final = (".css", ".js", ".svg", ".png")


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """What the site is called and looks like on a device's first screen."""
    about = {
        "id": "/",
        "name": "Hollywood Gin",
        "short_name": "Gin",
        "description": _("Gin rummy for two, scored in three games at once."),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": INK,
        "theme_color": INK,
        "icons": [_icon(size, purpose) for size in (192, 512) for purpose in ("any", "maskable")],
    }
    return HttpResponse(json.dumps(about), content_type="application/manifest+json")


def _icon(size: int, purpose: str) -> dict[str, str]:
    return {
        "src": static(f"games/icon-{size}.png"),
        "sizes": f"{size}x{size}",
        "type": "image/png",
        "purpose": purpose,
    }


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The worker and what it may keep; a new build is a new worker with a cache of its own."""
    files = static_files()
    told = {
        "cache": f"gin-{build_id()}",
        "offline": reverse("offline"),
        "shell": [static(name) for name in SHELL] if files else [],
        "files": files,
        "icon": static("games/icon-192.png"),
        "badge": static("games/badge.png"),
    }
    context = {"told": json.dumps(told)}
    return render(request, "games/sw.js", context, content_type="text/javascript")


def static_files() -> list[str]:
    """The files that never change under their address: those with a hash in it, if there are."""
    hashed: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    ours = (name for name in sorted(hashed) if name.startswith(("games/", "django_htmx/")))
    return [static(name) for name in ours if name.endswith(KEPT)]


@require_safe
@cache_control(no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """The page for when there is no line; it is kept by the worker, so it knows nobody."""
    return HttpResponse(render_to_string("games/offline.html"))
