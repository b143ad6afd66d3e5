"""The rules of gin rummy and of Hollywood scoring: pure Python, the standard library only.

Values are immutable: an action goes in, a new state and events come out. The deck, the random
source and the time are arguments. `docs/rules.md` is the reference for every choice made here.
"""
