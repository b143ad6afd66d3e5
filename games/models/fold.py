"""The state of a stored round: the fold of its log, remembered as long as it is of use.

The log is the truth and nothing beside it is stored. A process keeps the rounds it met last, and
plays only what a log has grown by; what is not remembered is played out from the deal.
"""

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final

from games.rules.cards import Card, parse_cards
from games.rules.log import EMPTY_LOG, Folded, extend, fold

if TYPE_CHECKING:
    from games.models.round import Round

_KEPT: Final = 2000  # rounds, about 20 kB each
_folded: OrderedDict[tuple[int, str], Folded] = OrderedDict()
_lock = Lock()


def folded_round(row: "Round") -> Folded:
    """Play out a round's log. `row.series` is read for its options and address."""
    key = (row.pk, row.commitment or row.deck)
    with _lock:
        known = _folded.get(key)
    if known is None or not row.log.startswith(known.log):
        known = fold(EMPTY_LOG, deck_of(row), row.dealer, row.series.options)
    folded = extend(known, row.log)
    with _lock:
        _folded[key] = folded
        _folded.move_to_end(key)
        while len(_folded) > _KEPT:
            _folded.popitem(last=False)
    return folded


def deck_of(row: "Round") -> tuple[Card, ...]:
    """The deck of a round, from its secret and the players' parts; hidden until it has ended.

    Of an imported round it is what the record said.
    """
    return parse_cards(row.deck) if row.deck else row.proof.deck
