"""The rules as a program: every case, every refusal, and that nothing else comes out."""

import importlib
import io
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import DECK, card_set, format_cards, parse_cards
from games.rules.errors import ERROR_CODES
from games.rules.notation import RoundRecord
from games.rules.options import Options
from games.rules.program import answer, run

ROOT = Path(__file__).parents[2]
CASE_FILES = sorted((ROOT / "tests" / "cases").glob("*.jsonl"))
CASES = [
    pytest.param(line, id=f"{path.stem}-{number}")
    for path in CASE_FILES
    for number, line in enumerate(path.read_text().splitlines(), 1)
]
OPS = ("arrange", "knock", "defend", "round", "sheet", "replay")
FIELDS = ("hand", "taken", "limit", "melds", "gin", "knocker", "defender", "upcard", "options")
FIELDS += ("results", "record")
HOLLYWOOD = Options()
GIN_RUMMY = {"preset": "gin-rummy"}


def ask(op, **fields):
    return json.loads(answer(json.dumps({"op": op, **fields}).encode()))


def without_order(answered):
    """The order of a list under `gin` does not matter (tests/cases/README.md)."""
    return {key: sorted(value) if key == "gin" else value for key, value in answered.items()}


def assert_expected(line, answered):
    expected = json.loads(line)["expect"]
    found = {key: answered.get(key) for key in expected}
    assert without_order(found) == without_order(expected), line


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "games.rules", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


# The cases


def test_there_are_cases():
    assert len(CASE_FILES) >= 4
    assert len(CASES) >= 1168


@pytest.mark.parametrize("line", CASES)
def test_case(line):
    assert_expected(line, json.loads(answer(line.encode())))


def test_all_cases_through_one_process():
    lines = [case.values[0] for case in CASES]
    out, err = start().communicate("\n".join(lines).encode())
    answers = out.decode("ascii").splitlines()
    assert err == b""
    assert len(answers) == len(lines)
    for line, answered in zip(lines, answers, strict=True):
        assert_expected(line, json.loads(answered))


# The stream


def test_the_example_of_the_design():
    line = b'{"op": "arrange", "hand": "8S 8H 8D 8C 9C TC 2D 4H KS AH"}'
    expected = '{"deadwood": 17, "loose": "2D AH 4H KS", "melds": ["8C 9C TC", "8D 8H 8S"]}'
    assert answer(line) == expected


def test_a_bad_line_is_answered_and_the_rest_goes_on():
    good = b'{"op": "arrange", "hand": "AC"}\n'
    target = io.StringIO()
    run(io.BytesIO(good + b"\n  \r\n{\n\xff\n" + good.strip()), target)
    answers = [json.loads(line) for line in target.getvalue().splitlines()]
    assert [each.get("error") for each in answers] == [None, "bad_json", "bad_json", None]


def test_each_line_is_answered_before_the_next_is_read():
    with start() as process:
        for hand, deadwood in [("KS", 10), ("AC 2C 3C", 0)]:
            process.stdin.write(json.dumps({"op": "arrange", "hand": hand}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["deadwood"] == deadwood


class Closed(io.StringIO):
    """A pipe whose reader has gone."""

    def __init__(self, descriptor):
        super().__init__()
        self.descriptor = descriptor

    def fileno(self):
        return self.descriptor

    def flush(self):
        raise BrokenPipeError


def test_when_nobody_listens_any_more_it_ends_in_silence(tmp_path):
    with (tmp_path / "pipe").open("w") as pipe:
        lines = io.BytesIO(b'{"op": "arrange", "hand": "AC"}\n' * 2)
        run(lines, Closed(pipe.fileno()))
        assert len(lines.readlines()) == 1


def test_a_reader_that_leaves_sees_no_traceback():
    with start() as process:
        process.stdout.close()
        process.stdin.write(b'{"op": "arrange", "hand": "AC"}\n' * 2)
        process.stdin.close()
        assert process.stderr.read() == b""


def test_the_module_runs_as_a_program(monkeypatch):
    line = b'{"op": "arrange", "hand": "AC"}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line)))
    monkeypatch.setattr("sys.stdout", io.StringIO())
    monkeypatch.delitem(sys.modules, "games.rules.__main__", raising=False)
    runpy.run_module("games.rules", run_name="__main__")
    assert json.loads(sys.stdout.getvalue())["loose"] == "AC"


def test_importing_the_module_runs_nothing():
    importlib.import_module("games.rules.__main__")


# The ops


def test_arrange_takes_any_number_of_cards_up_to_eleven():
    assert ask("arrange", hand="") == {"deadwood": 0, "loose": "", "melds": []}
    assert ask("arrange", hand="ks as") == {"deadwood": 11, "loose": "AS KS", "melds": []}
    eleven = "8S 9S TS JS QS KS AC AD AH AS 2C"
    assert ask("arrange", hand=eleven) == {
        "deadwood": 2,
        "loose": "2C",
        "melds": ["AC AD AH AS", "8S 9S TS JS QS KS"],
    }
    assert ask("arrange", hand=eleven + " 3C")["error"] == "wrong_count"


def test_knock_answers_in_text_order():
    answered = ask("knock", hand="QS QH QD QC 8S 8H 8C 6D 5D 4D 3D")
    assert answered == {
        "big_gin": True,
        "gin": ["QC", "3D", "6D", "QD", "QH", "QS"],
        "knocks": {"QC": 0, "3D": 0, "6D": 0, "QD": 0, "QH": 0, "QS": 0},
    }
    assert list(answered["knocks"]) == answered["gin"]


def test_knock_refuses_a_taken_card_that_is_not_held():
    hand = "5C 6C 7C JD JH JS AS 2D 3H 4S KD"
    assert ask("knock", hand=hand, taken="KH")["error"] == "not_in_hand"
    assert ask("knock", hand=hand, taken="kd")["knocks"] == {}
    assert ask("knock", hand=hand, limit=0)["knocks"] == {}


def test_defend_answers_a_legal_order_and_the_index_of_the_request():
    answered = ask("defend", melds=["KC KD KH", "7h 6H 5H"], hand="3H 4H 8H QC QD QS AC 7D 5S KS")
    assert answered["deadwood"] == 13
    assert sorted(answered["lay_offs"]) == [["3H", 1], ["4H", 1], ["8H", 1], ["KS", 0]]
    assert answered["lay_offs"].index(["4H", 1]) < answered["lay_offs"].index(["3H", 1])
    assert answered["melds"] == ["QC QD QS"]
    assert answered["loose"] == "AC 7D 5S"


def test_defend_lays_nothing_off_against_gin():
    hand = "3H 4H 8H QC QD QS AC 7D 5S KS"
    answered = ask("defend", melds=["KC KD KH", "5H 6H 7H"], hand=hand, gin=True)
    assert answered["lay_offs"] == []
    assert answered["deadwood"] == 38


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"melds": ["5H 6H 7H"], "hand": "3H 4H"}, "wrong_count"),
        ({"melds": None, "hand": "3H 4H 8H QC QD QS AC 7D 5S KS"}, "bad_request"),
        ({"melds": ["3H 4H 5H"], "hand": "3H 4H 8H QC QD QS AC 7D 5S KS"}, "duplicate_card"),
        ({"melds": ["5H 6H 7H"] * 2, "hand": "3H 4H 8H QC QD QS AC 7D 5S KS"}, "duplicate_card"),
        ({"melds": ["5H 6H 7H"] * 99, "hand": "3H 4H 8H QC QD QS AC 7D 5S KS"}, "duplicate_card"),
        ({"melds": ["5H 6H"], "hand": "3H 4H 8H QC QD QS AC 7D 5S KS"}, "not_a_meld"),
        ({"melds": [""], "hand": "3H 4H 8H QC QD QS AC 7D 5S KS"}, "not_a_meld"),
        (
            {
                "melds": ["AC 2C 3C 4C 5C 6C", "AD 2D 3D 4D 5D 6D"],
                "hand": "3H 4H 8H QC QD QS 7C 7D 5S KS",
            },
            "wrong_count",
        ),
    ],
)
def test_defend_refuses(fields, code):
    assert ask("defend", **fields)["error"] == code


KNOCKER = "5H 6H 7H 9C 9D 9S KC KD KH 2S"
DEFENDER = "3H 4H 8H QC QD QS AC 7D 5S JC"


def test_round_answers_who_scores_and_why():
    assert ask("round", knocker=KNOCKER, defender=DEFENDER) == {
        "defender_deadwood": 23,
        "kind": "knock",
        "knocker_deadwood": 2,
        "points": 21,
        "winner": "knocker",
    }


def test_round_counts_a_worse_spread_as_a_knock_and_not_as_gin():
    gin = "4C 5C 6C 7C 9D 9H 9S JC JD JH"
    worse = ["5C 6C 7C", "9D 9H 9S", "JC JD JH"]
    defender = "8C 3C 9C JS KD KH KS 2D 5H AS"
    assert ask("round", knocker=gin, defender=defender)["kind"] == "gin"
    answered = ask("round", knocker=gin, melds=worse, defender=defender)
    assert (answered["kind"], answered["knocker_deadwood"]) == ("knock", 4)


BIG = "8C TC QC 8D QD 8H TH QH 8S TS QS"
BIG_DEFENDER = "3D 4D 5D 6D 9D TD AH 7H JH 4S"


def test_round_with_eleven_cards_is_big_gin():
    melds = ["8C 8D 8H 8S", "TC TH TS", "QC QD QH QS"]
    for chosen in (None, melds):
        answered = ask(
            "round", knocker=BIG, melds=chosen, defender=BIG_DEFENDER, options={"big_gin": 31}
        )
        assert answered == {
            "defender_deadwood": 41,
            "kind": "big gin",
            "knocker_deadwood": 0,
            "points": 72,
            "winner": "knocker",
        }


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"knocker": BIG, "defender": BIG_DEFENDER}, "wrong_count"),
        (
            {
                "knocker": BIG,
                "melds": ["8C 8D 8H 8S", "TC TH TS"],
                "defender": BIG_DEFENDER,
                "options": {"big_gin": 31},
            },
            "illegal_action",
        ),
        (
            {"knocker": KNOCKER + " AD", "defender": DEFENDER, "options": {"big_gin": 31}},
            "illegal_action",
        ),
        ({"knocker": KNOCKER, "defender": KNOCKER}, "duplicate_card"),
        ({"knocker": KNOCKER, "defender": "AC"}, "wrong_count"),
        ({"knocker": KNOCKER, "defender": DEFENDER, "melds": []}, "over_limit"),
        ({"knocker": KNOCKER, "defender": DEFENDER, "melds": "5H 6H 7H"}, "bad_request"),
        ({"knocker": KNOCKER, "defender": DEFENDER, "melds": ["9C 9D 9H"]}, "not_in_hand"),
        ({"knocker": KNOCKER, "defender": DEFENDER, "upcard": "1S"}, "bad_card"),
        (
            {"knocker": KNOCKER, "defender": DEFENDER, "options": {"preset": "oklahoma"}},
            "bad_request",
        ),
        (
            {"knocker": KNOCKER, "defender": DEFENDER, "options": {"spades_double": True}},
            "bad_request",
        ),
        ({"knocker": KNOCKER, "defender": DEFENDER, "options": {"preset": "?"}}, "unknown_option"),
        ({"knocker": KNOCKER, "defender": DEFENDER, "options": {"gin": 26}}, "bad_request"),
        ({"knocker": KNOCKER, "defender": DEFENDER, "options": {"gin": True}}, "bad_request"),
        ({"knocker": KNOCKER, "defender": DEFENDER, "options": {"gin": [25]}}, "bad_request"),
        ({"knocker": KNOCKER, "defender": DEFENDER, "options": [25]}, "bad_request"),
    ],
)
def test_round_refuses(fields, code):
    assert ask("round", **fields)["error"] == code


def test_fault_16_melds_from_outside_are_never_trusted():
    knocker, defender = "7H 7D 7C 8C 9C KS QD 2H 4S JD", "AC 2C 3D 4D 5H 6H 8S 9S TH QS"
    refused = [["7H 7D 7D"], ["9C TC JC"], ["7H 7D 7C", "7C 8C 9C"]]
    codes = [ask("round", knocker=knocker, defender=defender, melds=m)["error"] for m in refused]
    assert codes == ["duplicate_card", "not_in_hand", "duplicate_card"]
    assert ask("arrange", hand=knocker)["deadwood"] == 50


@pytest.mark.parametrize(("options", "points"), [({}, 15), (GIN_RUMMY, 30)])
def test_fault_27_eight_against_three(options, points):
    knocker, defender = "2C 3C 4C 9D 9H 9S JC JD JH 8S", "AC AD AH 5S 6S 7S QC QD QH 3D"
    answered = ask("round", knocker=knocker, defender=defender, options=options)
    assert answered == {
        "defender_deadwood": 3,
        "kind": "undercut",
        "knocker_deadwood": 8,
        "points": points,
        "winner": "defender",
    }


def test_sheet_without_results():
    assert ask("sheet", results=[]) == {"after": [], "winner": None}


def test_sheet_says_the_settlement_once_the_series_is_over():
    options = {"settlement": "classic", "series_end": "two"}
    results = [[0, 100], [0, 100]]
    assert "settlement" not in ask("sheet", results=results[:1], options=options)
    over = ask("sheet", results=results, options=options)
    assert over["winner"] == 0
    assert over["settlement"] == {"games": [[0, 450], [0, 450]], "net": [900, -900]}
    assert "settlement" not in ask("sheet", results=results, options={"series_end": "two"})


@pytest.mark.parametrize("options", [{"players": 3}, {"sides": 3}, {"sides": 3, "players": 3}])
def test_sheet_of_three_sides(options):
    answered = ask("sheet", results=[[2, 100], [1, 100], [0, 100]], options=options)
    assert answered["after"][-1] == {
        "totals": [[0, 0, 100], [0, 100, 0], [100, 0, 0]],
        "ended": [2, 1, 0],
    }
    assert answered["winner"] == "shared"


@pytest.mark.parametrize("options", [{}, {"players": 4}, {"sides": 2}, {"sides": 2, "players": 4}])
def test_sheet_of_two_sides(options):
    answered = ask("sheet", results=[[1, 5]], options=options)
    assert answered["after"][-1]["totals"] == [[0, 0, 0], [5, 0, 0]]
    assert ask("sheet", results=[[2, 5]], options=options)["error"] == "bad_request"


@pytest.mark.parametrize(
    "options",
    [{"sides": 1}, {"sides": 4}, {"sides": "2"}, {"sides": 2, "players": 3}, {"sides": True}],
)
def test_sheet_refuses_other_sides(options):
    assert ask("sheet", results=[], options=options)["error"] == "bad_request"


@pytest.mark.parametrize(
    "results",
    [
        *[None, 5, "x", {}, {"0": 5}],
        *[[[0]], [[0, 5, 6]], [["0", 5]], [[True, 5]], [[0, True]], [[0, 5.0]], [5], ["05"]],
        *[[[2, 5]], [[-1, 5]], [[0, 0]], [[0, -5]], [[0, 10**4000]], [[10**4000, 5]]],
        *[[[0, {}]], [{}], [[[0, 5]]]],
    ],
)
def test_sheet_refuses_what_is_no_result(results):
    assert ask("sheet", results=results)["error"] == "bad_request"


DEALT = parse_cards(" ".join(map(" ".join, zip(KNOCKER.split(), DEFENDER.split(), strict=True))))
REST = tuple(card for card in DECK if card not in DEALT)


def record_of(log, options=HOLLYWOOD):
    """A round in which seat 0 begins with KNOCKER's cards, seat 1 deals and has DEFENDER's."""
    return RoundRecord.from_log(log, DEALT + REST, 1, options).format()


def test_replay_of_a_knock():
    upcard, drawn = REST[:2]
    answered = ask("replay", record=record_of(f"1 p p d k{drawn} l"))
    with_drawn = format_cards(card_set(parse_cards(f"{KNOCKER} {drawn}")))
    knocker, defender = (format_cards(card_set(parse_cards(hand))) for hand in (KNOCKER, DEFENDER))
    assert answered == {
        "kind": "knock",
        "points": 21,
        "states": [
            {"hands": [knocker, defender], "stock": 31, "top": str(upcard)},
            {"hands": [knocker, defender], "stock": 31, "top": str(upcard)},
            {"hands": [with_drawn, defender], "stock": 30, "top": str(upcard)},
            {"hands": [knocker, defender], "stock": 30, "top": str(drawn)},
            {"hands": [knocker, defender], "stock": 30, "top": str(drawn)},
        ],
        "winner": 0,
    }


def test_replay_of_a_round_that_has_not_ended():
    answered = ask("replay", record=record_of("1 t"))
    assert (answered["kind"], answered["points"], answered["winner"]) == (None, None, None)
    assert [state["top"] for state in answered["states"]] == [None]


def test_replay_of_a_void_round():
    answered = ask("replay", record=record_of("1 p v"))
    assert (answered["kind"], answered["points"], answered["winner"]) == ("void", 0, None)
    assert len(answered["states"]) == 2


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (None, "bad_request"),
        ("", "bad_request"),
        ("Hollywood Gin round 1", "bad_request"),
        (record_of("1 p").replace("hollywood\n", "whist\n"), "unknown_option"),
        (record_of("1 p").replace("passes", "passes\n0 passes"), "illegal_action"),
        (record_of("1 p p d x2S").replace("discards 2S", "discards 3H"), "not_in_hand"),
        (record_of("1 p p d x2S").replace("discards 2S", "discards 1X"), "bad_card"),
        (record_of("1 p").replace(DEFENDER, DEFENDER.replace("3H", "5H")), "duplicate_card"),
    ],
)
def test_replay_refuses(record, code):
    assert ask("replay", record=record)["error"] == code


# Refusals of any op


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", "bad_json"),
        (b"arrange", "bad_json"),
        (b"{'op': 'arrange'}", "bad_json"),
        (b'{"op": "arrange", "hand": "AC"} {}', "bad_json"),
        (b'{"op": "arrange", "hand": "\xff"}', "bad_json"),
        (b"\x00", "bad_json"),
        (b"null", "bad_request"),
        (b"[]", "bad_request"),
        (b"5", "bad_request"),
        (b'"arrange"', "bad_request"),
        (b"NaN", "bad_request"),
        (b"{}", "bad_request"),
        (b'{"op": null}', "bad_request"),
        (b'{"op": ["arrange"]}', "bad_request"),
        (b'{"op": ""}', "unknown_op"),
        (b'{"op": "Arrange"}', "unknown_op"),
        (b'{"op": "arrange"}', "bad_request"),
        (b'{"op": "arrange", "hand": 5}', "bad_request"),
        (b'{"op": "arrange", "hand": NaN}', "bad_request"),
        (b'{"op": "arrange", "hand": ["AC"]}', "bad_request"),
        (b'{"op": "arrange", "hand": "AC,2C"}', "bad_card"),
        (b'{"op": "arrange", "hand": "\\ud800"}', "bad_card"),
        (b"[" * 100_000, "bad_request"),
        (b'{"op": ' * 100_000, "bad_request"),
        (b'{"op": "knock", "limit": ' + b"9" * 5000 + b"}", "bad_request"),
    ],
)
def test_what_cannot_be_read_is_refused(line, code):
    answered = json.loads(answer(line))
    assert answered["error"] == code
    assert len(answered["message"]) < 200


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hand", 5),
        ("hand", None),
        ("hand", {}),
        ("taken", 5),
        ("taken", False),
        ("taken", ["KD"]),
        ("limit", "x"),
        ("limit", True),
        ("limit", None),
        ("limit", -1),
        ("limit", 10.0),
        ("limit", 1e999),
        ("limit", float("nan")),
        ("limit", [10]),
    ],
)
def test_a_field_of_the_wrong_type_is_refused(name, value):
    fields = {"hand": "5C 6C 7C JD JH JS AS 2D 3H 4S KD", name: value}
    assert ask("knock", **fields)["error"] == "bad_request"


@pytest.mark.parametrize("gin", [None, 0, 1, "true", []])
def test_gin_is_true_or_false(gin):
    hand = "3H 4H 8H QC QD QS AC 7D 5S KS"
    assert ask("defend", melds=["5H 6H 7H"], hand=hand, gin=gin)["error"] == "bad_request"


@pytest.mark.parametrize("melds", [5, "5H 6H 7H", {"5H 6H 7H": 1}, [5], [None], [["5H 6H 7H"]]])
def test_melds_are_a_list_of_texts(melds):
    hand = "3H 4H 8H QC QD QS AC 7D 5S KS"
    assert ask("defend", melds=melds, hand=hand)["error"] == "bad_request"


def test_fields_that_nobody_asks_for_are_ignored():
    assert ask("arrange", hand="AC", name="first", melds=5)["deadwood"] == 1


def test_a_byte_order_mark_is_no_error():
    assert "deadwood" in answer(b'\xef\xbb\xbf{"op": "arrange", "hand": "AC"}')


# Nothing but coded errors


def assert_coded(line):
    answered = answer(line)
    if answered is None:
        assert not line.strip()
        return
    assert "\n" not in answered
    assert answered.isascii()
    read = json.loads(answered)
    if "error" in read:
        assert set(read) == {"error", "message"}
        assert read["error"] in ERROR_CODES


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["AC 2C 3C", "5H 6H 7H", KNOCKER, DEFENDER, BIG, "upcard", "hollywood"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_arbitrary_text_gives_coded_errors(line):
    assert_coded(line)


@given(anything)
def test_arbitrary_json_gives_coded_errors(value):
    assert_coded(json.dumps(value).encode())


@given(
    st.sampled_from(OPS),
    st.dictionaries(
        st.sampled_from(FIELDS),
        anything,
    ),
)
def test_arbitrary_fields_give_coded_errors(op, fields):
    assert_coded(json.dumps({"op": op, **fields}).encode())


@given(st.sampled_from([case.values[0] for case in CASES]), st.data())
def test_a_case_with_one_field_spoilt_gives_coded_errors(line, data):
    request = json.loads(line)
    name = data.draw(st.sampled_from(sorted(set(request) - {"expect"})))
    request[name] = data.draw(anything)
    assert_coded(json.dumps(request).encode())


RECORDS = [record_of(log) for log in ("1", "1 t x2S d", "1 p p d k2S l=4H2,3H2", "1 p r1", "1 v")]


@given(st.sampled_from(RECORDS), st.data())
def test_a_spoilt_record_gives_coded_errors(record, data):
    place = data.draw(st.integers(0, len(record)))
    end = data.draw(st.integers(place, min(place + 40, len(record))))
    piece = data.draw(st.text() | st.sampled_from(["passes", "\n", "0 draws", "9C", ", gin 20"]))
    spoilt = record[:place] + piece + record[end:]
    assert_coded(json.dumps({"op": "replay", "record": spoilt}).encode())
