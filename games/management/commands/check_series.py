"""`manage.py check_series`: replay everything that is stored and name every difference.

With `--mend` what the lists look for is written anew first, from the rounds.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Series
from games.selectors.audit import differences
from games.services.history import mend_seat_ends


class Command(BaseCommand):
    help = "Replay every stored round, sheet and seat; exit 1 if anything differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="*", help="only these series")
        parser.add_argument(
            "--mend", action="store_true", help="first write anew what the lists look for"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = Series.objects.order_by("pk")
        if options["slug"]:
            chosen = chosen.filter(slug__in=options["slug"])
        checked = wrong = 0
        for series in chosen.iterator(chunk_size=200):
            checked += 1
            if options["mend"]:
                mend_seat_ends(series.pk)
            found = list(differences(series))
            wrong += bool(found)
            for difference in found:
                self.stdout.write(f"{series.slug}: {difference}")
        if wrong:
            raise CommandError(f"{wrong} of {checked} series differ from their replay.")
        self.stdout.write(f"{checked} series checked, no difference.")
