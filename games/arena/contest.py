"""A contest: many pairs of series, on all cores, in a file from which it can be taken up again."""

import json
import multiprocessing
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from games.arena.match import Clock, Tally, play_pair
from games.bots import bot_named
from games.rules.options import Options


@dataclass(frozen=True, slots=True)
class Contest:
    """Two bots, the rules they play by, and the seed that all the decks come from."""

    bots: tuple[str, str]
    options: Options
    seed: int

    def to_json(self) -> str:
        """Write it as the first line of its file."""
        return json.dumps(
            {"bots": self.bots, "options": self.options.to_mapping(), "seed": self.seed}
        )


class OtherContest(ValueError):
    """The file holds the pairs of a contest between others, by other rules or from another seed."""


def run(
    contest: Contest, pairs: int, jobs: int = 1, file: Path | None = None
) -> Iterator[tuple[int, Tally]]:
    """Play the pairs 0 to `pairs` - 1 and yield each with its number as it is done.

    Pairs that the file holds are yielded first and not played again; others are added to it. The
    number of jobs changes nothing but the order. Raises OtherContest where the file isn't this
    contest's, ValueError for a name that no bot has.
    """
    for name in contest.bots:
        bot_named(name)
    done = _read(contest, file) if file is not None and file.exists() else {}
    kept = {number: tally for number, tally in done.items() if number < pairs}
    yield from kept.items()
    with ExitStack() as stack:
        out = None
        if file is not None:
            out = stack.enter_context(file.open("a"))
            if not file.stat().st_size:
                out.write(f"{contest.to_json()}\n")
        todo = [(contest, number) for number in range(pairs) if number not in kept]
        for number, tally in _played(stack, todo, jobs):
            if out is not None:
                out.write(json.dumps({"pair": number, **asdict(tally)}) + "\n")
                out.flush()
            yield number, tally


def _played(
    stack: ExitStack, todo: list[tuple[Contest, int]], jobs: int
) -> Iterator[tuple[int, Tally]]:
    if jobs == 1 or len(todo) < 2:
        return map(_play, todo)
    pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(min(jobs, len(todo))))
    return pool.imap_unordered(_play, todo)


def _play(job: tuple[Contest, int]) -> tuple[int, Tally]:
    contest, pair = job
    one, other = contest.bots
    bots = (bot_named(one), bot_named(other))
    return pair, play_pair(bots, contest.options, contest.seed, pair)


def _read(contest: Contest, file: Path) -> dict[int, Tally]:
    first, *lines = file.read_text().split("\n")
    if first and first != contest.to_json():
        raise OtherContest(f"{file} holds another contest: {first}")
    # The last line may have been cut off with the process that wrote it.
    whole = [line for line in lines if line.endswith("}")]
    if len(whole) < len([line for line in lines if line]):
        file.write_text("".join(f"{line}\n" for line in (first, *whole)))
    records = [json.loads(line) for line in whole]
    return {record["pair"]: _tally(record) for record in records}


def _tally(record: dict[str, Any]) -> Tally:
    one, other = (Clock(**clock) for clock in record["clocks"])
    return Tally(record["won"], record["points"], record["rounds"], (one, other))
