from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from games.announcements import announcements_for
from games.moderation.selectors.letters import has_letters


def announcements(request: HttpRequest) -> dict[str, object]:
    """Give every page `announcements`, what the operator says to everybody."""
    return {"announcements": announcements_for(request.COOKIES)}


def letters(request: HttpRequest) -> dict[str, object]:
    """Give every page `letters`: a moderator has told somebody something that they have not read.

    Asked of the database where a page looks at it, and never for a visitor.
    """

    def find() -> bool:
        user = getattr(request, "user", None)
        return isinstance(user, User) and has_letters(user.pk)

    return {"letters": SimpleLazyObject(find)}
