#!/usr/bin/env python
"""Django's command line for Hollywood Gin."""

import os
import sys

PLAYED_BY = {"serve", "work"}


def main() -> None:
    if not PLAYED_BY.intersection(sys.argv[1:2]):
        # A migration, or a check of all that is stored, takes the time that it takes.
        os.environ.setdefault("STATEMENT_TIMEOUT", "0")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
