"""Series that are over as records: to take along, as a text or as the JSON of the API.

What is made here is the same for whoever may see the series, in whatever language.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import Prefetch, prefetch_related_objects

from games.models import Round, Seat, Series
from games.models.fold import deck_of
from games.models.series import SHARED
from games.rules.log import fold
from games.rules.notation import RoundRecord
from games.rules.scoring import Ending
from games.rules.series import SeriesState
from games.rules.series_record import TITLE, UNKNOWN, RoundOfSeries, SeriesRecord
from games.selectors.history import Cursor, Picks, history_after

DELETED: Final = "deleted player"
PAGE: Final = 25
MOST_SERIES: Final = 250
"""How many one text has: each has to be played out to be written."""


def record_of(series: Series) -> SeriesRecord:
    """The record of a series that is over.

    A round that was broken off counts for nothing and shows nobody's cards: it is left out.
    """
    return records_of([series])[0]


def records_of(many: Sequence[Series]) -> list[SeriesRecord]:
    """The records of these series, in a query for the seats and one for the rounds."""
    _seat(many)
    rounds = Round.objects.filter(board=0).exclude(kind__in=("", Ending.VOID))
    prefetch_related_objects(
        many,
        Prefetch("rounds", rounds.defer("reasons").order_by("number"), "ended_rounds"),
    )
    return [_record(series) for series in many]


def records(user_id: int, picks: Picks, *, is_own: bool) -> Iterator[tuple[Series, SeriesRecord]]:
    """Of what a player has finished, newest first; at most `MOST_SERIES`, some at a time."""
    for page in history_pages(user_id, picks, is_own=is_own, most=MOST_SERIES):
        many = [seat.series for seat in page if seat.series.options.players == 2]
        yield from zip(many, records_of(many), strict=True)


def past_summaries(
    user_id: int, picks: Picks, cursor: Cursor | None, *, is_own: bool
) -> tuple[list[dict[str, Any]], Cursor | None]:
    """A page of what a player has finished, and where the next one begins, if any does."""
    found = list(history_after(user_id, picks, cursor, is_own=is_own)[: PAGE + 1])
    page = found[:PAGE]
    many = [seat.series for seat in page]
    _seat(many)
    rows = [summary(series, list(map(name_of, _seats(series)))) for series in many]
    return rows, Cursor.at(page[-1]) if len(found) > PAGE else None


def _seat(many: Sequence[Series]) -> None:
    seats = Seat.objects.select_related("user").order_by("number")
    prefetch_related_objects(many, Prefetch("seats", seats, "in_order"))


def history_pages(user_id: int, picks: Picks, *, is_own: bool, most: int) -> Iterator[list[Seat]]:
    """The list of what a player has finished, newest first, some seats at a time."""
    cursor, left = None, most
    while left > 0:
        seats = history_after(user_id, picks, cursor, is_own=is_own)
        page = list(seats[: min(PAGE, left)])
        if page:
            yield page
        if len(page) < PAGE:
            return
        cursor, left = Cursor.at(page[-1]), left - len(page)


def name_of(seat: Seat) -> str:
    """Who sits there, in no language."""
    if seat.name:
        # Given by hand: whatever is no sign could break a line of a record.
        return "".join(sign for sign in seat.name if sign.isprintable()).strip() or UNKNOWN
    return DELETED if seat.user.deleted_at else seat.user.username


def as_json(series: Series, record: SeriesRecord) -> dict[str, Any]:
    """A series as plain values, the record of `record_of` with it (docs/api.md)."""
    states = record.states
    end = states[-1]
    return {
        "format": TITLE,
        **summary(series, record.players),
        "first_dealer": record.first_dealer,
        "games": {
            "totals": [list(side) for side in end.sheet.totals],
            "won_by": list(end.sheet.ended),
        },
        "rounds": [
            _round_json(number, each, after)
            for number, (each, after) in enumerate(zip(record.rounds, states[1:], strict=False), 1)
        ],
    }


def summary(series: Series, players: Sequence[str]) -> dict[str, Any]:
    """What a list says of a series. Its seats have been read (`_seat`)."""
    slug, seats = series.slug, _seats(series)
    return {
        "series": slug,
        "url": settings.SITE_URL + series.get_absolute_url(),
        "players": [
            {"seat": seat.number, "name": name, "bot": bool(seat.bot), "result": seat.result}
            for seat, name in zip(seats, players, strict=True)
        ],
        "options": series.options.to_mapping(),
        "time_control": series.time_control or None,
        "rated": any(seat.is_rated for seat in seats),
        "voided": series.voided_at is not None,
        "source": series.source,
        "started_at": _iso(series.started_at),
        "ended_at": _iso(series.ended_at),
        "ending": series.ending,
        "ended_by": series.ended_by_side,
        "winner": "shared" if series.winner_side == SHARED else series.winner_side,
    }


def _record(series: Series) -> SeriesRecord:
    assert series.status == Series.Status.OVER, "what is still played is told to nobody"
    lower, higher = _seats(series)
    rounds: list[Round] = series.ended_rounds  # type: ignore[attr-defined]
    for row in rounds:
        row.series = series  # its options and address, without a query
    return SeriesRecord(
        site=series.origin_site or settings.SITE_URL,
        series=series.origin_series or series.slug,
        players=(name_of(lower), name_of(higher)),
        options=series.options,
        first_dealer=series.first_dealer or 0,
        rounds=tuple(map(_round, rounds)),
        control=series.time_control,
        rated=lower.is_rated,
        source=series.source,
        started=_utc(series.started_at),
        ended=_utc(series.ended_at),
        ending=series.ending,
        by=series.ended_by_side,
        void=series.voided_at is not None,
    )


def _seats(series: Series) -> list[Seat]:
    return series.in_order  # type: ignore[attr-defined,no-any-return]


def _round(row: Round) -> RoundOfSeries:
    assert row.result is not None, "it has ended"
    if not row.has_cards:
        return RoundOfSeries(row.result)
    # Not remembered, as a table's rounds are: many pass, each once.
    deck, options = deck_of(row), row.series.options
    entries = fold(row.log, deck, row.dealer, options).entries
    record = RoundRecord(options, row.dealer, deck, entries)
    return RoundOfSeries(row.result, record, row.proof if row.was_dealt_here else None)


def _round_json(number: int, each: RoundOfSeries, after: SeriesState) -> dict[str, Any]:
    result, record, proof = each.result, each.record, each.proof
    return {
        "round": number,
        "dealer": record.dealer if record else None,
        "kind": result.kind,
        "winner": result.winner,
        "points": result.points,
        "bonus": result.bonus,
        "difference": result.difference,
        "multiplier": result.multiplier,
        "sheet": [list(side) for side in after.sheet.totals],
        "log": record.log if record else None,
        "record": record.format() if record else None,
        "deal": proof.record(record.deck) if record and proof else None,
    }


def _utc(moment: datetime | None) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if moment else UNKNOWN


def _iso(moment: datetime | None) -> str | None:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if moment else None
