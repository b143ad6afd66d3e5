"""What a series that is over counts, and for which tallies; what all of them would come to.

Only series that were played here count (`Series.source`); those entered by hand or imported stay
outside. A series counts when it is over, as a whole: so nothing can be learned of a running one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from games.counts import GAMES, Counts, PlayedRound, count_round
from games.formats import Format
from games.models import RatingChange, Round, Seat, Series, Tally
from games.models.fold import deck_of
from games.selectors.standing import series_state

ALL: Final = "all"
PEOPLE: Final = "people"
BOTS: Final = "bots"
RATED: Final = "rated"
OPEN: Final = "open"
"""The scopes of a tally: all series, those against people (guests too), against bots, those that
were rated, and of two against each other also those that anybody could watch. Others are a
format (games.formats), and for the site a band of ratings."""

BAND: Final = 200
BANDS: Final = range(1200, 1801, BAND)

type Key = tuple[int | None, int | None, str]
"""User, opponent, scope: which tally. Of the site neither."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a series is to one of its players: the tallies it goes to, and how it went.

    `band` is the site's tally of players of like rating, "" where the series was not rated.
    """

    seat: Seat
    opponent: int | None
    scopes: tuple[str, ...]
    is_private: bool
    won: bool | None
    change: RatingChange | None

    @property
    def keys(self) -> Iterator[Key]:
        """The tallies of the player."""
        user = self.seat.user_id
        yield from ((user, None, scope) for scope in self.scopes)
        if self.opponent is not None:
            yield user, self.opponent, ALL
            if not self.is_private:
                yield user, self.opponent, OPEN

    @property
    def site_keys(self) -> Iterator[Key]:
        """The site's tallies."""
        yield from ((None, None, scope) for scope in self.scopes)
        if self.change is not None:
            yield None, None, band_of(self.change.before)


def band_of(rating: float) -> str:
    """The scope of players of like rating.

    >>> band_of(900), band_of(1399.9), band_of(2300)
    ('rating 1000', 'rating 1200', 'rating 1800')
    """
    lowest, highest = BANDS[0] - BAND, BANDS[-1]
    return f"rating {min(max(int(rating // BAND) * BAND, lowest), highest)}"


def counting() -> QuerySet[Series]:
    """The series that count, in the order in which they ended."""
    over = Series.objects.filter(
        status=Series.Status.OVER, source=Series.Source.PLAYED, voided_at=None
    )
    return over.exclude(started_at=None).order_by("ended_at", "pk")


def shares_of(series: Series) -> list[Share]:
    """What a series is to each of its players."""
    seats = list(Seat.objects.filter(series=series).order_by("number"))
    changes = {each.user_id: each for each in RatingChange.objects.filter(series=series)}
    return [_share(series, seat, seats, changes.get(seat.user_id)) for seat in seats]


def _share(series: Series, seat: Seat, seats: list[Seat], change: RatingChange | None) -> Share:
    others = [each for each in seats if each.pk != seat.pk]
    format_ = Format.of(series.options, series.control)
    scopes = (
        ALL,
        BOTS if any(each.bot for each in others) else PEOPLE,
        *((RATED,) if change else ()),
        *((str(format_),) if format_ else ()),
    )
    return Share(
        seat=seat,
        opponent=others[0].user_id if len(others) == 1 else None,
        scopes=scopes,
        is_private=series.is_private,
        won=_won(series, seat),
        change=change,
    )


def _won(series: Series, seat: Seat) -> bool | None:
    if series.winner_side is None or series.winner_side < 0:
        return None
    return series.winner_side == seat.side


def counts_of(series: Series, shares: list[Share]) -> list[Counts]:
    """The figures of a series for each of its players, in the order of the shares."""
    rows = list(Round.objects.filter(series=series).exclude(kind="").order_by("number", "board"))
    ended = series_state(series, rows).sheet.ended if series.first_dealer is not None else ()
    played = [(row, _played(row, series)) for row in rows]
    return [
        sum(
            (
                count_round(each, int(row.second_seat_id == share.seat.pk))
                for row, each in played
                if share.seat.pk in (row.first_seat_id, row.second_seat_id)
            ),
            start=_series_counts(share, ended),
        )
        for share in shares
    ]


def _played(row: Round, series: Series) -> PlayedRound:
    row.series = series  # it names the deck
    assert row.result is not None, "a round of a series that is over has ended"
    return PlayedRound(deck_of(row), row.dealer, row.log, row.result)


def _series_counts(share: Share, ended: tuple[int | None, ...]) -> Counts:
    winners = (*ended, None, None, None)[:GAMES]
    change = share.change
    return Counts(
        series=1,
        series_won=int(share.won is True),
        series_lost=int(share.won is False),
        rated=int(change is not None),
        rated_score=round(1000 * change.score) if change else 0,
        rated_expected=_expected(change) if change else 0,
        games_won=tuple(int(side == share.seat.side) for side in winners),
        games_lost=tuple(int(side not in (None, share.seat.side)) for side in winners),
    )


def _expected(change: RatingChange) -> int:
    """What the two ratings let expect, in thousandths of a series."""
    return round(1000 / (1 + 10 ** ((change.opponent_value - change.before) / 400)))


@dataclass
class Running:
    """A tally as it grows, series by series in the order in which they ended."""

    counts: Counts = field(default_factory=Counts)
    streak: int = 0
    best_streak: int = 0
    last_ended_at: datetime | None = None

    def take(self, counts: Counts, *, won: bool | None, ended_at: datetime | None) -> None:
        """Count a series."""
        self.counts += counts
        self.walk(won=won, ended_at=ended_at)

    def walk(self, *, won: bool | None, ended_at: datetime | None) -> None:
        """Let the streak go on, or begin the other; without a winner it stands."""
        if won is not None:
            step = 1 if won else -1
            self.streak = self.streak + step if self.streak * step > 0 else step
        self.best_streak = max(self.best_streak, self.streak)
        self.last_ended_at = ended_at


def tallies_of(all_series: Iterable[Series]) -> dict[Key, Running]:
    """What the tallies come to that these series, in the order in which they ended, count for."""
    found: dict[Key, Running] = {}
    for series in all_series:
        shares = shares_of(series)
        for share, counts in zip(shares, counts_of(series, shares), strict=True):
            for key in share.keys:
                running = found.setdefault(key, Running())
                running.take(counts, won=share.won, ended_at=series.ended_at)
            for key in share.site_keys:
                found.setdefault(key, Running()).counts += counts
    return found


def streak_of(key: Key) -> Running:
    """A player's streak from their seats, in one query; the figures stay out of it."""
    running = Running()
    for result, ended_at in _seats_of(key).values_list("result", "ended_at"):
        running.walk(won=_RESULTS.get(result), ended_at=ended_at)
    return running


_RESULTS: Final = {Seat.Result.WON.value: True, Seat.Result.LOST.value: False}


def _seats_of(key: Key) -> QuerySet[Seat]:
    """The seats whose series are those of a player's tally, in the order in which they ended."""
    user, opponent, scope = key
    seats = Seat.objects.filter(user=user, series__in=counting()).order_by("ended_at", "series")
    if opponent is not None:
        seats = seats.filter(opponent=opponent)
        return seats if scope == ALL else seats.filter(series__is_private=False)
    if scope in (PEOPLE, BOTS):
        bots = Seat.objects.filter(series=OuterRef("series")).exclude(bot="")
        others = Exists(bots.exclude(pk=OuterRef("pk")))
        return seats.filter(others if scope == BOTS else ~others)
    if scope == RATED:
        return seats.filter(is_rated=True)
    return seats if scope == ALL else seats.filter(format=scope)


def key_of(row: Tally) -> Key:
    """Which tally a row is."""
    return row.user_id, row.opponent_id, row.scope
