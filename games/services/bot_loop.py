"""The bots at the tables: finds what is due, has it thought out elsewhere, plays it and rings.

Each web process does this, or `manage.py work` alone does (setting BOT_WORKER). It is no sign of
life (games.services.process): while only bots can act, the time of people does not run.
"""

import asyncio
import logging
from typing import Final

from games import live
from games.bots import Choice
from games.errors import log_failure
from games.services.action import play_action
from games.services.bot_thinker import Thinker
from games.services.bot_turns import BotTurn, due_turns, plain_action, take_turn
from games.services.outcome import Outcome, Status
from games.services.request import ActionRequest
from games.threads import in_thread

logger = logging.getLogger(__name__)

LOOK_EVERY: Final = 0.25  # seconds
TRIES: Final = 2  # so often a bot is asked before it does something plain


async def run_bots() -> None:
    """Play the bots' turns as they come due, until cancelled."""
    thinker = Thinker()
    try:
        while True:
            await _look(thinker)
            await asyncio.sleep(LOOK_EVERY)
    finally:
        thinker.stop()


async def _look(thinker: Thinker) -> None:
    try:
        while await play_due_turns(thinker):
            pass
    except Exception as error:
        # The database may be away for a moment; the next look finds out again.
        log_failure(logger, "the bots' turns were not played", error)


async def play_due_turns(thinker: Thinker) -> int:
    """Play the turns that are due now; how many. One that fails holds up no other."""
    played = 0
    for round_id in await in_thread(due_turns):
        try:
            turn = await in_thread(take_turn, round_id)
            if turn is not None:
                await _play(turn, thinker)
                played += 1
        except Exception as error:
            # Taken, it is due again in some seconds, after all others.
            log_failure(logger, "a bot's turn was not played", error)
    return played


async def _play(turn: BotTurn, thinker: Thinker) -> None:
    choice = await _choice(turn, thinker)
    outcome = await in_thread(play_bot_turn, turn, choice)
    if outcome.rings:
        await live.ring(turn.series_id, outcome.version, talk=outcome.talk)


async def _choice(turn: BotTurn, thinker: Thinker) -> Choice | None:
    for _ in range(TRIES):
        choice = await thinker.choose(turn.bot, turn.view, turn.seed)
        if choice is not None:
            return choice
    return None


def play_bot_turn(turn: BotTurn, choice: Choice | None) -> Outcome:
    """Play a bot's choice; where there is none, or it is not allowed, something plain.

    Whoever comes second with a turn is answered `repeat` or `stale`, and changes nothing.
    """
    if choice is not None:
        outcome = _act(turn, _request(turn, choice))
        if outcome.status is not Status.ILLEGAL:
            return outcome
    logger.error("the bot %s acts without a choice of its own", turn.bot)
    return _act(turn, ActionRequest(plain_action(turn.view), turn.round, turn.ply, _key(turn)))


def _request(turn: BotTurn, choice: Choice) -> ActionRequest:
    return ActionRequest(choice.action, turn.round, turn.ply, _key(turn), choice.reason)


def _act(turn: BotTurn, request: ActionRequest) -> Outcome:
    return play_action(series_id=turn.series_id, user_id=turn.user_id, request=request)


def _key(turn: BotTurn) -> str:
    return f"bot-{turn.ply}"
