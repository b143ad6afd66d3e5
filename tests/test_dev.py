"""dev.py: any Python 3 reads it, it finds one that fits, and installs nothing twice."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dev

SOURCE = Path(dev.__file__)
ONE_LINE = "Hollywood Gin needs Python 3.12 or newer, and found none on this machine.\n"


@pytest.fixture
def bare_copy(tmp_path):
    """A copy of dev.py on a machine whose only python3.12 is a shim that hides it."""
    shutil.copy(SOURCE, tmp_path)
    shim = tmp_path / "bin/python3.12"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    return tmp_path


def refusal(copy: Path, *command: str) -> subprocess.CompletedProcess:
    bare = {"HOME": str(copy), "PATH": str(copy / "bin")}
    return subprocess.run(command, cwd=copy, env=bare, capture_output=True, text=True)


def old_python(minor: int) -> str | None:
    """A Python of this machine that is too old, if it has one."""
    # A shim starts another Python only where its version manager is set up.
    folders = [folder for folder in dev._folders() if folder.name != "shims"]
    found = (str(folder / f"python3.{minor}") for folder in folders)
    return next((each for each in found if dev._version(each) == (3, minor)), None)


def test_python_3_8_can_read_it():
    ast.parse(SOURCE.read_text(encoding="utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize("command", ["run", "test"])
@pytest.mark.parametrize("minor", [8, 9, 10, 11])
def test_without_a_fitting_python_it_ends_in_one_line(bare_copy, minor, command):
    python = old_python(minor)
    if python is None:
        pytest.skip(f"this machine has no Python 3.{minor}")
    answer = refusal(bare_copy, python, "dev.py", command)
    assert (answer.returncode, answer.stdout, answer.stderr) == (1, "", ONE_LINE)


@pytest.mark.parametrize("command", ["run", "test"])
def test_a_python_that_is_too_old_ends_in_one_line(bare_copy, command):
    pretend = (
        "import runpy, sys; sys.version_info = (3, 11, 7, 'final', 0);"
        f"sys.argv = ['dev.py', '{command}']; runpy.run_path('dev.py', run_name='__main__')"
    )
    answer = refusal(bare_copy, sys.executable, "-c", pretend)
    assert (answer.returncode, answer.stdout, answer.stderr) == (1, "", ONE_LINE)


def test_finds_a_python_that_pyenv_hides(tmp_path, monkeypatch):
    hidden = tmp_path / "versions/3.12.1/bin/python3.12"
    hidden.parent.mkdir(parents=True)
    hidden.symlink_to(sys.executable)
    monkeypatch.setattr(sys, "version_info", (3, 11, 7, "final", 0))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert dev.find_python() == str(hidden)


def test_unknown_command_shows_the_known_ones():
    answer = subprocess.run([sys.executable, SOURCE, "dance"], capture_output=True, text=True)
    assert answer.returncode == 2
    assert "python3 dev.py run" in answer.stdout


# What is installed


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A working copy with a made-up .venv, and the commands that dev.py would have called."""
    calls = []
    monkeypatch.setattr(dev, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(dev, "PYTHON", tmp_path / ".venv/bin/python")
    monkeypatch.setattr(dev, "STAMP", tmp_path / ".venv/dev-stamp")
    monkeypatch.setattr(dev, "SITE_LIST", tmp_path / "requirements.txt")
    monkeypatch.setattr(dev, "DEV_LIST", tmp_path / "requirements-dev.txt")
    monkeypatch.setattr(dev, "BENCH_LIST", tmp_path / "requirements-bench.txt")
    monkeypatch.setattr(dev, "_succeeds", lambda command, *_: calls.append(command) or True)
    monkeypatch.setattr(shutil, "which", {"uv": "uv"}.get)
    dev.PYTHON.parent.mkdir(parents=True)
    dev.PYTHON.symlink_to(sys.executable)
    dev.SITE_LIST.write_text("site")
    dev.DEV_LIST.write_text("site and tests")
    dev.BENCH_LIST.write_text("site, tests and benches")
    monkeypatch.setattr(dev, "_pytest", lambda *_: 0)
    return calls


def test_installs_once(copy):
    dev.prepare(dev.SITE_LIST, dev.DEV_LIST)
    dev.prepare(dev.SITE_LIST, dev.DEV_LIST)
    assert len(copy) == 1
    assert copy[0][-1] == str(dev.SITE_LIST)
    assert "--require-hashes" in copy[0]


def test_what_the_tests_need_serves_the_site_too(copy):
    dev.prepare(dev.DEV_LIST)
    dev.prepare(dev.SITE_LIST, dev.DEV_LIST)
    assert len(copy) == 1


def test_what_the_site_needs_is_not_enough_for_the_tests(copy):
    dev.prepare(dev.SITE_LIST, dev.DEV_LIST)
    dev.prepare(dev.DEV_LIST)
    assert [command[-1] for command in copy] == [str(dev.SITE_LIST), str(dev.DEV_LIST)]


def test_what_the_benches_need_serves_the_tests_too(copy):
    dev.bench([])
    dev.test([])
    dev.prepare(dev.SITE_LIST, dev.DEV_LIST, dev.BENCH_LIST)
    assert [command[-1] for command in copy] == [str(dev.BENCH_LIST)]


def test_another_list_or_another_python_is_installed_anew(copy):
    dev.prepare(dev.DEV_LIST)
    dev.DEV_LIST.write_text("another")
    dev.prepare(dev.DEV_LIST)
    (dev.VENV / "pyvenv.cfg").write_text("version = 3.99")
    dev.prepare(dev.DEV_LIST)
    assert len(copy) == 3


def test_a_list_that_could_not_be_installed_is_tried_again(copy, monkeypatch):
    dev.prepare(dev.SITE_LIST)
    dev.SITE_LIST.write_text("another")
    with monkeypatch.context() as failing:
        failing.setattr(dev, "_succeeds", lambda *_: False)
        with pytest.raises(SystemExit, match="This failed"):
            dev.prepare(dev.SITE_LIST)
    dev.prepare(dev.SITE_LIST)
    assert len(copy) == 2


def test_where_uv_fails_pip_installs(copy, monkeypatch):
    calls = []
    monkeypatch.setattr(
        dev, "_succeeds", lambda command, *_: calls.append(command) or len(calls) > 1
    )
    dev.prepare(dev.SITE_LIST)
    assert [command[:3] for command in calls[1:]] == [
        [str(dev.PYTHON), "-m", "ensurepip"],
        [str(dev.PYTHON), "-m", "pip"],
    ]


def test_without_uv_pip_installs(copy, monkeypatch):
    monkeypatch.setattr(shutil, "which", {}.get)
    dev.prepare(dev.SITE_LIST)
    assert [command[1:3] for command in copy] == [["-m", "ensurepip"], ["-m", "pip"]]


def test_a_venv_whose_python_has_gone_is_made_anew(copy):
    dev.PYTHON.unlink()
    dev._make_venv()
    assert copy[0][:2] == ["uv", "venv"]
    assert not dev.VENV.exists()


# What is run


@pytest.fixture
def became(copy, monkeypatch):
    """The command and the environment that `run` ends in."""
    ended = []
    monkeypatch.setattr(dev, "_become", lambda *ending: ended.append(ending))
    for name in ("SITE_URL", "SITE_HOSTS"):
        monkeypatch.delenv(name, raising=False)
    return ended


def test_run_serves_this_machine_only(became):
    dev.run(["--port", "9000"])
    command, environment = became[0]
    assert command[1:] == ["manage.py", "serve", "--host", "127.0.0.1", "--port", "9000"]
    assert environment["SITE_URL"] == "http://127.0.0.1:9000"


def test_run_lan_serves_the_room(became, monkeypatch):
    monkeypatch.setattr(dev, "_addresses", lambda: ["192.168.7.5"])
    dev.run(["--lan"])
    command, environment = became[0]
    assert command[3:5] == ["--host", "0.0.0.0"]
    assert environment["SITE_URL"] == "http://192.168.7.5:8000"
    assert environment["SITE_HOSTS"] == "192.168.7.5:8000,127.0.0.1:8000,localhost:8000"


def test_run_keeps_the_address_that_was_set(became, monkeypatch):
    monkeypatch.setenv("SITE_URL", "https://gin.example.org")
    dev.run([])
    assert became[0][1]["SITE_URL"] == "https://gin.example.org"


def test_addresses_are_those_that_others_see():
    assert [address for address in dev._addresses() if address.startswith("127.")] == []


@pytest.fixture
def pytest_runs(copy, monkeypatch):
    """The pytest runs that `test` makes; each ends with the next of `codes`, else well."""
    runs, codes = [], []

    def run(*arguments):
        runs.append(arguments)
        return codes.pop(0) if codes else 0

    monkeypatch.setattr(dev, "_pytest", run)
    return runs, codes


def test_arguments_go_to_pytest_as_they_are(pytest_runs):
    dev.test(["-k", "knock", "-x"])
    assert pytest_runs[0] == [("-k", "knock", "-x")]


def test_browser_tests_run_last_and_by_themselves(pytest_runs):
    dev.test([])
    assert [run[-1] for run in pytest_runs[0]] == ["not browser", "browser"]


@pytest.mark.parametrize(
    ("codes", "expected"), [([0, 0], 0), ([1, 0], 1), ([0, 1], 1), ([0, 5], 0)]
)
def test_a_failure_in_either_run_is_a_failure(pytest_runs, codes, expected):
    pytest_runs[1].extend(codes)
    assert dev.test([]) == expected


def test_lint_names_what_failed(copy, monkeypatch, capsys):
    monkeypatch.setattr(dev, "_passes", lambda name, command: name != "mypy")
    assert dev.lint([]) == 1
    assert capsys.readouterr().out.endswith("failed: mypy\n")


def test_lint_looks_at_every_template(copy):
    templates = dev._checks([])["templates"][2:]
    found = {
        os.path.join(folder, name)
        for folder, _, files in os.walk(dev.ROOT / "templates")
        for name in files
    }
    assert set(templates) == {name for name in found if name.endswith(".html")}
