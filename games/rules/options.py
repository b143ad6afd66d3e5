"""What can be agreed for a series before its first deal (docs/rules.md, section 13)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final, Literal

from games.rules.cards import Card, Suit
from games.rules.errors import UnreadableInput, quoted

type OptionValue = int | str | bool


def _one_of(*values: OptionValue) -> Any:
    return field(default=values[0], metadata={"values": values})


def _between(low: int, high: int, *, default: int) -> Any:
    return field(default=default, metadata={"values": range(low, high + 1)})


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a series, each with its default; they never change once it is created.

    >>> Options().gin
    25
    >>> Options.from_mapping({"preset": "oklahoma", "target": 200}).target
    200
    """

    preset: str = "hollywood"
    columns: int = _one_of(3, 1)
    target: int = _between(50, 500, default=100)
    gin: int = _one_of(25, 20)
    undercut: int = _one_of(10, 20, 25)
    knock_limit: int | Literal["upcard"] = _one_of(10, "upcard", 0)
    oklahoma_ace: int = _one_of(0, 1)
    spades_double: bool = _one_of(False, True)
    big_gin: int = _one_of(0, 31)
    last_card: Literal["draw", "offer"] = _one_of("draw", "offer")
    entry: Literal["late", "strict"] = _one_of("late", "strict")
    series_end: Literal["all", "two"] = _one_of("all", "two")
    settlement: Literal["games", "classic"] = _one_of("games", "classic")
    game_bonus: int = _one_of(100)
    box: int = _one_of(25, 20, 0)
    shutout: Literal["double", "flat"] = _one_of("double", "flat")
    next_dealer: Literal["winner", "loser", "alternate"] = _one_of("winner", "loser", "alternate")
    players: int = _one_of(2, 3, 4)

    def __post_init__(self) -> None:
        if self.columns == 1:  # one game is always settled the classic way
            object.__setattr__(self, "settlement", "classic")

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> "Options":
        """Read a preset's name and single options that override it.

        Raises UnreadableInput: `unknown_option` for a name that is no option or preset,
        `bad_request` for a value that the option can't have.

        >>> Options.from_mapping({"undercut": 25}).undercut
        25
        >>> Options.from_mapping({"jokers": 2})
        Traceback (most recent call last):
        games.rules.errors.UnreadableInput: No such option: 'jokers'
        """
        preset = mapping.get("preset", "hollywood")
        if not isinstance(preset, str) or preset not in _PRESETS:
            raise UnreadableInput("unknown_option", f"No such preset: {quoted(preset)}")
        single = {name: value for name, value in mapping.items() if name != "preset"}
        for name, value in single.items():
            _check(name, value)
        return cls(preset, **{**_PRESETS[preset], **single})  # type: ignore[arg-type]

    def to_mapping(self) -> dict[str, OptionValue]:
        """Return the preset's name and whatever differs from it; `from_mapping` reads it back.

        >>> Options.from_mapping({"target": 150, "gin": 25}).to_mapping()
        {'preset': 'hollywood', 'target': 150}
        """
        preset = asdict(PRESETS["hollywood"]) | dict(_PRESETS[self.preset])
        differs = {
            name: getattr(self, name) for name in preset if getattr(self, name) != preset[name]
        }
        if self.columns == 1:  # which says how it is settled
            differs.pop("settlement", None)
        return {"preset": self.preset} | differs

    def limit_for(self, upcard: Card) -> int:
        """Return the knock limit of a round with this first upcard (sections 5, 11 and 12).

        >>> from games.rules.cards import parse_card
        >>> Options.from_mapping({"preset": "oklahoma"}).limit_for(parse_card("7H"))
        7
        """
        if self.knock_limit != "upcard":
            return self.knock_limit
        return self.oklahoma_ace if upcard.rank == 0 else upcard.points

    def multiplier_for(self, upcard: Card) -> int:
        """Return 2 where a spade turned up doubles the round's points, else 1 (section 11)."""
        return 2 if self.spades_double and upcard.suit is Suit.SPADES else 1


def _check(name: str, value: object) -> None:
    if name not in OPTION_VALUES:
        raise UnreadableInput("unknown_option", f"No such option: {quoted(name)}")
    # Types are compared too: True == 1, but "columns: true" is a mistake.
    if not any(
        type(value) is type(allowed) and value == allowed for allowed in OPTION_VALUES[name]
    ):
        raise UnreadableInput("bad_request", f"The option {name!r} can't be {quoted(value)}")


OPTION_VALUES: Final[Mapping[str, tuple[OptionValue, ...] | range]] = MappingProxyType(
    {option.name: option.metadata["values"] for option in fields(Options) if option.metadata}
)
"""Every option's name and the values it may have, its default first (but for `target`)."""

_PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "hollywood": {},
    "hollywood-20": {"gin": 20},
    "gin-rummy": {"columns": 1, "undercut": 25, "box": 20, "shutout": "flat"},
    "gin-rummy-classic": {"columns": 1, "gin": 20, "undercut": 10, "box": 20, "shutout": "flat"},
    "oklahoma": {
        "columns": 1,
        "undercut": 25,
        "target": 150,
        "knock_limit": "upcard",
        "spades_double": True,
    },
    "straight-gin": {"columns": 1, "knock_limit": 0},
    "tournament-hollywood": {
        "undercut": 25,
        "knock_limit": "upcard",
        "spades_double": True,
        "last_card": "offer",
        "big_gin": 31,
        "settlement": "classic",
    },
}

PRESETS: Final[Mapping[str, Options]] = MappingProxyType(
    {name: Options(name, **single) for name, single in _PRESETS.items()}  # type: ignore[arg-type]
)
"""The options that go by a name (section 13), `hollywood` first."""
