"""Figures as people read them, in their language; a dash stands for a share or mean of nothing."""

from typing import Final

from django.utils.formats import number_format

NOTHING: Final = "–"


def count(number: int) -> str:
    """A whole number.

    >>> count(1234567)
    '1,234,567'
    """
    return str(number_format(number, force_grouping=True))


def decimal(value: float) -> str:
    """A number with one place.

    >>> decimal(0.25 + 0.71)
    '1.0'
    """
    return str(number_format(round(value, 1), decimal_pos=1))


def mean(total: int, number: int) -> str:
    """The mean of so many."""
    return decimal(total / number) if number else NOTHING


def percent(part: float, whole: float) -> str:
    r"""A share.

    >>> percent(1, 8), percent(0, 0)
    ('12.5\xa0%', '–')
    """
    return f"{decimal(100 * part / whole)}\N{NO-BREAK SPACE}%" if whole else NOTHING
