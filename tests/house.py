"""Tables with a bot, and what the process does that plays its turns."""

import random

from games.models import Round
from games.rules.actions import Draw, Pass
from games.rules.options import Options
from games.rules.round import legal_actions
from games.services.bot_loop import play_bot_turn
from games.services.bot_series import bot_user, play_bot
from games.services.bot_turns import due_turns, take_turn
from games.services.outcome import Status
from games.thinking import think
from tests.tables import Played, hasty, new_user


def bot_table(bot: str = "club", options: Options | None = None) -> Played:
    """A new person at a table with a bot."""
    user = new_user()
    series = play_bot(user=user, bot=bot, options=options or Options())
    series.refresh_from_db()
    return Played(series, (user, bot_user(bot)))


def to_the_bot(table: Played) -> Played:
    """Play until the bot is to act in its first round."""
    while table.state.turn == 0:
        table.act(Pass() if Pass() in legal_actions(table.state, 0) else Draw())
    return table


def think_and_play(round_id: int) -> Status:
    """What the process does that comes first."""
    turn = take_turn(round_id)
    assert turn is not None
    return play_bot_turn(turn, think(turn.bot, turn.view, turn.seed)).status


def play_round(table: Played) -> Round:
    """The person hastily, the bot as it likes."""
    choose = hasty(random.Random(table.row.number))
    while not table.row.kind:
        row = table.row
        if row.pk in due_turns():
            assert think_and_play(row.pk) is Status.DONE
        else:
            assert table.act(choose(table.state), table.users[0]).status is Status.DONE
    return table.row
