from typing import Any, ClassVar

from allauth.account import admin as _address_admin  # noqa: F401 (registers what ours replaces)
from allauth.account.models import EmailAddress
from allauth.mfa import admin as _mfa_admin  # noqa: F401 (the same)
from allauth.mfa.models import Authenticator
from allauth.usersessions import admin as _log_in_admin  # noqa: F401 (the same)
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as StockUserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import (
    KeptBar,
    NameTaken,
    Profile,
    Relation,
    Sanction,
    Subscription,
    Trace,
    TurnMail,
    User,
)
from accounts.rank import outranks


class LeavingFilter(admin.SimpleListFilter):
    title = _("leaving")
    parameter_name = "leaving"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("no", _("no")), ("disabled", _("disabled")), ("deleted", _("deleted"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        steps: dict[str | None, dict[str, object]] = {
            "no": {"disabled_at": None},
            "disabled": {"disabled_at__isnull": False, "deleted_at": None},
            "deleted": {"deleted_at__isnull": False},
        }
        return queryset.filter(**steps.get(self.value(), {}))


class Ranked(admin.ModelAdmin):
    """To the account of somebody who may do more than the staff member they do nothing.

    Neither to what is theirs, nor by giving them what was nobody's or somebody else's.
    """

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and _is_within(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and _is_within(request, obj)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Raises PermissionDenied."""
        obj = super().save_form(request, form, change)
        if not isinstance(obj, User) and not _is_within(request, obj):
            raise PermissionDenied
        return obj


def _is_within(request: HttpRequest, obj: Model | None) -> bool:
    staff, person = request.user, obj if isinstance(obj, User) else getattr(obj, "user", None)
    return person is None or (isinstance(staff, User) and not outranks(person, staff))


class AddressInline(admin.TabularInline):
    model = EmailAddress
    extra = 0
    fields = ("email", "verified", "primary")


class ProfileInline(admin.StackedInline):
    model = Profile
    extra = 0


@admin.register(User)
class UserAdmin(Ranked, StockUserAdmin):
    list_display = (
        "username",
        "kind",
        "email",
        "date_joined",
        "last_login",
        "is_active",
        "is_staff",
    )
    list_filter = ("kind", "is_active", LeavingFilter, "is_staff", "date_joined")
    search_fields = ("username", "emailaddress__email")
    search_help_text = _("A name, or an e-mail address.")
    date_hierarchy = "date_joined"
    show_full_result_count = False
    fieldsets = (
        (None, {"fields": ("username", "kind", "email", "password")}),
        (_("Permissions"), {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        (
            _("Dates"),
            {"fields": ("last_login", "date_joined", "disabled_at", "deleted_at", "erased_at")},
        ),
    )
    readonly_fields = (
        "email",
        "last_login",
        "date_joined",
        "disabled_at",
        "deleted_at",
        "erased_at",
    )
    inlines: ClassVar = [AddressInline, ProfileInline]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Staff make nobody staff, and nobody changes what they themselves may do."""
        fields = list(super().get_readonly_fields(request, obj))
        if not getattr(request.user, "is_superuser", False):
            fields += ["is_staff", "is_superuser"]
        if obj is not None and obj.pk == request.user.pk:
            fields += ["is_active", "is_staff", "is_superuser", "groups"]
        return fields

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        if db_field.name == "groups":
            options["queryset"] = _groups_to_grant(request.user)
        return super().formfield_for_manytomany(db_field, request, **options)

    def get_inlines(self, request: HttpRequest, obj: User | None) -> list[Any]:
        """What belongs to an account that is there."""
        return self.inlines if obj else []

    @transaction.atomic
    def user_change_password(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """The stock page, in one transaction with what is noted about it."""
        return super().user_change_password(request, *args, **kwargs)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Series point at the row; people leave by `games.services.leaving`."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        if change and "username" in form.changed_data:
            NameTaken.keep(form.initial["username"])
        super().save_model(request, obj, form, change)


def _groups_to_grant(staff: Any) -> QuerySet[Group]:
    """The roles in which somebody may do nothing that this staff member may not."""
    held = staff.get_all_permissions()
    groups = Group.objects.prefetch_related("permissions__content_type")
    within = [
        group.pk
        for group in groups
        if all(
            f"{each.content_type.app_label}.{each.codename}" in held
            for each in group.permissions.all()
        )
    ]
    return Group.objects.filter(pk__in=within)


class LookedAt(admin.ModelAdmin):
    """What people did themselves: staff look at it, and change nothing."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SecondStepAdmin(Ranked, LookedAt):
    """Deleted for somebody who has lost theirs; its secrets are shown to nobody."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    fields = ("user", "type", "created_at", "last_used_at")


class LogInAdmin(LookedAt):
    list_display = ("user", "created_at", "last_seen_at", "ip", "user_agent")
    list_select_related = ("user",)
    search_fields = ("user__username", "ip")
    fields = ("user", "created_at", "last_seen_at", "ip", "user_agent")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Relation)
class RelationAdmin(LookedAt):
    """Whom people follow, block or avoid; the other one is never told."""

    list_display = ("user", "kind", "other", "since")
    list_filter = ("kind",)
    list_select_related = ("user", "other")
    search_fields = ("user__username", "other__username")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Subscription)
class SubscriptionAdmin(LookedAt):
    """Where somebody is told by web push; what would let others write there is not shown."""

    list_display = ("user", "user_agent", "since")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    fields = ("user", "user_agent", "since")


@admin.register(TurnMail)
class TurnMailAdmin(LookedAt):
    list_display = ("user", "is_on", "due_at", "sent_at", "tries")
    list_filter = ("is_on",)
    list_select_related = ("user",)
    search_fields = ("user__username",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Trace)
class TraceAdmin(LookedAt):
    """When somebody logged in from how many places; the hashes are compared, not looked at."""

    list_display = ("user", "kind", "last_seen")
    list_filter = ("kind",)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    fields = ("user", "kind", "last_seen")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Sanction)
class SanctionAdmin(LookedAt):
    """Imposed and lifted in cases, by the pages of moderation."""

    list_display = ("user", "kind", "rule", "since", "until", "imposed_by", "lifted_at")
    list_filter = ("kind", "rule", "since")
    list_select_related = ("user", "imposed_by")
    search_fields = ("user__username", "imposed_by__username", "=case_id")
    date_hierarchy = "since"
    show_full_result_count = False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(KeptBar)
class KeptBarAdmin(LookedAt):
    """Who is shut out beyond their account; whom it is about nobody can read."""

    list_display = ("__str__", "kind", "rule", "until")
    list_filter = ("kind", "rule")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(NameTaken)
class NameTakenAdmin(LookedAt):
    """Names of people who have gone, as hashes; deleted, one can be taken again."""

    list_display = ("__str__",)


class AddressAdmin(Ranked, admin.ModelAdmin):
    """Addresses; whether one is confirmed is the owner's to show, or an operator's to vouch for."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__username")
    raw_id_fields = ("user",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """An address that is there stays with its owner: it opens the account it belongs to."""
        return ("user",) if obj else ()


admin.site.unregister([Authenticator, UserSession, EmailAddress])
admin.site.register(EmailAddress, AddressAdmin)
admin.site.register(Authenticator, SecondStepAdmin)
admin.site.register(UserSession, LogInAdmin)
