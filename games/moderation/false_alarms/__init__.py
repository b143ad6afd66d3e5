"""How often the signs are wrong: honest people are simulated, and it is counted.

What is known of them is stated beside each simulation. Where nothing is known nothing is simulated,
and `games.moderation.alarms` says so.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """So many false alarms in so many tries."""

    hits: int
    tries: int

    @property
    def rate(self) -> float:
        return self.hits / self.tries

    @property
    def at_most(self) -> float:
        """The upper end of the 95 % interval (Wilson's, and of none in `tries` 3 of them).

        >>> round(Count(0, 3000).at_most, 4), round(Count(3, 3000).at_most, 4)
        (0.001, 0.0029)
        """
        if self.hits == 0:
            return min(3 / self.tries, 1.0)
        z, rate = 1.96, self.rate
        middle = rate + z * z / (2 * self.tries)
        half: float = z * (rate * (1 - rate) / self.tries + (z / (2 * self.tries)) ** 2) ** 0.5
        return (middle + half) / (1 + z * z / self.tries)
