"""Cases with what belongs to them, what the site noticed, and what staff did.

All of it is looked at; cases are handled by the pages of moderation, and a signal can be marked as
seen. Nobody reads here what was said about themselves.
"""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.admin import ReadOnly, asked_first
from games.moderation.access import appeals_for, cases_for, signals_for
from games.moderation.alarms import alarm_words
from games.moderation.models import (
    Appeal,
    AuditRow,
    Case,
    Examination,
    Letter,
    Note,
    Report,
    Signal,
)
from games.moderation.services.signals import mark_as_seen
from games.moderation.sign_words import explained


def _staff(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "only staff get here"
    return request.user


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("open", _("open")), ("claimed", _("claimed")), ("closed", _("closed"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Case]) -> QuerySet[Case]:
        states: dict[str | None, dict[str, object]] = {
            "open": {"closed_at": None},
            "claimed": {"closed_at": None, "claimed_by__isnull": False},
            "closed": {"closed_at__isnull": False},
        }
        return queryset.filter(**states.get(self.value(), {}))


@admin.register(Case)
class CaseAdmin(ReadOnly):
    list_display = ("__str__", "person", "score", "opened_at", "claimed_by", "closed_at", "outcome")
    list_filter = (StateFilter, "outcome")
    list_select_related = ("person", "claimed_by")
    search_fields = ("person__username", "claimed_by__username", "=pk")
    date_hierarchy = "opened_at"
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        return super().get_queryset(request).filter(pk__in=cases_for(_staff(request)).values("pk"))

    def view_on_site(self, obj: Case) -> str:
        return reverse("moderation_case", args=[obj.pk])


class OfACase(ReadOnly):
    """What belongs to a case that who looks may know of."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        known = cases_for(_staff(request)).values("pk")
        return super().get_queryset(request).filter(case__in=known)


@admin.register(Report)
class ReportAdmin(OfACase):
    list_display = ("__str__", "case", "rule", "reporter", "series", "made_at")
    list_filter = ("rule",)
    list_select_related = ("case", "reporter", "series")
    search_fields = ("reporter__username", "case__person__username", "series__slug", "text")
    date_hierarchy = "made_at"
    exclude = ("key",)


@admin.register(Note)
class NoteAdmin(OfACase):
    list_display = ("__str__", "case", "author", "made_at")
    list_select_related = ("case", "author")
    search_fields = ("author__username", "case__person__username", "text")
    date_hierarchy = "made_at"


@admin.register(Appeal)
class AppealAdmin(ReadOnly):
    list_display = ("__str__", "who", "made_at", "answered_by", "answered_at", "granted")
    list_filter = ("granted",)
    list_select_related = ("sanction__user", "answered_by")
    search_fields = ("sanction__user__username", "answered_by__username")
    date_hierarchy = "made_at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Appeal]:
        known = appeals_for(_staff(request)).values("pk")
        return super().get_queryset(request).filter(pk__in=known)

    @admin.display(ordering="sanction__user__username")
    def who(self, appeal: Appeal) -> str:
        return appeal.sanction.user.username


@admin.register(Letter)
class LetterAdmin(ReadOnly):
    """What people were told when something of theirs was mended."""

    list_display = ("__str__", "kind", "user", "rule", "series", "made_at", "seen_at")
    list_filter = ("kind", "rule")
    list_select_related = ("user", "series")
    search_fields = ("user__username", "series__slug")
    date_hierarchy = "made_at"


class SeenFilter(admin.SimpleListFilter):
    title = _("seen")
    parameter_name = "seen"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("no", _("not yet")), ("yes", _("seen"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Signal]) -> QuerySet[Signal]:
        wanted = {"no": True, "yes": False}.get(self.value() or "")
        return queryset if wanted is None else queryset.filter(seen_at__isnull=wanted)


@admin.register(Signal)
class SignalAdmin(ReadOnly):
    list_display = ("made_at", "kind", "user", "other", "series", "meaning", "seen_at", "seen_by")
    list_filter = (SeenFilter, "kind")
    list_select_related = ("user", "other", "series", "seen_by")
    search_fields = ("user__username", "other__username", "series__slug")
    date_hierarchy = "made_at"
    show_full_result_count = False
    actions = ("mark_as_seen",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Signal]:
        known = signals_for(_staff(request)).values("pk")
        return super().get_queryset(request).filter(pk__in=known)

    @admin.display(description=_("meaning"))
    def meaning(self, signal: Signal) -> str:
        """The words that a moderator is told, and how often they are wrong."""
        return f"{explained(signal)} {alarm_words(signal.kind)}"

    @admin.action(description=_("Mark as seen"), permissions=["view"])
    def mark_as_seen(self, request: HttpRequest, queryset: QuerySet[Signal]) -> HttpResponse | None:
        asking = asked_first(self, request, queryset, _("Mark these as seen?"))
        if asking is None:
            mark_as_seen(queryset, _staff(request).pk)
        return asking


@admin.register(Examination)
class ExaminationAdmin(ReadOnly):
    """Series that wait to be looked at: many of them say that the clock stands still."""

    list_display = ("series",)
    list_select_related = ("series",)
    search_fields = ("series__slug",)
    show_full_result_count = False


@admin.register(AuditRow)
class AuditRowAdmin(ReadOnly):
    list_display = ("at", "actor_id", "action", "subject", "subject_id", "user_id", "rule")
    list_filter = ("action",)
    search_fields = ("=actor_id", "=user_id", "=case_id", "=subject_id")
    date_hierarchy = "at"
    show_full_result_count = False
