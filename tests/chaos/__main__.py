"""The long forms: `python -m tests.chaos` for all, or with some names, as in `kill database`.

They need DATABASE_URL and REDIS_URL, make a database of their own and remove it. What they measure
is printed; docs/reliability.md says what each holds.
"""

import argparse
import os
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
TESTS = FOLDER.parent


def long_forms() -> dict[str, Path]:
    """Every test file with a long form, by its name; those of other folders as `e2e/races`."""
    files = [
        *FOLDER.glob("test_*.py"),
        *(file for file in TESTS.glob("*/test_*.py") if "tests.long" in file.read_text("utf-8")),
    ]
    return {_name_of(file): file for file in sorted(files)}


def _name_of(file: Path) -> str:
    name = file.stem.removeprefix("test_")
    return name if file.parent == FOLDER else f"{file.parent.name}/{name}"


def main() -> int:
    forms = long_forms()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", choices=[[], *forms], metavar="name", help=", ".join(forms)
    )
    names = parser.parse_args().names or list(forms)
    os.environ |= {"LONG": "1", "REQUIRE_SERVICES": "1"}
    options = ["--capture=no", "-p", "no:randomly", "-p", "no:cacheprovider", "--durations=0"]
    return pytest.main([*options, *(str(forms[name]) for name in names)])


if __name__ == "__main__":
    sys.exit(main())
