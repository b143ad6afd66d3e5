"""What is behind /moderation/: for staff only, page by page (`views.staff`)."""

from django.urls import path

from games.moderation.views import appeals, cases, people, remedies, signals

urlpatterns = [
    path("", cases.case_queue, name="moderation"),
    path("cases/<int:case_id>/", cases.case, name="moderation_case"),
    path("cases/<int:case_id>/<slug:step>/", cases.act, name="moderation_act"),
    path("signals/", signals.signal_list, name="moderation_signals"),
    path("signals/<int:signal_id>/case/", signals.open_case, name="moderation_signal_case"),
    path("signals/<int:signal_id>/seen/", signals.seen, name="moderation_signal_seen"),
    path("people/", people.search, name="moderation_people"),
    path("people/<int:person_id>/", people.person, name="moderation_person"),
    path("appeals/", appeals.appeal_queue, name="moderation_appeals"),
    path("appeals/<int:appeal_id>/", appeals.appeal, name="moderation_appeal"),
    path("series/<slug:key>/void/", remedies.void, name="moderation_void"),
    path("people/<slug:key>/refund/", remedies.refund, name="moderation_refund"),
    path("people/<slug:key>/rename/", remedies.rename, name="moderation_rename"),
    path("people/<slug:key>/profile/", remedies.profile, name="moderation_profile"),
    path("lines/<int:key>/remove/", remedies.line, name="moderation_line"),
    path("sanctions/<int:key>/lift/", remedies.lift, name="moderation_lift"),
]
