"""`python3 dev.py screenshots [folder]`: every state of every page, small and large, day and night.

    python3 dev.py screenshots artefacts/screenshots --only own-turn,result --width 360

It starts a site of its own over a database of its own, plays tables with prepared decks to where
they are to be seen, and saves `state-width-theme.png` of each. At the end it says what was wrong:
errors that a page told the console, what axe found, and what is wider than the screen.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import django
from playwright.sync_api import Browser, ViewportSize, sync_playwright

WIDTHS: Final = {360: 640, 640: 360, 768: 1024, 1280: 800}
"""The screens: a phone, the same held sideways, a tablet, a desk."""
USUAL: Final = (360, 768, 1280)
THEMES: Final = ("light", "dark")


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        _set_up(Path(folder))
        from tests.screenshots.camera import Camera
        from tests.screenshots.states import STATES, Places
        from tests.screenshots.tables import new_people
        from tests.site import Site

        wanted = options.only.split(",") if options.only else [state.name for state in STATES]
        chosen = [state for state in STATES if state.name in wanted]
        places = Places(new_people())
        site = Site(Path(folder), DJANGO_SETTINGS_MODULE="tests.screenshots.settings", DEBUG="0")
        site.start()
        try:
            with _browser() as browser:
                camera = Camera(
                    browser, site.servers[0].origin, places, options.folder, options.scale
                )
                for width in options.width or USUAL:
                    size = ViewportSize(width=width, height=WIDTHS[width])
                    for theme in options.theme or THEMES:
                        camera.take_all(chosen, size, theme)
            print(*camera.problems, sep="\n")
        finally:
            site.stop()
    return 1 if camera.problems else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py screenshots", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("artefacts/screenshots"))
    parser.add_argument("--only", default="", help="names of states, with commas between them")
    parser.add_argument("--width", type=int, action="append", choices=WIDTHS)
    parser.add_argument("--theme", action="append", choices=THEMES)
    parser.add_argument("--scale", type=int, default=1, help="pixels of a picture to one of CSS")
    return parser.parse_args()


def _set_up(folder: Path) -> None:
    """This process uses the same database and prepared decks as the site that it starts."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "tests.screenshots.settings",
        "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "DATA_DIR": str(folder),
        "REDIS_URL": "",
    }
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


@contextmanager
def _browser() -> Iterator[Browser]:
    from tests.services import chromium

    flags = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=flags)
        yield browser
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
