"""Least squares, summed up row by row, so that no row has to be kept."""

from __future__ import annotations

from collections.abc import Sequence


class Fit:
    """A linear fit of the probabilities of outcomes to the numbers of a position."""

    def __init__(self, numbers: int, outcomes: int) -> None:
        self.rows = 0
        self.squares = [[0.0] * numbers for _ in range(numbers)]
        self.sums = [[0.0] * numbers for _ in range(outcomes)]

    def add(self, numbers: Sequence[float], outcome: int) -> None:
        """Add a row: what was seen, and how it ended."""
        self.rows += 1
        for number, row in zip(numbers, self.squares, strict=True):
            if number:
                row[:] = [old + number * other for old, other in zip(row, numbers, strict=True)]
        sums = self.sums[outcome]
        sums[:] = [old + number for old, number in zip(sums, numbers, strict=True)]

    def merge(self, other: Fit) -> None:
        """Add all rows of another fit."""
        self.rows += other.rows
        for mine, theirs in ((self.squares, other.squares), (self.sums, other.sums)):
            for row, added in zip(mine, theirs, strict=True):
                row[:] = [old + new for old, new in zip(row, added, strict=True)]

    def solve(
        self, ridge: float, towards: Sequence[Sequence[float]] | None = None
    ) -> list[list[float]]:
        """Return the weights by outcome, drawn towards others, or 0, as by so many rows."""
        size = len(self.squares)
        rows = [[*self.squares[i], *(sums[i] for sums in self.sums)] for i in range(size)]
        for i, row in enumerate(rows):
            row[i] += ridge
            if towards is not None:
                for outcome, weights in enumerate(towards):
                    row[size + outcome] += ridge * weights[i]
        _eliminate(rows)
        return [[row[size + outcome] for row in rows] for outcome in range(len(self.sums))]


def _eliminate(rows: list[list[float]]) -> None:
    """Turn the square part on the left into ones and zeros."""
    for i, row in enumerate(rows):
        rows[i] = row = [value / row[i] for value in row]
        for j, other in enumerate(rows):
            if j != i and other[i]:
                factor = other[i]
                rows[j] = [a - factor * b for a, b in zip(other, row, strict=True)]
