"""Deals chosen by a test: rounds that are short, and bring what it wants to see.

The deck of a round follows from a secret that is stored before the deal (games.rules.deck). A test
that wants a certain round stores a secret of its own; all that comes after is as ever.
"""

import secrets
from collections.abc import Callable, Iterable
from typing import Final

from games.models import Series
from games.rules.actions import Action, BigGin, Defend, Discard, Draw, Knock, Pass, Take
from games.rules.cards import Card, cards_in
from games.rules.deck import deal_message, shuffled_deck
from games.rules.lay_offs import best_defence
from games.rules.melds import best_arrangement
from games.rules.options import Options
from games.rules.round import Phase, RoundState, deal, legal_actions, play
from games.services.series import accept_invitation, create_series
from tests.tables import Played, new_user

TRIES: Final = 100_000

# A browser with this script gives a part in the deal that a test can reckon with.
PART: Final = "07" * 32
PART_SCRIPT: Final = "crypto.getRandomValues = (array) => array.fill(7);"

type Story = tuple[RoundState, ...]
"""The states of a round, the deal first, the result last."""

type Wanted = Callable[[Story], bool]


def likes(upcard: Card) -> bool:
    """Whether a plain player takes it: aces, twos and threes."""
    return upcard.rank < 3


def highest(cards: Iterable[Card]) -> Card:
    """The card that a plain player throws."""
    return max(cards, key=lambda card: (card.points, card))


def plain_action(state: RoundState) -> Action:
    """What a plain player does: knocks at once, else throws the highest card of the deadwood."""
    legal = legal_actions(state, state.turn)
    match state.phase:
        case Phase.OFFER | Phase.DRAW if Take() in legal and likes(state.pile[-1]):
            return Take()
        case Phase.OFFER:
            return Pass()
        case Phase.DRAW:
            return Draw()
        case Phase.DEFENCE:
            return Defend()
    if BigGin() in legal:
        return BigGin()
    may = {action.card for action in legal if isinstance(action, Discard)}
    loose = may.intersection(cards_in(best_arrangement(state.hands[state.turn]).deadwood))
    card = highest(loose or may)
    return Knock(card) if Knock(card) in legal else Discard(card)


def story_of(state: RoundState, most: int) -> Story:
    """How the round goes on if both play so; at most so many states of it."""
    states = [state]
    while state.phase is not Phase.OVER and len(states) < most:
        state = play(state, state.turn, plain_action(state)).state
        states.append(state)
    return tuple(states)


def choose_deal(
    series: Series,
    number: int,
    dealer: int,
    wanted: Wanted,
    most: int = 14,
    parts: tuple[str, ...] = (),
) -> Story:
    """Store a secret with which the next round, played plainly, is short and as wanted."""
    message = deal_message(series.slug, number, 0, *parts)
    for _ in range(TRIES):
        secret = secrets.token_bytes(32)
        dealt = deal(shuffled_deck(secret, message), dealer, series.options).state
        story = story_of(dealt, most)
        if story[-1].phase is Phase.OVER and wanted(story):
            Series.objects.filter(pk=series.pk).update(next_secret=secret)
            return story
    raise AssertionError("no such deal was found")


def has_a_draw(story: Story) -> bool:
    """Whether somebody is to draw: who takes the upcard and knocks at once is not."""
    return any(state.phase is Phase.DRAW for state in story)


def can_lay_off(story: Story) -> bool:
    """Whether the round goes through every phase, to a knock on which cards can be laid off."""
    state = story[-2]
    if state.phase is not Phase.DEFENCE or not has_a_draw(story):
        return False
    assert state.spread is not None, "a defence answers a spread"
    return bool(best_defence(state.hands[state.turn], state.spread.melds, gin=False).lay_offs)


def dealt_table(wanted: Wanted, most: int = 14, **options: object) -> Played:
    """Two new people at a series whose first round, played plainly, is as wanted."""
    host, guest = new_user(), new_user()
    series = create_series(user=host, options=Options.from_mapping(options))
    for dealer in (0, 1):  # it is drawn by lot
        choose_deal(series, 1, dealer, wanted, most)
    accept_invitation(token=series.invitation.token, user=guest)
    series.refresh_from_db()
    return Played(series, (host, guest))


def play_until(table: Played, reached: Callable[[RoundState], bool]) -> Played:
    """Play plainly, by the services, until the round is where a test begins."""
    while not reached(table.state):
        outcome = table.act(plain_action(table.state))
        assert outcome.status == "done", outcome
    return table


def at(phase: Phase) -> Callable[[RoundState], bool]:
    return lambda state: state.phase is phase


def may_knock(state: RoundState) -> bool:
    return state.phase is Phase.DISCARD and isinstance(plain_action(state), Knock)
