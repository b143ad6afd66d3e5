"""What the operator says about privacy, terms, conduct and contact, if they say it themselves.

A text is a file of `settings.POLICY_DIR`: `privacy.txt`, or `privacy.sr.txt` for one language. It
is plain text: `# ` begins a heading, `- ` an item of a list, an empty line ends a paragraph.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final, Literal

from django.conf import settings
from django.utils.translation import get_language

POLICIES: Final = ("privacy", "terms", "conduct", "contact")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading or a paragraph of one line, or a list with one for each item."""

    kind: Literal["heading", "text", "list"]
    lines: tuple[str, ...]


def own_text(policy: str) -> tuple[Block, ...]:
    """The operator's text in the language of the page, or in none in particular; () without one."""
    assert policy in POLICIES, "the name of a file comes from no visitor"
    if not settings.POLICY_DIR:
        return ()
    language = get_language() or ""
    for part in (language, language.partition("-")[0], ""):
        path = Path(settings.POLICY_DIR) / ".".join(filter(None, (policy, part, "txt")))
        if path.is_file():
            return blocks_of(path.read_text(encoding="utf-8-sig", errors="replace"))
    return ()


def blocks_of(text: str) -> tuple[Block, ...]:
    """Read a text. Nothing in it is markup but how a line begins.

    >>> [(block.kind, block.lines) for block in blocks_of("# Who\\n\\nWe, the\\nclub.\\n- a\\n- b")]
    [('heading', ('Who',)), ('text', ('We, the club.',)), ('list', ('a', 'b'))]
    """
    return tuple(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    for kind, group in groupby(map(str.strip, text.splitlines()), _kind):
        lines = tuple(group)
        if kind == "heading":
            yield from (Block("heading", (line.lstrip("# "),)) for line in lines)
        elif kind == "list":
            yield Block("list", tuple(line[2:].strip() for line in lines))
        elif kind == "text":
            yield Block("text", (" ".join(lines),))


def _kind(line: str) -> str:
    if not line:
        return ""
    return "heading" if line.startswith("# ") else "list" if line.startswith("- ") else "text"
