"""Random legal play, as a Hypothesis strategy: what holds after every action of any round."""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from hypothesis import event, given, settings
from hypothesis import strategies as st

from games.rules.actions import (
    Action,
    BigGin,
    Defend,
    Discard,
    Draw,
    Knock,
    Pass,
    Resign,
    Take,
    format_action,
    parse_action,
)
from games.rules.cards import ALL_CARDS, DECK, card_set, cards_in
from games.rules.deadwood import deadwood_points
from games.rules.errors import IllegalAction
from games.rules.notation import EMPTY_LOG, Entry, RoundRecord, extend, fold, logged
from games.rules.options import Options
from games.rules.round import Phase, RoundState, deal, legal_actions, play
from games.rules.scoring import Ending
from games.rules.view import view_for
from tests.rules import oracle
from tests.rules.tables import Deck, any_choice, any_options, rich_deck, shuffled, simple_player

ALL_ACTIONS: tuple[Action, ...] = (
    Pass(),
    Take(),
    Draw(),
    *(Discard(card) for card in DECK),
    *(Knock(card) for card in DECK),
    BigGin(),
    Defend(),
    Resign(),
)


@dataclass(frozen=True)
class Step:
    """An action of a round, and what it did."""

    before: RoundState
    entry: Entry
    after: RoundState
    log: str


@dataclass(frozen=True, repr=False)
class Round:
    deck: Deck
    dealer: int
    options: Options
    steps: tuple[Step, ...]

    def __repr__(self) -> str:
        entries = tuple(step.entry for step in self.steps)
        return RoundRecord(self.options, self.dealer, self.deck, entries).format()

    @property
    def start(self) -> RoundState:
        return deal(self.deck, self.dealer, self.options).state

    @property
    def states(self) -> list[RoundState]:
        return [self.start, *(step.after for step in self.steps)]


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A whole round: options, deck, and legal actions of both seats to its end."""
    random = Random(draw(st.integers(0, 2**32), label="deck"))
    options = any_options(random)
    deck = draw(st.sampled_from([shuffled, rich_deck]), label="kind")(random)
    dealer = draw(st.sampled_from([0, 1]), label="dealer")
    steps = tuple(_steps(draw, deal(deck, dealer, options).state))
    event(f"{steps[-1].after.result.kind}")
    return Round(deck, dealer, options, steps)


def _steps(draw: st.DrawFn, state: RoundState) -> Iterator[Step]:
    log = EMPTY_LOG
    # Two who throw anything seldom come to a knock.
    careful = draw(st.sampled_from([(0, 1), (0,), (1,), ()]), label="simple players")
    resigns = draw(st.integers(0, 200), label="ply at which one resigns")
    while state.phase is not Phase.OVER:
        view = view_for(state, state.turn)
        if state.ply == resigns and state.phase is not Phase.DEFENCE:
            entry = Entry(draw(st.sampled_from([0, 1])), Resign())
        elif state.turn in careful and state.phase is not Phase.DEFENCE:
            entry = Entry(state.turn, simple_player(view))
        else:
            entry = Entry(state.turn, any_choice(view, partial(choose, draw)))
        after = play(state, entry.seat, entry.action).state
        log = logged(log, entry)
        yield Step(state, entry, after, log)
        state = after


def choose(draw: st.DrawFn, choices: Sequence[Action]) -> Action:
    """Any of them but to resign; where a knock is possible, half of the time that."""
    knocks = [action for action in choices if isinstance(action, Knock | BigGin)]
    if knocks and draw(st.booleans()):
        return draw(st.sampled_from(knocks))
    return draw(st.sampled_from([action for action in choices if action != Resign()]))


@settings(max_examples=150)
@given(rounds())
def test_there_are_always_52_cards(played):
    for state in played.states:
        lying = [*state.stock, *state.pile]
        if state.knock_card is not None:
            lying.append(state.knock_card)
        assert len(lying) + sum(hand.bit_count() for hand in state.hands) == 52
        assert state.hands[0] ^ state.hands[1] ^ card_set(lying) == ALL_CARDS


@settings(max_examples=150)
@given(rounds())
def test_a_hand_has_ten_cards_and_eleven_in_its_turn(played):
    for state in played.states:
        sizes = [hand.bit_count() for hand in state.hands]
        if state.phase is Phase.DISCARD:
            assert (sizes[state.turn], sizes[1 - state.turn]) == (11, 10)
        elif state.phase is not Phase.OVER:
            assert sizes == [10, 10]
        else:
            eleven = state.result.kind in (Ending.BIG_GIN, Ending.RESIGNED, Ending.VOID)
            assert max(sizes) == 10 or eleven
        for seat in (0, 1):
            assert state.shown[seat] & ~state.hands[seat] == 0


@settings(max_examples=60)
@given(rounds())
def test_the_deadwood_is_that_of_the_slow_oracle(played):
    for state in played.states[:: max(1, len(played.states) // 4)]:
        for hand in state.hands:
            cards = frozenset(map(str, cards_in(hand)))
            assert deadwood_points(hand) == oracle.deadwood(cards)


@settings(max_examples=150)
@given(rounds())
def test_the_log_leads_to_the_same_state(played):
    folded = fold(EMPTY_LOG, played.deck, played.dealer, played.options)
    for step in played.steps:
        folded = extend(folded, step.log)
        assert folded.state == step.after
        text = format_action(step.entry.action)
        assert parse_action(text) == step.entry.action
    assert fold(folded.log, played.deck, played.dealer, played.options) == folded


@settings(max_examples=60)
@given(rounds())
def test_what_is_legal_is_what_is_accepted(played):
    for state in played.states:
        for seat in (0, 1):
            assert set(legal_actions(state, seat)) == {
                action for action in ALL_ACTIONS if accepted(state, seat, action)
            }
            assert view_for(state, seat).actions == legal_actions(state, seat)


def accepted(state: RoundState, seat: int, action: Action) -> bool:
    try:
        play(state, seat, action)
    except IllegalAction:
        return False
    return True


@settings(max_examples=150)
@given(rounds())
def test_no_action_changes_the_state_it_was_given(played):
    state = played.start
    for step in played.steps:
        copy = pickle.dumps(state)
        after = play(state, step.entry.seat, step.entry.action).state
        assert pickle.dumps(state) == copy
        assert after == step.after
        assert after.ply == state.ply + 1
        state = after


@settings(max_examples=150)
@given(rounds())
def test_a_round_ends_and_its_points_are_its_sum(played):
    *running, last = played.states
    assert all(state.result is None for state in running)
    assert len(running) <= 2 + 2 * (29 + 50) + 2
    result = last.result
    assert result.points == (result.bonus + result.difference) * result.multiplier
    assert (result.winner is None) == (result.kind is Ending.DRAWN)
    if result.knocker is not None:
        assert result.knocker_deadwood == last.spread.deadwood_points <= last.knock_limit
        assert result.defender_deadwood == last.defence.deadwood_points
        assert (result.winner == result.knocker) == (result.kind is not Ending.UNDERCUT)


@settings(max_examples=150)
@given(rounds())
def test_somebody_can_act_until_it_is_over(played):
    for state in played.states:
        over = state.phase is Phase.OVER
        assert bool(legal_actions(state, state.turn)) != over
        resigns = not over and state.phase is not Phase.DEFENCE
        assert legal_actions(state, 1 - state.turn) == ((Resign(),) if resigns else ())
