"""`manage.py erase_guests`: erase the guests who were not here for 30 days, now."""

from typing import Any

from django.core.management.base import BaseCommand

from games import live
from games.services.guests import erase_guest, guests_to_erase


class Command(BaseCommand):
    help = "Erase guests who were not here for 30 days. The site does so by itself once an hour."

    def handle(self, *args: Any, **options: Any) -> None:
        found = guests_to_erase(most=None)
        for user_id in found:
            live.ring_all(erase_guest(user_id))
        self.stdout.write(f"{len(found)} guests erased.")
