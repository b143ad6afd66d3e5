"""What is written on the felt can be read, and what frames a card is seen: from the tokens."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

STYLES: Final = Path(__file__).parents[2] / "games" / "static" / "games"
TABLE: Final = (STYLES / "table.css").read_text(encoding="utf-8")
SITE: Final = (STYLES / "site.css").read_text(encoding="utf-8")
WHITE: Final = "#fffefb"  # of a card


def tokens(selector: str) -> dict[str, str]:
    block = SITE[SITE.index(f"\n{selector} {{") :].partition("}")[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block))


USUAL: Final = tokens(":root")
SCHEMES: Final = {"usual": USUAL, "high": USUAL | tokens('[data-contrast="high"]')}


def channels(colour: str) -> list[float]:
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]


def over(colour: str, ground: str, opacity: float) -> str:
    mixed = zip(channels(colour), channels(ground), strict=True)
    parts = (round(255 * (one * opacity + other * (1 - opacity))) for one, other in mixed)
    return "#" + "".join(f"{part:02x}" for part in parts)


def luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour)]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one: str, other: str) -> float:
    """The ratio that WCAG 2 defines.

    >>> contrast("#000", "#fff")
    21.0
    """
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return round((light + 0.05) / (dark + 0.05), 2)


def opacity_of(selector: str, css: str) -> float:
    found = re.search(re.escape(selector) + r" \{[^}]*opacity: ([\d.]+);", css)
    assert found, selector
    return float(found[1])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_on_the_felt_and_on_paper_can_be_read(scheme: str) -> None:
    token = SCHEMES[scheme]
    felts = [(text, felt) for felt in ("felt", "felt-light", "felt-deep") for text in ON_FELT]
    for text, ground in (*felts, *ON_PAPER):
        ratio = contrast(token.get(text, text), token.get(ground, ground))
        assert ratio >= 4.5, f"{text} on {ground}: {ratio}"


ON_FELT: Final = ("cream", "cream-quiet", "brass-light", "#dce8dd")
ON_PAPER: Final = (
    *((text, ground) for text in ("on-paper", "on-paper-quiet") for ground in ("paper", "paper-2")),
    *((text, ground) for text in ("on-paper", "green") for ground in ("paper-2", "#ecd9a4")),
    *((suit, WHITE) for suit in ("red", "club", "diamond")),
)


def test_a_key_on_a_button_can_be_read() -> None:
    found = re.search(r"\.button\.brass \{[^}]*linear-gradient\((#\w+), (#\w+)\)", SITE)
    assert found
    for opacity in (opacity_of("[data-hotkey]::after", TABLE), opacity_of(".button small", SITE)):
        for text, ground in (
            *((USUAL["on-brass"], brass) for brass in found.groups()),
            (USUAL["on-paper"], USUAL["paper"]),
        ):
            assert contrast(over(text, ground, opacity), ground) >= 4.5, (ground, opacity)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    "selector", [":checked + .card .face", "form > .card .face", ".card:focus-visible .face"]
)
def test_what_frames_a_card_is_seen_on_felt_and_on_the_next_card(
    scheme: str, selector: str
) -> None:
    """From the next card inwards: its white, a line of ink, the frame."""
    token = SCHEMES[scheme]
    rule = TABLE[TABLE.index(f"{selector} {{") :].partition("}")[0]
    frame = re.search(r"outline: \d+px solid (?:var\(--([\w-]+)\)|(#\w+))", rule)
    assert frame
    assert "box-shadow: 0 0 0" in rule
    colour = token[frame[1]] if frame[1] else frame[2]
    for one, other in pairwise((WHITE, token["ink"], colour)):
        assert contrast(one, other) >= 3, (one, other)
    assert contrast(colour, token["felt-light"]) >= 3
