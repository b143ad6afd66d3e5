from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.forms import PreferencesForm, ProfileForm
from accounts.guests import remembered_guest
from accounts.kept_preferences import keep_preferences
from accounts.models import Profile, User
from accounts.pages import AccountPage
from accounts.preferences import preferences_for
from accounts.ways import way_back

SAMPLE: Final = tuple(f"games/cards/{card}.svg" for card in ("QH", "QD", "QC", "QS", "9D", "9C"))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """The page of the preferences; saved, it leads back to where somebody came from."""
    way = way_back(request)
    if request.method != "POST":
        form = PreferencesForm.showing(preferences_for(request.user, request.COOKIES))
        return _page(request, form, way)
    form = PreferencesForm(request.POST)
    if not form.is_valid():
        return _page(request, form, way, status=422)
    response = redirect(way or "preferences")
    keep_preferences(request, response, form.preferences())
    if not way:
        messages.success(request, _("Your preferences are saved."))
    return response


def _page(request: HttpRequest, form: PreferencesForm, way: str, status: int = 200) -> HttpResponse:
    context = {"form": form, "way_back": way, "cards": SAMPLE}
    return render(request, "accounts/preferences.html", context, status=status)


@never_cache
@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """What one may do with one's account, each on its page."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    page = AccountPage.of(request.user, remembered_guest(request.session))
    return render(request, "accounts/account.html", {"page": page})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def profile_edit(request: HttpRequest) -> HttpResponse:
    """Change it; saved, it leads to the page itself."""
    assert isinstance(request.user, User), "login_required lets no one else in"
    own = Profile.objects.filter(user=request.user).first() or Profile(user=request.user)
    form = ProfileForm(request.POST or None, instance=own)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(request, "accounts/profile_edit.html", {"form": form}, status=status)
    form.save()
    messages.success(request, _("Your profile is saved."))
    return redirect(request.user)
