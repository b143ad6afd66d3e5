"""What the page shows that offers to take a guest's series along."""

from dataclasses import dataclass

from games.selectors.guests import Luggage


@dataclass(frozen=True, slots=True)
class TakeAlongPage:
    """`templates/accounts/take_along.html`, as `page`; `way` is where it goes on, "" for home."""

    luggage: Luggage
    way: str
