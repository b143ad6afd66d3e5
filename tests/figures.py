"""Tallies of many rounds, played by the rules alone, for pages that show them."""

import random
from collections.abc import Sequence

from accounts.models import User
from games.counts import Counts, PlayedRound, count_round
from games.models import Tally
from games.rules.cards import DECK
from games.rules.log import EMPTY_LOG, Entry, logged
from games.rules.options import Options
from games.rules.round import play
from games.rules.state import deal
from tests.tables import keen


def played_round(chance: random.Random, deck: Sequence[int] | None = None) -> PlayedRound:
    """A round of two who take what helps and knock as soon as they can."""
    cards = tuple(deck) if deck else tuple(chance.sample(DECK, 52))
    dealer, log, choose = chance.randrange(2), EMPTY_LOG, keen(chance)
    state = deal(cards, dealer, Options()).state
    while state.result is None:
        entry = Entry(state.turn, choose(state))
        assert entry.action is not None
        log, state = logged(log, entry), play(state, state.turn, entry.action).state
    return PlayedRound(cards, dealer, log, state.result)


def store_figures(one: User, other: User, *, rounds: int, seed: int = 1) -> None:
    """Tallies of both, against each other too, and the site's, as of so many rounds."""
    chance = random.Random(seed)
    counts = [Counts(), Counts()]
    for _ in range(rounds):
        played = played_round(chance)
        counts = [counts[seat] + count_round(played, seat) for seat in (0, 1)]
    series = max(1, rounds // 12)
    won = round(series * 0.58)
    for user, opponent, seat, wins in ((one, other, 0, won), (other, one, 1, series - won)):
        games = (wins, wins - wins // 5, wins - wins // 7)
        lost = series - wins
        mine = counts[seat] + Counts(
            series=series,
            series_won=wins,
            series_lost=lost,
            rated=series // 2,
            rated_score=500 * wins,
            rated_expected=460 * (series // 2),
            games_won=games,
            games_lost=(lost, lost + wins // 5, lost + wins // 7),
        )
        figures = {"counts": mine.to_mapping(), "streak": 2 - 4 * seat, "best_streak": 5 - seat}
        for scope in ("all", "people", "hollywood live"):
            Tally.objects.update_or_create(user=user, opponent=None, scope=scope, defaults=figures)
            row, _new = Tally.objects.get_or_create(user=None, opponent=None, scope=scope)
            row.counts = (row.to_domain() + mine).to_mapping()
            row.save()
        for scope in ("all", "open"):
            Tally.objects.update_or_create(
                user=user, opponent=opponent, scope=scope, defaults=figures
            )
