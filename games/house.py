"""Who the bots are to people: a name, a level, a mark, and how each of them thinks.

Their users are made when one of them first sits down; `accounts.names` keeps the names for them.
"""

from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.bots import BOTS


@dataclass(frozen=True, slots=True)
class Persona:
    """A bot as people meet it. `slug` is what `games.bots` calls it, `name` its user's name.

    `about` says in a line what it is like to play, `thinks` in sentences how it decides.
    """

    slug: str
    name: str
    level: Promise
    about: Promise
    thinks: tuple[Promise, ...]

    @property
    def url(self) -> str:
        return reverse("bot", args=[self.slug])

    @property
    def mark(self) -> str:
        """Its face, as a static file."""
        return mark_of(self.slug)


def mark_of(slug: str) -> str:
    """The static file of a bot's face."""
    return f"games/bots/{slug}.svg"


_PERSONAS: Final = (
    Persona(
        "beginner",
        "Mabel",
        _("beginner"),
        _("Learned the rules last week and enjoys every round."),
        (
            _("She takes a card from the pile if it makes a meld with any cards of her hand."),
            _(
                "She throws her highest loose card, and in one turn of four any loose card, "
                "without looking hard."
            ),
            _("She knocks at the first chance, and lays off whatever she can."),
            _("She remembers nothing of what you took or threw."),
        ),
    ),
    Persona(
        "club",
        "Chester",
        _("club player"),
        _("Plays every Thursday, and counts."),
        (
            _("He takes a card from the pile if his best melds then have it in them."),
            _(
                "He throws the card after which his hand has least deadwood a few draws later: he "
                "counts the cards, among those he has not seen, that would still improve it."
            ),
            _("He knocks at the first chance, and lays off as well as can be."),
            _("He does not ask himself what you might hold."),
        ),
    ),
    Persona(
        "strong",
        "Vivienne",
        _("strong player"),
        _("Watches what you take, and what you leave."),
        (
            _(
                "She has learned from very many rounds what ten cards are worth, with so much of "
                "the stock left."
            ),
            _("She notes what you took, what you left and what you threw last."),
            _("She throws the card that keeps her hand good and is of little use to you."),
            _("She knocks when that is worth more points than playing on, and otherwise waits."),
        ),
    ),
    Persona(
        "expert",
        "Sinclair",
        _("expert"),
        _("Plays the series, not the round."),
        (
            _("He judges a hand and a discard as Vivienne does, from very many rounds."),
            _(
                "He counts no points but chances to win the series: he reads the score sheet, and "
                "what a win or a loss of so many points would do in each of its games."
            ),
            _("So he knocks early where a game is to be closed, and waits for gin where he can."),
        ),
    ),
)

PERSONAS: Final = {each.slug: each for each in _PERSONAS if each.slug in BOTS}
"""The bots that can be played, the weakest first."""

USUAL_BOT: Final = "club"
