"""Every bot plays every kind of round to its end, by legal actions, and always the same way."""

import pickle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots import BOTS, ReasonCode, bot_named
from games.rules.actions import Action, Defend, Knock, Resign
from games.rules.cards import Card
from games.rules.notation import EMPTY_LOG, Entry, fold, logged
from games.rules.options import OPTION_VALUES, PRESETS, Options
from games.rules.round import Phase, deal, play
from games.rules.sheet import ScoreSheet
from games.rules.view import TableView, table_view, view_for
from games.thinking import think
from tests.bots.seats import ALL_BOTS, view_of
from tests.rules.tables import random_player, rich_deck, shuffled, table


@st.composite
def options_of_two(draw: st.DrawFn) -> Options:
    preset = draw(st.sampled_from(list(PRESETS)))
    names = draw(st.sets(st.sampled_from(sorted({*OPTION_VALUES} - {"players"})), max_size=4))
    single = {name: draw(st.sampled_from(list(OPTION_VALUES[name]))) for name in sorted(names)}
    return Options.from_mapping({"preset": preset, **single})


def sheet_on_the_way(random: Random, options: Options) -> ScoreSheet:
    sheet = ScoreSheet(options)
    for _ in range(random.randrange(12)):
        after = sheet.with_result((random.randrange(2), random.randrange(1, 60)))
        if after.is_over:
            break
        sheet = after
    return sheet


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(ALL_BOTS),
    st.sampled_from([*ALL_BOTS, None]),
    options_of_two(),
    st.integers(0, 2**32),
    st.sampled_from([(0, 1), (1, 0)]),
)
def test_a_bot_plays_any_round_by_legal_actions(name, other, options, seed, sides):
    random = Random(seed)
    deck = random.choice([shuffled, rich_deck])(random)
    sheet = sheet_on_the_way(random, options)
    progress = deal(deck, seed % 2, options)
    state, events = progress.state, list(progress.events)
    while state.phase is not Phase.OVER:
        seat = state.turn
        who = (name, other)[seat]
        view = table_view(
            state, events, seat, number=1, version=state.ply, sheet=sheet, sides=sides
        )
        if who is None:
            action = random_player(view_for(state, seat), random)
        else:
            action = bot_named(who).choose(view, random).action
            assert without_how(action) in view.round.actions
            assert action != Resign()
        progress = play(state, seat, action)
        state, events = progress.state, [*events, *progress.events]


def without_how(action: Action) -> Action:
    """The action as it is offered, its spread or lay-offs left open."""
    match action:
        case Knock(card):
            return Knock(card)
        case Defend():
            return Defend()
    return action


def views(count: int) -> list[TableView]:
    random, found = Random(7), []
    while len(found) < count:
        deck = random.choice([shuffled, rich_deck])(random)
        options = random.choice(list(PRESETS.values()))
        state, log = deal(deck, 0, options).state, EMPTY_LOG
        while state.phase is not Phase.OVER:
            action = random_player(view_for(state, state.turn), random)
            if random.random() < 0.1:
                found.append(
                    view_of(fold(log, deck, 0, options) if log else fold("0", deck, 0, options))
                )
            log = logged(log, Entry(state.turn, action))
            state = play(state, state.turn, action).state
    return found[:count]


@pytest.mark.parametrize("name", ALL_BOTS)
def test_the_same_view_and_seed_give_the_same_choice(name):
    for view in views(40):
        assert view == pickle.loads(pickle.dumps(view))
        assert think(name, pickle.loads(pickle.dumps(view)), 5) == think(name, view, 5)


@pytest.mark.parametrize("name", ALL_BOTS)
def test_a_choice_and_its_reason_can_be_sent_to_another_process(name):
    for view in views(10):
        choice = think(name, view, 5)
        assert pickle.loads(pickle.dumps(choice)) == choice
        assert choice.reason.code in ReasonCode


def test_chance_decides_where_cards_are_alike():
    # The two kings leave as much deadwood: eaai throws either.
    seen = table("p p d", "2C 3C 4C 5C 6C 9D 8H 3H KC KD", "3D 5S 7S 9H TH JS QS AC AD 4H", "7D")
    thrown = {think("eaai", view_of(seen), seed).action.card for seed in range(20)}
    assert thrown <= {Card["KC"], Card["KD"]}
    assert len(thrown) == 2


def test_there_are_four_bots_to_sit_down_with():
    assert list(BOTS) == ["beginner", "club", "strong", "expert"]
    assert [bot_named(name).name for name in ALL_BOTS] == list(ALL_BOTS)


def test_a_name_that_no_bot_has_is_refused_in_words():
    with pytest.raises(ValueError, match="No bot is called 'hal'; there are beginner, club"):
        bot_named("hal")
