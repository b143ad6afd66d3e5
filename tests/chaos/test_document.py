"""docs/reliability.md names tests: they exist."""

import re

import pytest

from tests.site import ROOT

DOCUMENT = (ROOT / "docs/reliability.md").read_text()
NAMED = re.findall(r"`(tests/[\w/]+\.py)`(?:\s*`(test_\w+)`)?", DOCUMENT)


@pytest.mark.parametrize(("path", "name"), sorted(set(NAMED)))
def test_what_the_document_names_is_there(path: str, name: str) -> None:
    text = (ROOT / path).read_text()
    assert f"def {name}" in text or not name


def test_every_file_of_this_folder_is_named() -> None:
    files = {f"tests/chaos/{file.name}" for file in (ROOT / "tests/chaos").glob("test_*.py")}
    assert files - {path for path, _ in NAMED} <= {"tests/chaos/test_document.py"}
