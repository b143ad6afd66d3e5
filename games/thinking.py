"""A bot's choice as one pure function, for a pool of processes: names, views and seeds go over."""

from random import Random

from games.bots import Choice, bot_named
from games.rules.view import TableView


def think(name: str, view: TableView, seed: int) -> Choice:
    """Let the bot of this name choose for the seat whose view this is.

    Imports no Django. The same view and seed give the same choice. Raises ValueError for a name
    that no bot has.
    """
    # Chance for play, not for secrets: only the seed has to be out of a player's reach.
    return bot_named(name).choose(view, Random(seed))  # noqa: S311
