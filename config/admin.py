"""The admin's site: the stock one, for staff with a second factor, every change in the trail."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts.second_factor import has_second_factor
from games.moderation.audited import Audited


class StaffSite(admin.AdminSite):
    """Every change made here leaves a row in the audit trail; nobody enters by a password alone."""

    site_title = _("Hollywood Gin")
    site_header = _("Hollywood Gin, behind the counter")
    index_title = _("Today")

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register as the stock site does, with the trail mixed in."""
        stock = admin_class or admin.ModelAdmin
        audited = type(stock.__name__, (Audited, stock), {"__module__": stock.__module__})
        super().register(model_or_iterable, audited, **options)

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and has_second_factor(request)

    def index(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """The figures of the day, over the list of what can be looked at."""
        # The site is made before there are models.
        from games.moderation.rendering.summary import today_figures
        from games.moderation.selectors.today import today

        figures = {"today": today_figures(today())}
        return super().index(request, {**(extra_context or {}), **figures})

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Where the admin sends whom it doesn't let in: to log in, or to get a second factor."""
        if super().has_permission(request) and not has_second_factor(request):
            messages.info(request, _("Staff work here with a second factor: set one up first."))
            return redirect("mfa_index")
        # The admin's own page would know no second factor and no limit of tries.
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return answer
