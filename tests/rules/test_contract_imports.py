"""The rules package imports the standard library and itself, and no source of chance or time."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "games" / "rules").rglob("*.py"))
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in FILES
]
FORBIDDEN = {"asyncio", "calendar", "datetime", "os.urandom", "random", "secrets", "time", "uuid"}

# Without site-packages: what is not of the standard library or ours could not even be found. The
# second part says so if something got in all the same.
FRESH = """
import importlib, sys
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    importlib.import_module(name)
known = sys.stdlib_module_names | {"games", "__main__"}
print(sorted(name for name in sys.modules if name.partition(".")[0] not in known))
print(sorted(n for n in sys.modules if n.startswith("games.") and not n.startswith("games.rules")))
"""


def test_a_fresh_process_imports_the_standard_library_and_the_rules_only():
    command = [sys.executable, "-I", "-S", "-c", FRESH, str(ROOT), *MODULES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.split("\n") == ["[]", "[]", ""]


def imported_by(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=MODULES)
def test_nothing_of_ours_asks_for_chance_or_time(path):
    asked = {
        name for name in imported_by(path) for bad in FORBIDDEN if f"{name}.".startswith(f"{bad}.")
    }
    assert not asked
