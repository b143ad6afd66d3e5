"""Who had the better cards, in a round or over a series: what the deck decided, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.luck.deal import LESS_IS_LUCKIER, MEASURES, Luck, Measure
from games.luck.fair import fair
from games.luck.verdict import LEAST_DEALS
from games.rendering.cast import Cast
from games.rendering.numbers import decimal

CLEARLY: Final = 0.1
"""By how much better a share of fair deals one must have been dealt to be called better off."""

_LABELS: Final = {
    Measure.DEALT: gettext_lazy("Deadwood dealt"),
    Measure.UPCARD: gettext_lazy("Upcard would save"),
    Measure.FIRST: gettext_lazy("First stock card would save"),
    Measure.FIVE: gettext_lazy("Deadwood after five stock cards"),
}


@dataclass(frozen=True, slots=True)
class Beside:
    """A measure of both, the near side first; `better` is that with the better figure."""

    label: str | Promise
    near: str
    far: str
    fair: str
    near_better: bool
    far_better: bool


@dataclass(frozen=True, slots=True)
class CardsPart:
    """`templates/games/_cards_luck.html`, as `cards`. `words` says who had the better cards."""

    names: tuple[str, str]
    words: str
    rows: tuple[Beside, ...]
    honest: str


def cards_part(lucks: Sequence[tuple[Luck, Luck]], cast: Cast) -> CardsPart | None:
    """The cards of some rounds of two, by board seat; None where there is no round."""
    if not lucks:
        return None
    near, far = cast.near, cast.far
    names = [_("You") if cast.is_you(seat) else cast.name(seat) for seat in (near, far)]
    return CardsPart(
        names=(names[0], names[1]),
        words=_words(lucks, cast),
        rows=tuple(_beside(measure, lucks, near, far) for measure in MEASURES),
        honest=_honest(len(lucks)),
    )


def goodness(luck: Luck) -> float:
    """The share of fair deals that are worse, by the deal and five stock cards together.

    >>> from games.rules.cards import DECK
    >>> from games.luck.deal import luck_of
    >>> round(goodness(luck_of(DECK, is_dealer=False)), 2)
    0.2
    """
    return 1 - fair(Measure.FIVE).below(luck.five)


def _words(lucks: Sequence[tuple[Luck, Luck]], cast: Cast) -> str:
    means = [sum(goodness(both[seat]) for both in lucks) / len(lucks) for seat in (0, 1)]
    if abs(means[0] - means[1]) < CLEARLY:
        return _("The cards of both were much alike.")
    better = 0 if means[0] > means[1] else 1
    return cast.say(better, _("You had the better cards."), _("%(name)s had the better cards."))


def _beside(measure: Measure, lucks: Sequence[tuple[Luck, Luck]], near: int, far: int) -> Beside:
    mine, theirs = (
        sum(both[seat].of(measure) for both in lucks) / len(lucks) for seat in (near, far)
    )
    is_less = mine < theirs
    is_better = is_less == (measure in LESS_IS_LUCKIER)
    return Beside(
        label=_LABELS[measure],
        near=_figure(mine, lucks),
        far=_figure(theirs, lucks),
        fair=decimal(fair(measure).mean),
        near_better=mine != theirs and is_better,
        far_better=mine != theirs and not is_better,
    )


def _figure(mean: float, lucks: Sequence[tuple[Luck, Luck]]) -> str:
    return str(round(mean)) if len(lucks) == 1 else decimal(mean)


def _honest(rounds: int) -> str:
    if rounds == 1:
        return _("This is how the cards fell, whatever was made of them.")
    words = ngettext(
        "The mean of %(count)d round, whatever was made of the cards.",
        "The mean of %(count)d rounds, whatever was made of the cards.",
        rounds,
    ) % {"count": rounds}
    if rounds < LEAST_DEALS:
        return " ".join((words, _("So few prove nothing about the deck.")))
    return words
