"""What is asked before something is mended: always the rule that it is done for."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_LENGTH
from games.moderation.forms.case import rule_field


class RemedyForm(forms.Form):
    """The rule of conduct."""

    rule = rule_field()


class RefundForm(RemedyForm):
    """And how far back."""

    days = forms.TypedChoiceField(
        label=_("Losses of the last"),
        coerce=int,
        choices=[(7, _("7 days")), (30, _("30 days")), (90, _("90 days"))],
        initial=30,
    )


class RenameForm(RemedyForm):
    """And the new name."""

    name = forms.CharField(
        label=_("New name"),
        max_length=MAX_LENGTH,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )


class LiftForm(forms.Form):
    """Nothing more is asked: the sanction names its rule."""
