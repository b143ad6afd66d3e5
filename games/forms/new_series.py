"""The page that sets a table: the terms, every single option, and who may sit down."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.people import person_to_invite
from games.forms.terms import TermsForm
from games.option_words import OPTION_GROUPS, OPTION_WORDS, Words
from games.rules.options import OPTION_VALUES, Options, OptionValue
from games.services.lobby import Company
from games.services.series import Terms

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

LINK: Final = "link"
LOBBY: Final = "lobby"
NAME: Final = "name"
BY_NAME: Final = {
    name: {str(value).lower(): value for value in values}
    for name, values in OPTION_VALUES.items()
    if name not in ("target", "players") and len(values) > 1
}
"""The options with a choice of a few values, by its text; three or four can't sit down yet."""


def _rating(label: "_StrOrPromise") -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=4000, required=False)


class NewSeriesForm(TermsForm):
    """All that can be chosen for a new series. `terms()`, `offered_to()`: once it is valid."""

    company = forms.ChoiceField(
        label=_("Who may sit down"),
        choices=[
            (LINK, _("By link")),
            (LOBBY, _("From the lobby")),
            (NAME, _("By name")),
        ],
        widget=forms.RadioSelect(attrs={"class": "unseen"}),
        initial=LINK,
        required=False,
    )
    invited = forms.CharField(
        label=_("Name"), max_length=20, required=False, help_text=_("Whom you want to invite.")
    )
    least = _rating(_("Lowest rating"))
    most = _rating(_("Highest rating"))
    is_private = forms.BooleanField(label=_("Nobody else may watch"), required=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, user_id=user.pk, **kwargs)
        self.user = user
        for name, values in BY_NAME.items():
            self.fields[f"option_{name}"] = _option_field(name, values)

    @property
    def option_groups(self) -> list[tuple[Words, list[forms.BoundField]]]:
        """The fields of single options, under their headings."""
        groups = (
            (heading, [self[f"option_{name}"] for name in names if name in BY_NAME])
            for heading, names in OPTION_GROUPS
        )
        return [(heading, fields) for heading, fields in groups if fields]

    @property
    def shows_options(self) -> bool:
        """Whether something was chosen there, or is wrong there."""
        return any(self[f"option_{name}"].data or self[f"option_{name}"].errors for name in BY_NAME)

    def options(self) -> Options:
        plain = super().options()
        chosen = {
            name: values[text]
            for name, values in BY_NAME.items()
            if (text := self.cleaned_data.get(f"option_{name}"))
        }
        return Options.from_mapping({**plain.to_mapping(), **chosen})

    def terms(self) -> Terms:
        return replace(super().terms(), is_private=self.cleaned_data["is_private"])

    def offered_to(self) -> Company:
        found = self.cleaned_data
        return Company(
            listed=found["company"] == LOBBY,
            least=found["least"],
            most=found["most"],
            invited=found["invited"].pk if found["invited"] else None,
        )

    def clean_invited(self) -> User | None:
        """Who was named: nobody learns here whether somebody has blocked them."""
        if self.cleaned_data.get("company") != NAME:
            return None
        person = person_to_invite(self.cleaned_data["invited"], asker=self.user.pk)
        if person is None:
            raise forms.ValidationError(_("Nobody of that name can be invited."))
        return person

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors:
            self._check_guest(cleaned)
        if not self.errors:
            self._check_company(cleaned)
        return cleaned

    def _check_guest(self, cleaned: dict[str, Any]) -> None:
        if self.user.kind != User.Kind.GUEST:
            return
        if cleaned["company"] in (LOBBY, NAME):
            self.add_error("company", _("Guests invite by link only. Register for the other ways."))
        if self.is_rated:
            self.add_error("rated", _("Guests have no rating. Register to play for one."))

    def _check_company(self, cleaned: dict[str, Any]) -> None:
        least, most = cleaned["least"], cleaned["most"]
        if cleaned["company"] == LOBBY and cleaned["is_private"]:
            words = _("Everybody may watch a table in the lobby. Else, invite by link or name.")
            self.add_error("is_private", words)
        if (least, most) == (None, None):
            return
        if cleaned["company"] != LOBBY:
            self.add_error("least", _("Only a table in the lobby can ask for a rating."))
        elif self.format() is None:
            self.add_error("least", _("There are no ratings for these rules."))
        elif least is not None and most is not None and least > most:
            self.add_error("most", _("The highest rating is below the lowest."))


def _option_field(name: str, values: dict[str, OptionValue]) -> forms.ChoiceField:
    words = OPTION_WORDS[name]
    label, what = cast("tuple[_StrOrPromise, _StrOrPromise]", (words.label, words.what))
    choices: list[tuple[str, Words]] = [("", _("as in the rules above"))]
    choices += [(text, words.of(value)) for text, value in values.items()]
    return forms.ChoiceField(label=label, help_text=what, choices=choices, required=False)
