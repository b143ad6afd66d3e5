"""A card of the own hand as markup: to choose, to throw, or to lay off.

Made in Python, and kept as far as it does not change: a hand has eleven of them, and templates and
translations are the dearest step of an action.
"""

from collections.abc import Iterable
from functools import cache

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.rendering.arrangement import arrangement
from games.rendering.faces import face_in
from games.rendering.forms import Forms
from games.rendering.hand import HandCard
from games.rendering.words import card_name, card_sign
from games.rules.cards import Card


def held_items(forms: Forms | None, cards: Iterable[HandCard]) -> SafeString:
    """The list items of some cards, each with all that can be done with it."""
    language = get_language()
    items = "\n".join(_item(forms, held, language) for held in cards)
    return mark_safe(items)  # noqa: S308 (every part is escaped)


def _item(forms: Forms | None, held: HandCard, language: str) -> str:
    body = _body(forms, held, language) + _doing(forms, held, language)
    return f'<li{_classes(held)} data-held="{held.card}">{body}</li>'


def _classes(held: HandCard) -> str:
    if not (held.is_new or held.is_melded):
        return ""
    names = ("new" if held.is_new else "", "melded" if held.is_melded else "")
    return f' class="{" ".join(filter(None, names))}"'


def _body(forms: Forms | None, held: HandCard, language: str) -> str:
    card = held.card
    if forms is None or held.lay is None:
        return _pick(card, held.is_new, held.is_chosen, language)
    return (
        f'{forms.draft("lay-off", held.lay, card)}<button class="card" id="lay-{card}"'
        f' aria-label="{escape(held.lay_label)}">{face_in(card, language)}</button></form>'
    )


@cache
def _pick(card: Card, is_new: bool, is_chosen: bool, language: str) -> str:
    name = _("%(card)s (new)") if is_new else "%(card)s"
    # The name is the radio's alone: else a card would be heard twice.
    return (
        f'<input type="radio" class="unseen" name="card" value="{card}" id="card-{card}"'
        f' autocomplete="off" aria-label="{escape(name % {"card": card_name(card)})}"'
        f"{' checked' if is_chosen else ''}>"
        f'<label class="card" for="card-{card}" aria-hidden="true">'
        f"{face_in(card, language)}</label>"
    )


def _doing(forms: Forms | None, held: HandCard, language: str) -> str:
    """What can be done once the card is chosen; until then it is hidden."""
    if forms is not None and held.may_discard:
        discard = forms.card_action("discard", held.card)
        button = _discard_button(held.card, held.leaves, language)
        knocks = "".join(arrangement(forms, choice, language) for choice in held.knocks)
        return f'<div class="card-forms">{discard}{button}</form>{knocks}</div>'
    if held.is_taken:
        return f'<p class="card-forms words">{escape(held.taken_words)}</p>'
    return ""


@cache
def _discard_button(card: Card, leaves: int, language: str) -> str:
    words = _("Discard %(card)s") % {"card": card_sign(card)}
    left = _("leaves %(points)s") % {"points": leaves}
    return (
        f'<button class="button" id="discard-{card}" data-hotkey="X">{escape(words)}'
        f" <small>{escape(left)}</small></button>"
    )
