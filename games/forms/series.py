"""The form that makes a series: a preset and a target."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms.placed import PlacedForm
from games.rules.options import PRESETS, Options

PRESET_LABELS: Final = {
    "hollywood": _("Hollywood Gin"),
    "hollywood-20": _("Hollywood Gin, gin 20"),
    "gin-rummy": _("Gin rummy, one game"),
    "gin-rummy-classic": _("Gin rummy, classic count"),
    "oklahoma": _("Oklahoma"),
    "straight-gin": _("Straight gin"),
    "tournament-hollywood": _("Tournament Hollywood"),
}
assert PRESET_LABELS.keys() == PRESETS.keys(), "every preset has a label"


class SeriesForm(PlacedForm):
    """The rules of a new series. `options()` is what was chosen, once the form is valid."""

    preset = forms.ChoiceField(
        label=_("Rules"), choices=list(PRESET_LABELS.items()), initial="hollywood"
    )
    target = forms.IntegerField(
        label=_("Points to win a game"),
        min_value=50,
        max_value=500,
        required=False,
        help_text=_("50 to 500; left empty, the usual target of those rules."),
    )

    def options(self) -> Options:
        chosen: dict[str, object] = {"preset": self.cleaned_data["preset"]}
        if self.cleaned_data.get("target") is not None:
            chosen["target"] = self.cleaned_data["target"]
        return Options.from_mapping(chosen)
