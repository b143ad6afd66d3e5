"""Actions, logs and records as text: docs/notation.md, whose examples are read here."""

import re
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import log as log_module
from games.rules.actions import (
    Action,
    BigGin,
    Defend,
    Discard,
    Draw,
    Knock,
    Pass,
    Resign,
    Take,
    format_action,
    parse_action,
)
from games.rules.cards import DECK, Card
from games.rules.errors import IllegalAction, RulesError, UnreadableInput
from games.rules.lay_offs import LayOff
from games.rules.melds import Meld
from games.rules.notation import (
    BROKEN_OFF,
    EMPTY_LOG,
    Entry,
    RoundRecord,
    extend,
    fold,
    logged,
    replay,
)
from games.rules.options import Options
from games.rules.round import Phase, deal, play
from tests.rules.tables import any_options, deck_of, random_log, rich_deck, shuffled

DOCUMENT = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
GOOD = "8C 9C TC 7D 7H 7S 2D 2H 4H KC"
LAYS_OFF = "6C 7C QC 9D JD KD AH 6H TS QS"
PLAYED = deck_of(GOOD, LAYS_OFF, "8H", "2S")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)
    assert found, f"no {language} in docs/notation.md"
    return found[1]


RECORD = block("record")

# Actions


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("p", Pass()),
        ("t", Take()),
        ("d", Draw()),
        ("x9C", Discard(Card["9C"])),
        ("k9C", Knock(Card["9C"])),
        (
            "k9C=8C9CTC/7D7H7S",
            Knock(Card["9C"], (Meld.parse("8C 9C TC"), Meld.parse("7D 7H 7S"))),
        ),
        ("k9C=", Knock(Card["9C"], ())),
        ("b", BigGin()),
        ("l", Defend()),
        ("l=", Defend(())),
        ("l=9S0,TS2", Defend((LayOff(Card["9S"], 0), LayOff(Card["TS"], 2)))),
        ("r", Resign()),
    ],
)
def test_an_action_is_written_and_read_back(text, action):
    assert format_action(action) == text
    assert parse_action(text) == action


def test_cards_of_an_action_may_be_in_lower_case():
    assert parse_action("k9c=tc8c9c") == parse_action("k9C=8C9CTC")
    assert parse_action("l=9s0") == parse_action("l=9S0")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_request"),
        ("z", "bad_request"),
        ("pp", "bad_request"),
        ("x", "bad_card"),
        ("x1X", "bad_card"),
        ("x9C ", "bad_request"),
        ("x9C=8C9CTC", "bad_request"),
        ("k9C:", "bad_request"),
        ("k9C=8C9C", "not_a_meld"),
        ("k9C=8C9CTC/", "not_a_meld"),
        ("k9C=8C9C9C", "duplicate_card"),
        ("k9C=8C9CT", "bad_card"),
        ("k9C=" + "8C9CTC/" * 100_000, "bad_card"),
        ("l=9S", "bad_request"),
        ("l=9S0,", "bad_request"),
        ("l=9S10", "bad_request"),
        ("l=1X0", "bad_card"),
        ("l=9S\u0660", "bad_request"),
        ("r0", "bad_request"),
        ("v", "bad_request"),
    ],
)
def test_what_is_no_action_is_refused(text, code):
    with pytest.raises(UnreadableInput) as caught:
        parse_action(text)
    assert caught.value.code == code
    assert len(str(caught.value)) < 200


# The log


def random_rounds(count: int):
    random = Random(7)
    for number in range(count):
        deck, options = random.choice((shuffled, rich_deck))(random), any_options(random)
        yield random_log(random, deck, number % 2, options), deck, number % 2, options


def test_a_log_is_the_round():
    for log, deck, dealer, options in random_rounds(200):
        state = deal(deck, dealer, options).state
        folded = fold(log, deck, dealer, options)
        for entry, events in zip(folded.entries, folded.events[1:], strict=True):
            progress = play(state, entry.seat, entry.action)
            assert progress.events == events
            state = progress.state
        assert folded.state == state
        assert folded.state.phase is Phase.OVER
        assert folded.log == log


def test_an_empty_log_is_the_deal():
    folded = fold(EMPTY_LOG, DECK, 0, Options())
    dealt = deal(DECK, 0, Options())
    assert (folded.entries, folded.state, folded.all_events) == ((), dealt.state, dealt.events)


def test_playing_on_costs_the_new_actions_only(monkeypatch):
    log = "1 p p d kKC l"
    folded = fold("1 p p d kKC", PLAYED, 1, Options())
    calls = []
    monkeypatch.setattr(log_module, "play", lambda *args: calls.append(args) or play(*args))
    assert extend(folded, log).state.phase is Phase.OVER
    assert len(calls) == 1
    assert extend(folded, folded.log) == folded
    assert len(calls) == 1
    assert extend(folded, log) == fold(log, PLAYED, 1, Options())


@pytest.mark.parametrize("log", ["1 p", "1 p p x", "1 p pp", "1 p t d", "2 p p d", ""])
def test_one_plays_on_from_the_same_beginning_only(log):
    folded = fold("1 p p", PLAYED, 1, Options())
    with pytest.raises(UnreadableInput):
        extend(folded, log)


def test_entries_are_appended():
    log = logged(logged(EMPTY_LOG, Entry(0, Pass())), Entry(1, Resign()))
    assert log == "1 p r1"
    assert logged(log, BROKEN_OFF) == "1 p r1 v"


def test_either_seat_resigns_by_its_number():
    for seat in (0, 1):
        folded = fold(f"1 p r{seat}", PLAYED, 1, Options())
        assert folded.entries[-1] == Entry(seat, Resign())
        assert folded.state.result.winner == 1 - seat


def test_a_round_is_broken_off():
    folded = fold("1 p p d v", PLAYED, 1, Options())
    assert folded.entries[-1] == BROKEN_OFF
    assert folded.state.result.kind == "void"


@pytest.mark.parametrize(
    ("log", "message"),
    [
        ("p p", "Not a log that begins so: '1'"),
        ("1p", "Not a log that begins so: '1'"),
        ("1 p p d x1X", "Entry 4 of the log, 'x1X': No such card: '1X'"),
        ("1 p p d xkc", "Entry 4 of the log, 'xkc': Not as the log writes it: 'xkc'"),
        ("1 p  p", "Entry 2 of the log, '': No such action: ''"),
        ("1 p ", "Entry 2 of the log, '': No such action: ''"),
        ("1 p r", "Entry 2 of the log, 'r': Not as the log writes it: 'r'"),
        ("1 p r2", "Entry 2 of the log, 'r2': No such action: 'r2'"),
    ],
)
def test_an_unreadable_log_is_refused_with_its_place(log, message):
    with pytest.raises(UnreadableInput) as caught:
        fold(log, PLAYED, 1, Options())
    assert str(caught.value) == message


def test_the_cards_of_a_meld_stand_in_order():
    assert fold("1 p p d kKC=7D7H7S/8C9CTC/2D2H2S", PLAYED, 1, Options()).state.ply == 4
    with pytest.raises(UnreadableInput):
        fold("1 p p d kKC=7H7D7S/8C9CTC/2D2H2S", PLAYED, 1, Options())


@pytest.mark.parametrize(
    ("log", "code"),
    [
        ("1 d", "illegal_action"),
        ("1 p p d xQC", "not_in_hand"),
        ("1 p p d k2S", "over_limit"),
        ("1 p p d kKC l v", "illegal_action"),
    ],
)
def test_an_illegal_log_is_refused_with_its_place(log, code):
    with pytest.raises(IllegalAction) as caught:
        fold(log, PLAYED, 1, Options())
    assert caught.value.code == code
    assert str(caught.value).startswith(f"Entry {log.count(' ')} of the log, ")


# The record


def test_the_examples_of_the_document_are_one_round():
    record = RoundRecord.parse(RECORD)
    assert record.log == block("log").strip()
    assert record.format() == RECORD
    assert replay(record)[-1].state.result.points == 62
    assert RoundRecord.from_log(record.log, record.deck, 1, record.options) == record


def test_every_action_is_in_the_document_as_a_letter_and_as_a_line():
    headers = RECORD.split("0 passes")[0]
    rows = re.findall(r"^\| `([01b][^`]+)` \| (.+) \|$", DOCUMENT, re.MULTILINE)
    found = set()
    for line, tokens in rows:
        entries = RoundRecord.parse(f"{headers}{line}\n").entries
        assert ", ".join(f"`{entry}`" for entry in entries) == tokens
        found |= {type(entry.action) for entry in entries}
    assert found == {*get_args(Action.__value__), type(None)}
    for text in ("p", "t", "d", "x9C", "k9C", "b", "l", "l=", "r0", "r1", "v"):
        assert f"`{text}`" in DOCUMENT


def test_records_are_written_and_read_back():
    for log, deck, dealer, options in random_rounds(300):
        record = RoundRecord.from_log(log, deck, dealer, options)
        text = record.format()
        assert RoundRecord.parse(text) == record
        assert record.log == log
        assert [step.state.ply for step in replay(record)] == list(range(len(record.entries) + 1))
        assert replay(record)[-1].state == fold(log, deck, dealer, options).state


def test_a_line_is_a_turn():
    for log, deck, dealer, options in random_rounds(50):
        lines = RoundRecord.from_log(log, deck, dealer, options).format().splitlines()[7:]
        for before, after in pairwise(lines):
            assert before[0] != after[0] or "resigns" in after


def test_case_edges_and_line_ends_do_not_matter():
    record = RoundRecord.parse(RECORD)
    for text in (RECORD.upper(), RECORD.lower(), f"\n\n{RECORD}\n ", RECORD.replace("\n", "\r\n")):
        assert RoundRecord.parse(text) == record


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("round 1", "round 2", "bad_request", "Line 1"),
        ("Options:", "Rules:", "bad_request", "Line 2"),
        ("hollywood", "whist", "unknown_option", "Line 2"),
        ("target 150", "target 150, target 150", "bad_request", "Line 2"),
        ("target 150", "target 100", "bad_request", "Line 2"),  # as the preset has it
        ("target 150", "target", "bad_request", "Line 2"),
        ("target 150", "target " + "9" * 5000, "bad_request", "Line 2"),
        ("target 150", "jokers 2", "unknown_option", "Line 2"),
        ("Dealer: 1", "Dealer: 2", "bad_request", "Line 3"),
        ("Hand 0: 8C", "Hand 0: 1X", "bad_card", "Line 4"),
        ("Hand 0: 8C", "Hand 0:", "wrong_count", "Line 4"),
        ("Hand 0: 8C", "Hand 0: 9C", "duplicate_card", "Line 4"),
        ("Hand 0: 8C", "Hand 0: 6C", "duplicate_card", "Lines 4 to 7"),
        ("Hand 0: 8C 9C", "Hand 0: 8C  9C", "bad_request", "Line 4"),
        ("Hand 1: 6C", "Hand 1: 6C 5C", "wrong_count", "Line 5"),
        ("Upcard: 8H", "Upcard: ", "bad_card", "Line 6"),
        ("Stock: 3S", "Stock:", "wrong_count", "Lines 4 to 7"),
        ("0 passes\n1", "2 passes\n1", "bad_request", "Line 8"),
        ("0 passes\n1", "passes\n1", "bad_request", "Line 8"),
        ("0 passes\n1", "0 jumps\n1", "bad_request", "Line 8"),
        ("0 passes\n1", "0 passes \n1", "bad_request", "Line 8"),
        ("0 passes\n1", "0 passes and draws 3S\n1", "bad_request", "Line 8"),
        ("0 passes\n1", "\n0 passes\n1", "bad_request", "Line 8"),
        ("draws 3S", "draws 4S", "bad_request", "Line 10"),
        ("draws 3S", "takes 3S", "bad_request", "Line 10"),
        ("draws 3S and ", "draws 3S\n0 ", "bad_request", "Line 10"),
        ("discards JC", "discards 1X", "bad_card", "Line 11"),
        ("8C 9C TC /", "9C 8C TC /", "bad_request", "Line 12"),
        ("8C 9C TC /", "8C 9C JC /", "not_a_meld", "Line 12"),
        ("lays off 7C on 0", "lays off 7C", "bad_request", "Line 13"),
        ("lays off 7C on 0", "lays 7C on 0", "bad_request", "Line 13"),
        ("6C on 0", "6C on 0é", "bad_request", "A record"),
    ],
)
def test_anything_else_is_refused_with_its_line(old, new, code, line):
    assert old in RECORD
    with pytest.raises(UnreadableInput) as caught:
        RoundRecord.parse(RECORD.replace(old, new, 1))
    assert caught.value.code == code
    assert str(caught.value).startswith(line)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("length", range(8))
def test_a_record_that_breaks_off_in_its_headers_is_refused(length):
    text = "\n".join(RECORD.splitlines()[:length])
    if length == 7:
        assert RoundRecord.parse(text).entries == ()
    else:
        with pytest.raises(UnreadableInput) as caught:
            RoundRecord.parse(text)
        assert str(caught.value).startswith(f"Line {length + 1}")


@pytest.mark.parametrize("text", [None, 5, b"", [], {}])
def test_a_record_is_text(text):
    with pytest.raises(UnreadableInput):
        RoundRecord.parse(text)


@given(st.data())
def test_whatever_is_read_is_what_is_written(data):
    place = data.draw(st.integers(0, len(RECORD)))
    end = data.draw(st.integers(place, min(place + 3, len(RECORD))))
    text = RECORD[:place] + data.draw(st.text(max_size=3)) + RECORD[end:]
    try:
        record = RoundRecord.parse(text)
    except UnreadableInput:
        return
    assert record.format().lower().strip() == text.lower().strip()


@given(st.text())
def test_no_text_breaks_the_readers(text):
    for read in (parse_action, RoundRecord.parse, lambda log: fold(log, PLAYED, 1, Options())):
        with suppress(RulesError):
            read(text)


def test_a_record_of_what_was_not_legal_is_read_and_not_replayed():
    text = RECORD.replace("0 draws 3S and discards 3S", "1 draws 3S and discards 3S")
    record = RoundRecord.parse(text)
    assert record.format() == text
    with pytest.raises(IllegalAction) as caught:
        replay(record)
    assert str(caught.value) == "Action 3, 'd': It is the other player's turn"


def test_a_record_names_seats_that_there_are():
    record = RoundRecord(Options(), 1, PLAYED, (Entry(None, Pass()),))
    with pytest.raises(IllegalAction):
        replay(record)


@pytest.mark.parametrize(
    ("entries", "lines"),
    [
        ([Entry(0, Take()), Entry(0, Take())], ["0 takes 8H", "0 takes nothing"]),
        ([Entry(0, Draw())] * 32, ["0 draws nothing"]),
        ([Entry(0, Knock(Card["KC"], ()))], ["0 knocks KC: no melds"]),
        ([Entry(1, Defend(()))], ["1 lays off nothing"]),
        ([Entry(1, Defend())], ["1 lays off at best"]),
        ([Entry(0, BigGin())], ["0 declares big gin"]),
        ([Entry(0, Draw()), BROKEN_OFF], ["0 draws 2S", "broken off"]),
        ([BROKEN_OFF, BROKEN_OFF], ["broken off", "broken off"]),
        ([Entry(0, Draw()), Entry(1, Discard(Card["KC"]))], ["0 draws 2S", "1 discards KC"]),
    ],
)
def test_everything_that_can_be_said_is_written_and_read_back(entries, lines):
    record = RoundRecord(
        Options.from_mapping({"preset": "oklahoma", "spades_double": False}),
        0,
        PLAYED,
        tuple(entries),
    )
    text = record.format()
    assert text.splitlines()[1] == "Options: oklahoma, spades_double false"
    assert text.splitlines()[-len(lines) :] == lines
    assert RoundRecord.parse(text) == record
