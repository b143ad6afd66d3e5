"""Checking a deal: the page that explains it, and the page that works it out in the browser."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import access
from games.errors import NotFound
from games.models import Round
from games.models.fold import deck_of
from games.rendering.deal_check import DealCheck


@require_safe
def fair_deal(request: HttpRequest) -> HttpResponse:
    """What the deal proves and what it can't, in plain words."""
    return render(request, "games/help/fair_deal.html")


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """The page with nothing filled in."""
    return render(request, "games/verify.html", {"check": DealCheck()})


@never_cache
@require_safe
def verify_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The page with the deal of a round that has ended."""
    check = DealCheck.of(_ended(request, slug, number))
    return render(request, "games/verify.html", {"check": check})


@never_cache
@require_safe
def verify_record(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The same as JSON, for docs/verify_deal.py and whatever else."""
    row = _ended(request, slug, number)
    response = JsonResponse(row.proof.record(deck_of(row)), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="deal-{slug}-{number}.json"'
    return response


def _ended(request: HttpRequest, slug: str, number: int) -> Round:
    try:
        row = access.round_to_replay(slug, number, request.user.pk)
    except NotFound:
        raise Http404 from None
    if not row.was_dealt_here:
        raise Http404
    return row
