"""Text that people write for others to read, made harmless without changing what it says.

Markup is the templates' business: they escape it. Here goes what acts on its surroundings without
any: signs that turn the direction of what follows, invisible ones, and towers of marks (S11).
"""

import re
import unicodedata
from typing import Final

MOST_MARKS: Final = 3  # on one letter; Vietnamese needs none once composed, other scripts a few
# Joiners make letters and pictures of several signs, and change nothing else.
_JOINERS: Final = "\u200c\u200d"


def plain_text(text: str) -> str:
    """The text without signs that can't be seen, with at most one empty line in a row.

    >>> plain_text("  nice\\u202e to\\n\\n\\n\\nmeet you\\x00 ")
    'nice to\\n\\nmeet you'
    """
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = "".join(sign for sign in text if _is_plain(sign))
    text = _lower_towers(text)
    text = re.sub(r"(?<![^\S\n])[^\S\n]+(?=\n)", "", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _is_plain(sign: str) -> bool:
    return sign in "\n" + _JOINERS or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co")


def _lower_towers(text: str) -> str:
    kept: list[str] = []
    height = 0
    for sign in text:
        height = height + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if height <= MOST_MARKS:
            kept.append(sign)
    return "".join(kept)
