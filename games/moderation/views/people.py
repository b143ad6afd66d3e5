"""Finding somebody by name, and all that is known of them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.people import everybody_beginning
from games.moderation import roles
from games.moderation.access import cases_for, may_look_up
from games.moderation.errors import NotAllowed, NotYours
from games.moderation.rendering.people import PersonPage, SearchPage
from games.moderation.selectors.dossier import dossier_of
from games.moderation.views.staff import for_staff, staff_of


@require_safe
@for_staff(roles.HANDLE)
def search(request: HttpRequest) -> HttpResponse:
    """Whose names begin as is asked for (`q`)."""
    text = request.GET.get("q", "").strip()[:20]
    page = SearchPage(text, tuple(everybody_beginning(text)) if text else None)
    return render(request, "games/moderation/people.html", {"page": page})


@require_safe
@for_staff(roles.HANDLE)
def person(request: HttpRequest, person_id: int) -> HttpResponse:
    """Somebody, with everything on one page; nobody reads here what was said about themselves."""
    moderator = staff_of(request)
    found = get_object_or_404(User.objects.exclude(kind=User.Kind.BOT), pk=person_id)
    try:
        may_look_up(found, moderator)
    except NotYours:
        raise Http404 from None
    except NotAllowed:
        return render(request, "403.html", status=403)
    page = PersonPage(
        dossier=dossier_of(found, moderator),
        case=cases_for(moderator).filter(person=found, closed_at=None).first(),
        may_mend=moderator.has_perm(roles.MEND),
    )
    return render(request, "games/moderation/person.html", {"page": page})
