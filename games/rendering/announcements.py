"""The announcements as a fragment, for a page that is open."""

from django.template.loader import render_to_string

from games.announcements import Announcements


def render_announcements(shown: Announcements) -> str:
    """Render what stands under the header, out of band."""
    context = {"announcements": shown, "oob": True}
    return render_to_string("games/_announcements.html", context)
