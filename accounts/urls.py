from django.urls import path

from accounts import notice_views, relation_views, views

urlpatterns = [
    path("preferences/", views.preferences, name="preferences"),
    path("account/", views.account, name="account"),
    path("account/profile/", views.profile_edit, name="profile_edit"),
    path("account/people/", relation_views.relations, name="relations"),
    path("account/notices/", notice_views.notices, name="notices"),
    path("account/notices/browsers/", notice_views.add_browser, name="add_browser"),
    path(
        "account/notices/browsers/<int:pk>/remove/",
        notice_views.remove_browser,
        name="remove_browser",
    ),
    path("mail/off/<str:token>/", notice_views.turn_mail_off, name="turn_mail_off"),
    path("@<slug:name>/relation/", relation_views.change_relation, name="change_relation"),
]
