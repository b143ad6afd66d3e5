"""The form that makes a series: a preset and a target."""

from typing import Any, Final

from django import forms
from django.core.signing import BadSignature, Signer
from django.utils.translation import gettext_lazy as _

from games.models.series import new_slug
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


class SeriesForm(forms.Form):
    """The rules of a new series. `options()` is what was chosen, once the form is valid.

    `place()` is the address that this form, as it was shown to this user, set aside for it; None
    where there is none to trust.
    """

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
    address = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, user_id: int | str | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._signer = Signer(salt=f"new series of {user_id}")
        self.fields["address"].initial = self._signer.sign(new_slug())

    def place(self) -> str | None:
        try:
            return self._signer.unsign(self.cleaned_data["address"])
        except BadSignature:
            return None

    def options(self) -> Options:
        chosen: dict[str, object] = {"preset": self.cleaned_data["preset"]}
        if self.cleaned_data.get("target") is not None:
            chosen["target"] = self.cleaned_data["target"]
        return Options.from_mapping(chosen)
