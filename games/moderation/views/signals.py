"""What the site noticed by itself: the list, and what a moderator makes of one of them."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.ways import way_back
from games.moderation import roles
from games.moderation.access import signals_for
from games.moderation.errors import ModerationError, NotAllowed, NothingThere
from games.moderation.models import Signal
from games.moderation.rendering.signals import SignalsPage
from games.moderation.selectors.queue import PAGE
from games.moderation.selectors.signals import signal_pile
from games.moderation.services.signals import mark_as_seen, open_from_signal
from games.moderation.views.staff import for_staff, staff_of


@require_safe
@for_staff(roles.HANDLE)
def signal_list(request: HttpRequest) -> HttpResponse:
    """Those that nobody has looked at, or (`show=seen`) somebody has."""
    is_seen = request.GET.get("show") == "seen"
    rows = Paginator(signal_pile(staff_of(request), seen=is_seen), PAGE)
    page = SignalsPage(is_seen, rows.get_page(request.GET.get("page")), request.get_full_path())
    return render(request, "games/moderation/signals.html", {"page": page})


@require_POST
@for_staff(roles.HANDLE)
def open_case(request: HttpRequest, signal_id: int) -> HttpResponse:
    """Add a signal to the case of its person, and go there."""
    try:
        case = open_from_signal(signal_id, staff_of(request))
    except NothingThere:
        raise Http404 from None
    except NotAllowed:
        return render(request, "403.html", status=403)
    except ModerationError as refusal:
        messages.error(request, str(refusal.notice))
        return redirect(way_back(request) or "moderation_signals")
    messages.success(request, _("The signal is in the case."))
    return redirect("moderation_case", case.pk)


@require_POST
@for_staff(roles.HANDLE)
def seen(request: HttpRequest, signal_id: int) -> HttpResponse:
    """Take a signal off the list: there is nothing to be done about it."""
    moderator = staff_of(request)
    get_object_or_404(signals_for(moderator), pk=signal_id)
    mark_as_seen(Signal.objects.filter(pk=signal_id), moderator.pk)
    messages.success(request, _("It is off the list."))
    return redirect(way_back(request) or "moderation_signals")
