"""Two worlds that one viewer can't tell apart: the cards they can't know are dealt differently.

What a viewer is shown must be the same in both (the resampling test, promise S1).
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from games.rules.actions import Action, Discard, Draw, Resign
from games.rules.cards import DECK, Card, CardSet, cards_in
from games.rules.log import EMPTY_LOG, Entry, fold, logged
from games.rules.melds import best_discard
from games.rules.options import Options
from games.rules.round import legal_actions, play
from games.rules.state import Phase, RoundState, deal
from tests.tables import Chooser, keen

OPTIONS = (
    Options(),
    Options(last_card="offer", entry="strict"),
    Options.from_mapping({"preset": "oklahoma"}),
    Options.from_mapping({"preset": "tournament-hollywood"}),
    Options.from_mapping({"preset": "straight-gin"}),
)


@dataclass(frozen=True)
class World:
    """A round at some ply, hidden cards included."""

    options: Options
    dealer: int
    deck: tuple[Card, ...]
    log: str

    @cached_property
    def state(self) -> RoundState:
        return fold(self.log, self.deck, self.dealer, self.options).state


def worlds(chance: random.Random) -> Iterator[World]:
    """Rounds without end, played to a knock, to the end of the stock, or anyhow, at some plies."""
    while True:
        deck = tuple(chance.sample(DECK, 52))
        world = World(chance.choice(OPTIONS), chance.randrange(2), deck, EMPTY_LOG)
        choose = chance.choice((keen, keen, keen, _patient, _anyhow))(chance)
        state = deal(deck, world.dealer, world.options).state
        while state.phase is not Phase.OVER:
            action, seat = choose(state), state.turn
            if chance.random() < 0.001 and state.phase is not Phase.DEFENCE:
                action, seat = Resign(), chance.randrange(2)
            world = replace(world, log=logged(world.log, Entry(seat, action)))
            state = play(state, seat, action).state
            if state.phase not in (Phase.DRAW, Phase.DISCARD) or chance.random() < 0.1:
                yield world


def _patient(chance: random.Random) -> Chooser:
    """Improves the hand and never knocks: comes to the end of the stock."""

    def choose(state: RoundState) -> Action:
        actions = [a for a in legal_actions(state, state.turn) if not isinstance(a, Resign)]
        if any(isinstance(a, Discard) for a in actions):
            return Discard(best_discard(state.hands[state.turn], state.taken)[0])
        if Draw() in actions:
            return Draw()
        return chance.choice(actions)

    return choose


def _anyhow(chance: random.Random) -> Chooser:
    """Whatever is legal."""

    def choose(state: RoundState) -> Action:
        actions = legal_actions(state, state.turn)
        return chance.choice([a for a in actions if not isinstance(a, Resign)])

    return choose


def unknown_cards(world: World, viewer: int | None) -> list[Card]:
    """The cards whose place this viewer can't know, as the rules have it and nobody's code."""
    state = world.state
    hidden = list(state.stock)
    if state.phase is Phase.OVER:
        return hidden
    for seat in (0, 1):
        if seat != viewer and seat != state.knocker:
            hidden += cards_in(state.hands[seat] & ~state.shown[seat])
    knock_card = state.knock_card
    # A card that was seen taken from the pile and is not in the spread must be the discard.
    if knock_card is not None and viewer != state.knocker and not knock_card.bit & _seen(world):
        hidden.append(knock_card)
    return hidden


def _seen(world: World) -> CardSet:
    """What the knocker was seen taking, before the knock."""
    entries = world.log.split(" ")
    knock = next(place for place, entry in enumerate(entries) if entry[0] == "k")
    before = replace(world, log=" ".join(entries[:knock])).state
    return before.shown[before.turn]


def another_world(world: World, viewer: int | None, chance: random.Random) -> World | None:
    """The same round with the unknown cards changed about; None where none was found.

    That a knock is to be answered at all says that the defender has something to lay off, so the
    other world must be at the same phase.
    """
    hidden = unknown_cards(world, viewer)
    for attempt in range(60):
        # What a phase says of a hand is seldom true of any other, but often of a similar one.
        some = hidden if attempt < 20 else chance.sample(hidden, min(3, len(hidden)))
        mixed = dict(zip(some, chance.sample(some, len(some)), strict=True))
        other = replace(
            world,
            deck=tuple(mixed.get(card, card) for card in world.deck),
            log=" ".join(_renamed(entry, mixed) for entry in world.log.split(" ")),
        )
        if other.deck != world.deck and other.state.phase is world.state.phase:
            return other
    return None


def _renamed(entry: str, mixed: dict[Card, Card]) -> str:
    """A knock names its discard, which lies face down."""
    if entry[0] != "k":
        return entry
    card = Card[entry[1:3]]
    return f"k{mixed.get(card, card)}{entry[3:]}"
