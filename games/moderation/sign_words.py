"""What a signal means, in plain words: the figures, what honest play does, and what else it may be.

Each says why it is no proof.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from games.moderation.models import Signal


def explained(signal: Signal) -> str:
    """The words for a signal; of facts that it lacks nothing is said.

    They call its person "this player", of the two whoever `signal.user` is.
    """
    words = _WORDS.get(signal.kind)
    if words is None:
        return str(Signal.Kind(signal.kind).label)
    return words() % _Facts(signal.facts)


class _Facts(dict[str, Any]):
    """Figures by name; what was not noted is a question mark."""

    def __missing__(self, name: str) -> str:
        return "?"


def _pair() -> str:
    return _(
        "These two had %(rated)s rated series within a day already, and went on. What is beyond "
        "that does not count. Friends do this too; look at who wins, and how."
    )


def _withheld() -> str:
    return _(
        "This player's browser promised parts of deals and did not tell them. A lost connection "
        "does that once or twice; again and again it may be an attempt to choose a deal."
    )


def _related() -> str:
    return _(
        "The accounts share %(devices)s browsers and %(addresses)s networks, the rarest of them "
        "with %(shared_by)s accounts in all, and played a rated series. A browser says much, "
        "a network little: families, schools and offices share them."
    )


def _fed() -> str:
    return _(
        "Of %(discards)s cards that this player threw, %(fed)s went straight into a meld of the "
        "other. Honest play comes to that once in %(one_in)s series. Whoever is no good at this "
        "feeds too, but not so much. Look at the rounds."
    )


def _gins() -> str:
    return _(
        "Gin in %(gins)s of %(rounds)s rounds. Honest play comes to that once in %(one_in)s "
        "series. Luck does this once in a while; look at whether the other threw what was needed."
    )


def _early() -> str:
    return _(
        "%(early)s of %(rounds)s rounds ended by the third turn. Honest play comes to that once "
        "in %(one_in)s series. Luck does this once in a while; look for it in other series too."
    )


def _let_go() -> str:
    return _(
        "This player held gin on %(let_go)s turns of one series and played on. A beginner may "
        "not see it once or twice; who does it again may play to lose."
    )


def _given() -> str:
    return _(
        "%(given)s rated series within 30 days were given to the same person: broken off within "
        "the first turns, or by resigning most rounds. Bad connections look like this too."
    )


def _sandbag() -> str:
    return _(
        "%(given)s rated series within 30 days were given away, to whomever. Who wants a low "
        "rating does that; so does who is called away often."
    )


def _leaving() -> str:
    return _(
        "This player has left so many series that they stand on step %(step)s of the ladder. "
        "They wait already; look at whether something else is wrong."
    )


def _flood() -> str:
    return _("%(lines)s lines within five minutes, as many as the chat takes.")


def _words() -> str:
    return _(
        "%(words)s words of the list in one line. The line was shown. Among friends it may be a "
        "joke; read what stands around it."
    )


_WORDS: Final[Mapping[str, Callable[[], str]]] = {
    Signal.Kind.PAIR: _pair,
    Signal.Kind.WITHHELD: _withheld,
    Signal.Kind.RELATED: _related,
    Signal.Kind.FED: _fed,
    Signal.Kind.GINS: _gins,
    Signal.Kind.EARLY: _early,
    Signal.Kind.LET_GO: _let_go,
    Signal.Kind.GIVEN: _given,
    Signal.Kind.SANDBAG: _sandbag,
    Signal.Kind.LEAVING: _leaving,
    Signal.Kind.FLOOD: _flood,
    Signal.Kind.WORDS: _words,
}
