"""`manage.py verify_deal SERIES [ROUND]`: make the decks of a series again, and check each deal."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Round, Series
from games.models.fold import deck_of
from games.rules.cards import format_cards
from games.rules.errors import RulesError
from games.rules.log import fold


class Command(BaseCommand):
    help = "Make the decks of a series' finished rounds again; exit 1 if a deal is not as claimed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("series", help="its address, as in /series/<address>/")
        parser.add_argument("round", nargs="?", type=int, help="only this one, with its deck")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = _rounds(options["series"], options["round"])
        wrong = 0
        for row in rows:
            if not row.was_dealt_here:
                self.stdout.write(f"round {row.number}: not dealt here")
                continue
            faults = [*row.proof.faults(deck_of(row)), *_play_faults(row)]
            wrong += bool(faults)
            self.stdout.write(f"round {row.number}: {'; '.join(faults) or 'matches'}")
            if options["round"]:
                self.stdout.write(f"{row.proof.message}\n{format_cards(row.proof.deck)}")
        if wrong:
            raise CommandError(f"{wrong} of {len(rows)} deals are not as claimed.")


def _rounds(slug: str, number: int | None) -> list[Round]:
    series = Series.objects.filter(slug=slug).first()
    if series is None:
        raise CommandError(f"There is no series {slug!r}.")
    rows = Round.objects.filter(series=series).select_related("series").order_by("number")
    if number is not None:
        rows = rows.filter(number=number)
        if rows.filter(kind="").exists():
            raise CommandError("This round is still being played: its secret is not told.")
        if not rows:
            raise CommandError(f"There is no round {number}.")
    return list(rows.exclude(kind=""))


def _play_faults(row: Round) -> list[str]:
    try:
        fold(row.log, row.proof.deck, row.dealer, row.series.options)
    except RulesError as error:
        return [f"the round was not played with this deck: {error}"]
    return []
