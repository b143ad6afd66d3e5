"""No choice depends on a card that the bot can't know (promise S1)."""

from collections import Counter
from random import Random

import pytest

from games.bots.evaluation import evaluate
from games.rules.notation import fold
from games.rules.round import Phase
from games.thinking import think
from tests.bots.seats import ALL_BOTS, view_of
from tests.rules.test_view import moments, same_to_all, unknown_to

STATES = 250


@pytest.mark.parametrize("name", ALL_BOTS)
def test_s1_other_hidden_cards_change_no_choice(name):
    random = Random(3)
    checked: Counter[Phase] = Counter()
    for deck, dealer, options, log in moments(random):
        folded = fold(log, deck, dealer, options)
        if folded.state.phase is Phase.OVER:
            continue
        unknown = unknown_to(folded.state.turn, folded)
        other = same_to_all(random, unknown, folded, deck, log)
        if other is None or other.state == folded.state:
            continue
        checked[folded.state.phase] += 1
        assert think(name, view_of(other), 1) == think(name, view_of(folded), 1)
        if folded.state.phase is not Phase.DEFENCE and checked.total() % 10 == 0:
            assert evaluate(view_of(other)) == evaluate(view_of(folded))
        if checked.total() == STATES:
            break
    assert {Phase.OFFER, Phase.DRAW, Phase.DISCARD, Phase.DEFENCE} <= set(checked), checked
