"""What is behind /moderation/: for staff only, page by page (`views.staff`)."""

from django.urls import path

from games.moderation.views import appeals, cases, remedies

urlpatterns = [
    path("", cases.case_queue, name="moderation"),
    path("cases/<int:case_id>/", cases.case, name="moderation_case"),
    path("cases/<int:case_id>/<slug:step>/", cases.act, name="moderation_act"),
    path("appeals/", appeals.appeal_queue, name="moderation_appeals"),
    path("appeals/<int:appeal_id>/", appeals.appeal, name="moderation_appeal"),
    path("series/<slug:slug>/void/", remedies.void, name="moderation_void"),
    path("people/<slug:name>/refund/", remedies.refund, name="moderation_refund"),
    path("people/<slug:name>/rename/", remedies.rename, name="moderation_rename"),
    path("people/<slug:name>/profile/", remedies.profile, name="moderation_profile"),
    path("lines/<int:line_id>/remove/", remedies.line, name="moderation_line"),
    path("sanctions/<int:sanction_id>/lift/", remedies.lift, name="moderation_lift"),
]
