"""What is asked before something is mended: the rule, and what the people are told."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_LENGTH
from games.moderation.forms.case import rule_field, words_field
from games.moderation.models import Letter


class RemedyForm(forms.Form):
    """The rule of conduct, and what the people whom it concerns are told besides."""

    rule = rule_field()
    text = words_field(
        _("What they are told"),
        Letter.LONGEST,
        required=False,
        help_text=_("They read it with the rule and with what was done. It may stay empty."),
    )


class RefundForm(RemedyForm):
    """And how far back."""

    field_order = ("rule", "days", "text")

    days = forms.TypedChoiceField(
        label=_("Losses of the last"),
        coerce=int,
        choices=[(7, _("7 days")), (30, _("30 days")), (90, _("90 days"))],
        initial=30,
    )


class RenameForm(RemedyForm):
    """And the new name."""

    field_order = ("rule", "name", "text")

    name = forms.CharField(
        label=_("New name"),
        max_length=MAX_LENGTH,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )


class LiftForm(forms.Form):
    """Nothing more is asked: the sanction names its rule."""
