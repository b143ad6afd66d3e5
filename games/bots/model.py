"""The learned part: weights by which numbers of a position foretell how its round will end.

They were made by `games.training`, and lie in `games/bots/weights`, a file for each kind of rules.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from games.rules.options import Options

type Weights = Sequence[Sequence[float]]
"""By outcome, then by number: what each number adds to the outcome's probability."""

_FOLDER: Final = Path(__file__).with_name("weights")


@dataclass(frozen=True, slots=True)
class Model:
    """What was learned under one kind of rules.

    `positions` are the weights by stage (`stage_of`), `knocks` those of knocks. `shares` says how
    often each outcome came, `differences` the mean difference of deadwood in it.
    """

    positions: Sequence[Weights]
    knocks: Weights
    shares: Sequence[float]
    differences: Sequence[float]

    @classmethod
    def from_json(cls, text: str) -> "Model":
        """Read what `to_json` wrote."""
        fields: dict[str, Any] = json.loads(text)
        return cls(**fields)

    def to_json(self) -> str:
        """Write it, a set of weights a line, to five digits."""
        fields = {name: json.dumps(_rounded(getattr(self, name))) for name in self.__slots__}
        lines = [f'"{name}": {text}'.replace("]], ", "]],\n") for name, text in fields.items()]
        return "{" + ",\n".join(lines) + "}\n"


def _rounded(value: Any) -> Any:
    return round(value, 5) if isinstance(value, float) else [_rounded(each) for each in value]


def model_name(options: Options) -> str:
    """Say which model is for these rules: the one learned under those most like them.

    Where little or only gin allows a knock, waiting pays as it does where an undercut is dear.

    >>> model_name(Options()), model_name(Options(columns=1, undercut=25))
    ('hollywood', 'gin-rummy')
    """
    dear = options.undercut == 25 or options.knock_limit != 10
    return "gin-rummy" if dear else "hollywood"


@cache
def load_model(name: str) -> Model:
    """Return the model of this name."""
    return Model.from_json((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
