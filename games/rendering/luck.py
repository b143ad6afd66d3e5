"""Was it luck? What the deck decided, beside what a fair deck would, in plain words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.counts import TENS, Counts
from games.luck.deal import LESS_IS_LUCKIER, MEASURES, Measure
from games.luck.fair import fair, fair_table
from games.luck.verdict import LEAST_DEALS, Comparison, Evenness, compare, evenness
from games.rendering.numbers import count, decimal
from games.rendering.shares import Column, Span, columns, span
from games.rendering.words import suit_word
from games.rules.cards import Suit

MEASURE_WORDS: Final = {
    Measure.DEALT: (
        gettext_lazy("Deadwood of the ten cards dealt"),
        gettext_lazy("The less, the better."),
    ),
    Measure.UPCARD: (
        gettext_lazy("What the upcard would save"),
        gettext_lazy(
            "Points of deadwood that taking it would take off, whether it was taken or not."
        ),
    ),
    Measure.FIRST: (
        gettext_lazy("What the first stock card would save"),
        gettext_lazy("The first that would come to this player if both drew from the stock."),
    ),
    Measure.FIVE: (
        gettext_lazy("Deadwood after five stock cards"),
        gettext_lazy("If both drew from the stock only and threw the best discard each time."),
    ),
}
_VERDICTS: Final = {
    "few": gettext_lazy("too few deals to say"),
    "fair": gettext_lazy("as a fair deck deals"),
    "lucky": gettext_lazy("better than chance explains"),
    "unlucky": gettext_lazy("worse than chance explains"),
    "uneven": gettext_lazy("more uneven than chance explains"),
}
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_TENS: Final = [*(f"{ten}–{ten + 9}" for ten in range(0, 10 * TENS - 10, 10)), "90+"]
_TEN_TICKS: Final = [str(ten) for ten in range(0, 10 * TENS, 10)]
_SUITS: Final = ("♣", "♦", "♥", "♠")


@dataclass(frozen=True, slots=True)
class LuckRow:
    """One measure. `verdict` says it in words, `look` is "fair", "lucky", "unlucky" or "few"."""

    label: str | Promise
    help: str | Promise
    deals: int
    seen: str
    fair: str
    margin: str
    verdict: str | Promise
    look: str
    span: Span


@dataclass(frozen=True, slots=True)
class KindsRow:
    """How often cards of each rank, or of each suit, came first from the stock."""

    label: str | Promise
    kinds: tuple[tuple[str, str, int], ...]
    """A sign, a word for it, and how often."""
    expected: str
    verdict: str | Promise
    look: str


@dataclass(frozen=True, slots=True)
class LuckPart:
    """All of it for one player, or for the site. `few`: too little is known to claim anything."""

    deals: int
    summary: str
    few: bool
    rows: tuple[LuckRow, ...]
    kinds: tuple[KindsRow, ...]
    tens: tuple[Column, ...]
    simulated: int


def luck_part(counts: Counts, *, both_seats: bool = False) -> LuckPart:
    """The luck of a player; with `both_seats` that of the site, where both hands count."""
    deals = sum(counts.luck_deals)
    rows = tuple(
        luck_row(
            compare(measure, total=sum(counts.luck(measure)), deals=deals, both_seats=both_seats)
        )
        for measure in MEASURES
    )
    kinds = (_suits(counts), _ranks(counts))
    return LuckPart(
        deals=deals,
        summary=_summary(deals, [*rows, *kinds]),
        few=deals < LEAST_DEALS,
        rows=rows,
        kinds=kinds,
        tens=columns(_TENS, counts.luck_tens, fair(Measure.DEALT).by_tens(), ticks=_TEN_TICKS),
        simulated=fair_table().deals,
    )


def luck_by_part(counts: Counts) -> tuple[tuple[LuckRow, ...], tuple[LuckRow, ...]]:
    """The measures of who does not deal, and of who does: a deck could favour one of them."""
    both = []
    for part in (0, 1):
        deals = counts.luck_deals[part]
        both.append(
            tuple(
                luck_row(
                    compare(
                        measure,
                        total=counts.luck(measure)[part],
                        deals=deals,
                        looks=2 * len(MEASURES),
                    )
                )
                for measure in MEASURES
            )
        )
    return both[0], both[1]


def luck_row(seen: Comparison) -> LuckRow:
    """A comparison in words."""
    label, help_ = MEASURE_WORDS[seen.measure]
    look = _look(seen)
    return LuckRow(
        label=label,
        help=help_,
        deals=seen.deals,
        seen=decimal(seen.seen),
        fair=decimal(seen.fair),
        margin=decimal(seen.margin),
        verdict=_VERDICTS[look],
        look=look,
        span=span(
            seen.seen - seen.fair, seen.margin, is_less_better=seen.measure in LESS_IS_LUCKIER
        ),
    )


def _look(seen: Comparison) -> str:
    if not seen.is_enough:
        return "few"
    if seen.is_fair:
        return "fair"
    return "lucky" if seen.is_lucky else "unlucky"


def _summary(hands: int, rows: Sequence[LuckRow | KindsRow]) -> str:
    if hands < LEAST_DEALS:
        words = ngettext(
            "%(hands)d hand so far: from %(least)d on this says something about luck.",
            "%(hands)d hands so far: from %(least)d on this says something about luck.",
            hands,
        )
        return words % {"hands": hands, "least": LEAST_DEALS}
    strange = [row for row in rows if row.look in ("lucky", "unlucky", "uneven")]
    number = count(hands)
    if not strange:
        return _("Over %(hands)s hands the cards came as a fair deck gives them.") % {
            "hands": number
        }
    named = _("; ").join(f"{row.label}: {row.verdict}" for row in strange)
    words = _(
        "Over %(hands)s hands not all came as a fair deck gives on average. %(what)s. "
        "Chance alone does so to one in twenty."
    )
    return words % {"hands": number, "what": named}


def _kinds(
    label: str | Promise, signs: Sequence[tuple[str, str]], counts: Sequence[int]
) -> KindsRow:
    even: Evenness = evenness(counts)
    look = "few" if not even.is_enough else "fair" if even.is_fair else "uneven"
    return KindsRow(
        label=label,
        kinds=tuple((sign, word, counts[n]) for n, (sign, word) in enumerate(signs)),
        expected=decimal(sum(counts) / len(counts)),
        verdict=_VERDICTS[look],
        look=look,
    )


def _suits(counts: Counts) -> KindsRow:
    by_suit = [sum(counts.luck_cards[13 * suit : 13 * suit + 13]) for suit in Suit]
    signs = [(_SUITS[suit], suit_word(suit)) for suit in Suit]
    return _kinds(gettext_lazy("Suits of the first stock card"), signs, by_suit)


def _ranks(counts: Counts) -> KindsRow:
    by_rank = [sum(counts.luck_cards[rank::13]) for rank in range(13)]
    return _kinds(
        gettext_lazy("Ranks of the first stock card"), [(rank, rank) for rank in RANKS], by_rank
    )
