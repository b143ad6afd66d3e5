"""The form that sits down with a bot: which one, and a preset."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms.series import SeriesForm
from games.house import PERSONAS, Persona


class BotForm(SeriesForm):
    """A series against a bot. Visitors have one too; theirs is for one browser instead of a user.

    `shown_to` is the user's id, or what tells the browser of a visitor from others: the address
    that the form sets aside holds for them alone.
    """

    bot = forms.ChoiceField(label=_("Opponent"))
    target = None  # type: ignore[assignment] # Django's way to leave a field out
    field_order = ("bot", "preset", "address")

    def __init__(self, *args: Any, shown_to: int | str, **kwargs: Any) -> None:
        # Beside the form of a series, on one page, ids must differ.
        super().__init__(*args, user_id=shown_to, auto_id="bot_%s", **kwargs)
        self.fields["bot"].choices = [  # type: ignore[attr-defined]
            (each.slug, called(each)) for each in PERSONAS.values()
        ]


def called(persona: Persona) -> str:
    """A bot in a list of them: "Chester, club player"."""
    return _("%(name)s, %(level)s") % {"name": persona.name, "level": persona.level}
