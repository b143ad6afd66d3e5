"""How the weights of the bots were made: self-play on a fast table, and fits of what came of it."""
