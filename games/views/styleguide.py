"""All components on one page, for those who change them; only where DEBUG is on."""

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.errors import SaidBefore
from games.models import Message
from games.rendering.charts import LeadChart, Line, LineChart
from games.rendering.chat import AUDIENCES, TITLES, ChatLine, ChatPage, ChatRoom
from games.rendering.notices import MailLine


class SampleForm(forms.Form):
    """A field of each kind, one of them wrong."""

    name = forms.CharField(label=_("Name"), help_text=_("At most 20 letters."))
    rules = forms.ChoiceField(
        label=_("Rules"), choices=[("hollywood", "Hollywood Gin"), ("oklahoma", "Oklahoma")]
    )
    target = forms.IntegerField(label=_("Points"), min_value=50)
    big_gin = forms.BooleanField(label=_("Big gin"), required=False)


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    if not settings.DEBUG:
        raise Http404
    form = SampleForm({"name": "Alexandra", "rules": "hollywood", "target": "5"})
    context = {
        "form": form,
        "swatches": SWATCHES,
        "line_chart": LINES,
        "lead_chart": LEADS,
        "chat": sample_chat(),
        "letters": sample_letters(),
    }
    return render(request, "games/styleguide.html", context)


def sample_chat() -> ChatPage:
    """Lines of the other player, and one of the viewer's own."""
    now, here = timezone.now(), "#talk"
    lines = (
        ChatLine(1, "Alexandra", here, "Good evening!", False, now, here),
        ChatLine(2, "Bob", here, "Good luck.", True, now),
        ChatLine(3, "Alexandra", here, "x" * 60, False, now, here),
    )
    room = Message.Room.PLAYERS
    return ChatPage(
        state="on",
        mark="1-3-3",
        url=here,
        table_url=here,
        rooms=(ChatRoom(room.value, TITLES[room], lines),),
        writes=True,
        audience=AUDIENCES[room],
        key="sample",
        notice=SaidBefore.notice,
    )


def sample_letters() -> list[str]:
    """What comes by mail: that something waits, and a link to confirm an address."""
    link = f"{settings.SITE_URL}/…/"
    line = MailLine(_("Your turn against %(name)s") % {"name": "Alexandra"}, link)
    waits = {"name": "Bob", "lines": [line], "off_url": link, "site": settings.SITE_URL}
    confirm = {"user": "Bob", "activate_url": link, "current_site": {"domain": settings.SITE_URL}}
    return [
        render_to_string("games/email/waiting.txt", waits),
        render_to_string("account/email/email_confirmation_signup_message.txt", confirm),
    ]


LINES = LineChart(
    label="Bob 62, 62, 41, 33, 9; Alexandra 50, 44, 44, 28, 28",
    lines=(Line("Bob", (62, 62, 41, 33, 9)), Line("Alexandra", (50, 44, 44, 28, 28))),
    at=3,
    limit=10,
)
LEADS = LeadChart(label="Bob +18, −25, −10, +36", leads=(18, -25, -10, 36), steps=6, top=40)
SWATCHES = (
    *("ink", "ink-2", "felt", "felt-deep", "felt-light", "brass", "brass-light", "paper"),
    *("paper-2", "red", "green", "club", "diamond", "page", "panel", "field", "link", "wrong"),
)
