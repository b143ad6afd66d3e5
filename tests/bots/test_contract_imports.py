"""Bots import the rules and no source of chance or time; what asks them needs no Django."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.test_contract_imports import FORBIDDEN, ROOT, imported_by

BOTS = sorted((ROOT / "games" / "bots").rglob("*.py"))
OTHERS = sorted(
    [
        *(ROOT / "games" / "arena").rglob("*.py"),
        *(ROOT / "games" / "training").rglob("*.py"),
        ROOT / "games" / "thinking.py",
    ]
)

# Without site-packages: what is not of the standard library or ours could not even be found.
FRESH = """
import importlib, sys
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    importlib.import_module(name)
known = sys.stdlib_module_names | {"games", "__main__", "__mp_main__"}
print(sorted(name for name in sys.modules if name.partition(".")[0] not in known))
print(sorted({".".join(n.split(".")[:2]) for n in sys.modules if n.startswith("games.")}))
"""


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported_by_fresh_process(paths: list[Path]) -> list[str]:
    command = [sys.executable, "-I", "-S", "-c", FRESH, str(ROOT), *map(module, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_a_fresh_process_imports_bots_and_rules_only():
    assert imported_by_fresh_process(BOTS) == ["[]", "['games.bots', 'games.rules']"]


def test_thinking_arena_and_training_need_no_django():
    foreign, _ = imported_by_fresh_process(OTHERS)
    assert foreign == "[]"


@pytest.mark.parametrize("path", BOTS, ids=map(module, BOTS))
def test_no_bot_asks_for_chance_or_time(path):
    asked = {
        name for name in imported_by(path) for bad in FORBIDDEN if f"{name}.".startswith(f"{bad}.")
    }
    assert not asked
