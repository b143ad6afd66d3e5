"""Hidden cards are hidden (promise S1; faults 58, 59, 60): no output changes with them.

For random rounds the cards that a viewer can't know are dealt differently, and everything that
viewer could be shown is made for both worlds. It must be the same to the byte.
"""

import logging
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Round, Seat, Series, fold
from games.models.round import RESULT_FIELDS
from games.rendering import Draft, regions
from games.rendering.sorting import SORTS
from games.rules import view
from games.rules.actions import Discard, Draw, Knock
from games.rules.cards import Card
from games.rules.deck import commitment
from games.rules.lay_offs import next_lay_offs
from games.rules.state import Phase, RoundState
from games.rules.view import SeatView
from games.selectors.table import Sitting, table_for
from games.window import Window
from tests.fields import action_fields
from tests.long import long_or
from tests.tables import Played, new_table, new_user
from tests.worlds import World, another_world, unknown_cards, worlds

SECRET = bytes(range(32))
ANN, BOB, EVE = 1, 2, 3

_decks: dict[int, tuple[Card, ...]] = {}


@pytest.fixture(autouse=True)
def _decks_as_dealt_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(fold, "deck_of", lambda row: _decks[row.pk])
    yield
    fold._folded.clear()
    _decks.clear()


def put(row: Round, world: World) -> Round:
    """Let a row be this round."""
    fold._folded.clear()
    _decks[row.pk] = world.deck
    state = world.state
    row.log, row.ply, row.dealer = world.log, state.ply, world.dealer
    row.kind = ""
    if state.result is not None:
        for name in RESULT_FIELDS:
            setattr(row, name, getattr(state.result, name))
        row.points = state.result.points
    return row


def sitting(world: World) -> Sitting:
    """A series at this round, in no database."""
    series = Series(
        pk=1,
        slug="secret-table",
        status=Series.Status.PLAYING,
        preset=world.options.preset,
        option_values=world.options.to_mapping(),
        first_dealer=world.dealer,
        next_secret=SECRET,
    )
    users = (User(pk=ANN, username="Ann"), User(pk=BOB, username="Bob"))
    seats = tuple(
        Seat(pk=10 + number, series=series, number=number, side=number, user=user)
        for number, user in enumerate(users)
    )
    row = Round(
        pk=1,
        series=series,
        number=1,
        first_seat=seats[0],
        second_seat=seats[1],
        version_before=0,
        secret=SECRET,
        commitment=commitment(SECRET),
    )
    return Sitting(series, seats, (), put(row, world), frozenset({0, 1}))


def drafts(world: World, viewer: int | None, chance: random.Random) -> list[Draft]:
    """What this viewer may have chosen and not done yet."""
    state = world.state
    if viewer is None:
        return [Draft()]
    card = chance.choice([card for card in Card if card.bit & state.hands[viewer]])
    lay_offs = ()
    if state.phase is Phase.DEFENCE and state.turn == viewer:
        assert state.spread is not None
        first = next_lay_offs(state.hands[viewer], state.spread.melds, ())
        lay_offs = first[:1]
    sort = chance.choice(SORTS)
    return [Draft(sort=sort), Draft(card=card), Draft(lay_offs=lay_offs)]


def test_s1_what_a_page_is_made_of_knows_no_hidden_card() -> None:
    chance = random.Random(1)
    met: Counter[Phase] = Counter()
    for world in worlds(chance):
        for viewer, user in ((0, ANN), (1, BOB), (None, EVE), (None, None)):
            other = another_world(world, viewer, chance)
            if other is not None:
                chosen = drafts(world, viewer, chance)
                made = [made_of(each, user, chosen) for each in (world, other)]
                assert made[0] == made[1], (world, other, viewer)
                met[world.state.phase] += 1
        if met.total() >= long_or(10_000, 1500):
            break
    assert met.keys() == set(Phase)


def made_of(world: World, user: int | None, chosen: Sequence[Draft]) -> object:
    """The table and the contexts of all regions, for this user."""
    table = table_for(sitting(world), user)
    return table, [regions(table, draft, guide="on") for draft in chosen]


@pytest.mark.parametrize("leak", ["hands", "stock_size", "knock_card"])
def test_s1_a_leak_would_be_noticed(monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    """The test above is worth something: it fails for a view that shows too much."""
    monkeypatch.setattr(view, "view_for", partial(_leaking, view.view_for, leak))
    with pytest.raises(AssertionError):
        test_s1_what_a_page_is_made_of_knows_no_hidden_card()


def _leaking(
    view_for: Callable[[RoundState, int | None], SeatView],
    leak: str,
    state: RoundState,
    seat: int | None,
) -> SeatView:
    seen = view_for(state, seat)
    match leak:
        case "hands":
            return replace(seen, hands=state.hands)
        case "stock_size":
            return replace(seen, stock_size=int(state.stock[-1]))
        case _:
            return replace(seen, knock_card=state.knock_card)


@pytest.fixture
def _fixed_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys, tokens and nonces are the same each time."""
    monkeypatch.setattr("games.views.series.fresh_key", lambda: "key")
    monkeypatch.setattr("games.window.fresh_key", lambda: "key")
    monkeypatch.setattr("secrets.token_urlsafe", lambda size=32: "t" * size)
    monkeypatch.setattr("django.middleware.csrf._get_new_csrf_string", lambda: "c" * 32)


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks: what they can know, and their browser."""

    board_seat: int | None
    user: User | None
    client: Client

    @classmethod
    def of(cls, board_seat: int | None, user: User | None) -> "Viewer":
        client = Client(raise_request_exception=False)
        if user is not None:
            client.force_login(user)
        return cls(board_seat, user, client)


def store(table: Played, world: World) -> Round:
    """Let the round on the table be this one."""
    series = table.series
    series.option_values, series.first_dealer = world.options.to_mapping(), world.dealer
    series.save()
    row = Round.objects.get(series=series)
    put(row, world).save()
    return row


def asked_by(viewer: Viewer, table: Played, world: World, card: Card) -> list[bytes]:
    """All that a viewer gets when they look, ask, and try what they may not."""
    row = store(table, world)
    path = table.series.get_absolute_url()
    client = viewer.client
    laid = "9S0" if world.state.spread is None else f"{card}0"
    answers = [
        client.get(path),
        client.get(path, {"card": str(card), "sort": "rank"}),
        client.get(path, {"lay": laid}),
        client.get(f"{path}draft/", {"lay": laid}),
        client.get(reverse("home")),
        client.put(path),
    ]
    row = Round.objects.select_related("series").get(pk=row.pk)
    # A card that the viewer doesn't hold: the answer is no oracle about where it is.
    forms = [action_fields(row, action, "key") for action in (Discard(card), Knock(card), Draw())]
    forms += [{**forms[0], "ply": str(row.ply + 1)}, {**forms[0], "card": "1X"}, {}]
    asked = [form for form in forms if not _could_succeed(viewer, world, form)]
    answers += [client.post(path, form, headers={"HX-Request": "true"}) for form in asked]
    answers += [client.post(path, forms[0])]
    if viewer.user is not None and viewer.user.is_superuser:
        answers += [client.get(address) for address in admin_addresses(row)]
    return [each.content for each in answers] + pushed_to(viewer, table, world, forms[0])


def admin_addresses(row: Round) -> list[str]:
    """Where the admin shows a round and what belongs to it."""
    pages = (("round", row.pk), ("series", row.series_id))
    lists = [reverse(f"admin:games_{name}_changelist") for name, _ in pages]
    return lists + [reverse(f"admin:games_{name}_change", args=[pk]) for name, pk in pages]


def _could_succeed(viewer: Viewer, world: World, form: dict[str, str]) -> bool:
    return form.get("action") == "draw" and viewer.board_seat == world.state.turn


def pushed_to(viewer: Viewer, table: Played, world: World, form: dict[str, str]) -> list[bytes]:
    """What a socket is sent at the hello, at the last action, and when a form is refused."""
    user_id = viewer.user.pk if viewer.user else None
    store(table, replace(world, log=world.log.rpartition(" ")[0]))
    window = Window(table.series.slug, user_id, None, "dev")
    texts = [window.hello(0, "")]
    store(table, world)
    texts += [window.catch_up() or "", window.act(form)[1]]
    return [text.encode() for text in texts]


@pytest.mark.django_db
@pytest.mark.usefixtures("_fixed_sources", "nobody_is_too_fast")
def test_s1_no_byte_that_is_sent_knows_a_hidden_card(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, logger="redis")  # it tells of its first connection
    chance = random.Random(2)
    table = new_table()
    stranger, admin = new_user(), User.objects.create_superuser("boss")
    viewers = [
        *(Viewer.of(seat, user) for seat, user in enumerate(table.users)),
        *(Viewer.of(None, user) for user in (stranger, admin, None)),
    ]
    met: Counter[Phase] = Counter()
    for world in some_of_each_phase(chance, long_or(10, 1)):
        for viewer in chance.sample(viewers, long_or(5, 3)):
            other = another_world(world, viewer.board_seat, chance)
            if other is None:
                continue
            # Where the phase is over everything is known but the stock, which is empty seldom.
            card = chance.choice(unknown_cards(world, viewer.board_seat))
            seen = []
            for each in (world, other):
                caplog.clear()
                table.series.seats.update(seen_at=None)  # to have looked leaves a trace
                sent = asked_by(viewer, table, each, card)
                seen.append((sent, [record.getMessage() for record in caplog.records]))
            assert seen[0] == seen[1], (world, other, viewer)
            met[world.state.phase] += 1
    assert met.keys() == set(Phase)


def some_of_each_phase(chance: random.Random, count: int) -> Iterator[World]:
    """So many worlds of each phase."""
    wanted = Counter(dict.fromkeys(Phase, count))
    for world in worlds(chance):
        phase = world.state.phase
        if wanted[phase]:
            wanted[phase] -= 1
            yield world
        if not wanted.total():
            return
