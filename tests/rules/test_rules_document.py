"""The rules document says what the code does: names, values, presets, codes and examples."""

import re
from pathlib import Path

import pytest

from games.rules.errors import ERROR_CODES
from games.rules.options import OPTION_VALUES, PRESETS, Options
from games.rules.program import answer
from games.rules.scoring import Ending
from games.rules.settlement import settle
from games.rules.sheet import ScoreSheet

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "rules.md").read_text()
SECTIONS = {
    int(number): text
    for number, text in re.findall(
        r"^## (\d+)\. (.*?)(?=^## |\Z)", DOCUMENT, re.MULTILINE | re.DOTALL
    )
}


def written(value):
    """A value as the document and JSON write it."""
    return str(value).lower()


def row(section, name):
    """The cells of the row that begins with this name."""
    (line,) = re.findall(rf"^\| `{re.escape(name)}` \|(.*)\|$", SECTIONS[section], re.MULTILINE)
    return line.split(" | ")


def rows(section):
    return set(re.findall(r"^\| `(\S+)` \|", SECTIONS[section], re.MULTILINE))


def test_it_has_all_sections_in_order():
    assert list(SECTIONS) == list(range(1, 16))


def test_every_option_and_preset_is_there_and_no_other():
    assert rows(13) == {*OPTION_VALUES, *PRESETS}


@pytest.mark.parametrize("name", OPTION_VALUES)
def test_the_values_of_an_option(name):
    values = OPTION_VALUES[name]
    cell = row(13, name)[0]
    if isinstance(values, range):
        assert f"`{getattr(Options(), name)}`" in cell
        assert f"from {values[0]} to {values[-1]}" in cell
    else:
        assert re.findall(r"`(.*?)`", cell) == [written(value) for value in values]
        assert getattr(Options(), name) == values[0]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_preset_sets(preset):
    told = dict(re.findall(r"`(\w+)` ([\w-]+)", row(13, preset)[0]))
    if told.get("columns") == "1":
        told["settlement"] = "classic"  # section 8: one game always is
    assert {name: written(getattr(PRESETS[preset], name)) for name in told} == told
    differing = {
        name for name in OPTION_VALUES if getattr(PRESETS[preset], name) != getattr(Options(), name)
    }
    assert differing <= set(told)


def test_every_error_code_and_op_is_there_and_no_other():
    assert rows(15) == ERROR_CODES | {"arrange", "knock", "defend", "round", "sheet", "replay"}


def test_every_ending_is_there():
    last = SECTIONS[14].strip().splitlines()[-1]
    assert re.findall(r"`(.*?)`", last) == list(Ending)


def test_the_second_example_of_the_sheet_and_its_settlement():
    results = [(0, 50), (0, 30), (0, 25), (1, 30), (1, 45), (0, 50), (1, 60)]
    sheet = ScoreSheet.of(Options(settlement="classic"), results)
    assert sheet.totals == ((105, 105, 75), (0, 75, 105))
    told = re.findall(r"^\| [123], (?:Ali|Bea) .* (\d+) \|$", SECTIONS[8], re.MULTILINE)
    assert [str(game.points) for game in settle(sheet).games] == told
    assert f"Ali wins the series by {settle(sheet).net[0]}." in SECTIONS[8]
    strict = ScoreSheet.of(Options(entry="strict"), results)
    assert strict.totals == ((105, 105, 75), (0, 45, 60))
    assert strict.ended == (0, 0, None)


def test_the_examples_of_the_program():
    (block,) = re.findall(r"^```jsonl\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    lines = block.splitlines()
    for asked, answered in zip(lines[::2], lines[1::2], strict=True):
        assert answer(asked.encode()) == answered
    (asked, answered), *others = re.findall(r"<<< '(.*)'\n(.*)", DOCUMENT)
    assert answer(asked.encode()) == answered
    assert not others
