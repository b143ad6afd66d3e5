"""What a bot is given (promise S1; faults 58, 60): what its seat's page is made of, and no more.

The cards that it can't know are dealt differently; all that it is handed, and does, stays the same.
"""

import random
from collections import Counter

import pytest

from games.bots import BOTS, Choice
from games.models import Round, Seat
from games.rules.actions import Action
from games.rules.state import Phase
from games.services.bot_turns import BotTurn, bot_turn, plain_action
from games.thinking import think
from tests.games.test_secrecy import (
    _decks_as_dealt_here,  # noqa: F401 (fixture)
    put,
    some_of_each_phase,
)
from tests.house import bot_table
from tests.long import long_or
from tests.tables import Played
from tests.worlds import World, another_world

pytestmark = pytest.mark.django_db


def handed_out(table: Played, world: World) -> tuple[BotTurn, list[Choice], Action]:
    """All that the bot to act is handed in this world, and what each bot makes of it."""
    series = table.series
    series.option_values, series.first_dealer = world.options.to_mapping(), world.dealer
    series.save()
    put(Round.objects.get(series=series), world).save()
    turn = bot_turn(table.row.pk)
    assert turn is not None
    return turn, [think(bot, turn.view, turn.seed) for bot in BOTS], plain_action(turn.view)


def test_s1_what_a_bot_is_given_knows_no_hidden_card() -> None:
    chance = random.Random(5)
    table = bot_table()
    # Whoever's turn it is in a world, it is a bot's.
    Seat.objects.filter(series=table.series).update(bot="club")
    met: Counter[Phase] = Counter()
    for world in some_of_each_phase(chance, long_or(100, 8)):
        if world.state.phase is Phase.OVER:
            continue
        other = another_world(world, world.state.turn, chance)
        if other is not None:
            assert handed_out(table, world) == handed_out(table, other), (world, other)
            met[world.state.phase] += 1
    assert met.keys() == set(Phase) - {Phase.OVER}
