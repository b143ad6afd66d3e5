"""Any order of requests leaves a legal game (promise R4).

A Hypothesis machine sends what honest and other pages send, through the one function behind both
doors, and compares what is stored with the replay of the log after every step.
"""

import hashlib
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import Phase as Stage
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from accounts.models import User
from games.doors import answer_request
from games.models import Round, Seat, Series, SheetEntry
from games.models.fold import _folded, deck_of
from games.rules.actions import Action, Defend, Knock, Resign
from games.rules.cards import DECK, card_set
from games.rules.lay_offs import LayOff, next_lay_offs
from games.rules.log import fold
from games.rules.melds import spreads
from games.rules.options import Options
from games.rules.parts import promise_of
from games.rules.round import legal_actions
from games.rules.state import Phase, RoundState
from games.selectors.audit import differences
from games.services import deal, series
from games.services.next_round import deal_if_due
from games.services.outcome import Outcome, Status
from tests.fields import action_fields, next_round_fields, part_fields
from tests.long import LONG, long_or
from tests.tables import Played, keen, new_table, new_user

pytestmark = pytest.mark.django_db

WORDS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        [
            *("pass", "take", "draw", "discard", "knock", "gin", "big-gin", "defend", "resign"),
            *(
                "next-round",
                "part",
                "0f" * 32,
                "",
                "0",
                "1",
                "2",
                "-1",
                "1e9",
                "9" * 12,
                "9C",
                "TS",
                "1X",
                "9c",
            ),
            *("AS2S3S", "9S0", "9S0,TS0", "9S9", "key", "\0", "\ud800", "٣", "x" * 300),
        ]
    ),
)
VALUES = st.one_of(WORDS, st.none(), st.booleans(), st.integers(), st.lists(WORDS, max_size=2))
NAMES = st.sampled_from(
    [
        *("action", "round", "ply", "key", "card", "spread", "lay_offs", "HEADERS"),
        *("promise", "part"),
    ]
)
PARTS = st.sampled_from(["01" * 32, "02" * 32])
CHANGES = st.dictionaries(NAMES, VALUES, min_size=1, max_size=4)
NUMBERS = st.integers(0, 10_000)
SEATS = st.integers(0, 1)


def explicit_forms(state: RoundState, action: Action) -> list[Action]:
    """The automatic form of an action, and all or some of the forms that name its cards."""
    match action:
        case Knock(card):
            kept = state.hands[state.turn] ^ card.bit
            named = [Knock(card, each.melds) for each in spreads(kept, state.knock_limit)]
            return [action, *named]
        case Defend():
            return [action, Defend(()), *map(Defend, _chains(state))]
        case _:
            return [action]


def _chains(state: RoundState) -> list[tuple[LayOff, ...]]:
    assert state.spread is not None
    hand, melds = state.hands[state.turn], state.spread.melds
    first = [(each,) for each in next_lay_offs(hand, melds, ())]
    second = [(*done, each) for done in first for each in next_lay_offs(hand, melds, done)]
    return [*first, *second]


def stored(series_id: int) -> list[Any]:
    """Everything that a request could change."""
    tables = [Series.objects.filter(pk=series_id)]
    tables += [model.objects.filter(series=series_id) for model in (Round, Seat, SheetEntry)]
    return [sorted(map(str, rows.values_list())) for rows in tables]


class Table(RuleBasedStateMachine):
    """Two players, a stranger, and a table next door."""

    secrets = 0

    def __init__(self) -> None:
        super().__init__()
        # What the last example stored is undone, and its keys are given again.
        _folded.clear()
        self.example = transaction.atomic()
        self.example.__enter__()

    @initialize(seed=st.integers(0, 999), offer=st.booleans())
    def sit_down(self, seed: int, offer: bool) -> None:
        # The decks follow from the seed, so that a failure can be tried again.
        Table.secrets = seed * 1000
        self.next_door = new_table()
        self.stranger = new_user()
        self.table = self._new_table(
            seed, Options(target=50, last_card="offer" if offer else "draw")
        )
        self.sent: list[tuple[User, dict[str, str]]] = []
        self.answered_last: dict[int, dict[str, str]] = {}

    def _new_table(self, seed: int, options: Options) -> Played:
        host, guest = new_user(), new_user()
        made = series.create_series(user=host, options=options)
        # The address is part of what the deck follows from.
        Series.objects.filter(pk=made.pk).update(slug=f"machine-{seed}", next_secret=secret())
        series.accept_invitation(token=made.invitation.token, user=guest)
        made.refresh_from_db()
        return Played(made, (host, guest))

    def teardown(self) -> None:
        try:
            if hasattr(self, "table"):
                assert list(differences(self.table.series)) == []
        finally:
            transaction.set_rollback(True)
            self.example.__exit__(None, None, None)

    # What is asked.

    def ask(
        self, user: User | None, fields: Mapping[str, object], series_id: int | None = None
    ) -> Outcome:
        before = stored(self.table.series.pk)
        outcome = answer_request(
            series_id=series_id or self.table.series.pk,
            user_id=user.pk if user else None,
            ticket=None,
            fields=fields,
        )
        assert isinstance(outcome, Outcome)
        assert outcome.rings == (outcome.status is Status.DONE)
        if outcome.status is not Status.DONE:
            assert stored(self.table.series.pk) == before, outcome
        if outcome.status not in (Status.DONE, Status.REPEAT):
            assert str(outcome.notice), "a refusal says why"
        return outcome

    @property
    def running(self) -> bool:
        return not self.table.row.kind

    def legal(self, number: int) -> dict[str, str]:
        """The fields of a legal action that resigns nothing."""
        state = self.table.state
        actions = [
            form
            for action in legal_actions(state, state.turn)
            if not isinstance(action, Resign)
            for form in explicit_forms(state, action)
        ]
        return action_fields(self.table.row, actions[number % len(actions)])

    def remember(self, user: User, fields: dict[str, str]) -> None:
        self.sent.append((user, fields))
        self.answered_last[user.pk] = fields

    @precondition(lambda self: self.running)
    @rule(number=NUMBERS)
    def a_legal_action(self, number: int) -> None:
        self._send(self.legal(number))

    @precondition(lambda self: self.running)
    @rule(plies=st.integers(5, 60), number=NUMBERS)
    def some_turns(self, plies: int, number: int) -> None:
        """On to where knocks, defences and results are."""
        choose = keen(Random(number))
        while self.running and plies:
            plies -= 1
            action = choose(self.table.state)
            forms = explicit_forms(self.table.state, action)
            self._send(action_fields(self.table.row, forms[number % len(forms)]))
            self.what_is_stored_is_the_replay_of_the_log()

    def _send(self, fields: dict[str, str]) -> None:
        user, ply = self.table.turn_user, self.table.row.ply
        assert self.ask(user, fields).status is Status.DONE, fields
        assert self.table.row.ply == ply + 1
        self.remember(user, fields)

    @precondition(lambda self: self.running and self.table.state.phase is not Phase.DEFENCE)
    @rule(seat=SEATS, sure=st.integers(0, 4))
    def a_resignation(self, seat: int, sure: int) -> None:
        if not sure:
            user, fields = self.table.users[seat], action_fields(self.table.row, Resign())
            assert self.ask(user, fields).status is Status.DONE
            self.remember(user, fields)

    @precondition(lambda self: self.answered_last)
    @rule(seat=SEATS)
    def the_last_request_again(self, seat: int) -> None:
        user = self.table.users[seat]
        fields = self.answered_last.get(user.pk)
        if fields and int(fields["round"]) == self.table.row.number:
            assert self.ask(user, fields).status is Status.REPEAT

    @precondition(lambda self: self.sent)
    @rule(number=NUMBERS)
    def an_old_request_again(self, number: int) -> None:
        user, fields = self.sent[number % len(self.sent)]
        late = (Status.REPEAT, Status.STALE, Status.OVER)
        assert self.ask(user, fields).status in late

    @precondition(lambda self: self.running and self.table.row.ply)
    @rule(number=NUMBERS, back=st.integers(1, 5))
    def an_action_for_an_old_ply(self, number: int, back: int) -> None:
        old = {"ply": str(max(0, self.table.row.ply - back))}
        outcome = self.ask(self.table.turn_user, self.legal(number) | old)
        assert outcome.status is Status.STALE

    @precondition(lambda self: self.running)
    @rule(number=NUMBERS, rounds=st.integers(-1, 1), plies=st.integers(1, 9))
    def an_action_for_another_round(self, number: int, rounds: int, plies: int) -> None:
        row = self.table.row
        ahead = {"round": str(row.number + rounds), "ply": str(row.ply + plies)}
        if row.number + rounds:
            outcome = self.ask(self.table.turn_user, self.legal(number) | ahead)
            assert outcome.status in (Status.STALE, Status.OVER)

    @precondition(lambda self: self.running)
    @rule(number=NUMBERS)
    def an_action_of_the_one_who_waits(self, number: int) -> None:
        assert self.ask(self.table.waiting_user, self.legal(number)).status is Status.ILLEGAL

    @precondition(lambda self: self.running)
    @rule(number=NUMBERS)
    def an_action_of_a_stranger(self, number: int) -> None:
        fields = self.legal(number)
        for stranger in (self.stranger, self.next_door.turn_user):
            assert self.ask(stranger, fields).status is Status.NOT_SEATED
        assert self.ask(None, fields).status is not Status.DONE

    @precondition(lambda self: self.running)
    @rule(number=NUMBERS)
    def an_action_at_the_table_next_door(self, number: int) -> None:
        before = stored(self.next_door.series.pk)
        fields = self.legal(number) | {"ply": "0", "round": "1"}
        outcome = self.ask(self.table.turn_user, fields, self.next_door.series.pk)
        assert outcome.status is Status.NOT_SEATED
        assert stored(self.next_door.series.pk) == before

    @precondition(lambda self: self.running)
    @rule(name=st.sampled_from(["discard", "knock", "gin"]), card=st.sampled_from(DECK))
    def a_card_that_is_not_held(self, name: str, card: object) -> None:
        state = self.table.state
        if not card.bit & state.hands[state.turn]:  # type: ignore[attr-defined]
            fields = self.legal(0) | {"action": name, "card": str(card)}
            assert self.ask(self.table.turn_user, fields).status is Status.ILLEGAL

    @rule(seat=SEATS, number=NUMBERS, changes=CHANGES)
    def a_malformed_request(self, seat: int, number: int, changes: dict[str, object]) -> None:
        fields = self.legal(number) if self.running else next_round_fields(self.table.row)
        user, changed = self.table.users[seat], {**fields, **changes}
        log = self.table.row.log
        # Some are well-formed by chance; whatever comes of it, the game stays legal.
        self.ask(user, changed)
        if self.table.row.log != log:
            self.remember(user, {name: str(value) for name, value in changed.items()})

    @rule(seat=SEATS, given=st.one_of(st.none(), PARTS))
    def a_press_of_next_round(self, seat: int, given: str | None) -> None:
        row, user = self.table.row, self.table.users[seat]
        self.table.series.refresh_from_db()
        promise = {"promise": promise_of(given)} if given else {}
        outcome = self.ask(user, next_round_fields(row, **promise))
        if self.table.series.status == Series.Status.OVER:
            assert outcome.status is Status.OVER
        elif row.kind:
            assert outcome.status in (Status.DONE, Status.REPEAT)
        else:
            assert outcome.status is Status.ILLEGAL

    @rule(seat=SEATS, part=PARTS)
    def a_part_in_the_deal(self, seat: int, part: str) -> None:
        before = Seat.objects.get(series=self.table.series, number=seat)
        row = self.table.row
        outcome = self.ask(self.table.users[seat], part_fields(row, part))
        if outcome.status is Status.DONE:
            assert row.kind
            assert before.promise == promise_of(part)
        after = Seat.objects.get(series=self.table.series, number=seat)
        assert after.part in (before.part, part, "")

    @rule()
    def the_time_for_the_next_round_comes(self) -> None:
        row = self.table.row
        Round.objects.filter(pk=row.pk, due_at__isnull=False).update(due_at="2020-01-01T00:00Z")
        dealt = deal_if_due(row.pk)
        assert (dealt is not None) == (row.due_at is not None)
        assert deal_if_due(row.pk) is None

    @rule()
    def the_process_starts_anew(self) -> None:
        _folded.clear()

    # What must hold.

    @invariant()
    def what_is_stored_is_the_replay_of_the_log(self) -> None:
        if not hasattr(self, "table"):
            return
        row = self.table.row
        state = fold(row.log, deck_of(row), row.dealer, row.series.options).state
        assert row.folded().state == state
        assert (row.ply, row.result) == (state.ply, state.result)
        apart = () if state.knock_card is None else (state.knock_card,)
        hands = [card for card in DECK if card.bit & (state.hands[0] | state.hands[1])]
        cards = [*state.stock, *state.pile, *apart, *hands]
        assert len(cards) == 52
        assert card_set(cards) == card_set(DECK)


def secret() -> bytes:
    Table.secrets += 1
    return hashlib.sha256(str(Table.secrets).encode()).digest()


@pytest.fixture(autouse=True)
def _decks_that_can_be_dealt_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(deal, "new_secret", secret)
    monkeypatch.setattr(series, "draw_lot", lambda players: Table.secrets % players)
    yield
    _folded.clear()


def test_r4_any_order_of_requests_leaves_a_legal_game() -> None:
    run_state_machine_as_test(
        Table,
        settings=settings(
            max_examples=long_or(200, 6),
            stateful_step_count=50,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            # To find the shortest failure takes minutes.
            phases=list(Stage) if LONG else [Stage.reuse, Stage.generate],
        ),
    )
