from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("account/", include("allauth.account.urls")),
    path("account/two-factor/", include("allauth.mfa.urls")),
    path("account/sessions/", include("allauth.usersessions.urls")),
    path("admin/", admin.site.urls),
]
