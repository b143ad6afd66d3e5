from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class SiteConfig(AppConfig):
    """The installation itself: its system checks."""

    name = "config"
    label = "site"

    def ready(self) -> None:
        from config import checks  # noqa: F401 (registers them)


class StaffAdminConfig(AdminConfig):
    """Django's admin on our site class."""

    default_site = "config.admin.StaffSite"
