"""The rules as a program: a line of JSON in, a line of JSON out (`python -m games.rules`).

`docs/rules.md` lists what can be asked. A bad line is answered with its error, and the rest goes
on; nothing but coded errors comes out, whatever goes in.
"""

import json
import os
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, Final, TextIO

from games.rules.cards import DECK, Card, CardSet, format_cards
from games.rules.errors import IllegalAction, RulesError, UnreadableInput, quoted
from games.rules.knocks import spread_of
from games.rules.lay_offs import best_defence
from games.rules.melds import (
    Arrangement,
    Meld,
    arrangement_with,
    best_arrangement,
    deadwood_points,
    is_big_gin,
    knock_discards,
)
from games.rules.notation import RoundRecord, replay
from games.rules.options import Options
from games.rules.requests import Request, check_apart
from games.rules.scoring import RoundResult, score_big_gin, score_knock
from games.rules.settlement import Settlement, settle
from games.rules.sheet import ScoreSheet
from games.rules.state import RoundState

type Answer = dict[str, Any]


def answer(line: bytes) -> str | None:
    """Answer one line of input; None for a blank one.

    >>> print(answer(b'{"op": "arrange", "hand": "8S 8H 8D 8C 9C TC 2D 4H KS AH"}'))
    {"deadwood": 17, "loose": "2D AH 4H KS", "melds": ["8C 9C TC", "8D 8H 8S"]}
    >>> print(answer(b'{"op": "arrange", "hand": "1X"}'))
    {"error": "bad_card", "message": "No such card: '1X'"}
    """
    if not line.strip():
        return None
    try:
        return json.dumps(_answer(Request.parse(line)))
    except RulesError as error:
        return json.dumps({"error": error.code, "message": error.message})


def run(source: BinaryIO, target: TextIO) -> None:
    """Answer each line of the source as it comes, until there are no more or nobody listens."""
    try:
        for line in source:
            if (answered := answer(line)) is not None:
                print(answered, file=target, flush=True)
    except BrokenPipeError:
        # Whatever is still buffered would fail once more when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), target.fileno())


def _answer(request: Request) -> Answer:
    op = request.text("op")
    if op not in _OPS:
        raise UnreadableInput("unknown_op", f"No such op: {quoted(op)}")
    return _OPS[op](request)


def _arrange(request: Request) -> Answer:
    arrangement = best_arrangement(request.hand("hand", 0, 11))
    return {"deadwood": arrangement.deadwood_points, **_arranged(arrangement)}


def _knock(request: Request) -> Answer:
    hand, limit = request.hand("hand", 11, 11), request.number("limit", 10)
    taken = request.card("taken")
    if taken is not None and not hand & taken.bit:
        raise IllegalAction("not_in_hand", f"Not in the hand: {taken}")
    knocks = knock_discards(hand, limit, taken)
    return {
        "big_gin": is_big_gin(hand),
        "gin": [str(card) for card, deadwood in knocks.items() if deadwood == 0],
        "knocks": {str(card): deadwood for card, deadwood in knocks.items()},
    }


def _defend(request: Request) -> Answer:
    hand, melds, gin = request.hand("hand", 10, 10), request.melds(), request.flag("gin")
    if melds is None:
        raise UnreadableInput("bad_request", "The field 'melds' must be a list of texts")
    laid = _together(melds)
    if laid.bit_count() > 11:
        raise UnreadableInput("wrong_count", "A knocker has 10 cards, or 11 for big gin")
    check_apart(laid, hand)
    defence = best_defence(hand, melds, gin)
    return {
        "deadwood": defence.deadwood_points,
        "lay_offs": [[str(lay_off.card), lay_off.meld] for lay_off in defence.lay_offs],
        **_arranged(defence.arrangement),
    }


def _round(request: Request) -> Answer:
    options = request.options()
    knocker, defender = request.hand("knocker", 10, 11), request.hand("defender", 10, 10)
    melds, upcard = request.melds(), _upcard(request, options)
    check_apart(knocker, defender)
    if knocker.bit_count() == 11:
        result = _big_gin(knocker, melds, defender, upcard, options)
    else:
        result = _knocked(knocker, melds, defender, upcard, options)
    return {
        "defender_deadwood": result.defender_deadwood,
        "kind": result.kind,
        "knocker_deadwood": result.knocker_deadwood,
        "points": result.points,
        "winner": "knocker" if result.winner == result.knocker else "defender",
    }


def _knocked(
    knocker: CardSet,
    melds: tuple[Meld, ...] | None,
    defender: CardSet,
    upcard: Card,
    options: Options,
) -> RoundResult:
    spread = spread_of(knocker, melds, options.limit_for(upcard))
    defence = best_defence(defender, spread.melds, gin=spread.deadwood_points == 0)
    return score_knock(
        options,
        upcard,
        knocker=0,
        knocker_deadwood=spread.deadwood_points,
        defender_deadwood=defence.deadwood_points,
    )


def _big_gin(
    knocker: CardSet,
    melds: tuple[Meld, ...] | None,
    defender: CardSet,
    upcard: Card,
    options: Options,
) -> RoundResult:
    if not options.big_gin:
        raise UnreadableInput("wrong_count", "The field 'knocker' must have 10 cards: no big gin")
    spread = best_arrangement(knocker) if melds is None else arrangement_with(knocker, melds)
    if spread.deadwood:
        raise IllegalAction("illegal_action", f"No big gin: {format_cards(spread.deadwood)} left")
    return score_big_gin(options, upcard, knocker=0, defender_deadwood=deadwood_points(defender))


def _sheet(request: Request) -> Answer:
    sheet = ScoreSheet.of(request.sheet_options(), request.results())
    answered: Answer = {
        "after": [
            {"totals": entry.after.totals, "ended": entry.after.ended} for entry in sheet.entries
        ],
        "winner": sheet.winner,
    }
    settlement = settle(sheet) if sheet.is_over else None
    return answered if settlement is None else {**answered, "settlement": _settled(settlement)}


def _settled(settlement: Settlement) -> Answer:
    games = [[game.winner, game.points] for game in settlement.games]
    return {"games": games, "net": settlement.net}


def _replay(request: Request) -> Answer:
    states = [step.state for step in replay(RoundRecord.parse(request.text("record")))]
    result = states[-1].result
    return {
        "kind": None if result is None else result.kind,
        "points": None if result is None else result.points,
        "states": [_state(state) for state in states[1:]],
        "winner": None if result is None else result.winner,
    }


def _state(state: RoundState) -> Answer:
    # The knocker's discard lies on the pile; a record is for when all cards may be seen.
    pile = state.pile if state.knock_card is None else (state.knock_card,)
    return {
        "hands": [format_cards(hand) for hand in state.hands],
        "stock": len(state.stock),
        "top": str(pile[-1]) if pile else None,
    }


def _upcard(request: Request, options: Options) -> Card:
    upcard = request.card("upcard")
    if upcard is not None:
        return upcard
    if options.knock_limit == "upcard" or options.spades_double:
        raise UnreadableInput("bad_request", "These options look at the upcard: it must be given")
    return DECK[0]  # any card: nobody looks at it


def _arranged(arrangement: Arrangement) -> Answer:
    by_first_card = sorted(arrangement.melds, key=lambda meld: meld.cards & -meld.cards)
    return {
        "loose": format_cards(arrangement.deadwood),
        "melds": [str(meld) for meld in by_first_card],
    }


def _together(melds: tuple[Meld, ...]) -> CardSet:
    return sum(meld.cards for meld in melds)


_OPS: Final[Mapping[str, Callable[[Request], Answer]]] = {
    "arrange": _arrange,
    "knock": _knock,
    "defend": _defend,
    "round": _round,
    "sheet": _sheet,
    "replay": _replay,
}
