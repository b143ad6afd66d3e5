"""What the deck alone decides of a round, before anyone chooses, and what a fair deck would.

It needs the rules only. `python -m games.luck` makes the table of a fair deck.
"""
