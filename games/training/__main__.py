"""Make the weights of a model: `python -m games.training hollywood --out weights.json`."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from games.bots.model import Model
from games.bots.outcomes import OUTCOMES
from games.rules.options import PRESETS
from games.training.learning import Harvest, Lesson, learn


def main() -> None:
    """Learn in turns, each from the model of the last."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("preset", choices=PRESETS)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="a model to begin with; else the club player")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=24000, help="played in each turn")
    parser.add_argument("--keep", type=int, default=3, help="how many turns are fitted together")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tries", type=float, default=0.1)
    parser.add_argument("--knock-tries", type=float, default=0.3)
    given = parser.parse_args()
    model = Model.from_json(given.start.read_text()) if given.start else None
    kept: list[Harvest] = []
    for turn in range(given.turns):
        lesson = Lesson(model, given.preset, f"{given.seed}|{turn}", given.tries, given.knock_tries)
        seen = learn(lesson, given.rounds, given.jobs)
        _tell(seen)
        # The turns before count too: they played nearly as this one does.
        kept = [*kept, seen][-given.keep :]
        together = Harvest()
        for each in kept:
            together.merge(each)
        model = together.model()
        given.out.write_text(model.to_json())


def _tell(seen: Harvest) -> None:
    rounds = sum(seen.counts)
    shares = [
        f"{name} {100 * count / rounds:.1f}"
        for name, count in zip(OUTCOMES, seen.counts, strict=True)
    ]
    points = seen.points / max(1, seen.rounds)
    sys.stdout.write(f"{points:+.2f} points a round against eaai; {rounds} hands: ")
    sys.stdout.write(", ".join(shares) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
