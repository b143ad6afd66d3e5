"""Every change in the admin leaves a row in the trail, in the transaction that makes it (S12)."""

import json
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from games.moderation.services.audit import note_action


class Audited(admin.ModelAdmin):
    """Mixed into every admin class when it is registered (`config.admin`).

    The stock admin calls these three whatever it did; an action on a list is given its
    transaction here. An action that a class defines by itself
    calls a service, which writes its own row.
    """

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        _note(request, "admin.add", obj)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        _note(request, "admin.change", obj, _fields(message))
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        for obj in queryset:
            _note(request, "admin.delete", obj)
        return super().log_deletions(request, queryset)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if request.method != "POST":
            return super().changelist_view(request, extra_context)
        with transaction.atomic():
            return super().changelist_view(request, extra_context)


def _note(request: HttpRequest, action: str, obj: Model, fields: list[str] | None = None) -> None:
    actor_id = request.user.pk
    assert actor_id is not None, "only staff who are logged in change anything in the admin"
    user_id = obj.pk if isinstance(obj, User) else getattr(obj, "user_id", None)
    facts: dict[str, int | str | bool | list[str] | None] = {"fields": fields} if fields else {}
    note_action(actor_id, action, obj, user_id=user_id, facts=facts)


def _fields(message: Any) -> list[str]:
    """The names of what was changed, from the admin's own message; never what it was changed to."""
    parts = json.loads(message) if isinstance(message, str) and message.startswith("[") else message
    if not isinstance(parts, list):
        return []
    return [
        str(field)
        for part in parts
        for detail in part.values()
        if isinstance(detail, dict)
        for field in detail.get("fields", ())
    ]
