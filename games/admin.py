"""The stock admin over what is stored. History is read-only, and no running hand can be seen."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import Promise

from games.models import (
    Announcement,
    ChatOff,
    Deed,
    ErrorDay,
    Invitation,
    Listing,
    Message,
    Notice,
    Process,
    Push,
    Rating,
    RatingChange,
    Round,
    Seat,
    Series,
    SheetEntry,
    Tally,
)


class ReadOnly(admin.ModelAdmin):
    """What happened at a table is looked at, not rewritten."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def asked_first(
    options: admin.ModelAdmin, request: HttpRequest, chosen: QuerySet[Any], title: Promise
) -> HttpResponse | None:
    """The page that asks before an action on a list is carried out; None once it was answered."""
    if "post" in request.POST:
        return None
    context = {
        **options.admin_site.each_context(request),
        "title": title,
        "opts": options.opts,
        "chosen": chosen,
        "action": request.POST["action"],
    }
    return TemplateResponse(request, "admin/ask_first.html", context)


class SeatInline(admin.TabularInline):
    model = Seat
    extra = 0
    can_delete = False
    fields = ("number", "side", "user", "name", "joined_at", "seen_at", "ready_after")
    readonly_fields = fields


@admin.register(Series)
class SeriesAdmin(ReadOnly):
    list_display = ("slug", "preset", "status", "created_by", "created_at", "ended_at")
    list_filter = ("status", "preset", "source", "ending", "rated", "is_private")
    date_hierarchy = "created_at"
    search_fields = ("slug", "seats__user__username")
    list_select_related = ("created_by",)
    inlines: ClassVar = [SeatInline]
    exclude = ("next_secret",)


@admin.register(Round)
class RoundAdmin(ReadOnly):
    # The log and the reasons name cards that are hidden while the round runs: they are no fields.
    list_display = ("series", "number", "kind", "points", "dealt_at", "ended_at")
    list_filter = ("kind",)
    search_fields = ("series__slug",)
    list_select_related = ("series",)
    exclude = ("secret", "log", "first_key", "second_key", "reasons")


@admin.register(SheetEntry)
class SheetEntryAdmin(ReadOnly):
    list_display = ("series", "round", "game", "side", "points")
    list_select_related = ("series", "round")
    search_fields = ("series__slug",)


@admin.register(Invitation)
class InvitationAdmin(ReadOnly):
    list_display = ("series", "created_at", "invited", "accepted_by", "accepted_at", "declined_at")
    list_select_related = ("series", "invited", "accepted_by")
    search_fields = ("series__slug", "invited__username", "accepted_by__username")
    # Whoever has the token may sit down.
    exclude = ("token",)


@admin.register(Listing)
class ListingAdmin(ReadOnly):
    list_display = ("series", "host", "least_rating", "most_rating")
    list_select_related = ("series__created_by",)
    search_fields = ("series__slug", "series__created_by__username")

    @admin.display(ordering="series__created_by__username")
    def host(self, listing: Listing) -> str:
        return listing.series.created_by.username


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    list_display = ("user", "format", "value", "deviation", "series_count", "rated_at")
    list_filter = ("format",)
    list_select_related = ("user",)
    search_fields = ("user__username",)


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnly):
    list_display = ("user", "format", "series", "opponent_value", "score", "before", "after")
    list_filter = ("format",)
    list_select_related = ("user", "series")
    search_fields = ("user__username", "series__slug")
    date_hierarchy = "rated_at"


@admin.register(Deed)
class DeedAdmin(ReadOnly):
    list_display = ("user", "kind", "series", "done_at")
    list_filter = ("kind",)
    list_select_related = ("user", "series")
    search_fields = ("user__username", "series__slug")


@admin.register(Tally)
class TallyAdmin(ReadOnly):
    list_display = ("user", "opponent", "scope", "streak", "best_streak", "last_ended_at")
    list_select_related = ("user", "opponent")
    search_fields = ("user__username",)
    list_filter = ("scope",)


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    list_display = ("user", "kind", "series", "due_at")
    list_filter = ("kind",)
    list_select_related = ("user", "series")
    search_fields = ("user__username", "series__slug")


@admin.register(Push)
class PushAdmin(ReadOnly):
    """Those that wait or are tried again; what has arrived is gone."""

    list_display = ("subscription", "kind", "series", "due_at", "tries")
    list_select_related = ("subscription", "series")
    search_fields = ("subscription__user__username", "series__slug")


@admin.register(Announcement)
class AnnouncementAdmin(admin.ModelAdmin):
    """What everybody is told; within seconds of its time it stands on every page."""

    list_display = ("text", "level", "at", "shown_from", "shown_until", "closable")
    list_filter = ("level",)
    search_fields = ("text",)
    ordering = ("-shown_until",)


@admin.register(Message)
class MessageAdmin(ReadOnly):
    list_display = ("sent_at", "series", "room", "author", "said", "hidden_at")
    list_filter = ("room", "sent_at")
    search_fields = ("series__slug", "author__username", "text")
    list_select_related = ("series", "author")
    exclude = ("key",)


@admin.register(ChatOff)
class ChatOffAdmin(ReadOnly):
    """Who has turned off the chat of a series."""

    list_display = ("user", "series")
    list_select_related = ("user", "series")
    search_fields = ("user__username", "series__slug")


@admin.register(Process)
class ProcessAdmin(ReadOnly):
    """The processes of the site, and when each was alive last."""

    list_display = ("name", "alive_at", "started_at", "outage_at")
    ordering = ("-alive_at",)


@admin.register(ErrorDay)
class ErrorDayAdmin(ReadOnly):
    """How many errors were logged on a day, by UTC; what they were stands in the log."""

    list_display = ("day", "count")
    ordering = ("-day",)
