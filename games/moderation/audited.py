"""Every change in the admin leaves a row in the trail, in the transaction that makes it (S12).

The admin's own log tells of ids as the trail does: of somebody who is erased no name and no address
stays in it (S13). And no list can be asked for what it does not show.
"""

import json
from typing import Any, Final

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Model, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from games.moderation.services.audit import note_action

NAMELESS: Final = "–"


class Audited(admin.ModelAdmin):
    """Mixed into every admin class when it is registered (`config.admin`).

    The stock admin calls these three whatever it did; an action on a list is given its
    transaction here. An action that a class defines by itself
    calls a service, which writes its own row.
    """

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        _note(request, "admin.add", obj)
        return _nameless([super().log_addition(request, obj, message)])[0]

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        _note(request, "admin.change", obj, _fields(message))
        return _nameless([super().log_change(request, obj, message)])[0]

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        for obj in queryset:
            _note(request, "admin.delete", obj)
        return _nameless(super().log_deletions(request, queryset))

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only by what a list offers to filter by.

        The stock admin takes any column of the table, and so tells one that it does not show, sign
        by sign: a running hand, a token, a secret.
        """
        assert self.opts.pk is not None, "every table has one"
        offered = {"pk", self.opts.pk.name, self.date_hierarchy}
        offered |= {_column(each) for each in self.get_list_filter(request)}
        is_offered = lookup.partition(LOOKUP_SEP)[0] in offered
        return is_offered and super().lookup_allowed(lookup, value, request)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if request.method != "POST":
            return super().changelist_view(request, extra_context)
        with transaction.atomic():
            return super().changelist_view(request, extra_context)


def _column(listed: Any) -> str:
    """What stands in the address for a filter, as a class of the admin lists it."""
    name = listed[0] if isinstance(listed, tuple | list) else listed
    return str(getattr(name, "parameter_name", name))


def _note(request: HttpRequest, action: str, obj: Model, fields: list[str] | None = None) -> None:
    actor_id = request.user.pk
    assert actor_id is not None, "only staff who are logged in change anything in the admin"
    user_id = obj.pk if isinstance(obj, User) else getattr(obj, "user_id", None)
    facts: dict[str, int | str | bool | list[str] | None] = {"fields": fields} if fields else {}
    note_action(actor_id, action, obj, user_id=user_id, facts=facts)


def _nameless(entries: list[LogEntry]) -> list[LogEntry]:
    """The entries of the admin's log, with ids in place of what the objects are called."""
    for entry in entries:
        assert entry.content_type is not None, "it has just been written"
        entry.object_repr = f"{entry.content_type.name} {entry.object_id}"
        parts = _parts(entry.change_message)
        for detail in _details(parts):
            if "object" in detail:
                detail["object"] = NAMELESS
        if parts:
            entry.change_message = json.dumps(parts)
    LogEntry.objects.bulk_update(entries, ["object_repr", "change_message"])
    return entries


def _fields(message: Any) -> list[str]:
    """The names of what was changed, from the admin's own message; never what it was changed to."""
    return [
        str(field) for detail in _details(_parts(message)) for field in detail.get("fields", ())
    ]


def _details(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for part in parts for each in part.values() if isinstance(each, dict)]


def _parts(message: Any) -> list[dict[str, Any]]:
    """The admin's message where it is one of parts; of a plain sentence there are none."""
    parts = json.loads(message) if isinstance(message, str) and message.startswith("[") else message
    return parts if isinstance(parts, list) else []
