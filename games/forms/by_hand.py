"""Forms of a series that people play with real cards: how it begins, and a round of it."""

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.people import person_to_invite
from accounts.texts import plain_text
from games.forms.new_series import NAME, NewSeriesForm
from games.models.round import ENDING_LABELS
from games.rules.by_hand import BY_HAND, MOST_DEADWOOD, ByHand, endings_by_hand
from games.rules.options import Options
from games.rules.scoring import Ending
from games.services.by_hand import HandTerms

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

ABSENT: Final = "absent"
LINK: Final = "link"
MOST_POINTS: Final = 1000


class NewSheetForm(NewSeriesForm):
    """The rules of a series to be entered, and who plays. `hand_terms()` once it is valid."""

    company = forms.ChoiceField(
        label=gettext_lazy("Your opponent"),
        choices=[
            (ABSENT, gettext_lazy("Just a name")),
            (NAME, gettext_lazy("A player here")),
            (LINK, gettext_lazy("By a link")),
        ],
        widget=forms.RadioSelect(attrs={"class": "unseen"}),
        initial=ABSENT,
        help_text=gettext_lazy(
            "With an account here, or by a link that you send, both of you can enter rounds."
        ),
    )
    invited = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=40,
        required=False,
        help_text=gettext_lazy("Any name, or that of a player here; empty where you send a link."),
    )
    first_dealer = forms.ChoiceField(
        label=gettext_lazy("Deals first"),
        choices=[("0", gettext_lazy("You")), ("1", gettext_lazy("Your opponent"))],
        widget=forms.RadioSelect(attrs={"class": "unseen"}),
        initial="0",
    )
    is_private = forms.BooleanField(
        label=gettext_lazy("Nobody else may see it"), required=False, initial=True
    )
    # Nothing here goes by the clock or for a rating.
    time = None  # type: ignore[assignment]
    rated = None  # type: ignore[assignment]
    least = None  # type: ignore[assignment]
    most = None  # type: ignore[assignment]

    def hand_terms(self) -> HandTerms:
        found = self.cleaned_data
        chosen, named = found["company"], found["invited"]
        return HandTerms(
            options=self.options(),
            first_dealer=int(found["first_dealer"]),
            is_private=found["is_private"],
            absent=named if chosen == ABSENT else "",
            invited=named.pk if chosen == NAME else None,
        )

    def clean_invited(self) -> Any:
        company, name = self.cleaned_data.get("company"), self.cleaned_data["invited"]
        if company == ABSENT:
            name = " ".join(plain_text(name).split())
            if not name:
                raise forms.ValidationError(_("What is your opponent called?"))
            return name
        if company != NAME:
            return None
        person = person_to_invite(name, asker=self.user.pk)
        if person is None:
            raise forms.ValidationError(_("Nobody of that name can be invited."))
        return person

    def clean(self) -> dict[str, Any]:
        cleaned = forms.Form.clean(self) or self.cleaned_data
        guest = self.user.kind == User.Kind.GUEST
        if guest and cleaned.get("company") == NAME:
            self.add_error("company", _("Guests send links. Register to invite by name."))
        return cleaned


def _number(label: "_StrOrPromise", most: int) -> forms.IntegerField:
    # No arrows: a wheel that is turned over the field would change what was typed.
    typed = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    return forms.IntegerField(
        label=label, min_value=0, max_value=most, required=False, widget=typed
    )


class RoundForm(forms.Form):
    """How a round ended. `told()` once it is valid; `after` and `key` guard it."""

    kind = forms.ChoiceField(
        label=gettext_lazy("How did it end?"), widget=forms.RadioSelect(attrs={"class": "unseen"})
    )
    winner = forms.ChoiceField(
        label=gettext_lazy("Who won it?"),
        required=False,
        widget=forms.RadioSelect(attrs={"class": "unseen"}),
    )
    winner_deadwood = _number(gettext_lazy("Winner’s deadwood"), MOST_DEADWOOD)
    loser_deadwood = _number(gettext_lazy("Loser’s deadwood"), MOST_DEADWOOD)
    points = _number(gettext_lazy("Or the points"), MOST_POINTS)
    doubled = forms.BooleanField(label=gettext_lazy("A spade turned up: doubled"), required=False)
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    key = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, options: Options, names: tuple[tuple[int, str], ...], **kwargs: Any
    ) -> None:
        """`names`: of each side by its number, in the order of the viewer's pad."""
        super().__init__(*args, **kwargs)
        kinds = [(str(kind), ENDING_LABELS[kind]) for kind in endings_by_hand(options)]
        self.fields["kind"].choices = kinds  # type: ignore[attr-defined]
        self.fields["winner"].choices = [(str(side), name) for side, name in names]  # type: ignore[attr-defined]
        if not options.spades_double:
            del self.fields["doubled"]

    def told(self) -> ByHand:
        found = self.cleaned_data
        kind = Ending(found["kind"])
        assert kind in BY_HAND, "the field has no other choices"
        return ByHand(
            kind=kind,
            winner=int(found["winner"]) if found["winner"] else None,
            points=found["points"],
            winner_deadwood=found["winner_deadwood"],
            loser_deadwood=found["loser_deadwood"],
            doubled=found.get("doubled", False),
        )
