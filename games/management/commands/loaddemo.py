"""`manage.py loaddemo`: some players, and series finished, running and waiting, to look at."""

import random
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand

from accounts.models import User
from games.models import Listing, Round, Series
from games.rules.actions import Action, Defend, Discard, Draw, Knock, Pass, Take
from games.rules.melds import best_arrangement, deadwood_points
from games.rules.options import Options
from games.rules.view import SeatView, view_for
from games.selectors.last_round import last_round
from games.services.action import play_action
from games.services.bot_loop import play_bot_turn
from games.services.bot_series import play_bot
from games.services.bot_turns import bot_turn
from games.services.next_round import press_next_round
from games.services.outcome import Status
from games.services.request import ActionRequest, NextRoundRequest
from games.services.series import accept_invitation, create_series
from games.thinking import think

NAMES: Final = ("Alexandra", "Bob", "Clara", "Dmitri")
PASSWORD: Final = "three-games-at-once"  # noqa: S105 (for a demonstration, printed to the console)
PLANS: Final = (
    # Two names, the rules, and how many rounds to play; None: to the end.
    (0, 1, {"preset": "hollywood"}, None),
    (1, 0, {"preset": "hollywood"}, None),
    (0, 2, {"preset": "gin-rummy"}, None),
    (0, 1, {"preset": "hollywood"}, 6),
    (3, 0, {"preset": "oklahoma"}, 1),
)
BOT_PLANS: Final = (
    # A name, a bot, the rules and how many rounds, as above.
    (0, "club", {"preset": "gin-rummy"}, None),
    (0, "beginner", {"preset": "hollywood"}, 2),
    (1, "club", {"preset": "hollywood"}, 4),
)


class Command(BaseCommand):
    help = "Fill a local site with players and series. All share one password, so local only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        chance = random.Random(options["seed"])  # noqa: S311 (how they play, not what is dealt)
        users = [_person(name) for name in NAMES]
        for host, guest, rules, rounds in PLANS:
            series = create_series(user=users[host], options=Options.from_mapping(rules))
            accept_invitation(token=series.invitation.token, user=users[guest])
            play_series(series, rounds, chance)
        for host, bot, rules, rounds in BOT_PLANS:
            series = play_bot(user=users[host], bot=bot, options=Options.from_mapping(rules))
            play_series(series, rounds, chance)
        Listing.objects.create(series=create_series(user=users[0], options=Options()))
        self.stdout.write(f"Log in as {', '.join(NAMES)}; the password of each is {PASSWORD}")


def _person(name: str) -> User:
    known = User.objects.filter(username=name).first()
    return known or User.objects.create_user(name, password=PASSWORD)


def play_series(series: Series, rounds: int | None, chance: random.Random) -> None:
    """Play so many rounds and a few turns of the next, or with None to the end of the series."""
    while True:
        series.refresh_from_db()
        row = last_round(series)
        assert row is not None, "it was dealt when both had sat down"
        if series.status == Series.Status.OVER or (
            rounds is not None and row.number > rounds and row.ply >= 9
        ):
            return
        _step(row, chance)


def _step(row: Round, chance: random.Random) -> None:
    key = f"demo-{row.ply}"
    seats = (row.first_seat, row.second_seat)
    if row.kind:
        for seat in seats:
            request = NextRoundRequest(row.number, key)
            press_next_round(series_id=row.series_id, user_id=seat.user_id, request=request)
        return
    turn = bot_turn(row.pk)
    if turn is not None:
        play_bot_turn(turn, think(turn.bot, turn.view, turn.seed))
        return
    state = row.folded().state
    action = _choose(view_for(state, state.turn), chance)
    outcome = play_action(
        series_id=row.series_id,
        user_id=seats[state.turn].user_id,
        request=ActionRequest(action, row.number, row.ply, key),
    )
    assert outcome.status is Status.DONE, outcome


def _choose(view: SeatView, chance: random.Random) -> Action:
    """A plain player: enough to fill a page, no opponent."""
    knocks = [action for action in view.actions if isinstance(action, Knock)]
    if knocks:
        return min(knocks, key=lambda knock: deadwood_points(view.hand ^ knock.card.bit))
    discards = [action for action in view.actions if isinstance(action, Discard)]
    if discards:
        loose = best_arrangement(view.hand).deadwood
        return max(discards, key=lambda d: (bool(d.card.bit & loose), d.card.points))
    if Take() in view.actions and _improves(view):
        return Take()
    plain = [action for action in view.actions if isinstance(action, Draw | Pass | Defend)]
    return chance.choice(plain)


def _improves(view: SeatView) -> bool:
    top = view.pile[-1].bit
    return not best_arrangement(view.hand | top).deadwood & top
