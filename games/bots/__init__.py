"""Bots: each is given a `TableView`, and returns a choice and its reason.

Like the rules, they know no Django, no clock and no chance of their own: the source of random
numbers is an argument. `games.thinking.think` asks a bot by its name, in a process of its own if
need be. How each one thinks, and how strong it is: `docs/bots.md`.
"""

from games.bots.bot import Bot, Choice, RandomSource, Reason, ReasonCode
from games.bots.roster import BOTS, bot_named

__all__ = ["BOTS", "Bot", "Choice", "RandomSource", "Reason", "ReasonCode", "bot_named"]
