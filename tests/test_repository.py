"""The repository keeps its word: commands, links, lists, licence and container files."""

import doctest
import hashlib
import importlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands
from yamllint import linter
from yamllint.config import YamlLintConfig

import dev

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def command_lines(document: Path) -> list[str]:
    """The lines of a document's code blocks, without prompts and remarks."""
    blocks = re.findall(
        r"^```\w*\n(.*?)^```", document.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    lines = (line.partition(" #")[0].strip() for line in "".join(blocks).splitlines())
    return [line.removeprefix("$ ") for line in lines if line]


# Documents


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_of_a_document_resolve(document):
    text = document.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    here = [link.partition("#")[0] for link in links if not re.match(r"\w+:", link)]
    assert [link for link in here if link and not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_of_a_document_exist(document):
    text = document.read_text(encoding="utf-8")
    assert set(re.findall(r"python3 dev\.py (\w+)", text)) <= set(dev.COMMANDS)
    assert set(re.findall(r"manage\.py (\w+)", text)) <= set(get_commands())
    for line in command_lines(document):
        if line.startswith("python3 dev.py run"):
            dev.run_options(line.split()[3:])


def test_readme_names_the_two_commands():
    lines = command_lines(ROOT / "README.md")
    assert {"python3 dev.py run", "python3 dev.py run --lan", "python3 dev.py test"} <= set(lines)


def test_readme_example_of_the_rules_program():
    command, answer = re.findall(
        r"^\$ \S+ -m games\.rules <<< '(.*)'\n(.*)$", read("README.md"), re.MULTILINE
    )[0]
    program = [sys.executable, "-m", "games.rules"]
    run = subprocess.run(program, cwd=ROOT, input=command, capture_output=True, text=True)
    assert run.stdout.strip() == answer
    assert json.loads(answer)["deadwood"] == 17


def test_index_of_decisions_is_complete():
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", read("docs/decisions/README.md")))
    records = {path.name for path in ROOT.glob("docs/decisions/*.md")} - {"README.md"}
    assert linked == records


def test_index_of_documents_is_complete():
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", read("docs/README.md")))
    assert {path.name for path in ROOT.glob("docs/*.md")} - {"README.md"} == linked


def test_code_named_a_document_that_is_not_there():
    files = [
        path for app in ("accounts", "config", "games") for path in ROOT.glob(f"{app}/**/*.py")
    ]
    named = {
        name for path in files for name in re.findall(r"[\w./-]+\.md\b", path.read_text("utf-8"))
    }
    places = (ROOT, ROOT / "docs", ROOT / "docs/decisions")
    assert [name for name in named if not any((place / name).exists() for place in places)] == []


def test_every_setting_is_documented():
    settings = set(re.findall(r'env(?:\.\w+)?\(\s*"([A-Z_]+)"', read("config/settings.py")))
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", read("docs/operations.md"), re.MULTILINE))
    # This one is read by uvicorn itself.
    assert documented - {"FORWARDED_ALLOW_IPS"} == settings - {"DJANGO_SETTINGS_MODULE"}


def modules_with_examples() -> list[str]:
    files = [
        path for name in ("accounts", "config", "games") for path in ROOT.glob(f"{name}/**/*.py")
    ]
    shown = [path for path in files if ">>> " in path.read_text(encoding="utf-8")]
    return sorted(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in shown)


@pytest.mark.parametrize("name", modules_with_examples())
def test_docstring_examples_are_true(name):
    module = importlib.import_module(name)
    outcome = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert outcome.attempted
    assert not outcome.failed


# Dependencies


def names(requirements: list[str]) -> set[str]:
    return {re.match(r"[\w-]+", line)[0].lower() for line in requirements}


def test_every_dependency_has_its_reason():
    groups = PROJECT["dependency-groups"].values()
    wanted = names(
        [*PROJECT["project"]["dependencies"], *(line for group in groups for line in group)]
    )
    used = read("docs/decisions/dependencies.md").partition("## Looked at and left")[0]
    rows = "".join(re.findall(r"^\| (`[^|]+)\|", used, re.MULTILINE))
    assert set(re.findall(r"`([\w-]+)`", rows)) - {"binary", "pool", "standard", "bench"} == wanted


@pytest.mark.parametrize(
    "name", ["requirements.txt", "requirements-dev.txt", "requirements-bench.txt"]
)
def test_locked_list_is_hashed_and_complete(name):
    entries = re.split(r"\n(?=[a-z])", re.sub(r"^#.*\n", "", read(name), flags=re.MULTILINE))
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    wanted = names(PROJECT["project"]["dependencies"])
    if name != "requirements.txt":
        wanted |= names(PROJECT["dependency-groups"]["dev"])
    if name == "requirements-bench.txt":
        wanted |= {"open-spiel"}
    assert wanted <= names(entries)


# What must not be in the repository


def tracked() -> list[Path]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listing.returncode:
        pytest.skip("this copy is no git repository")
    return [ROOT / name for name in listing.stdout.split("\0") if (ROOT / name).is_file()]


def test_no_registry_and_no_path_of_a_machine_is_named():
    # Put together here, so that this file does not name them either.
    hosts = ["pypi" + ".org", "pythonhosted" + ".org", "npmjs" + ".org", "npmjs" + ".com"]
    hosts += ["deb.debian" + ".org", "/" + "opt/pypi"]
    paths = ["/" + "work/", "/" + "root/", ".pyenv/" + "versions/3", "/" + "home/"]
    forbidden = re.compile("|".join(map(re.escape, [*hosts, *paths])).encode())
    found = {
        str(path.relative_to(ROOT)): match[0].decode()
        for path in tracked()
        if (match := forbidden.search(path.read_bytes()))
    }
    assert found == {}


def test_no_secret_and_no_local_data_is_tracked():
    names_ = {str(path.relative_to(ROOT)) for path in tracked()}
    assert {
        name for name in names_ if name.startswith((".venv/", "var/")) or name == ".env"
    } == set()


def test_licence_is_the_whole_agpl():
    text = read("LICENSE")
    assert "Version 3, 19 November 2007" in text[:200]
    assert len(text) == 34523
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert digest == "0d96a4ff68ad6d4b6f1f30f713b18d5184912ba8dd389f86aa7710db079abcb0"
    assert PROJECT["project"]["license"] == "AGPL-3.0-or-later"


# Containers: no engine runs where the tests do, so the files are read instead


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load(read("docker-compose.yml"))


def test_compose_file_passes_the_linter():
    config = YamlLintConfig(file=str(ROOT / ".yamllint"))
    problems = linter.run(read("docker-compose.yml"), config)
    assert [str(problem) for problem in problems] == []


def test_compose_has_two_web_processes_behind_one_port(compose):
    services = compose["services"]
    web = [name for name, service in services.items() if name.startswith("web-")]
    assert len(web) == 2
    assert all(f"{name}:8000" in read("docker/Caddyfile") for name in web)
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert all(services[name]["environment"]["WEB_PROCESSES"] == "2" for name in web)


def test_compose_services_say_whether_they_are_well(compose):
    for name, service in compose["services"].items():
        assert service["healthcheck"].get("test") or name == "migrate"


def test_compose_starts_in_order(compose):
    services = compose["services"]
    assert services["migrate"]["depends_on"]["postgres"]["condition"] == "service_healthy"
    for name in ("web-1", "web-2"):
        needs = services[name]["depends_on"]
        assert needs["migrate"]["condition"] == "service_completed_successfully"
        assert needs["redis"]["condition"] == "service_healthy"


def test_compose_keeps_what_must_last(compose):
    volumes = compose["volumes"]
    mounted = {
        volume.partition(":")[0]
        for service in compose["services"].values()
        for volume in service.get("volumes", [])
        if not volume.startswith(".")
    }
    assert mounted == set(volumes)
    assert "postgres-data" in mounted


def test_compose_holds_no_secret():
    """Each secret comes from the environment, and its absence is named."""
    text = read("docker-compose.yml")
    values = re.findall(r"^\s*\w*(?:SECRET|PASSWORD)\w*: (.*)$", text, re.MULTILINE)
    assert values
    # Named where it is missing, or left out altogether.
    assert all(re.fullmatch(r"\$\{\w+:(\?[^}]+|-)\}", value) for value in values)
    assert "SECRET_KEY: ${SECRET_KEY:?" in text
    assert re.search(r"://gin:\$\{POSTGRES_PASSWORD:\?[^}]+\}@postgres", text)


def test_environment_example_names_every_variable_and_no_value():
    wanted = set(re.findall(r"\$\{(\w+)", read("docker-compose.yml")))
    lines = dict(re.findall(r"^(?:# )?([A-Z_]+)=(.*)$", read(".env.example"), re.MULTILINE))
    assert set(lines) == wanted
    assert {lines["SECRET_KEY"], lines["POSTGRES_PASSWORD"]} == {""}


# Of these each container has what it needs; the last goes by the command.
FIXED_IN_CONTAINERS = {"DATA_DIR", "DEBUG", "REDIS_PREFIX", "STATEMENT_TIMEOUT"}


def test_containers_were_not_passed_half_of_the_settings(compose):
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", read("docs/operations.md"), re.MULTILINE))
    for name in ("web-1", "web-2", "worker", "migrate"):
        passed = set(compose["services"][name]["environment"])
        assert passed == documented - FIXED_IN_CONTAINERS, name


def test_every_command_is_documented():
    found = {
        path.stem
        for path in ROOT.glob("games/**/management/commands/*.py")
        if path.stem != "__init__"
    }
    commands = read("docs/operations.md").partition("\n## Commands\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)", commands, re.MULTILINE)) >= found


def test_image_holds_what_the_site_needs_and_no_root():
    text = read("Dockerfile")
    assert text.index("USER gin") < text.index("CMD [")
    assert "--require-hashes" in text
    assert "HEALTHCHECK" in text
    copied = set(" ".join(re.findall(r"^COPY (.*) \S+$", text, re.MULTILINE)).split())
    allowed = set(re.findall(r"^!(.+)$", read(".dockerignore"), re.MULTILINE))
    assert copied == allowed
    for name in copied:
        assert (ROOT / name).exists()


def test_ci_script_can_be_read():
    subprocess.run(["bash", "-n", str(ROOT / ".ci/run")], check=True)
