"""The small forms of the table, one an action: what every one of them sends along.

A form goes over the socket (`ws-send`, `table.js`); without JavaScript it is a plain POST to the
table's address, and without a socket the script posts the same fields there. `data-action` and
`data-card` are a public contract (docs/architecture.md, One action's way).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.rendering.draft import Draft
from games.rendering.sorting import SORTS, Sort, sort_query
from games.rules.cards import Card

if TYPE_CHECKING:
    from games.selectors.table import Table


@dataclass(frozen=True, slots=True)
class Turn:
    """Where the forms of a region go, and the round and ply they are for.

    `sort` goes along with each, so that a page without JavaScript keeps it.
    """

    url: str
    round: int
    ply: int
    sort: Sort = SORTS[0]

    @classmethod
    def of(cls, table: "Table", draft: Draft) -> Self | None:
        """The turn of the round on the table, None before the first deal."""
        if table.play is None or table.play.round is None:
            return None
        return cls(table.url, table.play.number, table.play.round.ply, draft.sort)


class Forms:
    """Opening tags of forms with their hidden fields; the template adds button and closing tag.

    Each form's one-use key is the rendering's with the action added: no two actions share one.
    """

    def __init__(self, turn: Turn, key: str, csrf: str | None) -> None:
        self._turn, self._key, self._csrf = turn, key, csrf

    @cached_property
    def _common(self) -> str:
        turn, url = self._turn, escape(self._turn.url + sort_query(self._turn.sort))
        token = f'<input type="hidden" name="csrfmiddlewaretoken" value="{escape(self._csrf)}">'
        return (
            f' method="post" action="{url}" ws-send>'
            f'<input type="hidden" name="round" value="{turn.round}">'
            f'<input type="hidden" name="ply" value="{turn.ply}">'
            f"{token if self._csrf else ''}"
        )

    def action(self, name: str) -> SafeString:
        """Open the form of an action without a card; its id is `form-<action>`."""
        return mark_safe(  # noqa: S308 (every part is escaped)
            f'<form id="form-{name}" data-action="{name}"{self._common}'
            f'<input type="hidden" name="key" value="{escape(self._key)}.{name}">'
            f'<input type="hidden" name="action" value="{name}">'
        )

    def card_action(self, name: str, card: Card) -> SafeString:
        """Open the form of an action with a card."""
        return mark_safe(  # noqa: S308 (every part is escaped)
            f'<form data-action="{name}" data-card="{card}"{self._common}'
            f'<input type="hidden" name="key" value="{escape(self._key)}.{name}.{card}">'
            f'<input type="hidden" name="action" value="{name}">'
            f'<input type="hidden" name="card" value="{card}">'
        )

    def draft(self, name: str, lay: str, card: Card | None = None) -> SafeString:
        """Open a form that only changes the draft of a defence: a GET, nothing public."""
        url, sort = escape(self._turn.url), self._turn.sort
        which = f' data-card="{card}"' if card is not None else f' id="form-{name}"'
        sorting = f'<input type="hidden" name="sort" value="{sort}">'
        return mark_safe(  # noqa: S308 (every part is escaped)
            f'<form data-action="{name}"{which} method="get" action="{url}"'
            f' data-draft="{url}draft/">'
            f'<input type="hidden" name="lay" value="{escape(lay)}">'
            f"{sorting if sort_query(sort) else ''}"
        )
