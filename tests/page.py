"""A page without a browser: what it shows by region, and the forms it offers.

It keeps the guard of the page's own script: a region older than what stands there is dropped.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape


@dataclass(frozen=True)
class Form:
    """A form of the table: its `data-action`, `data-card`, what a browser sends, and its words."""

    action: str
    card: str
    method: str
    fields: dict[str, str]
    words: str


@dataclass
class Element:
    """A region, the pulse, or a part of an answer."""

    id: str
    attributes: dict[str, str]
    html: str

    @property
    def text(self) -> str:
        """The words in it."""
        return _words(self.html)


_ELEMENT = re.compile(
    r"<section (?P<region>[^>]*)>.*?</section>"
    r'|<div (?P<other>id="(?:pulse|ack|notice)"[^>]*)>[^<]*</div>',
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


_FORM = re.compile(r"<form ([^>]*)>(.*?)</form>", re.DOTALL)
_FIELD = re.compile(r"<(?:input|button) ([^>]*)>")


def _attributes(tag: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(tag)}


def _words(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", " ", html)).strip()


def elements_of(html: str) -> dict[str, Element]:
    """The regions, the pulse and the answer in a fragment or a page; none of them is twice."""
    elements: dict[str, Element] = {}
    for found in _ELEMENT.finditer(html):
        attributes = _attributes(found["region"] or found["other"])
        assert attributes["id"] not in elements, f"{attributes['id']} is twice in {html}"
        elements[attributes["id"]] = Element(attributes["id"], attributes, found[0])
    return elements


@lru_cache(maxsize=2000)
def forms_of(html: str) -> tuple[Form, ...]:
    """Every form, in order."""
    return tuple(_form(attributes, inside) for attributes, inside in _FORM.findall(html))


def _form(tag: str, inside: str) -> Form:
    attributes = _attributes(tag)
    fields: dict[str, str] = {}
    for field_tag in _FIELD.findall(inside):
        each = _attributes(field_tag)
        is_choice = each.get("type") in ("radio", "checkbox")
        if "name" in each and (not is_choice or field_tag.endswith(" checked")):
            fields[each["name"]] = each.get("value", "")
    return Form(
        attributes.get("data-action", ""),
        attributes.get("data-card", ""),
        attributes.get("method", "get"),
        fields,
        _words(inside),
    )


@dataclass
class Page:
    """What a table page shows."""

    regions: dict[str, Element] = field(default_factory=dict)
    version: int = 0
    stamp: str = ""
    acks: dict[str, str] = field(default_factory=dict)
    notice: str = ""
    gaps: int = 0

    @classmethod
    def loaded(cls, html: str) -> "Page":
        """The page as a GET brings it."""
        page = cls()
        page._take(elements_of(html))
        return page

    def apply(self, text: str) -> bool:
        """Take fragments from the socket or a POST; False where they show a gap before them."""
        elements = elements_of(text)
        ack, notice = elements.get("ack"), elements.get("notice")
        if ack is not None:
            self.acks[ack.attributes["data-key"]] = ack.attributes["data-status"]
        if notice is not None:
            self.notice = notice.text
        pulse = elements.get("pulse")
        if pulse is not None and int(pulse.attributes["data-since"]) > self.version:
            self.gaps += 1
            return False
        self._take(elements)
        return True

    def _take(self, elements: dict[str, Element]) -> None:
        for name, element in elements.items():
            version = element.attributes.get("data-version")
            if name == "pulse":
                self.version = max(self.version, int(version or 0))
                self.stamp = element.attributes.get("data-stamp", "")
            elif version is not None:
                shown = self.regions.get(name)
                if shown is None or int(shown.attributes["data-version"]) <= int(version):
                    self.regions[name] = element

    @property
    def forms(self) -> list[Form]:
        """The forms that the page offers now."""
        return [form for region in self.regions.values() for form in forms_of(region.html)]

    def form(self, action: str, card: str = "") -> Form | None:
        """The form for an action, None where it is not offered."""
        return next(
            (form for form in self.forms if form.action == action and card in ("", form.card)), None
        )
