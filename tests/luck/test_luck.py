"""What the deck alone decides, against slow ways to find it; verdicts on decks of many kinds."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from games.luck import __main__ as program
from games.luck.deal import LESS_IS_LUCKIER, MEASURES, Luck, Measure, luck_of
from games.luck.fair import PATH, Distribution, fair, fair_table
from games.luck.simulation import simulate
from games.luck.verdict import LEAST_DEALS, LOOKS, compare, evenness, sureness
from games.rules.cards import DECK, Card, card_set, parse_cards
from games.rules.deck import shuffled_deck
from games.rules.melds import deadwood_points
from games.rules.options import Options
from games.rules.state import deal

type Deck = Sequence[Card]


def slow_luck(deck: Deck, *, is_dealer: bool) -> Luck:
    """By the rules' own deal, trying each discard."""
    state = deal(deck, dealer=0, options=Options()).state
    hand = state.hands[0 if is_dealer else 1]
    own = state.stock[1::2] if is_dealer else state.stock[0::2]
    dealt = deadwood_points(hand)

    def least(eleven: int, barred: Card | None = None) -> int:
        throws = [card for card in DECK if card.bit & eleven and card is not barred]
        return min(deadwood_points(eleven ^ card.bit) for card in throws)

    five, left = hand, 0
    for card in own[:5]:
        eleven = five | card.bit
        left = least(eleven)
        # Of the discards that leave as little the highest goes, then the first in text order.
        throws = [c for c in DECK if c.bit & eleven and deadwood_points(eleven ^ c.bit) == left]
        five = eleven ^ min(throws, key=lambda c: (-c.points, c)).bit
    return Luck(
        dealt=dealt,
        upcard=max(0, dealt - least(hand | state.upcard.bit, state.upcard)),
        first=dealt - least(hand | own[0].bit),
        five=left,
        card=own[0],
    )


def test_luck_is_what_trying_everything_finds() -> None:
    chance = random.Random(3)
    for _ in range(150):
        deck = chance.sample(DECK, 52)
        for is_dealer in (False, True):
            assert luck_of(deck, is_dealer=is_dealer) == slow_luck(deck, is_dealer=is_dealer)


def deck_of(hand: str, upcard: str, own: str, *, is_dealer: bool) -> list[Card]:
    """A deck in which the player has this hand, upcard and first stock cards."""
    cards = [*parse_cards(hand), *parse_cards(upcard), *parse_cards(own)]
    rest = iter([card for card in DECK if card not in cards])
    seat = int(is_dealer)
    places = [*range(seat, 20, 2), 20, *range(21 + seat, 31, 2)]
    at = dict(zip(places, cards, strict=False))
    return [at[place] if place in at else next(rest) for place in range(52)]


@pytest.mark.parametrize("is_dealer", [False, True])
def test_a_deal_by_hand(is_dealer: bool) -> None:
    deck = deck_of("4S 5S 6S 9C 9D KH QD 2C 3H 7D", "9H", "KC KD 8H TS AC", is_dealer=is_dealer)
    luck = luck_of(deck, is_dealer=is_dealer)
    # Loose: 9C 9D KH QD 2C 3H 7D. The upcard makes nines, and the king goes.
    assert (luck.dealt, luck.upcard) == (50, 28)
    # Another king is of no use, a third one is: K K K, and nines gone.
    assert (luck.first, luck.card) == (0, Card["KC"])
    assert luck.five < luck.dealt


def test_an_upcard_that_helps_nothing_saves_nothing() -> None:
    """It may not be thrown again, so that taking it costs: nobody has to."""
    deck = deck_of("AS 2S 3S AH 2H 3H AD 2D 3D 4D", "KS", "KH", is_dealer=False)
    assert luck_of(deck, is_dealer=False).upcard == 0


class TestTheTable:
    def test_its_script_makes_such_a_table(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = []
        for name in ("one", "again"):
            path = tmp_path / name
            monkeypatch.setattr("sys.argv", ["luck", "--deals", "300", "--out", str(path)])
            program.main()
            made.append(path.read_text(encoding="utf-8"))
        assert made[0] == made[1]
        shipped = json.loads(PATH.read_text(encoding="utf-8"))
        assert json.loads(made[0]).keys() == shipped.keys()

    def test_it_counts_both_hands_of_each_deal(self) -> None:
        assert all(fair(measure).total == 2 * fair_table().deals for measure in MEASURES)

    def test_another_seed_finds_the_same(self) -> None:
        """20,000 other deals, with four standard errors of room."""
        told = simulate(seed=99, deals=20_000).to_mapping()
        for measure in MEASURES:
            again = Distribution(told["counts"][measure])
            room = 4 * fair(measure).deviation / 200
            assert abs(again.mean - fair(measure).mean) < room
            assert told["between"][measure] == pytest.approx(fair(measure).between, abs=0.03)

    def test_the_first_of_the_stock_and_the_upcard_are_alike(self) -> None:
        """But the upcard can't be thrown again: it saves a little less."""
        assert 0 <= fair(Measure.FIRST).mean - fair(Measure.UPCARD).mean < 0.1

    def test_shares(self) -> None:
        known = fair(Measure.DEALT)
        assert sum(known.by_tens()) == pytest.approx(1)
        assert known.below(0) == pytest.approx(0, abs=1e-4)
        assert known.below(200) == pytest.approx(1)
        halves = [known.below(figure) for figure in range(100)]
        assert halves == sorted(halves)


class TestIntervals:
    def test_on_fair_decks_they_miss_as_seldom_as_they_say(self) -> None:
        """400 players of 40 deals: all measures of one hold in 19 of 20 cases or more."""
        chance = random.Random(8)
        wrong = 0
        for _ in range(400):
            lucks = [luck_of(chance.sample(DECK, 52), is_dealer=False) for _ in range(40)]
            seen = [
                compare(measure, total=sum(luck.of(measure) for luck in lucks), deals=40)
                for measure in MEASURES
            ]
            wrong += not all(each.is_fair for each in seen)
        # 4 of 6 looks: expected at most 13.3 of 400.
        assert wrong <= 28

    def test_nothing_is_claimed_of_few_deals(self) -> None:
        few, enough = (
            compare(Measure.DEALT, total=40 * n, deals=n) for n in (LEAST_DEALS - 1, LEAST_DEALS)
        )
        assert (few.is_enough, enough.is_enough) == (False, True)
        assert not evenness([1] * 12 + [0]).is_enough
        assert not compare(Measure.DEALT, total=0, deals=0).is_enough

    @pytest.mark.parametrize("measure", MEASURES)
    def test_better_is_lucky(self, measure: Measure) -> None:
        mean = fair(measure).mean
        more = compare(measure, total=round(100 * mean) + 100, deals=100)
        assert more.is_lucky == (measure not in LESS_IS_LUCKIER)

    def test_many_looks_are_wider_than_one(self) -> None:
        assert sureness(1) < sureness(LOOKS)

    def test_both_hands_of_a_deal_tell_less_or_more_together(self) -> None:
        alone = compare(Measure.DEALT, total=50_000, deals=1000)
        both = compare(Measure.DEALT, total=50_000, deals=1000, both_seats=True)
        # Who has the low cards leaves the high ones: the sum of both swings a little less.
        assert both.margin < alone.margin


# Decks that are not fair


def fair_deck(chance: random.Random) -> Deck:
    return shuffled_deck(chance.randbytes(32), "series|1|0|none|none")


def few_riffles(chance: random.Random) -> Deck:
    """A new pack, cut and riffled three times."""
    deck = list(DECK)
    for _ in range(3):
        cut = sum(chance.random() < 0.5 for _ in deck)
        left, right = deck[:cut], deck[cut:]
        deck = []
        while left or right:
            from_left = chance.random() * (len(left) + len(right)) < len(left)
            deck.append((left if from_left else right).pop(0))
    return deck


def one_that_likes_the_dealer(chance: random.Random) -> Deck:
    """Of two fair decks the one in which the dealer has less deadwood, every second time."""
    one, other = fair_deck(chance), fair_deck(chance)
    if chance.random() < 0.5:
        return one
    return min((one, other), key=lambda deck: deadwood_points(card_set(deck[1:20:2])))


def kings_first(chance: random.Random) -> Deck:
    """A king comes to the top of the stock a little too often."""
    deck = list(fair_deck(chance))
    if chance.random() < 0.04:
        place = next(n for n in range(21, 52) if deck[n].rank == 12 or n == 51)
        deck[21], deck[place] = deck[place], deck[21]
    return deck


def naive_swaps(chance: random.Random) -> Deck:
    """Only the half of the pack is mixed into the rest."""
    deck = list(DECK)
    for n in range(26):
        other = chance.randrange(52)
        deck[n], deck[other] = deck[other], deck[n]
    return deck


def is_found(make: Callable[[random.Random], Deck], deals: int = 3000) -> bool:
    """Whether the site's own test finds something wrong with decks made so, by either part."""
    chance = random.Random(20)
    decks = [make(chance) for _ in range(deals)]
    for is_dealer in (False, True):
        lucks = [luck_of(deck, is_dealer=is_dealer) for deck in decks]
        for measure in MEASURES:
            total = sum(luck.of(measure) for luck in lucks)
            if not compare(measure, total=total, deals=deals).is_fair:
                return True
        for kinds in (
            [sum(luck.card.rank == rank for luck in lucks) for rank in range(13)],
            [sum(luck.card.suit == suit for luck in lucks) for suit in range(4)],
        ):
            if not evenness(kinds).is_fair:
                return True
    return False


def test_a_fair_deck_is_not_found_unfair() -> None:
    assert not is_found(fair_deck)


@pytest.mark.parametrize("make", [few_riffles, one_that_likes_the_dealer, kings_first, naive_swaps])
def test_a_deck_that_is_not_fair_is_found(make: Callable[[random.Random], Deck]) -> None:
    assert is_found(make)


def test_cards_by_kind_come_evenly_or_not() -> None:
    assert evenness([100, 104, 98, 98]).is_fair
    assert not evenness([160, 80, 80, 80]).is_fair
    assert evenness([0, 0, 0, 0]).counts == (0, 0, 0, 0)
