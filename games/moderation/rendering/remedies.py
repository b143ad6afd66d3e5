"""A page that asks before something is mended."""

from dataclasses import dataclass

from django.forms import Form
from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class RemedyPage:
    """`templates/games/moderation/remedy.html`, as `page`.

    `what` is said first, `quote` are words of the person that it is about, `follows` what will be
    so afterwards, `button` what is pressed. `back` is where one came from, "" if nobody knows.
    """

    title: Promise
    what: str
    follows: Promise
    button: Promise
    form: Form
    quote: str = ""
    back: str = ""
    notice: str = ""
