"""All components on one page, for those who change them; only where DEBUG is on."""

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.rendering.charts import LeadChart, Line, LineChart


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
    context = {"form": form, "swatches": SWATCHES, "line_chart": LINES, "lead_chart": LEADS}
    return render(request, "games/styleguide.html", context)


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
