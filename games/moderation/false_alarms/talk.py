"""Honest talk: lines that people say at cards, and how many of them somebody says.

The lines are written by hand, in each language that has a list, and look for trouble: many hold
what a list of words may take for something else (Scunthorpe, Moby-Dick). The phrases of the site
are among them.
"""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from games.moderation.false_alarms import Count
from games.moderation.signs import flood, language
from games.phrases import PHRASES

_LINES: Final = Path(__file__).parent / "lines"


def honest_lines() -> Iterator[str]:
    """All of them, the phrases of the site first."""
    yield from map(str, PHRASES.values())
    for file in sorted(_LINES.glob("*.txt")):
        yield from file.read_text(encoding="utf-8").splitlines()


def wrong_words() -> Count:
    """Of these lines those in which there is a word of the lists."""
    lines = list(honest_lines())
    return Count(sum(language.hits(line) >= language.FROM for line in lines), len(lines))


def floods(a_minute: float, hours: int, seed: int) -> Count:
    """Of so many hours of honest talk those in which somebody is taken for a flood.

    Supposed is that somebody says `a_minute` lines on average, each at a time of its own.
    """
    chance = Random(f"{seed}|{a_minute}")  # noqa: S311
    return Count(sum(_is_flood(a_minute, chance) for _ in range(hours)), hours)


def _is_flood(a_minute: float, chance: Random) -> bool:
    lately: deque[float] = deque()
    now = chance.expovariate(a_minute)
    while now < 60:
        while lately and now - lately[0] >= flood.WITHIN.total_seconds() / 60:
            lately.popleft()
        lately.append(now)
        if len(lately) >= flood.FROM:
            return True
        now += chance.expovariate(a_minute)
    return False
