"""How often each signal is wrong about honest people: what was measured, in words.

The figures are those of `manage.py false_alarms --series 3000`; what is supposed of honest people
stands in games.moderation.false_alarms and in docs/moderation.md. What nobody knows is said to be
so.
"""

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.translation import gettext as _

from games.moderation.false_alarms import Count
from games.moderation.models import Signal

MEASURED: Final[Mapping[str, Count]] = {
    "play": Count(0, 3_000),
    "words": Count(1, 519),
    "flood of two": Count(2, 100_000),
    "flood of three": Count(3_707, 100_000),
    "related": Count(172, 499_500),
    "given at 2": Count(656, 100_000),
    "given at 5": Count(7_443, 100_000),
    "sandbag at 2": Count(5, 100_000),
    "sandbag at 5": Count(263, 100_000),
    "leaving at 2": Count(1, 200_000),
    "leaving at 5": Count(30, 200_000),
    "withheld at 1": Count(117, 100_000),
    "withheld at 5": Count(3_153, 100_000),
}


def alarm_words(kind: str) -> str:
    """How often a signal of this kind is wrong, for a moderator who has to judge one."""
    return _WORDS[Signal.Kind(kind)]()


def percent(rate: float) -> str:
    """A rate with two figures that count.

    >>> percent(0.001), percent(0.0344), percent(0.00002)
    ('0.1%', '3.4%', '0.002%')
    """
    return f"{100 * rate:.2g}%"


def _play() -> str:
    found = MEASURED["play"]
    return _(
        "In %(tries)s series that honest bots played there was none, so that it is at most "
        "%(most)s of such series. Bots are not people."
    ) % {"tries": found.tries, "most": percent(found.at_most)}


def _pair() -> str:
    return _(
        "Not measured: every pair that plays so much is one, and how many friends do nobody knows."
    )


def _withheld() -> str:
    return _(
        "By a model: where a connection loses %(few)s of the parts, %(at_few)s of the series have "
        "one; where it loses %(many)s, %(at_many)s."
    ) % {"few": "1%", "many": "5%", **_two("withheld at 1", "withheld at 5")}


def _related() -> str:
    return _(
        "By a model of a small country: of the rated series of two strangers %(rate)s are one, by "
        "a network alone. Two of one household who play each other always are; how many do so "
        "nobody knows."
    ) % {"rate": percent(MEASURED["related"].rate)}


def _given() -> str:
    return _away("given", _("months of twenty series with one friend"))


def _sandbag() -> str:
    return _away("sandbag", _("months of twenty series"))


def _leaving() -> str:
    return _away("leaving", _("their series"))


def _away(name: str, of: str) -> str:
    return _(
        "By a model: who is called away from %(few)s of their series comes to it in %(at_few)s of "
        "%(of)s; from %(many)s, in %(at_many)s. Bad connections come to more."
    ) % {"few": "2%", "many": "5%", "of": of, **_two(f"{name} at 2", f"{name} at 5")}


def _flood() -> str:
    return _(
        "By a model: who says two lines a minute comes to it in %(at_few)s of the hours, with "
        "three in %(at_many)s. Fast talkers are no spammers; read what they say."
    ) % _two("flood of two", "flood of three")


def _words() -> str:
    found = MEASURED["words"]
    return _(
        "%(hits)s of %(tries)s honest lines, written to look for trouble, set it off. Jokes among "
        "friends are not among them, and do."
    ) % {"hits": found.hits, "tries": found.tries}


def _two(few: str, many: str) -> dict[str, str]:
    return {"at_few": percent(MEASURED[few].rate), "at_many": percent(MEASURED[many].rate)}


_WORDS: Final[Mapping[str, Callable[[], str]]] = {
    Signal.Kind.PAIR: _pair,
    Signal.Kind.WITHHELD: _withheld,
    Signal.Kind.RELATED: _related,
    Signal.Kind.FED: _play,
    Signal.Kind.GINS: _play,
    Signal.Kind.EARLY: _play,
    Signal.Kind.LET_GO: _play,
    Signal.Kind.GIVEN: _given,
    Signal.Kind.SANDBAG: _sandbag,
    Signal.Kind.LEAVING: _leaving,
    Signal.Kind.FLOOD: _flood,
    Signal.Kind.WORDS: _words,
}
