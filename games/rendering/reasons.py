"""Why bots did what they did, in sentences; there is something to tell once a round is over."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.bots import Reason, ReasonCode
from games.rendering.cast import Cast
from games.rendering.words import card_name

if TYPE_CHECKING:
    from games.selectors.table import BotReason, Table

_SENTENCES: Final = {
    ReasonCode.MELDS: gettext_lazy(
        "%(name)s took the %(card)s because it makes or lengthens a meld."
    ),
    ReasonCode.LOWERS: gettext_lazy(
        "%(name)s took the %(card)s because it makes the hand better, though it melds with nothing "
        "yet."
    ),
    ReasonCode.TAKES_TO_KNOCK: gettext_lazy(
        "%(name)s took the %(card)s because a knock with %(deadwood)s was possible then."
    ),
    ReasonCode.NO_USE: gettext_lazy(
        "%(name)s left the %(card)s because a card from the stock was worth more."
    ),
    ReasonCode.NO_CHOICE: gettext_lazy("%(name)s did the only thing that was allowed."),
    ReasonCode.HIGHEST_LOOSE: gettext_lazy(
        "%(name)s threw the %(card)s, the highest card outside the melds; that left %(deadwood)s."
    ),
    ReasonCode.LEAST_DEADWOOD: gettext_lazy(
        "%(name)s threw the %(card)s because that left the least deadwood, %(deadwood)s."
    ),
    ReasonCode.KEEPS_CHANCES: gettext_lazy(
        "%(name)s threw the %(card)s to keep the best chances: that left %(deadwood)s, and "
        "%(outs)s unseen cards that would improve the hand."
    ),
    ReasonCode.SAFE: gettext_lazy(
        "%(name)s threw the %(card)s because the other side could hardly use it; that left "
        "%(deadwood)s."
    ),
    ReasonCode.WAITS: gettext_lazy(
        "%(name)s threw the %(card)s and did not knock with %(deadwood)s, because playing on "
        "promised more."
    ),
    ReasonCode.OVERLOOKED: gettext_lazy("%(name)s threw the %(card)s without looking hard."),
    ReasonCode.FIRST_CHANCE: gettext_lazy(
        "%(name)s knocked with %(deadwood)s as soon as that was possible."
    ),
    ReasonCode.AHEAD: gettext_lazy(
        "%(name)s knocked with %(deadwood)s, expecting to be ahead with a chance of %(percent)s %%."
    ),
    ReasonCode.GIN: gettext_lazy("%(name)s had gin, and said so at once."),
    ReasonCode.BEST_DEFENCE: gettext_lazy(
        "%(name)s laid off what left the least deadwood, %(deadwood)s."
    ),
    ReasonCode.NO_DEFENCE: gettext_lazy("%(name)s never lays anything off."),
}
_WORTH_MORE: Final = gettext_lazy(
    "%(name)s knocked with %(deadwood)s, which was worth more than playing on."
)
assert _SENTENCES.keys() == set(ReasonCode), "every reason has its words"


def reason_sentence(reason: Reason, name: str) -> str:
    """Tell a bot's reason, the bot called by this name.

    >>> from games.rules.cards import parse_card
    >>> reason_sentence(Reason(ReasonCode.MELDS, parse_card("7D")), "Mabel")
    'Mabel took the seven of diamonds because it makes or lengthens a meld.'
    """
    words = _SENTENCES[reason.code]
    if reason.code is ReasonCode.AHEAD and reason.percent is None:
        words = _WORTH_MORE
    return str(words) % {
        "name": name,
        "card": "" if reason.card is None else card_name(reason.card),
        "deadwood": reason.deadwood,
        "outs": reason.outs,
        "percent": reason.percent,
    }


@dataclass(frozen=True, slots=True)
class ReasonsContext:
    """The reasons of a round that is over, in the order of its actions; none while it runs."""

    cast: Cast
    reasons: "tuple[BotReason, ...]"

    @classmethod
    def of(cls, table: "Table", cast: Cast) -> Self:
        return cls(cast, table.reasons)

    @property
    def title(self) -> str:
        """Whose thoughts they are."""
        if not self.reasons:
            return ""
        return _("How %(name)s played") % {"name": self.cast.name(self.reasons[0].seat)}

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(
            reason_sentence(each.reason, self.cast.name(each.seat)) for each in self.reasons
        )
