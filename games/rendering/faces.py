"""Cards as pictures and as signs: each one's markup is made once for each language."""

from functools import cache

from django.templatetags.static import static
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.rendering.words import card_name, card_sign, is_red
from games.rules.cards import Card


def face(card: Card) -> SafeString:
    """The face of a card, named for those who don't see it."""
    return face_in(card, get_language())


@cache
def face_in(card: Card, language: str) -> SafeString:
    """The same for who has asked for the language already: it is the present one."""
    source = static(f"games/cards/{card}.svg")
    return mark_safe(  # noqa: S308 (every part is escaped)
        f'<img class="face" src="{source}" alt="{escape(card_name(card))}">'
    )


def sign(card: Card) -> SafeString:
    """A card written short, in its colour: "10♠"."""
    return sign_in(card, get_language())


@cache
def sign_in(card: Card, language: str) -> SafeString:
    """The same for who has asked for the language already: it is the present one."""
    colour = "red" if is_red(card) else "black"
    return mark_safe(  # noqa: S308 (every part is escaped)
        f'<span class="sign {colour} {str(card)[1]}" aria-label="{escape(card_name(card))}"'
        f' role="img">{card_sign(card)}</span>'
    )
