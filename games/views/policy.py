"""What holds here: privacy, terms, conduct, and how to reach who runs the site."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.conduct import RULES
from games.rendering.policy import PolicyPage
from games.selectors.policies import POLICIES, own_text

TITLES: Final = {
    "privacy": _("Privacy"),
    "terms": _("Terms"),
    "conduct": _("Conduct"),
    "contact": _("Contact"),
}
assert tuple(TITLES) == POLICIES, "every policy has a title"


@require_safe
def policy(request: HttpRequest, name: str) -> HttpResponse:
    """One of the four, for everybody to read."""
    page = PolicyPage(
        name=name,
        title=TITLES[name],
        blocks=own_text(name),
        rules=tuple(RULES.values()) if name == "conduct" else (),
        contact=settings.CONTACT_EMAIL,
    )
    return render(request, "games/policy.html", {"policy": page})
