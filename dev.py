#!/usr/bin/env python3
"""The commands of a working copy; any Python 3 may run this file.

    python3 dev.py run [--lan] [--port N]    the site, its database made and migrated
    python3 dev.py test [pytest arguments]   the tests
    python3 dev.py lint                      style, types, direction of imports, migrations, checks
    python3 dev.py bench                     the rules against other people's engine
    python3 dev.py screenshots [folder]      a picture of every state of every page
    python3 dev.py lock [--upgrade]          writes the locked lists anew from pyproject.toml

It finds a Python that fits, makes .venv with the locked packages, and goes on there.
"""

# Only what Python 3.8 can read: a machine's default Python may be old, and must be told so.
from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "dev-stamp"
SITE_LIST = ROOT / "requirements.txt"
# Each list holds the one before it.
DEV_LIST = ROOT / "requirements-dev.txt"
BENCH_LIST = ROOT / "requirements-bench.txt"
OLDEST = (3, 12)
NO_TESTS = 5


# A Python that fits


def find_python() -> str | None:
    """The first Python that is new enough: this one, one on the path, one of pyenv's."""
    return next((python for python in _pythons() if _version(python) >= OLDEST), None)


def _pythons() -> Iterator[str]:
    if tuple(sys.version_info[:2]) >= OLDEST:
        yield sys.executable
    for minor in range(OLDEST[1], OLDEST[1] + 8):
        for folder in _folders():
            python = folder / f"python3.{minor}"
            if python.is_file() and os.access(python, os.X_OK):
                yield str(python)


def _folders() -> list[Path]:
    # pyenv's shims stand on the path, but hide every version that is not chosen.
    pyenv = Path(os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv"))
    return [Path(folder) for folder in os.get_exec_path()] + sorted(pyenv.glob("versions/*/bin"))


def _version(python: str | Path) -> tuple[int, ...]:
    """The version of a Python; empty where it does not start."""
    probe = [str(python), "-c", "import sys; print(*sys.version_info[:2])"]
    try:
        found = subprocess.run(probe, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        return tuple(int(part) for part in found.stdout.split())
    except (OSError, ValueError, subprocess.CalledProcessError):
        return ()


# Its packages


def prepare(*lists: Path) -> None:
    """Bring .venv to the first of these lists, unless it holds one of them already."""
    if PYTHON.exists() and _read(STAMP) in [_stamp(each) for each in lists]:
        return
    if not PYTHON.exists() or _version(PYTHON) < OLDEST:
        _make_venv()
    print(f"Installing the packages of {lists[0].name} into .venv …", flush=True)
    STAMP.write_text("")
    _install(lists[0])
    STAMP.write_text(_stamp(lists[0]))


def _install(requirements: Path) -> None:
    locked = ["--require-hashes", "--requirement", str(requirements)]
    uv = shutil.which("uv")
    if uv and _succeeds([uv, "pip", "install", "--quiet", "--python", str(PYTHON), *locked]):
        return
    # A .venv that uv made has no pip.
    _call([str(PYTHON), "-m", "ensurepip"], stdout=subprocess.DEVNULL)
    _call([str(PYTHON), "-m", "pip", "install", "-qq", *locked])


def _stamp(requirements: Path) -> str:
    python = _read(VENV / "pyvenv.cfg")
    return hashlib.sha256((python + _read(requirements)).encode()).hexdigest()


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _make_venv() -> None:
    python = find_python()
    if python is None:
        sys.exit("Hollywood Gin needs Python 3.12 or newer, and found none on this machine.")
    shutil.rmtree(VENV, ignore_errors=True)
    uv = shutil.which("uv")
    maker = [uv, "venv", "--quiet", "--python", python] if uv else [python, "-m", "venv"]
    _call([*maker, str(VENV)])


def _call(command: Sequence[str], stdout: int | None = None) -> None:
    if not _succeeds(command, stdout):
        sys.exit("This failed: " + " ".join(command))


def _succeeds(command: Sequence[str], stdout: int | None = None) -> bool:
    # uv would trust its own list of authorities only, and not one that this machine adds.
    environment = {"UV_SYSTEM_CERTS": "true", "UV_NATIVE_TLS": "true", **os.environ}
    return subprocess.run(command, cwd=ROOT, stdout=stdout, env=environment).returncode == 0


# The commands


def run(arguments: Sequence[str]) -> int:
    """Serve the site to this machine or, with --lan, to the others of the room."""
    options = run_options(arguments)
    prepare(SITE_LIST, DEV_LIST, BENCH_LIST)
    addresses = _addresses() if options.lan else []
    for address in addresses:
        print(f"For the other machines of the room: http://{address}:{options.port}", flush=True)
    hosts = [f"{host}:{options.port}" for host in [*addresses, "127.0.0.1", "localhost"]]
    site = {"SITE_URL": f"http://{hosts[0]}", "SITE_HOSTS": ",".join(hosts)}
    host = "0.0.0.0" if options.lan else "127.0.0.1"  # noqa: S104 (asked for)
    command = ["manage.py", "serve", "--host", host, "--port", str(options.port)]
    return _become([str(PYTHON), *command], {**site, **os.environ})


def run_options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py run", description=run.__doc__)
    parser.add_argument("--lan", action="store_true", help="listen for the other machines too")
    parser.add_argument("--port", type=int, default=8000)
    return parser.parse_args(arguments)


def _addresses() -> list[str]:
    """This machine's addresses as others see them, the one it would speak from first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: a datagram socket only chooses its own address here.
            probe.connect(("192.0.2.1", 9))
            found.append(probe.getsockname()[0])
            found += socket.gethostbyname_ex(socket.gethostname())[2]
        except OSError:
            pass
    return [address for address in dict.fromkeys(found) if not address.startswith("127.")]


def _become(command: list[str], environment: Mapping[str, str]) -> int:
    if os.name == "nt":
        return subprocess.run(command, cwd=ROOT, env=environment).returncode
    os.chdir(ROOT)
    # So that signals reach the server itself.
    return os.execve(command[0], command, environment)  # noqa: S606


def test(arguments: Sequence[str]) -> int:
    """Run the tests that the arguments choose; without any, all of them."""
    prepare(DEV_LIST, BENCH_LIST)
    if arguments:
        return _pytest(*arguments)
    workers = str(min(4, os.cpu_count() or 1))
    others = _pytest("-n", workers, "-m", "not browser")
    # Playwright leaves an event loop running, which no other test should meet.
    browser = _pytest("-n", workers, "-m", "browser")
    return others or (0 if browser == NO_TESTS else browser)


def _pytest(*arguments: str) -> int:
    return subprocess.run([str(PYTHON), "-m", "pytest", *arguments], cwd=ROOT).returncode


def bench(arguments: Sequence[str]) -> int:
    """Time the rules in turns with other people's engine and with a slow oracle."""
    prepare(BENCH_LIST)
    return _pytest("tests/bench", "--benchmark-only", "--benchmark-columns=min,median", *arguments)


def screenshots(arguments: Sequence[str]) -> int:
    """Save a picture of every state at three widths, by day and by night; needs Chromium."""
    prepare(DEV_LIST, BENCH_LIST)
    return subprocess.run([str(PYTHON), "-m", "tests.screenshots", *arguments], cwd=ROOT).returncode


def lint(arguments: Sequence[str]) -> int:
    """Check what can be checked without running; name every check that fails."""
    prepare(DEV_LIST, BENCH_LIST)
    failed = [name for name, command in _checks(arguments).items() if not _passes(name, command)]
    if failed:
        print("failed: " + ", ".join(failed))
    return 1 if failed else 0


def _checks(arguments: Sequence[str]) -> dict[str, list[str]]:
    manage = [str(PYTHON), "manage.py"]
    templates = [str(path) for path in sorted(ROOT.glob("templates/**/*.html"))]
    return {
        "ruff check": [_tool("ruff"), "check", *arguments],
        "ruff format": [_tool("ruff"), "format", "--check"],
        "mypy": [_tool("mypy")],
        "imports": [_tool("lint-imports")],
        "templates": [_tool("djade"), "--check", *templates],
        "migrations": [*manage, "makemigrations", "--check", "--dry-run"],
        "deployment": [*manage, "check", "--deploy", "--fail-level", "WARNING"],
    }


def _tool(name: str) -> str:
    return str(BIN / name)


def _passes(name: str, command: list[str]) -> bool:
    print(f"— {name}", flush=True)
    environment = {**os.environ, "SITE_URL": "https://gin.example.org"}
    return subprocess.run(command, cwd=ROOT, env=environment).returncode == 0


def lock(arguments: Sequence[str]) -> int:
    """Write the locked lists anew; they name no address of a registry."""
    uv = shutil.which("uv")
    if not uv:
        sys.exit("dev.py lock needs uv: install it with pip install uv.")
    compile_ = [uv, "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
    compile_ += ["--python-version", "3.12", "--no-emit-index-url", "--no-emit-find-links"]
    compile_ += ["--custom-compile-command", "python3 dev.py lock", *arguments, "pyproject.toml"]
    _call([*compile_, "--output-file", SITE_LIST.name])
    dev = ["--group", "dev", "--constraint"]
    _call([*compile_, *dev, SITE_LIST.name, "--output-file", DEV_LIST.name])
    _call([*compile_, *dev, DEV_LIST.name, "--group", "bench", "--output-file", BENCH_LIST.name])
    return 0


COMMANDS = {
    "run": run,
    "test": test,
    "bench": bench,
    "screenshots": screenshots,
    "lint": lint,
    "lock": lock,
}


def main() -> int:
    command = COMMANDS.get(sys.argv[1] if len(sys.argv) > 1 else "")
    if command is None:
        print(__doc__)
        return 2
    return command(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
