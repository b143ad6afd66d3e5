"""The site's addresses, and `/inspect`: what this process keeps, so that leaks are seen."""

import os
import threading
from typing import Any

from channels.layers import get_channel_layer
from django.http import HttpRequest, JsonResponse
from django.urls import include, path

from games import live


def inspect(request: HttpRequest) -> JsonResponse:
    return JsonResponse(
        {
            "sockets": len(live.sockets),
            "tasks": len(live._tasks),
            "threads": threading.active_count(),
            "files": len(os.listdir("/proc/self/fd")),
            **_layer_sizes(),
        }
    )


def _layer_sizes() -> dict[str, int]:
    layer: Any = get_channel_layer()
    loops = list(layer._layers.values()) if hasattr(layer, "_layers") else [layer]
    return {
        "loops": len(loops),
        "channels": sum(len(each.channels) for each in loops),
        "groups": sum(len(each.groups) for each in loops),
        "members": sum(len(group) for each in loops for group in each.groups.values()),
    }


urlpatterns = [path("inspect", inspect), path("", include("config.urls"))]
