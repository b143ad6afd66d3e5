"""Read records of series of Hollywood Gin: python3 read_series.py FILE (or the text on stdin).

Needs Python and nothing else. Reads the notation of docs/notation.md, version 1, one series or
many, and prints JSON: the headers, and of each round the hands, deck, turns, score, sheet and deal;
verify_deal.py reads this too. It asks not whether a round was legal; exits with 1 if unreadable.
"""

import json
import sys
from pathlib import Path

HEADERS = "Site|Series|Player 0|Player 1|Options|Time|Rated|Source|Started|Ended|First dealer"
DEAL = "Commitment|Secret|Promises|Message"
CARDS = "Options|Dealer|Hand 0|Hand 1|Upcard|Stock"


class Lines:
    """The lines of a text, one after the other, without blank ones."""

    def __init__(self, text):
        lines = map(str.strip, text.split("\n"))
        self.lines = [(number, line) for number, line in enumerate(lines, 1) if line]
        self.lines.append((len(self.lines) and self.lines[-1][0] + 1, ""))

    @property
    def line(self):
        return self.lines[0][1]

    def next(self):
        return self.lines.pop(0)[1]

    def value(self, name):
        label, _, value = self.line.partition(": ")
        if label.lower() != name.lower():
            raise ValueError(f"Line {self.lines[0][0]}: not {name!r} but {self.line!r}")
        return self.next() and value


def key(name):
    return name.lower().replace(" ", "_")


def read_series(lines):
    """One series: its headers by name, and its rounds."""
    lines.value("Hollywood Gin series 1")
    series = {key(name): lines.value(name) for name in [*HEADERS.split("|"), "Result"]}
    if lines.line.startswith("Void: "):
        series["void"] = lines.value("Void")
    series["rounds"] = []
    while lines.line.startswith("Round: "):
        series["rounds"].append(read_round(lines))
    return series


def read_round(lines):
    """A round; without `deal` or cards where they are not known."""
    found = {"round": int(lines.value("Round"))}
    if lines.line.startswith("Commitment: "):
        found["deal"] = {key(name): lines.value(name) for name in DEAL.split("|")}
        found["deal"]["promises"] = found["deal"]["promises"].split(" ")
    if lines.line.lower().startswith("hollywood gin round"):
        found |= read_cards(lines)
        if "deal" in found:
            found["deal"]["deck"] = " ".join(found["deck"])
    found["score"] = lines.value("Score")
    sides = lines.value("Sheet").split(" / ")
    found["sheet"] = [[int(total) for total in side.split(" ")] for side in sides]
    return found


def read_cards(lines):
    """The record of a round: what was dealt, and each turn."""
    lines.value("Hollywood Gin round 1")
    told = {key(name): lines.value(name) for name in CARDS.split("|")}
    dealer, stock = int(told["dealer"]), told["stock"].upper().split()
    hands = [told[name].upper().split() for name in ("hand_0", "hand_1")]
    pairs = zip(hands[1 - dealer], hands[dealer], strict=True)  # the first card to the non-dealer
    deck = [*(card for pair in pairs for card in pair), told["upcard"].upper(), *stock]
    if len(deck) != 52 or len(set(deck)) != 52:
        raise ValueError(f"Line {lines.lines[0][0] - 1}: these are not the 52 cards")
    turns = []
    while lines.line and not lines.line.startswith("Score: "):
        turns.append(lines.next())
    return {"dealer": dealer, "hands": hands, "deck": deck, "turns": turns}


def read_all(text):
    lines, found = Lines(text), []
    while lines.line:
        found.append(read_series(lines))
    return found


if __name__ == "__main__":
    text = Path(sys.argv[1]).read_text("utf-8") if sys.argv[1:] else sys.stdin.read()
    try:
        print(json.dumps(read_all(text), indent=1))  # noqa: T201
    except ValueError as error:
        sys.exit(str(error))
