"""The rules of conduct: published on a page, and named by their code where somebody is sanctioned.

A code is stored with what was done about it, so it never changes its meaning and is never taken
away; a rule that is no longer used is marked as such where it is listed.
"""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of conduct: its code, a few words for it, and what it says."""

    code: str
    title: Promise
    text: Promise


_RULES: Final = (
    Rule(
        "respect",
        _("Be civil"),
        _(
            "No insults, threats or harassment, and no contempt for who somebody is: their origin, "
            "religion, gender, sexual orientation, age, health or disability."
        ),
    ),
    Rule(
        "name",
        _("A name for everybody"),
        _("No names or profiles that insult, mislead or pretend to be somebody else."),
    ),
    Rule(
        "spam",
        _("No advertising, no flooding"),
        _("Nothing is sold or canvassed here, and nobody is sent the same words over and over."),
    ),
    Rule(
        "private",
        _("Other people's lives are theirs"),
        _("Tell nobody's name, address or picture that they have not made public themselves."),
    ),
    Rule(
        "help",
        _("Play your own cards"),
        _(
            "While a rated series runs, no program and no other person tells you what to do. "
            "Against bots, and afterwards, learn with whatever you like."
        ),
    ),
    Rule(
        "collusion",
        _("Play to win"),
        _("No result is agreed on or given away, and no rating is raised or lowered on purpose."),
    ),
    Rule(
        "stalling",
        _("Play on"),
        _(
            "Who is losing plays on or resigns; nobody lets the clock run, or walks away, to make "
            "the other one give up."
        ),
    ),
    Rule(
        "accounts",
        _("One person, one account"),
        _(
            "Nobody plays rated series with two accounts, or comes back with another one while "
            "theirs is suspended or closed."
        ),
    ),
    Rule(
        "attack",
        _("Leave the machine in peace"),
        _(
            "Who finds a fault tells us and uses it against nobody; nobody tries to see hidden "
            "cards, to enter an account of others or to bring the site down."
        ),
    ),
)

RULES: Final = {rule.code: rule for rule in _RULES}
"""All rules by code, in the order of the page."""

LONGEST_CODE: Final = 16
"""What a column for a code must hold."""
