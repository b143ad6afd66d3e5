"""Who there is to play against."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from games.bots.beginner import Beginner
from games.bots.bot import Bot
from games.bots.club import Club
from games.bots.evaluation import Worth
from games.bots.thinkers import Thinker
from games.bots.yardsticks import Eaai, Simple

BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {
        bot.name: bot
        for bot in (
            Beginner(),
            Club(),
            Thinker("strong", Worth.POINTS),
            Thinker("expert", Worth.SERIES),
        )
    }
)
"""The bots that sit down with people, by name, the weakest first."""

_YARDSTICKS: Final[Mapping[str, Bot]] = {bot.name: bot for bot in (Simple(), Eaai())}


def bot_named(name: str) -> Bot:
    """Return the bot of this name: one of `BOTS`, or a yardstick, `simple` or `eaai`.

    Raises ValueError for a name that no bot has.

    >>> bot_named("eaai").name
    'eaai'
    """
    bot = BOTS.get(name) or _YARDSTICKS.get(name)
    if bot is None:
        known = ", ".join([*BOTS, *_YARDSTICKS])
        raise ValueError(f"No bot is called {name!r}; there are {known}")
    return bot
