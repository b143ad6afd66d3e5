"""Make the table of a fair deck: `python -m games.luck --out games/luck/figures.json`."""

import json
from argparse import ArgumentParser
from pathlib import Path

from games.luck.simulation import simulate


def main() -> None:
    """Deal, and write what was counted; the same arguments make the same file."""
    parser = ArgumentParser(prog="python -m games.luck", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=2_000_000)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    table = simulate(given.seed, given.deals).to_mapping()
    given.out.write_text(json.dumps(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
