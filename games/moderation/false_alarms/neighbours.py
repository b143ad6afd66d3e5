"""Honest neighbours: households, and strangers whom one network brings together.

Supposed is of the players of a small country: of 100 households 90 have one player, 8 two and 2
three, and half of them one browser for all. In 180 days each is seen on `SEEN_ON` networks of the
`NETWORKS` that the providers have, as addresses change and people travel. Opponents are drawn from
all accounts.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from random import Random
from typing import Final

from accounts.keyed import digests
from accounts.traces import MOST_BEHIND
from games.moderation.false_alarms import Count

SEEN_ON: Final = 4
NETWORKS: Final = 50_000
HOUSEHOLDS: Final = {1: 0.90, 2: 0.08, 3: 0.02}  # how many there are of so many players

type Traces = Mapping[int, frozenset[str]]


def country(accounts: int, seed: int) -> tuple[Traces, dict[int, int]]:
    """The traces of so many accounts, hashed as the site does, and the household of each."""
    chance = Random(seed)  # noqa: S311
    traces: dict[int, frozenset[str]] = {}
    home: dict[int, int] = {}
    while len(traces) < accounts:
        household = len(traces)
        [size] = chance.choices([*HOUSEHOLDS], weights=[*HOUSEHOLDS.values()])
        seen_on = {_hash("address", chance.randrange(NETWORKS)) for _ in range(SEEN_ON)}
        shares_browser = chance.random() < 0.5
        for person in range(household, min(household + size, accounts)):
            browser = _hash("device", household if shares_browser else person)
            traces[person] = frozenset(seen_on | {browser})
            home[person] = household
    return traces, home


def related_pairs(traces: Traces) -> set[tuple[int, int]]:
    """Who is related to whom, by the rule of `accounts.traces.related_accounts`."""
    behind: dict[str, list[int]] = defaultdict(list)
    for person in sorted(traces):
        for trace in traces[person]:
            behind[trace].append(person)
    crowds: Iterable[list[int]] = (each for each in behind.values() if len(each) <= MOST_BEHIND)
    return {pair for crowd in crowds for pair in combinations(crowd, 2)}


def related_strangers(accounts: int, seed: int) -> tuple[Count, Count]:
    """Accounts that are shown one of another household, and pairs of strangers that are related.

    The second is how often a rated series of two strangers is a signal.
    """
    traces, home = country(accounts, seed)
    strangers = {pair for pair in related_pairs(traces) if home[pair[0]] != home[pair[1]]}
    shown = {person for pair in strangers for person in pair}
    return Count(len(shown), accounts), Count(len(strangers), accounts * (accounts - 1) // 2)


def _hash(kind: str, number: int) -> str:
    return digests(f"accounts.traces.{kind}", str(number))[0]
