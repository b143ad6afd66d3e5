"""Check how rounds of Hollywood Gin were dealt: python3 verify_deal.py FILE (or the text on stdin).

Needs Python and nothing else, this site's program least of all. The text is JSON with the deals of
one or many rounds somewhere in it, as the page of a deal or the archive of an account gives them;
or lines "Secret: …", "Message: …", "Commitment: …" and, where wanted, "Promises: …" and either
"Deck: …" or the round's notation. Prints each deck; exits with 1 if a deal is not what it claims.
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path


def shuffled(secret, message):
    """The 52 cards by suit and rank, shuffled from the last place down by HMAC-SHA256."""
    deck = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    stream, n = b"", 0
    for i in range(51, 0, -1):
        while True:
            if not stream:
                stream = hmac.new(secret, f"{message}|{n}".encode(), hashlib.sha256).digest()
                n += 1
            byte, stream = stream[0], stream[1:]
            if byte < 256 - 256 % (i + 1):  # else some places would come up more often
                break
        j = byte % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def sha256(text):
    return hashlib.sha256(bytes.fromhex(text)).hexdigest()


def check(deal):
    """The message and the deck of a deal, and what is wrong with it."""
    names = [str(deal.get(name)) for name in ("series", "round", "board")]
    message = deal.get("message") or "|".join([*names, *deal["parts"]])
    deck, wrong = shuffled(bytes.fromhex(deal["secret"]), message), []
    if sha256(deal["secret"]) != deal["commitment"]:
        wrong.append("the commitment is not that of the secret")
    for part, promise in zip(message.split("|")[3:], deal.get("promises", ()), strict=False):
        if part != "none" and promise not in (None, "none", sha256(part)):
            wrong.append("a part is not the one that was promised")
    if deal.get("deck") not in (None, " ".join(deck)):
        wrong.append("the cards dealt were others")
    return message, deck, wrong


def deals_in(value):
    """Every deal somewhere in what was read from JSON."""
    if isinstance(value, dict) and "secret" in value and "commitment" in value:
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from deals_in(each)


def deal_of_lines(text):
    """The deal that lines describe; the deck of a notation is dealt by turns from its hands."""
    lines = dict(line.strip().split(": ", 1) for line in text.splitlines() if ": " in line)
    if "Stock" in lines:
        hands, first = [lines["Hand 0"].split(), lines["Hand 1"].split()], 1 - int(lines["Dealer"])
        dealt = [card for pair in zip(hands[first], hands[1 - first], strict=True) for card in pair]
        lines["Deck"] = " ".join([*dealt, lines["Upcard"], lines["Stock"]])
    deal = {name.lower(): value for name, value in lines.items()}
    return deal | {"promises": deal.get("promises", "").split()}


if __name__ == "__main__":
    text, bad = Path(sys.argv[1]).read_text() if sys.argv[1:] else sys.stdin.read(), 0
    for deal in deals_in(json.loads(text)) if text.lstrip()[0] in "{[" else [deal_of_lines(text)]:
        message, deck, wrong = check(deal)
        print(message, " ".join(deck), "; ".join(wrong) or "matches", sep="\n")  # noqa: T201
        bad += bool(wrong)
    sys.exit(bad > 0)
