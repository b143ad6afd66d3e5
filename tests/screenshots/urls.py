"""The site's addresses; the page of all components is open here without DEBUG."""

from django.test import override_settings
from django.urls import include, path

from games.views.styleguide import styleguide

urlpatterns = [
    path("styleguide/", override_settings(DEBUG=True)(styleguide)),
    path("", include("config.urls")),
]
