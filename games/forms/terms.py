"""Forms that say on what terms a series is played: a preset, the time, whether it is rated."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games.formats import RATED_TARGETS, Format
from games.forms.series import SeriesForm
from games.services.series import Terms
from games.time_control import TimeControl
from games.time_words import OFFERED, time_words

CASUAL: Final = "casual"
RATED: Final = "rated"


def _times() -> list[tuple[str, str]]:
    return [(text, time_words(TimeControl.parse(text))) for text in OFFERED]


class TermsForm(SeriesForm):
    """The rules, the time, and whether it counts. `terms()` holds once the form is valid.

    What is left out, as by the short form of the first page, is as usual: no limit, and casual.
    """

    time = forms.ChoiceField(label=_("Time"), choices=_times, required=False)
    rated = forms.ChoiceField(
        label=_("Rating"),
        choices=[(CASUAL, _("Casual")), (RATED, _("Rated"))],
        widget=forms.RadioSelect(attrs={"class": "unseen"}),
        initial=CASUAL,
        required=False,
        help_text=_("Rated series change both players' ratings. Guests and bots have none."),
    )
    field_order = ("preset", "target", "time", "rated", "address")

    def control(self) -> TimeControl:
        return TimeControl.parse(self.cleaned_data["time"])

    @property
    def is_rated(self) -> bool:
        return bool(self.cleaned_data["rated"] == RATED)

    def format(self) -> Format | None:
        """The format of what was chosen, None where it has no rating."""
        return Format.of(self.options(), self.control())

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and self.is_rated and self.format() is None:
            words = _(
                "A rated series needs one of the usual rules, with no option changed, played to "
                "%(least)d to %(most)d points."
            )
            ends = {"least": RATED_TARGETS[0], "most": RATED_TARGETS[-1]}
            self.add_error("rated", words % ends)
        return cleaned

    def terms(self) -> Terms:
        return Terms(self.options(), self.control(), self.is_rated)


class QuickForm(TermsForm):
    """The next free player with my rules."""

    target = None  # type: ignore[assignment] # Django's way to leave a field out

    def __init__(self, *args: Any, user_id: int | None, **kwargs: Any) -> None:
        super().__init__(*args, user_id=user_id, auto_id="quick_%s", **kwargs)
