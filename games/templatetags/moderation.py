"""Filters of the pages of moderation: codes in words, and what a report carries with it."""

from collections.abc import Iterator
from typing import NamedTuple

from django import template
from django.utils.dateparse import parse_datetime

from games.conduct import RULES
from games.moderation.models import Report
from games.phrases import phrase_words

register = template.Library()


@register.filter
def rule_words(code: str) -> str:
    """A rule of conduct in a few words; the code of one that is not known."""
    return str(RULES[code].title) if code in RULES else code


@register.filter
def replay_of(report: Report) -> str:
    """Where a report's round is looked back on, "" where it tells none."""
    number = report.evidence.get("round")
    return f"{report.series.get_absolute_url()}rounds/{number}/" if report.series and number else ""


class Quoted(NamedTuple):
    """A line of the chat as it was when somebody reported it."""

    name: str
    is_theirs: bool
    words: str
    at: object


@register.filter
def quoted(report: Report) -> Iterator[Quoted]:
    """The lines of the chat that the site attached to a report."""
    for line in report.evidence.get("chat", ()):
        is_theirs = line["author"] == report.case.person_id
        name = report.case.person.shown_name if is_theirs else report.reporter.shown_name
        yield Quoted(name, is_theirs, phrase_words(line["text"]), parse_datetime(line["at"]))
