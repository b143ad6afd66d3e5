"""Series from elsewhere, brought in as records: a copy to look through, for who imported it alone.

Nothing follows from one: no rating, no tally, no notice; and it goes for good when they say so.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts.absent import absent_user
from accounts.models import User
from accounts.texts import plain_text
from games.errors import NotFound, TooManyImports
from games.models import Round, Seat, Series, SheetEntry
from games.models.round import result_columns
from games.models.series import SHARED, new_slug
from games.rules.cards import format_cards
from games.rules.series_record import LONGEST_NAME, UNKNOWN, SeriesRecord
from games.services.history import store_seat_ends

MOST_A_DAY: Final = 50
MOST_KEPT: Final = 200
_WRITTEN: Final = "%Y-%m-%d %H:%M:%S UTC"


@transaction.atomic
def import_series(
    *, user: User, records: Sequence[SeriesRecord], name: str = "", key: str | None = None
) -> list[Series]:
    """Store these; asked for twice with one `key`, they are made once (fault 110).

    `name` is what the importer is called in them: that seat becomes theirs, and everybody else
    stays but a name, whoever is called so here. Raises TooManyImports.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    slugs = [_slug(key, number) for number in range(len(records))]
    made = Series.objects.filter(slug__in=slugs, created_by=user).order_by("pk")
    if made:
        return list(made)
    own = Series.objects.filter(created_by=user, source=Series.Source.IMPORTED)
    lately = own.filter(created_at__gt=Now() - timedelta(days=1))
    if own.count() + len(records) > MOST_KEPT or lately.count() + len(records) > MOST_A_DAY:
        raise TooManyImports
    return [_store(user, *each, name) for each in zip(records, slugs, strict=True)]


@transaction.atomic
def delete_import(*, slug: str, user_id: int | None) -> None:
    """Delete what this user has imported. Raises NotFound."""
    own = Series.objects.filter(slug=slug, created_by=user_id, source=Series.Source.IMPORTED)
    series = own.select_for_update().first()
    if series is None:
        raise NotFound
    _delete([series.pk])


def forget_imports(user_id: int) -> None:
    """Delete all that somebody has imported who is erased: nobody else could see it."""
    own = Series.objects.filter(created_by=user_id, source=Series.Source.IMPORTED)
    _delete(list(own.values_list("pk", flat=True)))


def moment_of(text: str) -> datetime | None:
    """A time of a record; None where that is not known."""
    return None if text == UNKNOWN else datetime.strptime(text, _WRITTEN).replace(tzinfo=UTC)


def _slug(key: str | None, number: int) -> str:
    if key is None:
        return new_slug()
    return hashlib.sha256(f"{key} {number}".encode()).hexdigest()[:16]


def _delete(ids: list[int]) -> None:
    for table in (SheetEntry, Round, Seat):
        table.objects.filter(series__in=ids).delete()
    Series.objects.filter(pk__in=ids).delete()


def _store(user: User, record: SeriesRecord, slug: str, name: str) -> Series:
    end, ended_at = record.states[-1], moment_of(record.ended) or timezone.now()
    series = Series.objects.create(
        slug=slug,
        created_by=user,
        source=Series.Source.IMPORTED,
        status=Series.Status.OVER,
        is_private=True,
        preset=record.options.preset,
        option_values=record.options.to_mapping(),
        time_control=record.control,
        first_dealer=record.first_dealer,
        winner_side=SHARED if end.winner == "shared" else end.winner,
        ending=record.ending,
        ended_by_side=record.by,
        started_at=moment_of(record.started),
        ended_at=ended_at,
        voided_at=ended_at if record.void else None,
        origin_site=record.site,
        origin_series=record.series,
    )
    own = record.players.index(name) if name in record.players else None
    seats = [
        Seat.objects.create(
            series=series,
            number=number,
            side=number,
            user=user if number == own else absent_user(),
            name="" if number == own else plain_text(player)[:LONGEST_NAME],
        )
        for number, player in enumerate(record.players)
    ]
    _enter(series, record, Round.objects.bulk_create(_rounds(series, record, seats)))
    store_seat_ends(series, end)
    return series


def _rounds(series: Series, record: SeriesRecord, seats: Sequence[Seat]) -> Iterable[Round]:
    version = 0
    for number, (each, before) in enumerate(zip(record.rounds, record.states, strict=False), 1):
        result, cards = each.result, each.record
        row = Round(
            series=series,
            number=number,
            first_seat=seats[0],
            second_seat=seats[1],
            dealer=before.boards[0].dealer,
            version_before=version,
            deck=format_cards(cards.deck) if cards else "",
            log=cards.log if cards else "",
            ply=len(cards.entries) if cards else 0,
            ended_at=series.ended_at,
            **result_columns(result),
        )
        version = row.version
        yield row


def _enter(series: Series, record: SeriesRecord, rows: Sequence[Round]) -> None:
    entries = record.states[-1].sheet.entries
    SheetEntry.objects.bulk_create(
        SheetEntry(series=series, round=row, game=game + 1, side=entry.side, points=entry.points)
        for row, entry in zip(rows, entries, strict=True)
        if entry.side is not None
        for game in entry.games
    )
