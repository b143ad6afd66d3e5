"""A picture of a moment of a round, to be shown where its link is shared: SVG, made a PNG here.

It needs no browser and no font of the machine: cards are the table's own, the few fonts lie in
`games/fonts`.
"""

import textwrap
from base64 import b64encode
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Self

import resvg_py
from django.template.loader import render_to_string

from games.rendering.replay import ReplayHand, ReplayPage
from games.rules.cards import Card

WIDTH: Final = 1200
HEIGHT: Final = 630
CARD_WIDTH: Final = 100
CARD_HEIGHT: Final = 140
STEP: Final = 54
GAP: Final = 26
LINE: Final = 62  # letters of a sentence that fit beside each other

_GAMES: Final = Path(__file__).resolve().parent.parent
_FACES: Final = _GAMES / "static" / "games" / "cards"
_FONTS: Final = sorted(str(path) for path in (_GAMES / "fonts").glob("*.ttf"))


@dataclass(frozen=True, slots=True)
class PicturedHand:
    """A hand in groups, melds first, the deadwood last."""

    name: str
    counts: int
    won: bool
    groups: tuple[tuple[Card, ...], ...]
    fresh: Card | None

    @classmethod
    def of(cls, hand: ReplayHand) -> Self:
        melds = (tuple(laid.card for laid in meld.cards) for meld in hand.melds)
        groups = (*melds, hand.deadwood) if hand.deadwood else tuple(melds)
        return cls(hand.name, hand.counts, hand.won, groups, hand.fresh)

    @property
    def cards(self) -> tuple[tuple[int, str, bool], ...]:
        """Each card's place from the left, its face, and whether it has just come."""
        width = sum(STEP * (len(group) - 1) + CARD_WIDTH for group in self.groups)
        x = (WIDTH - width - GAP * (len(self.groups) - 1)) // 2
        placed = []
        for group in self.groups:
            for card in group:
                placed.append((x, _face(card), card == self.fresh))
                x += STEP
            x += CARD_WIDTH - STEP + GAP
        return tuple(placed)


@dataclass(frozen=True, slots=True)
class Picture:
    """`templates/games/picture.svg`, as `picture`."""

    number: int
    counter: str
    far: PicturedHand
    near: PicturedHand
    words: str
    sum: str

    @classmethod
    def of(cls, page: ReplayPage) -> Self:
        """The moment that a page shows, with both hands open."""
        words = page.headline if page.is_over else " ".join(page.sentences)
        sum_ = f"{page.sum} = {page.result.points}" if page.is_over and page.sum else ""
        hands = PicturedHand.of(page.far_hand), PicturedHand.of(page.near_hand)
        # The fonts have no sign for minus; the dash is as long.
        return cls(page.number, page.counter, *hands, words, sum_.replace("−", "–"))

    @property
    def lines(self) -> tuple[str, ...]:
        """What happened, in two lines at most."""
        lines = textwrap.wrap(self.words, LINE, max_lines=2, placeholder=" …")
        return tuple([*lines, self.sum][:2] if self.sum else lines)


@lru_cache(maxsize=64)
def png_of(picture: Picture) -> bytes:
    """Draw it; each process remembers those that were asked for last."""
    svg = render_to_string("games/picture.svg", {"picture": picture})
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=_FONTS))


@cache
def _face(card: Card) -> str:
    """A card's face as an address that holds all of it, drawn once: that is the dearest part."""
    drawn = resvg_py.svg_to_bytes(
        svg_path=str(_FACES / f"{card}.svg"),
        width=CARD_WIDTH,
        height=CARD_HEIGHT,
        skip_system_fonts=True,
    )
    return f"data:image/png;base64,{b64encode(bytes(drawn)).decode()}"
