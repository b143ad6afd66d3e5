"""Context of the pages that say what holds here: `policy`."""

from dataclasses import dataclass

from django.utils.functional import Promise

from games.conduct import Rule
from games.selectors.policies import Block


@dataclass(frozen=True, slots=True)
class PolicyPage:
    """`templates/games/policy.html`, as `policy`.

    `blocks` are the operator's own text; where there is none, the page has the usual one. `rules`
    are those of conduct, on that page alone. `contact` is the operator's address, or "".
    """

    name: str
    title: Promise
    blocks: tuple[Block, ...]
    rules: tuple[Rule, ...]
    contact: str

    @property
    def usual(self) -> str:
        """The template of the text that this program brings."""
        return f"games/policy/_{self.name}.html"
