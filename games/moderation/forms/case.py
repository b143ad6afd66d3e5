"""What a moderator does with a case."""

from datetime import timedelta
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from games.conduct import RULES
from games.moderation import roles
from games.moderation.models import Appeal, Case, Note

FOR_GOOD: Final = "good"
TERMS: Final = {
    "1": _("one hour"),
    "24": _("one day"),
    "72": _("three days"),
    "168": _("one week"),
    "720": _("30 days"),
}
LONG_TERMS: Final = {"2160": _("90 days"), "8760": _("one year"), FOR_GOOD: _("for good")}
ASIDE: Final = {"4": _("four hours"), "24": _("one day"), "72": _("three days"), "168": _("a week")}


def rule_field() -> forms.ChoiceField:
    """Which rule of conduct it is about; nothing is chosen beforehand."""
    named = [(code, rule.title) for code, rule in RULES.items()]
    return forms.ChoiceField(label=_("Rule"), choices=[("", _("Choose a rule")), *named])


def words_field(label: Any, longest: int, *, rows: int = 3, **options: Any) -> forms.CharField:
    """Some lines of text."""
    area = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(label=label, max_length=longest, widget=area, **options)


class ImposeForm(forms.Form):
    """A sanction: of which kind, for which rule, how long, and what the person is told."""

    kind = forms.ChoiceField(label=_("What"))
    rule = forms.ChoiceField(label=_("Rule"))
    term = forms.ChoiceField(
        label=_("How long"), help_text=_("A warning lasts until it is read; a closing for good.")
    )
    text = words_field(
        _("What the person is told"),
        1000,
        help_text=_("They read it with the rule and the term. Say what happened and when."),
    )

    def __init__(self, moderator: User, data: Any = None) -> None:
        super().__init__(data, prefix="impose")
        is_senior = moderator.has_perm(roles.SHUT_OUT)
        self.fields["rule"] = rule_field()
        closing = Sanction.Kind.CLOSING
        kinds = [each for each in Sanction.Kind.choices if is_senior or each[0] != closing]
        terms = {**TERMS, **(LONG_TERMS if is_senior else {})}
        for name, choices in (("kind", kinds), ("term", list(terms.items()))):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField), "it offers choices"
            field.choices = choices
        self.initial = {"term": "24"}
        self.order_fields(["kind", "rule", "term", "text"])

    @property
    def told(self) -> dict[str, Any]:
        """The arguments of the service; the form must be valid."""
        given, term = self.cleaned_data, self.cleaned_data["term"]
        return {
            "kind": Sanction.Kind(given["kind"]),
            "rule": given["rule"],
            "text": given["text"],
            "term": None if term == FOR_GOOD else timedelta(hours=int(term)),
        }


class NoteForm(forms.Form):
    """A word to the other moderators."""

    text = words_field(_("Note for the moderators"), Note.LONGEST)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, prefix="note")


class AsideForm(forms.Form):
    """For how long a case is put aside."""

    hours = forms.ChoiceField(label=_("Put aside for"), choices=list(ASIDE.items()))

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, prefix="aside")

    @property
    def span(self) -> timedelta:
        """How long; the form must be valid."""
        return timedelta(hours=int(self.cleaned_data["hours"]))


class CloseForm(forms.Form):
    """How a case ends; every reporter is told."""

    outcome = forms.ChoiceField(
        label=_("Outcome"), choices=[("", _("Choose one")), *Case.Outcome.choices]
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, prefix="close")


class AnswerForm(forms.Form):
    """What somebody is answered who has appealed."""

    granted = forms.ChoiceField(
        label=_("Decision"),
        choices=[
            ("", _("Choose one")),
            ("no", _("The sanction stands")),
            ("yes", _("It ends now")),
        ],
    )
    answer = words_field(_("Answer to the person"), Appeal.LONGEST, rows=5)
