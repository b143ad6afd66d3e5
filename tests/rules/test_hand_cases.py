"""The hands of `tests/cases`: right answers from elsewhere, brute force and other engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.rules.cards import CardSet, card_set, cards_in, format_cards, parse_card, parse_cards
from games.rules.deadwood import best_discard, deadwood_points, is_big_gin, knock_discards
from games.rules.lay_offs import best_defence, defence_with, extended_melds
from games.rules.melds import Meld, arrangement_with, automatic_spread, best_arrangement, spreads

CASES = Path(__file__).parents[1] / "cases"


def cases(op: str) -> list[Any]:
    found = []
    for file in ("hands.jsonl", "faults.jsonl", "contract.jsonl"):
        for line in (CASES / file).read_text().splitlines():
            case = json.loads(line)
            if case["op"] == op and "error" not in case["expect"]:
                found.append(pytest.param(case, id=f"{file[0]}-{case['name']}"))
    assert found, f"no {op} in {CASES}"
    return found


def hand_of(text: str) -> CardSet:
    return card_set(parse_cards(text))


def melds_of(case: dict[str, Any]) -> list[Meld]:
    return [Meld.parse(text) for text in case["melds"]]


@pytest.mark.parametrize("case", cases("arrange"))
def test_arrange(case):
    hand = hand_of(case["hand"])
    arrangement = best_arrangement(hand)
    expected = {"deadwood": arrangement.deadwood_points}
    expected["loose"] = format_cards(arrangement.deadwood)
    expected["melds"] = [str(meld) for meld in arrangement.melds]
    assert case["expect"].items() <= expected.items()
    assert deadwood_points(hand) == arrangement.deadwood_points
    assert arrangement_with(hand, arrangement.melds) == arrangement


@pytest.mark.parametrize("case", cases("knock"))
def test_knock(case):
    hand = hand_of(case["hand"])
    taken = parse_card(case["taken"]) if case["taken"] else None
    left = {
        str(card): points
        for card, points in knock_discards(hand, case.get("limit", 10), taken).items()
    }
    assert left == case["expect"]["knocks"]
    assert [card for card, points in left.items() if points == 0] == sorted(
        case["expect"]["gin"], key=parse_card
    )
    assert is_big_gin(hand) is case["expect"].get("big_gin", is_big_gin(hand))
    if left:
        assert best_discard(hand, taken)[1] == min(left.values())


@pytest.mark.parametrize("case", cases("defend"))
def test_defend(case):
    hand, melds = hand_of(case["hand"]), melds_of(case)
    defence = best_defence(hand, melds, case["gin"])
    assert defence.deadwood_points == case["expect"]["deadwood"]
    assert defence_with(hand, melds, defence.lay_offs) == defence


@pytest.mark.parametrize(
    "case", [each for each in cases("round") if "kind" in each.values[0]["expect"]]
)
def test_round(case):
    knocker, defender = hand_of(case["knocker"]), hand_of(case["defender"])
    if "melds" in case:
        spread = arrangement_with(knocker, melds_of(case))
    elif case["expect"]["kind"] == "big gin":
        spread = best_arrangement(knocker)
    else:
        spread = automatic_spread(knocker)
        assert spread == spreads(knocker, spread.deadwood_points)[0]
    defence = best_defence(defender, spread.melds, gin=not spread.deadwood)
    expected = {
        "knocker_deadwood": spread.deadwood_points,
        "defender_deadwood": defence.deadwood_points,
    }
    told = {name: case["expect"][name] for name in expected if name in case["expect"]}
    assert told.items() <= expected.items()
    # Every card is on the table: in a meld, laid off, or left to one of the two.
    laid = extended_melds(spread.melds, defence.lay_offs)
    table = [*laid, *defence.arrangement.melds]
    cards = [card for meld in table for card in cards_in(meld.cards)]
    cards += cards_in(spread.deadwood | defence.arrangement.deadwood)
    assert sorted(cards) == list(cards_in(knocker | defender))
