"""Words for cards, melds, games and sums, in the viewer's language."""

from collections.abc import Iterable
from typing import Final

from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from games.rules.cards import Card, Suit
from games.rules.melds import Meld, MeldKind
from games.rules.scoring import Ending, RoundResult

_RANKS: Final = (
    pgettext_lazy("rank", "ace"),
    pgettext_lazy("rank", "two"),
    pgettext_lazy("rank", "three"),
    pgettext_lazy("rank", "four"),
    pgettext_lazy("rank", "five"),
    pgettext_lazy("rank", "six"),
    pgettext_lazy("rank", "seven"),
    pgettext_lazy("rank", "eight"),
    pgettext_lazy("rank", "nine"),
    pgettext_lazy("rank", "ten"),
    pgettext_lazy("rank", "jack"),
    pgettext_lazy("rank", "queen"),
    pgettext_lazy("rank", "king"),
)
_SUITS: Final = {
    Suit.CLUBS: pgettext_lazy("suit", "clubs"),
    Suit.DIAMONDS: pgettext_lazy("suit", "diamonds"),
    Suit.HEARTS: pgettext_lazy("suit", "hearts"),
    Suit.SPADES: pgettext_lazy("suit", "spades"),
}
_SIGNS: Final = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}

ENDINGS: Final = {
    Ending.GIN: gettext_lazy("gin"),
    Ending.BIG_GIN: gettext_lazy("big gin"),
    Ending.KNOCK: gettext_lazy("knock"),
    Ending.UNDERCUT: gettext_lazy("undercut"),
    Ending.DRAWN: gettext_lazy("drawn"),
    Ending.RESIGNED: gettext_lazy("resigned"),
    Ending.VOID: gettext_lazy("broken off"),
}


def card_name(card: Card) -> str:
    """Name a card: "queen of spades"."""
    return pgettext("card", "%(rank)s of %(suit)s") % {
        "rank": _RANKS[card.rank],
        "suit": _SUITS[card.suit],
    }


def suit_word(suit: Suit) -> str:
    """Name a suit."""
    return str(_SUITS[suit])


def card_names(cards: Iterable[Card]) -> str:
    """Name some cards: "nine of clubs, ten of clubs and ace of spades"."""
    return listed(card_name(card) for card in cards)


def card_sign(card: Card) -> str:
    """Write a card short: "10♠".

    >>> card_sign(Card["TS"])
    '10♠'
    """
    rank = "10" if card.rank == 9 else str(card)[0]
    return rank + _SIGNS[card.suit]


def is_red(card: Card) -> bool:
    """Whether the card is a diamond or a heart."""
    return card.suit in (Suit.DIAMONDS, Suit.HEARTS)


def meld_word(meld: Meld) -> str:
    """Name the kind of a meld."""
    return gettext("set") if meld.kind is MeldKind.SET else gettext("run")


def listed(words: Iterable[str]) -> str:
    """Join words: "one, two and three"."""
    return get_text_list(list(words), gettext("and"))


def game_words(games: tuple[int, ...]) -> str:
    """Name games, which are counted from 0 inside: "games 1 and 2"."""
    numbers = listed(str(game + 1) for game in games)
    if len(games) == 1:
        return gettext("game %(number)s") % {"number": numbers}
    return gettext("games %(numbers)s") % {"numbers": numbers}


def sum_words(result: RoundResult) -> str:
    """Write out what a round scores, without its total: "25 + 38", "(10 + 4) × 2".

    >>> from games.rules.options import Options
    >>> from games.rules.scoring import score_knock
    >>> sum_words(score_knock(
    ...     Options(), Card["KD"], knocker=0, knocker_deadwood=8, defender_deadwood=3))
    '10 + (8 − 3)'
    """
    words = _plain_sum(result)
    return words if result.multiplier == 1 else f"({words}) × {result.multiplier}"


def _plain_sum(result: RoundResult) -> str:
    if result.knocker_deadwood is None and result.kind is Ending.KNOCK:
        return str(result.difference)  # entered by hand, and nobody noted the deadwood
    if result.knocker_deadwood is None:
        return f"{result.bonus} + {result.difference}"
    match result.kind:
        case Ending.KNOCK:
            return f"{result.defender_deadwood} − {result.knocker_deadwood}"
        case Ending.UNDERCUT:
            return f"{result.bonus} + ({result.knocker_deadwood} − {result.defender_deadwood})"
        case _:
            return f"{result.bonus} + {result.difference}"
