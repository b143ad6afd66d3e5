"""What a viewer is shown, and that it depends on nothing that they can't know (promise S1).

The resampling test deals other cards in place of those which the viewer can't know, plays the same
round, and compares everything that the viewer gets.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from games.rules.actions import BigGin, Defend, Discard, Draw, Knock, Pass, Take
from games.rules.cards import DECK, Card, CardSet, card_set, cards_in
from games.rules.errors import IllegalAction, RulesError
from games.rules.events import Took
from games.rules.lay_offs import LayOff, defence_with
from games.rules.notation import Folded, fold
from games.rules.options import Options
from games.rules.round import Phase, RoundState, lay_offs, legal_actions, play, spreads
from games.rules.sheet import ScoreSheet
from games.rules.view import TableView, table_view, view_for
from tests.rules.tables import Deck, any_options, hand, random_log, rich_deck, shuffled, table

FLAT = "3C 5C QC 9D JD KD AH 6H TS QS"
GOOD = "8C 9C TC 7D 7H 7S 2D 2H 4H KC"
LAYS_OFF = "6C 7C QC 9D JD KD AH 6H TS QS"
UPCARD = "8H"

STATES = 10_000
VIEWERS = (0, 1, None)


# What is shown


def test_a_player_sees_their_own_hand_and_counts():
    view = view_for(table("p p d", GOOD, FLAT, UPCARD, "2S").state, 0)
    assert view.hand == hand(f"{GOOD} 2S")
    assert (view.drawn, view.hand_sizes, view.stock_size) == (Card["2S"], (11, 10), 30)
    assert (view.hands, view.knock_limit, view.multiplier, view.ply) == (None, 10, 1, 3)
    assert view.arrangement.deadwood == hand("4H KC")
    assert view.actions == legal_actions(table("p p d", GOOD, FLAT, UPCARD, "2S").state, 0)


def test_the_other_player_and_spectators_see_that_a_card_was_drawn():
    state = table("p p d", GOOD, FLAT, UPCARD, "2S").state
    for viewer in (1, None):
        view = view_for(state, viewer)
        assert (view.drawn, view.turn, view.hand_sizes) == (None, 0, (11, 10))
    assert view_for(state, None).hand == 0
    assert view_for(state, None).actions == ()


def test_taken_cards_are_known_to_all():
    state = table("t xKC d x3C", GOOD, FLAT, UPCARD, "2S").state
    for viewer in VIEWERS:
        view = view_for(state, viewer)
        assert view.shown == (hand("8H"), 0)
        assert view.pile == (Card["KC"], Card["3C"])
    assert view_for(table("t", GOOD, FLAT, UPCARD).state, 1).taken == Card["8H"]


def test_the_spread_is_public_from_the_knock_on_and_the_thrown_card_is_not():
    state = table("p p d kKC", GOOD, LAYS_OFF, UPCARD, "2S").state
    for viewer in VIEWERS:
        assert view_for(state, viewer).spread == state.spread
        assert view_for(state, viewer).pile == (Card["8H"],)
    assert view_for(state, 0).knock_card == Card["KC"]
    assert view_for(state, 1).knock_card is view_for(state, None).knock_card is None


def test_everything_but_the_stock_is_shown_when_the_round_is_over():
    state = table("p p d kKC l", GOOD, LAYS_OFF, UPCARD, "2S").state
    for viewer in VIEWERS:
        view = view_for(state, viewer)
        assert (view.hands, view.knock_card) == (state.hands, Card["KC"])
        assert (view.result, view.defence) == (state.result, state.defence)
        assert (view.turn, view.actions) == (None, ())


def test_a_view_offers_what_the_state_offers():
    state = table("p p d", GOOD, FLAT, UPCARD, "2S").state
    view = view_for(state, 0)
    assert view.spreads(Card["KC"]) == spreads(state, 0, Card["KC"])
    asked = table("p p d kKC", GOOD, LAYS_OFF, UPCARD, "2S").state
    view, done = view_for(asked, 1), (LayOff(Card["7C"], 0),)
    assert view.lay_offs() == lay_offs(asked, 1)
    assert view.lay_offs(done) == lay_offs(asked, 1, done)
    assert view.defend() == play(asked, 1, Defend()).state.defence
    assert view.defend(done) == defence_with(asked.hands[1], asked.spread.melds, done)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_view_offers_nothing_out_of_turn(viewer):
    view = view_for(table("p p", GOOD, FLAT, UPCARD, "2S").state, viewer)
    with pytest.raises(IllegalAction):
        view.spreads(Card["KC"])
    with pytest.raises(IllegalAction):
        view.lay_offs()
    with pytest.raises(IllegalAction):
        view.defend()


def test_the_knocker_can_not_try_the_defence():
    view = view_for(table("p p d kKC", GOOD, LAYS_OFF, UPCARD, "2S").state, 0)
    with pytest.raises(IllegalAction):
        view.defend()


# What is hidden


def unknown_to(viewer: int | None, folded: Folded) -> CardSet:
    """The cards of which this viewer can't know where they are."""
    state = folded.state
    unknown = card_set(state.stock)
    if state.phase is Phase.OVER:
        return unknown
    for seat in (0, 1):
        if seat not in (viewer, state.knocker):
            unknown |= state.hands[seat] & ~state.shown[seat]
    # A card seen taken and missing in the spread can only be the one thrown.
    seen_taken = [event.card for event in folded.all_events if isinstance(event, Took)]
    if state.knock_card is not None and viewer != state.knocker:
        unknown |= state.knock_card.bit & ~card_set(seen_taken)
    return unknown


def other_deal(random: Random, unknown: CardSet, deck: Deck, log: str) -> tuple[Deck, str]:
    """The same round with the unknown cards changed among each other."""
    cards = cards_in(unknown)
    change = dict(zip(cards, random.sample(cards, len(cards)), strict=True))
    *before, last = log.split(" ")
    if last[0] == "k" and Card[last[1:3]] in change:
        last = f"k{change[Card[last[1:3]]]}{last[3:]}"
    return tuple(change.get(card, card) for card in deck), " ".join([*before, last])


def refusals(state: RoundState, viewer: int | None) -> list[str]:
    """What the viewer is told who tries everything."""
    if viewer is None:
        return []
    told = []
    cards = [Discard(card) for card in DECK] + [Knock(card) for card in DECK]
    for action in (*cards, Pass(), Take(), Draw(), BigGin(), Defend(())):
        try:
            play(state, viewer, action)
        except RulesError as error:
            told.append(f"{action}: {error.code} {error}")
    return told


def seen(folded: Folded, viewer: int | None) -> TableView:
    return table_view(
        folded.state,
        folded.all_events,
        viewer,
        number=1,
        version=folded.state.ply,
        sheet=ScoreSheet(folded.state.options),
    )


def moments(random: Random) -> Iterator[tuple[Deck, int, Options, str]]:
    """Five moments of each round; most is at stake at its end."""
    for number in range(STATES // 5):
        deck = random.choice((shuffled, rich_deck))(random)
        options = any_options(random)
        words = random_log(random, deck, number % 2, options).split(" ")
        ends = [len(words), len(words) - 1, *(random.randint(1, len(words)) for _ in range(3))]
        for end in ends:
            yield deck, number % 2, options, " ".join(words[:end])


def test_s1_a_viewer_learns_nothing_that_they_can_not_know():
    random = Random(1)
    checked: Counter[Phase] = Counter()
    for deck, dealer, options, log in moments(random):
        folded = fold(log, deck, dealer, options)
        viewer = random.choice(VIEWERS)
        unknown = unknown_to(viewer, folded)
        other = same_to_all(random, unknown, folded, deck, log)
        if other is None:
            continue
        checked[folded.state.phase] += 1
        assert repr(seen(other, viewer)) == repr(seen(folded, viewer))
        if random.random() < 0.1:
            assert refusals(other.state, viewer) == refusals(folded.state, viewer)
    assert set(checked) == set(Phase), checked
    assert checked.total() > STATES * 0.9, checked


def same_to_all(
    random: Random, unknown: CardSet, folded: Folded, deck: Deck, log: str
) -> Folded | None:
    """Another deal in which all could have seen the same; None where none is found."""
    state = folded.state
    for _ in range(20):
        other_deck, other_log = other_deal(random, unknown, deck, log)
        # Whether the last discard or a lay-off is of use depends on hidden cards, and is public.
        try:
            other = fold(other_log, other_deck, state.dealer, state.options)
        except IllegalAction:
            continue
        if other.state.phase is state.phase:
            return other
    return None
