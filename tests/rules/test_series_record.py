"""The record of a whole series: written, read, and checked to the last card (docs/notation.md)."""

import ast
import functools
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.actions import Discard, Knock, Resign
from games.rules.deck import commitment
from games.rules.errors import RulesError, UnreadableInput
from games.rules.melds import best_discard
from games.rules.notation import EMPTY_LOG, Entry, RoundRecord, fold, logged
from games.rules.options import PRESETS
from games.rules.parts import Part, promise_of
from games.rules.proof import DealProof
from games.rules.round import legal_actions
from games.rules.scoring import Ending, RoundResult
from games.rules.series import score_round, start_series
from games.rules.series_record import (
    MOST_ROUNDS,
    RoundOfSeries,
    SeriesRecord,
    format_score,
    parse_all,
    parse_score,
)

DOCS = Path(__file__).parents[2] / "docs"
READER = DOCS / "read_series.py"


def choose(state, random):
    """Throws what helps least and knocks when it can; now and then it gives up."""
    actions = [a for a in legal_actions(state, state.turn) if not isinstance(a, Resign)]
    if random.random() < 0.002:
        return Resign()
    knocks = [a for a in actions if isinstance(a, Knock)]
    if not knocks and any(isinstance(a, Discard) for a in actions):
        return Discard(best_discard(state.hands[state.turn], state.taken)[0])
    return random.choice(knocks or actions)


def one_round(series, number, options, dealer, random):
    secret, part = random.randbytes(32), random.randbytes(32).hex()
    parts = (random.choice([Part(), Part("", part), Part(promise_of(part), part)]), Part())
    proof = DealProof(series, number, 0, secret, commitment(secret), parts)
    log = EMPTY_LOG
    while True:
        folded = fold(log, proof.deck, dealer, options)
        if folded.state.result:
            record = RoundRecord(options, dealer, proof.deck, folded.entries)
            return RoundOfSeries(folded.state.result, record, proof)
        action = choose(folded.state, random)
        log = logged(log, Entry(folded.state.turn, action))


@functools.cache
def played(seed=1, preset="hollywood", most=99):
    """A series that was played out, or given up after so many rounds."""
    random, options = Random(seed), PRESETS[preset]
    state, rounds = start_series(options, lot=seed % 2), []
    while not state.is_over and len(rounds) < most:
        each = one_round("Ab-c_3", len(rounds) + 1, options, state.boards[0].dealer, random)
        rounds.append(each)
        state = score_round(state, [each.result])
    given_up = {} if state.is_over else {"ending": random.choice(["resigned", "time"]), "by": 1}
    return SeriesRecord(
        site="https://gin.example",
        series="Ab-c_3",
        players=("Anna", "ნინო"),
        options=options,
        first_dealer=seed % 2,
        rounds=tuple(rounds),
        control="600+5",
        started="2026-03-01 12:00:00 UTC",
        ended="2026-03-01 12:40:00 UTC",
        **given_up,
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_a_series_is_written_and_read_back(preset):
    record = played(2, preset)
    text = record.format()
    assert SeriesRecord.parse(text) == record
    assert SeriesRecord.parse(text).format() == text


@settings(max_examples=30)
@given(
    st.integers(0, 4),
    st.integers(0, 3),
    st.text(min_size=1, max_size=40).filter(
        lambda name: name.isprintable() and name == name.strip()
    ),
)
def test_any_series_is_written_and_read_back(seed, rounds, name):
    record = replace(played(seed, "hollywood", rounds), players=(name, "deleted player"))
    assert SeriesRecord.parse(record.format()) == record


def test_one_that_was_stopped_or_never_had_a_round():
    record = replace(played(1, "hollywood", 2), ending="agreed", by=None)
    assert "Result: stopped by agreement" in record.format()
    assert SeriesRecord.parse(record.format()) == record
    empty = replace(played(1, "hollywood", 0), ending="abandoned", by=0)
    assert "Result: 1 wins, 0 left\n" in empty.format()
    assert SeriesRecord.parse(empty.format()) == empty


def test_one_that_was_declared_void_says_so():
    record = replace(played(1), void=True)
    text = record.format()
    assert re.search(r"^Result: .*\nVoid: yes\n\nRound: 1$", text, re.MULTILINE)
    assert SeriesRecord.parse(text) == record
    assert "Void" not in played(1).format()
    with pytest.raises(UnreadableInput, match="Line 14: Not one of yes"):
        SeriesRecord.parse(text.replace("Void: yes", "Void: no"))


def test_rounds_without_cards_or_without_a_secret():
    record = played(1)
    bare = [
        RoundOfSeries(
            replace(each.result, knocker=None, knocker_deadwood=None, defender_deadwood=None)
        )
        for each in record.rounds
    ]
    entered = replace(record, rounds=tuple(bare), source="entered")
    assert SeriesRecord.parse(entered.format()) == entered
    at_home = replace(
        record, rounds=tuple(replace(each, proof=None) for each in record.rounds), series="x"
    )
    assert "Secret" not in at_home.format()
    assert SeriesRecord.parse(at_home.format()) == at_home


@pytest.mark.parametrize(
    "time", ["2024-02-29", "2000-02-29", "2026-02-28", "2026-01-31", "2026-11-30"]
)
def test_days_that_there_are(time):
    text = re.sub(
        r"^Ended: .*", f"Ended: {time} 23:59:59 UTC", played(1).format(), flags=re.MULTILINE
    )
    assert SeriesRecord.parse(text).ended == f"{time} 23:59:59 UTC"


@pytest.mark.parametrize(
    ("score", "what"),
    [
        ("0 wins 999999 by gin, 25 + 999974", "No round that ends so"),
        ("0 wins 40 by gin, 20 + 20", "By the rules it would be '0 wins 40 by gin"),
        ("0 wins 90 by gin, 25 + 20, doubled", "By the rules it would be"),
        ("0 wins 40 by big gin, 31 + 9", "No round ends so"),
        ("0 wins 125 by resignation, 25 + 100", "No round that ends so"),
    ],
)
def test_a_score_without_cards_is_one_that_the_rules_could_bring(score, what):
    text = "\n".join(
        (
            *played(1).format().splitlines()[:13],
            "",
            "Round: 1",
            f"Score: {score}",
            "Sheet: 1 0 0 / 0 0 0",
        )
    )
    with pytest.raises(RulesError, match=f"^Line 16: {what}"):
        SeriesRecord.parse(text)


def test_many_follow_one_another():
    many = [played(seed, "hollywood", 2) for seed in (1, 2, 3)]
    text = "\r\n\r\n".join(each.format().replace("\n", "\r\n") for each in many)
    assert list(parse_all(text)) == many
    broken = text.replace("Rated: no", "Rated: perhaps").replace("Rated: perhaps", "Rated: no", 2)
    line = broken.split("\r\n").index("Rated: perhaps") + 1
    with pytest.raises(UnreadableInput, match=f"^Line {line}: "):
        list(parse_all(broken))


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (r"^Site: .*", "Site: ", "Not a line"),
        (r"^Series: .*", "Series: a/b", "Not an address"),
        (r"^Player 0: .*", "Player 0: A\x1b[2J", "Not a line"),
        (r"^Player 1: .*", "Player 1: " + "n" * 41, "Not a line"),
        (r"^Options: hollywood\nTime", "Options: whist\nTime", "No such preset"),
        (r"^Options: hollywood\nTime", "Options: hollywood, players 4\nTime", "two players"),
        (r"^Time: .*", "Time: soon", "Not a time control"),
        (r"^Started: .*", "Started: yesterday", "Not a time in UTC"),
        (r"^Started: .*", "Started: 2026-02-29 12:00:00 UTC", "Not a time in UTC"),
        (r"^Ended: .*", "Ended: 2100-02-29 12:00:00 UTC", "Not a time in UTC"),
        (r"^Started: .*", "Started: 1900-02-01 12:00:00 UTC", "Not a time in UTC"),
        (r"^Ended: .*", "Ended: 2026-04-31 12:00:00 UTC", "Not a time in UTC"),
        (r"^Ended: .*", "Ended: 2026-04-30 24:00:00 UTC", "Not a time in UTC"),
        (r"^First dealer: .*", "First dealer: 0", "is dealt by 0"),
        (
            r"^Result: .*",
            "Result: 1 wins, 0 resigned",
            "By its rounds the result is|series is over",
        ),
        (r"^Result: .*", "Result: stopped by agreement", "series is over"),
        (r"^Result: .*", "Result: magic", "Not a result"),
        (r"^Round: 2$", "Round: 3", "not 'Round: 2'"),
        (r"^Secret: .", "Secret: g", "Not 32 bytes"),
        (r"^Secret: .*", "Secret: " + "0" * 64, "commitment is not that of the secret"),
        (r"^Message: Ab-c_3\|1", "Message: Ab-c_3|2", "Not the message"),
        (r"^Hand 0: (\S+) (\S+)", r"Hand 0: \2 \1", "deck is not the one that follows"),
        (r"^Score: .*", "Score: drawn", "The round gives"),
        (r"^Score: (\d) wins (\d+)", r"Score: \1 wins 9\2", "Not a score"),
        (r"^Sheet: .*", "Sheet: 1 2 3 / 4 5 6", "not 'Sheet: "),
        (r"^Promises: .*", "Promises: none", "Not two"),
        (r"^Message: .*", "Message: Ab-c_3", "Not the message"),
        (r"^Options: hollywood\nTime", "Options: hollywood, target 100\nTime", "To be written as"),
        (r"^Options: hollywood\nDealer", "Options: gin-rummy\nDealer", "not those of the series"),
        (r"^Result: . wins$", "Result: shared", "By its rounds the result is"),
        (r"^Dealer: .*", "Dealer: é", "A record of a round is ASCII"),
        (r"^Score: .*", "Score: magic", "Not a score"),
        (r"^.* knocks .*\n", "", "not played to its end"),
        (r"^Hollywood Gin round 1\n(?:.*\n)*?(?=Score)", "", "A deal is told, but no cards"),
    ],
)
def test_what_is_changed_is_found_with_its_line(old, new, what):
    text, count = re.subn(old, new, played(1).format(), count=1, flags=re.MULTILINE)
    assert count == 1, "the test changes something"
    with pytest.raises(RulesError, match=what) as caught:
        SeriesRecord.parse(text)
    assert re.match(r"Lines? \d+", str(caught.value))


def test_what_ends_in_the_middle_or_begins_with_something_else_is_refused():
    text = played(1).format()
    with pytest.raises(RulesError, match=r"^Line \d+"):
        SeriesRecord.parse(text[: text.index("\nScore: ")])
    with pytest.raises(UnreadableInput, match=r"^Line 1: "):
        list(parse_all("Somebody's series\n" + text))
    with pytest.raises(UnreadableInput, match="A record is text"):
        SeriesRecord.parse(None)


def test_a_round_that_was_not_legal_is_found_with_its_round():
    text = played(1).format()
    first = re.search(r"^[01] draws (..) and discards (..)$", text, re.MULTILINE)
    seat = first[0][0]
    broken = text.replace(first[0], f"{1 - int(seat)}{first[0][1:]}", 1)
    with pytest.raises(RulesError, match=r"^Line \d+, round 1: Action \d+"):
        SeriesRecord.parse(broken)


def test_what_follows_the_end_is_refused():
    record = played(1)
    text = record.format()
    last = text[text.rindex("Round: ") :]
    number = len(record.rounds)
    more = last.replace(f"Round: {number}", f"Round: {number + 1}")
    with pytest.raises(RulesError, match="no round can follow"):
        SeriesRecord.parse(text + "\n" + more)
    with pytest.raises(RulesError, match="the series is not over"):
        SeriesRecord.parse(text[: text.rindex("\n\nRound: ")])


@settings(max_examples=60)
@given(st.data())
def test_whatever_is_read_is_what_is_written(data):
    whole = played(3, "hollywood", 1).format()
    place = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(place, min(place + 3, len(whole))))
    text = whole[:place] + data.draw(st.text(max_size=3)) + whole[end:]
    try:
        record = SeriesRecord.parse(text)
    except RulesError as error:
        told = str(error)
        record = None
    if record is None:
        assert "Line" in told
        return
    assert record.format().lower().split() == text.lower().split()


@given(st.text())
def test_no_text_breaks_the_reader(text):
    with pytest.raises(RulesError):
        SeriesRecord.parse(text)


@pytest.mark.parametrize(
    "result",
    [
        RoundResult(Ending.DRAWN),
        RoundResult(Ending.GIN, 0, 25, 18),
        RoundResult(Ending.KNOCK, 1, 0, 7, 2),
        RoundResult(Ending.RESIGNED, 1, 25, 40),
    ],
)
def test_scores(result):
    assert parse_score(format_score(result)) == result


def test_a_sheet_that_is_full_can_be_read_back():
    """It took 500 rounds, and a record was read up to 200."""
    rounds = (RoundOfSeries(RoundResult(Ending.DRAWN)),) * MOST_ROUNDS
    record = replace(played(most=1), rounds=rounds, ending="resigned", by=0)
    assert SeriesRecord.parse(record.format()) == record
    with pytest.raises(UnreadableInput, match="too many rounds"):
        SeriesRecord.parse(replace(record, rounds=(*rounds, rounds[0])).format())


# The document, and the reader that knows nothing of this program


def document():
    found = re.search(r"```series\n(.*?)```", (DOCS / "notation.md").read_text(), re.DOTALL)
    return found[1]


def test_the_example_of_the_document_is_a_series():
    record = SeriesRecord.parse(document())
    assert record.format() == document()


def test_the_reader_is_short_and_needs_nothing_but_python():
    text = READER.read_text()
    assert len(text.splitlines()) <= 100
    nodes = [*ast.walk(ast.parse(text))]
    whole = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    from_them = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert whole | from_them <= sys.stdlib_module_names


def run(script, text):
    command = [sys.executable, "-I", "-X", "utf8", str(DOCS / script)]
    return subprocess.run(command, input=text.encode(), capture_output=True, check=False)


def test_the_reader_reads_what_is_written_here():
    records = [document_record := SeriesRecord.parse(document()), played(2), played(4, "oklahoma")]
    done = run("read_series.py", "\n".join(each.format() for each in records))
    found = json.loads(done.stdout)
    assert [each["player_1"] for each in found] == [document_record.players[1], "ნინო", "ნინო"]
    for series, record in zip(found, records, strict=True):
        for told, each, after in zip(
            series["rounds"], record.rounds, record.states[1:], strict=False
        ):
            if each.record:
                assert told["deck"] == [str(card) for card in each.record.deck]
                assert "\n".join(told["turns"]) in each.record.format()
            assert told["score"] == format_score(each.result)
            assert told["sheet"] == [list(side) for side in after.sheet.totals]


def test_what_the_reader_prints_is_what_verify_deal_checks():
    read = run("read_series.py", played(2).format()).stdout.decode()
    done = run("verify_deal.py", read)
    assert done.returncode == 0
    assert done.stdout.decode().count("matches") == len(played(2).rounds)
    secret = played(2).rounds[0].proof.secret.hex()
    assert run("verify_deal.py", read.replace(secret, "00" * 32)).returncode == 1


def test_a_block_alone_is_what_verify_deal_checks():
    block = "Round: 2\n" + played(2).format().split("\nRound: 2\n")[1].split("\n\n")[0]
    done = run("verify_deal.py", block)
    assert (done.returncode, done.stdout.split()[-1]) == (0, b"matches")


def test_the_reader_names_a_line_that_it_can_not_read():
    done = run("read_series.py", played(2).format().replace("Stock: ", "Stick: "))
    assert done.returncode == 1
    assert re.match(rb"Line \d+: not 'Stock' but 'Stick", done.stderr)
