"""Words that hurt, of a small list for each language: whole words only, disguised ones too.

A hit stops nothing: somebody looks at the line.
"""

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

FROM: Final = 1
"""From so many words in a line on it is a signal."""

_LISTS: Final = Path(__file__).parents[1] / "words"
_DISGUISES: Final = str.maketrans("013457@$!€", "oieastasie")
_WORD: Final = re.compile(r"[^\W_]+")
_SIGNS: Final = re.compile(r"[\w@$!€]+")
_RUN: Final = re.compile(r"(.)\1{2,}")
# A sign is a letter or stands between letters, never either: a row of _ could be read in more ways
# than anybody can wait for.
_SPELT: Final = re.compile(r"(?<!\S)(?:[^\W_][ .*_-]+){2,}[^\W_](?!\S)")


def hits(text: str) -> int:
    """How many words of the lists stand in a line.

    >>> hits("you f u c k i n g b1tch"), hits("Scunthorpe beats Essex"), hits("fuuuuck")
    (2, 0, 1)
    """
    return sum(any(form in words() for form in _forms(word)) for word in _words(text))


@cache
def words() -> frozenset[str]:
    """The words of all lists; a line of a file that begins with # is none."""
    texts = (file.read_text(encoding="utf-8") for file in _LISTS.glob("*.txt"))
    lines = (line.strip() for text in texts for line in text.split("\n"))
    return frozenset(line for line in lines if line and not line.startswith("#"))


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    joined = _SPELT.sub(lambda found: "".join(_WORD.findall(found.group())), folded)
    return _SIGNS.findall(joined)


def _forms(word: str) -> set[str]:
    """A word as it may be meant: signs for letters, and letters drawn out, once or twice."""
    plain = {word.strip("!"), word.translate(_DISGUISES)}
    plain |= {each.translate(_DISGUISES) for each in list(plain)}
    return {_RUN.sub(shorter, each) for each in plain for shorter in (r"\1", r"\1\1")}
