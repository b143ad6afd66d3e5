"""Filters of the table's templates: cards as pictures and as signs, and forms with a card."""

from django import template
from django.utils.safestring import SafeString

from games.rendering import arrangement, faces, held
from games.rendering.forms import Forms
from games.rendering.hand import HandCard
from games.rendering.showdown import LaidCard

register = template.Library()

register.filter("face", faces.face)
register.filter("sign", faces.sign)
register.filter("held", held.held_items)
register.filter("ladder", arrangement.ladder)


@register.filter
def action(forms: Forms, name: str) -> SafeString:
    """Open the form of an action without a card."""
    return forms.action(name)


@register.filter
def lay(forms: Forms, card: HandCard | LaidCard) -> SafeString:
    """Open the form that lays a card off, or takes it back, in the draft."""
    return forms.draft("lay-off", card.lay or "", card.card)


@register.filter
def best(forms: Forms, value: str) -> SafeString:
    """Open the form that fills the draft with the best lay-offs."""
    return forms.draft("best", value)
