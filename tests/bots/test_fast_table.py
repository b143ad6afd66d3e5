"""The fast table that bots learn at plays as the rules do, card by card."""

import hashlib
from random import Random

import pytest

from games.bots.sight import Sight, sight_of
from games.rules.actions import Discard, Draw, Knock, Pass, Take
from games.rules.cards import DECK, Card, cards_in
from games.rules.deadwood import best_discard
from games.rules.options import Options
from games.rules.round import Phase, deal, play
from games.rules.sheet import ScoreSheet
from games.rules.view import table_view
from games.training.players import FastEaai, Learner
from games.training.table import DRAWN, play_fast
from tests.rules.tables import hand as cards
from tests.rules.tables import rich_deck, shuffled

OPTIONS = Options()


def number_from(sight: Sight) -> int:
    """A number that any difference in what is seen would change."""
    return int.from_bytes(hashlib.sha256(repr(tuple(sight)).encode()).digest()[:4], "big")


class Fickle:
    """Does something or other, by what it sees alone; keeps all it saw."""

    def __init__(self, knocks: bool):
        self.seen, self._knocks = [], knocks

    def takes(self, sight: Sight, top: int) -> bool:
        self.seen.append(sight)
        return number_from(sight) % 3 == 0

    def throws(self, sight: Sight, barred: int, other: int) -> tuple[int, bool]:
        self.seen.append(sight)
        taken = DECK[barred] if barred >= 0 else None
        card, least = best_discard(sight.hand, taken)
        if self._knocks and least <= sight.limit:
            return card, True
        number = number_from(sight)
        cards = [each for each in cards_in(sight.hand) if each is not taken]
        # Mostly towards a knock, so that rounds end in every way.
        return (card if number % 4 else cards[number % len(cards)]), False


def by_the_rules(players, deck, dealer):
    progress = deal(deck, dealer, OPTIONS)
    state, events = progress.state, list(progress.events)
    while state.phase is not Phase.OVER:
        seat = state.turn
        view = table_view(state, events, seat, number=1, version=0, sheet=ScoreSheet(OPTIONS))
        progress = play(state, seat, action_of(players[seat], view))
        state, events = progress.state, [*events, *progress.events]
    return state.result


def action_of(player, view):
    seen = view.round
    if seen.phase is Phase.DEFENCE:
        return seen.actions[0]
    if seen.phase is Phase.DISCARD:
        barred = -1 if seen.taken is None else int(seen.taken)
        card, knocks = player.throws(sight_of(view), barred, 0)
        return Knock(Card(card)) if knocks else Discard(Card(card))
    if Take() not in seen.actions:
        return Draw()
    takes = player.takes(sight_of(view), int(seen.pile[-1]))
    return Take() if takes else Pass() if seen.phase is Phase.OFFER else Draw()


@pytest.mark.parametrize("knocks", [True, False])
def test_the_same_round_by_the_rules_and_on_the_fast_table(knocks):
    random, kinds = Random(9), set()
    for number in range(300):
        deck = random.choice([shuffled, rich_deck])(random)
        slow, fast = (Fickle(knocks), Fickle(knocks)), (Fickle(knocks), Fickle(knocks))
        result = by_the_rules(slow, deck, number % 2)
        outcome = play_fast(fast, [int(card) for card in deck], number % 2, OPTIONS.knock_limit)
        kinds.add(outcome.kind)
        assert outcome.kind == str(result.kind)
        assert outcome.winner == (-1 if result.winner is None else result.winner)
        assert outcome.difference == result.difference
        assert [player.seen for player in slow] == [player.seen for player in fast]
    assert kinds == ({"gin", "knock", "undercut", "drawn"} if knocks else {"drawn"})


def test_without_a_knock_a_round_is_drawn():
    deck = list(range(52))
    Random(2).shuffle(deck)
    assert play_fast((Fickle(False), Fickle(False)), deck, 0, 10) == DRAWN


def test_no_choice_of_a_learner_depends_on_the_other_hand():
    random = Random(4)
    for _ in range(50):
        cards = random.sample(range(52), 31)
        hand, other, another = (
            sum(1 << card for card in part) for part in (cards[:11], cards[11:21], cards[21:])
        )
        sight = Sight(hand, (1 << 52) - 1 ^ hand, 0, 0, 0, 10, 20, 10)
        thrown = [
            Learner(Random(1), None, tries=0, knock_tries=0).throws(sight, -1, hidden)
            for hidden in (other, another)
        ]
        assert thrown[0] == thrown[1]


def test_the_yardstick_on_the_fast_table_knocks_at_once_and_takes_what_melds():
    player = FastEaai(Random(1))
    held = cards("2C 3C 4C 7D 7H 7S 9H 9S AC AD")
    sight = Sight(held, 0, 0, 0, 0, 10, 20, 10)
    assert player.takes(sight, Card["9C"])
    assert not player.takes(sight, Card["KC"])
    eleven = sight._replace(hand=held | Card["9C"].bit)
    assert player.throws(eleven, -1, 0) == (Card["AD"], True)
