"""Following, blocking and keeping apart, from somebody's page or from the list of them all."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.people import person_named
from accounts.relations import Relation, relate, unrelate
from accounts.ways import way_back


@never_cache
@require_safe
@login_required
def relations(request: HttpRequest) -> HttpResponse:
    """Whom one follows, blocks or won't sit with; nobody else sees it."""
    here = Relation.objects.filter(other__is_active=True, other__disabled_at=None)
    rows = here.filter(user=request.user.pk).select_related("other")
    names: dict[str, list[str]] = {kind: [] for kind in Relation.Kind.values}
    for row in rows.order_by("other__username"):
        names[row.kind].append(row.other.username)
    return render(request, "accounts/relations.html", {"names": names})


@never_cache
@require_POST
@login_required
def change_relation(request: HttpRequest, name: str) -> HttpResponse:
    """Begin or end one: `kind`, and `on` unless it ends."""
    person = person_named(name)
    kind = request.POST.get("kind", "")
    if person is None or kind not in Relation.Kind.values:
        raise Http404
    if person.kind != User.Kind.PERSON or person.pk == request.user.pk:
        raise Http404
    assert request.user.pk is not None, "login_required lets no one else in"
    change = relate if request.POST.get("on") else unrelate
    change(request.user.pk, person.pk, Relation.Kind(kind))
    return redirect(way_back(request) or person)
