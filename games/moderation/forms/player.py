"""What people write to moderators."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.conduct import RULES
from games.moderation.models import Appeal, Report


class ReportForm(forms.Form):
    """Which rule it is about, and what happened, in words of one's own."""

    rule = forms.ChoiceField(
        label=_("Which rule is it about?"),
        choices=[(rule.code, rule.title) for rule in RULES.values()],
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose the rule that it is about; nothing has been sent yet.")
        },
    )
    text = forms.CharField(
        label=_("What happened?"),
        help_text=_("A few words help, in any language. You need not copy what was said."),
        required=False,
        max_length=Report.LONGEST,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
    )


class AppealForm(forms.Form):
    """What somebody says against a sanction."""

    text = forms.CharField(
        label=_("Why should another moderator look at it again?"),
        max_length=Appeal.LONGEST,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
        error_messages={"required": _("Write a few words; nothing has been sent yet.")},
    )
