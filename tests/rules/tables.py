"""Rounds for the tests: dealt as a test wants them, in a line of notation each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from games.rules.actions import Action, BigGin, Defend, Discard, Knock, Resign, Take
from games.rules.cards import DECK, Card, CardSet, card_set, cards_in, parse_cards
from games.rules.lay_offs import LayOff
from games.rules.melds import best_arrangement
from games.rules.notation import EMPTY_LOG, Entry, Folded, fold, logged
from games.rules.options import PRESETS, Options
from games.rules.round import Phase, deal, play
from games.rules.view import SeatView, view_for
from tests.rules.hands import melds_united

type Deck = tuple[Card, ...]


def hand(text: str) -> CardSet:
    return card_set(parse_cards(text))


def deck_of(first: str, second: str, upcard: str, stock: str = "") -> Deck:
    """A deck that deals the non-dealer's hand, the dealer's and so on; the rest is in order."""
    return _deck(
        parse_cards(first), parse_cards(second), (*parse_cards(upcard), *parse_cards(stock))
    )


def _deck(first: Deck, second: Deck, then: Deck) -> Deck:
    dealt = [card for pair in zip(first, second, strict=True) for card in pair]
    named = (*dealt, *then)
    return (*named, *(card for card in DECK if card not in named))


def table(
    log: str, first: str, second: str, upcard: str, stock: str = "", **options: object
) -> Folded:
    """Seat 1 deals, so that `first` is the hand of seat 0, and the log is played."""
    deck = deck_of(first, second, upcard, stock)
    return fold(f"1 {log}".rstrip(), deck, 1, Options.from_mapping(options))


def shuffled(random: Random) -> Deck:
    return tuple(random.sample(DECK, 52))


def rich_deck(random: Random) -> Deck:
    """A deck that deals hands near to a knock: melds with a few strange cards among them."""
    deck = list(shuffled(random))
    for first in (0, 1):
        free = card_set(deck[20:] if first else deck)
        wanted = melds_united(random, 10)
        while wanted & ~free:
            wanted = melds_united(random, 10)
        for place, card in zip(range(first, 20, 2), cards_in(wanted), strict=True):
            other = deck.index(card)
            deck[place], deck[other] = deck[other], deck[place]
    for _ in range(random.randrange(5)):
        place, other = random.randrange(20), random.randrange(20, 52)
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def any_options(random: Random) -> Options:
    return random.choice(list(PRESETS.values()))


# Players. Each is given a view, as bots are.


def simple_player(view: SeatView) -> Action:
    """Takes what belongs to a meld, throws the highest loose card, knocks as soon as it can."""
    if view.phase is Phase.DISCARD:
        knocks = [action for action in view.actions if isinstance(action, Knock)]
        return knocks[0] if knocks else _highest_loose(view)
    if Take() in view.actions and _is_melded(view.pile[-1], view.hand):
        return Take()
    return view.actions[0]


def _is_melded(card: Card, cards: CardSet) -> bool:
    return not best_arrangement(cards | card.bit).deadwood & card.bit


def _highest_loose(view: SeatView) -> Action:
    loose = view.arrangement.deadwood
    discards = [action for action in view.actions if isinstance(action, Discard)]
    return max(discards, key=lambda action: (bool(loose & action.card.bit), action.card.points))


def any_choice(view: SeatView, choose: Callable[[Sequence[Action]], Action]) -> Action:
    """Chooses among the legal actions and, where it matters, among the ways to do them."""
    action = choose(view.actions)
    if isinstance(action, Knock):
        spreads = view.spreads(action.card)
        return choose([action, *(Knock(action.card, spread.melds) for spread in spreads)])
    if isinstance(action, Defend):
        done: tuple[LayOff, ...] = ()
        ways = [action, Defend(done)]
        while following := view.lay_offs(done):
            done = (*done, following[0])
            ways.append(Defend(done))
        return choose(ways)
    return action


def random_player(view: SeatView, random: Random) -> Action:
    """Plays anything legal half of the time, else as the simple player does; seldom resigns."""
    if random.random() < 0.5 and view.phase is not Phase.DEFENCE and view.turn == view.seat:
        if BigGin() in view.actions:
            return BigGin()
        return simple_player(view)
    action = any_choice(view, random.choice)
    return action if not isinstance(action, Resign) or random.random() < 0.02 else view.actions[0]


def random_log(random: Random, deck: Deck, dealer: int, options: Options) -> str:
    """The log of a round of two random players."""
    state, log = deal(deck, dealer, options).state, EMPTY_LOG
    while state.phase is not Phase.OVER:
        action = random_player(view_for(state, state.turn), random)
        log = logged(log, Entry(state.turn, action))
        state = play(state, state.turn, action).state
    return log
