"""How much somebody may say, wherever they say it (promises S6 and M2; fault 77)."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from difflib import SequenceMatcher
from typing import Final

from games.errors import SaidBefore, TooManyLines, TooManyLinesWhileNew

LIMITS: Final = ((5, timedelta(seconds=10)), (30, timedelta(minutes=5)))
"""So many lines within such a time, and not one more."""
NEW_LIMIT: Final = (15, timedelta(minutes=5))
"""The same for who is new here, beside the others."""
REMEMBERED: Final = timedelta(minutes=5)
MOST_ALIKE: Final = 3
ALIKE: Final = 0.85  # of their letters, in order


@dataclass(frozen=True, slots=True)
class Earlier:
    """What somebody said before, and how long ago that was."""

    said: str
    ago: timedelta


def judge(said: str, earlier: Sequence[Earlier], *, is_new: bool = False) -> None:
    """Whether one more line may follow these. Raises TooManyLines or SaidBefore."""
    for count, within in LIMITS:
        if _within(earlier, within) >= count:
            raise TooManyLines
    if is_new and _within(earlier, NEW_LIMIT[1]) >= NEW_LIMIT[0]:
        raise TooManyLinesWhileNew
    alike = [each for each in earlier if each.ago < REMEMBERED and are_alike(each.said, said)]
    if len(alike) >= MOST_ALIKE:
        raise SaidBefore


def _within(earlier: Sequence[Earlier], time: timedelta) -> int:
    return sum(each.ago < time for each in earlier)


def are_alike(one: str, other: str) -> bool:
    """Whether two lines say the same, give or take some letters, signs and capitals.

    >>> are_alike("You are sooo slow!!", "you are so slow")
    True
    """
    one, other = gist(one), gist(other)
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return one == other or (matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE)


def gist(text: str) -> str:
    """The letters of a text, each once in a row; of a text without any, its signs."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(sign for sign in folded if sign.isalnum()) or "".join(folded.split())
    return "".join(
        sign for place, sign in enumerate(letters) if place == 0 or letters[place - 1] != sign
    )
