"""The stand-alone script that checks deals: it knows nothing of this program (promise F2)."""

import ast
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from games.rules.cards import format_cards
from games.rules.deck import commitment
from games.rules.notation import RoundRecord
from games.rules.options import Options
from games.rules.parts import Part, promise_of
from games.rules.proof import DealProof
from tests.long import long_or

SCRIPT = Path(__file__).parents[2] / "docs" / "verify_deal.py"


@pytest.fixture(scope="module")
def check():
    return runpy.run_path(str(SCRIPT))["check"]


def deal(random, number=1):
    """Any deal: each player with a promise kept or not, a whole part, or none."""
    secret = random.randbytes(32)
    parts = []
    for _ in range(2):
        part = random.randbytes(32).hex()
        kinds = (Part(), Part(promise_of(part), part), Part("", part), Part(promise_of(part), ""))
        parts.append(random.choice(kinds))
    return DealProof("Ab-c_3", number, 0, secret, commitment(secret), tuple(parts))


def told(proof):
    return json.loads(json.dumps(proof.record(proof.deck)))


def run(text):
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT)], input=text, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def test_it_is_short_and_needs_nothing_but_python():
    text = SCRIPT.read_text()
    assert len(text.splitlines()) < 80
    nodes = [*ast.walk(ast.parse(text))]
    whole = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    from_them = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert whole | from_them <= sys.stdlib_module_names


def test_f2_it_finds_every_deal_as_it_was(check):
    random = Random(10)
    for number in range(1, long_or(10_000, 1_000) + 1):
        proof = deal(random, number)
        message, deck, wrong = check(told(proof))
        assert (message, deck, wrong) == (proof.message, [*map(str, proof.deck)], [])


def test_f2_it_finds_any_flipped_bit(check):
    random = Random(11)
    part = [random.randbytes(32).hex() for _ in range(2)]
    secret = random.randbytes(32)
    kept = tuple(Part(promise_of(each), each) for each in part)
    good = told(DealProof("Ab-c_3", 1, 0, secret, commitment(secret), kept))
    for bit in range(256):
        for name in ("secret", "commitment"):
            assert check({**good, name: flipped(good[name], bit)})[2]
        for name in ("parts", "promises"):
            for seat in (0, 1):
                changed = list(good[name])
                changed[seat] = flipped(changed[seat], bit)
                assert check({**good, name: changed})[2]
    cards = good["deck"].split()
    for place in range(51):
        swapped = [*cards[:place], cards[place + 1], cards[place], *cards[place + 2 :]]
        assert check({**good, "deck": " ".join(swapped)})[2]
    for change in ({"series": "Ab-c_4"}, {"round": 2}, {"board": 1}, {"parts": ["none", part[1]]}):
        assert check({**good, **change})[2]


def flipped(text, bit):
    return (int(text, 16) ^ 1 << bit).to_bytes(32).hex()


def test_it_reads_many_deals_from_json():
    random = Random(12)
    proofs = [deal(random, number) for number in (1, 2, 3)]
    archive = [{"address": "x", "rounds": [{"points": 1, "deal": told(each)} for each in proofs]}]
    code, text = run(json.dumps(archive))
    assert code == 0
    lines = [(each.message, format_cards(each.deck), "matches") for each in proofs]
    assert text.splitlines() == [line for three in lines for line in three]
    archive[0]["rounds"][1]["deal"]["secret"] = "00" * 32
    assert run(json.dumps(archive))[0] == 1


def test_it_reads_a_rounds_notation_with_the_lines_of_the_panel():
    proof = deal(Random(13))
    record = RoundRecord(Options(), 1, proof.deck).format()
    lines = f"Secret: {proof.secret.hex()}\nCommitment: {proof.commitment}\n"
    text = f"{record}Message: {proof.message}\n{lines}"
    assert run(text) == (0, f"{proof.message}\n{format_cards(proof.deck)}\nmatches\n")
    other = RoundRecord(Options(), 1, (*proof.deck[1:], proof.deck[0])).format()
    assert run(f"{other}Message: {proof.message}\n{lines}")[0] == 1
    assert run(f"Message: {proof.message}\n{lines}")[0] == 0


def test_the_example_of_the_documents_matches():
    text = (SCRIPT.parent / "fair-deal.md").read_text()
    lines = re.search(r"Secret: .*?\n\s*Message: .*?\n", text, re.DOTALL)
    assert run(lines[0])[1].splitlines()[::2] == ["a1b2|1|1|00ff|none", "matches"]
