"""Options and presets: docs/rules.md, sections 11 to 13."""

from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import Card
from games.rules.errors import UnreadableInput
from games.rules.options import OPTION_VALUES, PRESETS, Options

FIRST_VALUES = {
    "columns": 3,
    "target": 100,
    "gin": 25,
    "undercut": 10,
    "knock_limit": 10,
    "oklahoma_ace": 0,
    "spades_double": False,
    "big_gin": 0,
    "last_card": "draw",
    "entry": "late",
    "series_end": "all",
    "settlement": "games",
    "game_bonus": 100,
    "box": 25,
    "shutout": "double",
    "next_dealer": "winner",
    "players": 2,
}
ONE_GAME = {"columns": 1, "settlement": "classic"}


@pytest.mark.parametrize(
    ("preset", "differs"),
    [
        ("hollywood", {}),
        ("hollywood-20", {"gin": 20}),
        ("gin-rummy", ONE_GAME | {"undercut": 25, "box": 20, "shutout": "flat"}),
        ("gin-rummy-classic", ONE_GAME | {"gin": 20, "box": 20, "shutout": "flat"}),
        (
            "oklahoma",
            ONE_GAME
            | {"undercut": 25, "target": 150, "knock_limit": "upcard", "spades_double": True},
        ),
        ("straight-gin", ONE_GAME | {"knock_limit": 0}),
        (
            "tournament-hollywood",
            {
                "undercut": 25,
                "knock_limit": "upcard",
                "spades_double": True,
                "last_card": "offer",
                "big_gin": 31,
                "settlement": "classic",
            },
        ),
    ],
)
def test_preset(preset, differs):
    options = Options.from_mapping({"preset": preset})
    assert asdict(options) == {"preset": preset} | FIRST_VALUES | differs
    assert options == PRESETS[preset]


def test_presets_are_complete_and_can_not_be_changed():
    assert len(PRESETS) == 7
    with pytest.raises(TypeError):
        PRESETS["hollywood"] = Options()  # type: ignore[index]
    with pytest.raises(TypeError):
        OPTION_VALUES["gin"] = (40,)  # type: ignore[index]


def test_the_default_is_hollywood():
    assert Options.from_mapping({}) == Options() == PRESETS["hollywood"]


def test_every_option_has_its_values():
    assert {name: list(values) for name, values in OPTION_VALUES.items()} == {
        "columns": [3, 1],
        "target": list(range(50, 501)),
        "gin": [25, 20],
        "undercut": [10, 20, 25],
        "knock_limit": [10, "upcard", 0],
        "oklahoma_ace": [0, 1],
        "spades_double": [False, True],
        "big_gin": [0, 31],
        "last_card": ["draw", "offer"],
        "entry": ["late", "strict"],
        "series_end": ["all", "two"],
        "settlement": ["games", "classic"],
        "game_bonus": [100],
        "box": [25, 20, 0],
        "shutout": ["double", "flat"],
        "next_dealer": ["winner", "loser", "alternate"],
        "players": [2, 3, 4],
    }


mappings = st.fixed_dictionaries(
    {},
    optional={
        "preset": st.sampled_from(list(PRESETS)),
        **{name: st.sampled_from(list(values)) for name, values in OPTION_VALUES.items()},
    },
)


@given(mappings)
def test_options_can_be_written_and_read_back(mapping):
    options = Options.from_mapping(mapping)
    for name, value in mapping.items():
        if name != "settlement":
            assert getattr(options, name) == value
    assert Options.from_mapping(options.to_mapping()) == options


def test_single_options_override_the_preset():
    options = Options.from_mapping({"preset": "oklahoma", "target": 200, "undercut": 25})
    assert options.to_mapping() == {"preset": "oklahoma", "target": 200}


@pytest.mark.parametrize("settlement", ["games", "classic"])
def test_one_game_is_always_settled_the_classic_way(settlement):
    options = Options.from_mapping({"columns": 1, "settlement": settlement})
    assert options.settlement == "classic"


def test_a_preset_of_one_game_played_in_three_is_settled_by_games():
    options = Options.from_mapping({"preset": "gin-rummy", "columns": 3})
    assert options.settlement == "games"
    assert Options.from_mapping(options.to_mapping()) == options


@pytest.mark.parametrize(
    ("mapping", "code"),
    [
        ({"jokers": 2}, "unknown_option"),
        ({"": 2}, "unknown_option"),
        ({"Gin": 25}, "unknown_option"),
        ({"preset": "whist"}, "unknown_option"),
        ({"preset": None}, "unknown_option"),
        ({"preset": ["hollywood"]}, "unknown_option"),
        ({"gin": 30}, "bad_request"),
        ({"gin": "25"}, "bad_request"),
        ({"gin": 25.0}, "bad_request"),
        ({"gin": None}, "bad_request"),
        ({"gin": [25]}, "bad_request"),
        ({"target": 49}, "bad_request"),
        ({"target": 501}, "bad_request"),
        ({"columns": True}, "bad_request"),  # equal to 1, but no number of games
        ({"oklahoma_ace": False}, "bad_request"),
        ({"spades_double": 1}, "bad_request"),
        ({"knock_limit": "9"}, "bad_request"),
        ({"last_card": "OFFER"}, "bad_request"),
    ],
)
def test_what_is_no_option_is_refused(mapping, code):
    with pytest.raises(UnreadableInput) as caught:
        Options.from_mapping(mapping)
    assert caught.value.code == code


def test_a_refusal_quotes_no_more_than_a_line():
    with pytest.raises(UnreadableInput) as caught:
        Options.from_mapping({"gin": "9" * 300_000})
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize(
    ("options", "upcard", "limit"),
    [
        ({}, "AS", 10),
        ({}, "3D", 10),
        ({"knock_limit": 0}, "7C", 0),
        ({"knock_limit": "upcard"}, "7C", 7),
        ({"knock_limit": "upcard"}, "TC", 10),
        ({"knock_limit": "upcard"}, "KH", 10),
        ({"knock_limit": "upcard"}, "AH", 0),
        ({"knock_limit": "upcard", "oklahoma_ace": 1}, "AH", 1),
        ({"knock_limit": "upcard", "oklahoma_ace": 1}, "2H", 2),
        ({"oklahoma_ace": 1}, "AH", 10),  # means nothing without "upcard"
    ],
)
def test_knock_limit(options, upcard, limit):
    assert Options.from_mapping(options).limit_for(Card[upcard]) == limit


@pytest.mark.parametrize(
    ("spades_double", "upcard", "multiplier"),
    [(True, "2S", 2), (True, "2C", 1), (False, "2S", 1), (False, "2H", 1)],
)
def test_spades_double(spades_double, upcard, multiplier):
    options = Options.from_mapping({"spades_double": spades_double})
    assert options.multiplier_for(Card[upcard]) == multiplier
