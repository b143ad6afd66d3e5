"""`manage.py appoint NAME ROLE`: make somebody a moderator, or let them go."""

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from accounts.people import users_named
from games.moderation.roles import ROLES
from games.moderation.services.audit import THE_SITE
from games.moderation.services.staff import appoint, dismiss

NOBODY: Final = "none"


class Command(BaseCommand):
    help = "Appoint a moderator, senior moderator or operator; 'none' takes the role away."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("role", choices=[*ROLES, NOBODY])

    def handle(self, *args: Any, **options: Any) -> None:
        named = users_named(options["name"])
        user = named.filter(kind=User.Kind.PERSON, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no account named {options['name']}.")
        if options["role"] == NOBODY:
            dismiss(user, THE_SITE)
            self.stdout.write(f"{user.username} has no role any more.")
            return
        appoint(user, options["role"], THE_SITE)
        self.stdout.write(
            f"{user.username} is {options['role']} now. "
            "They get in once they have set up a second factor, at /account/two-factor/."
        )
