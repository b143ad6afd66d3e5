"""Tables for tests: people who sit down, and scripted ways to play."""

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass

from accounts.models import User
from games.models import Round, Series
from games.rules.actions import Action, Discard, Knock, Resign, Take
from games.rules.melds import best_discard, deadwood_points
from games.rules.options import Options
from games.rules.round import RoundState, legal_actions
from games.services.action import play_action
from games.services.next_round import press_next_round
from games.services.outcome import Outcome
from games.services.request import ActionRequest, NextRoundRequest, SeriesRequest, Wish
from games.services.series import accept_invitation, create_series
from games.services.stopping import grant_wish
from games.time_control import TimeControl

_numbers = itertools.count(1)


def new_user(name: str = "") -> User:
    """A person; without a password, so that no time goes into hashing."""
    return User.objects.create(username=name or f"player{next(_numbers)}")


@dataclass
class Played:
    """A running series and its two players, seat 0 first."""

    series: Series
    users: tuple[User, User]

    @property
    def row(self) -> Round:
        """The round on the table, as it is stored now."""
        rounds = Round.objects.select_related("series", "first_seat", "second_seat")
        return rounds.filter(series=self.series).order_by("-number")[0]

    @property
    def state(self) -> RoundState:
        return self.row.folded().state

    @property
    def turn_user(self) -> User:
        return self.users[self.state.turn]

    @property
    def waiting_user(self) -> User:
        return self.users[1 - self.state.turn]

    def request(self, action: Action, key: str = "", **changes: int) -> ActionRequest:
        row = self.row
        number = changes.get("round", row.number)
        return ActionRequest(action, number, changes.get("ply", row.ply), key or next_key())

    def act(self, action: Action, user: User | None = None, key: str = "") -> Outcome:
        return play_action(
            series_id=self.series.pk,
            user_id=(user or self.turn_user).pk,
            request=self.request(action, key),
        )

    def press_next(self, user: User, number: int | None = None, key: str = "") -> Outcome:
        request = NextRoundRequest(number or self.row.number, key or next_key())
        return press_next_round(series_id=self.series.pk, user_id=user.pk, request=request)

    def wish(self, wish: Wish, user: User, key: str = "") -> Outcome:
        """Ask something of the series as a whole."""
        request = SeriesRequest(wish, self.row.number, key or next_key())
        return grant_wish(series_id=self.series.pk, user_id=user.pk, request=request)

    def play_round(self, choose: "Chooser | None" = None) -> Round:
        """Play the round on the table to its result."""
        row = self.row
        choose = choose or hasty(random.Random(row.number))
        while not row.kind:
            state = row.folded().state
            request = ActionRequest(choose(state), row.number, row.ply, next_key())
            user_id = self.users[state.turn].pk
            outcome = play_action(series_id=self.series.pk, user_id=user_id, request=request)
            assert outcome.status == "done", outcome
            row = self.row
        return row

    def play_series(self, choose: "Chooser | None" = None) -> Series:
        """Play to the end of the series."""
        while True:
            self.play_round(choose)
            self.series.refresh_from_db()
            if self.series.status == Series.Status.OVER:
                return self.series
            for user in self.users:
                self.press_next(user)


Chooser = Callable[[RoundState], Action]


def hasty(chance: random.Random) -> Chooser:
    """Knocks at the first chance and else throws a high card: rounds end soon."""

    def choose(state: RoundState) -> Action:
        actions = [a for a in legal_actions(state, state.turn) if not isinstance(a, Resign)]
        knocks = [a for a in actions if isinstance(a, Knock)]
        if knocks:
            return chance.choice(knocks)
        discards = [a for a in actions if isinstance(a, Discard)]
        if discards:
            return max(discards, key=lambda a: (a.card.points, a.card))
        return chance.choice(actions)

    return choose


def keen(chance: random.Random) -> Chooser:
    """Takes what helps and throws what helps least: most of its rounds end with a knock."""

    def choose(state: RoundState) -> Action:
        actions = [a for a in legal_actions(state, state.turn) if not isinstance(a, Resign)]
        knocks = [a for a in actions if isinstance(a, Knock)]
        hand = state.hands[state.turn]
        if not knocks and any(isinstance(a, Discard) for a in actions):
            return Discard(best_discard(hand, state.taken)[0])
        if Take() in actions:
            top = state.pile[-1]
            helps = best_discard(hand | top.bit, top)[1] < deadwood_points(hand) - 2
            actions = [a for a in actions if isinstance(a, Take) == helps] or actions
        return chance.choice(knocks or actions)

    return choose


def next_key() -> str:
    return f"key-{next(_numbers)}"


def new_table(options: Options | None = None, time_control: str = "") -> Played:
    """Two new people at a new series, the first round dealt."""
    host, guest = new_user(), new_user()
    control = TimeControl.parse(time_control)
    series = create_series(user=host, options=options or Options(), control=control)
    accept_invitation(token=series.invitation.token, user=guest)
    series.refresh_from_db()
    return Played(series, (host, guest))
