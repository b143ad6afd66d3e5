"""Forms of preferences, profile and leaving."""

from dataclasses import asdict
from typing import TYPE_CHECKING, ClassVar, Final, Self

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Profile
from accounts.places import ZONES_BY_REGION
from accounts.preferences import Preferences
from accounts.subscriptions import Subscription
from accounts.texts import plain_text
from accounts.web_push import (
    NotAPushService,
    is_browser_key,
    is_browser_secret,
    service_of,
)
from accounts.zones import zone_words

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

type Words = "_StrOrPromise"


def _choice(label: Words, help_text: Words = "", /, **values: Words) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, help_text=help_text, choices=list(values.items()), widget=_radio()
    )


def _radio() -> forms.RadioSelect:
    return forms.RadioSelect(attrs={"class": "unseen"})


def _switch(label: Words, help_text: Words = "") -> forms.ChoiceField:
    off, on = pgettext_lazy("a switch", "Off"), pgettext_lazy("a switch", "On")
    return _choice(label, help_text, off=off, on=on)


class PreferencesForm(forms.Form):
    """All preferences at once, each a row of radio buttons."""

    theme = _choice(_("Colours"), system=_("As the device"), light=_("Light"), dark=_("Dark"))
    contrast = _choice(
        _("Contrast"),
        _("High: plain grounds, strong lines, nothing faint."),
        normal=_("Normal"),
        high=_("High"),
    )
    deck = _choice(
        _("Deck"),
        _("With four colours clubs are green and diamonds blue."),
        two=_("Two colours"),
        four=_("Four colours"),
    )
    cards = _choice(_("Cards"), normal=_("Normal"), large=_("Large"))
    sounds = _switch(_("Sounds"), _("Of the cards, and when it is your turn or time runs out."))
    motion = _choice(
        _("Movement"),
        _("Whether cards travel from place to place."),
        system=_("As the device"),
        off=_("None"),
    )
    keys = _switch(
        _("Keys of one letter"),
        _("D draws, X discards, and so on; turn them off if you press some by mistake."),
    )
    double_tap = _switch(
        _("Double tap discards"), _("Two taps on a card throw it; off, you press Discard.")
    )
    confirm_discards = _switch(
        _("Ask before a discard"), _("One more press before a card is thrown.")
    )
    guide = _choice(
        _("Guide"),
        _("A line at the table that says what to do next."),
        first=_("In the first round"),
        on=_("Always"),
        off=_("Never"),
    )
    history = _choice(
        _("Your series"),
        _("Who finds your finished series and statistics on your page."),
        all=_("Everybody"),
        me=_("Only you"),
    )
    chat = _choice(
        _("Chat"),
        _("Off, you neither see nor write anything at any table."),
        on=pgettext_lazy("a switch", "On"),
        off=pgettext_lazy("a switch", "Off"),
    )
    zone = forms.ChoiceField(
        label=_("Time zone"),
        help_text=_("Times and months of lists are those of this place."),
        widget=forms.Select(attrs={"aria-label": _("Time zone")}),
        choices=[
            ("browser", _("As the device")),
            ("UTC", "UTC"),
            *(
                (region, [(z, zone_words(z)) for z in zones])
                for region, zones in ZONES_BY_REGION.items()
            ),
        ],
    )

    @classmethod
    def showing(cls, preferences: Preferences) -> Self:
        """The form as somebody finds it who has these."""
        return cls(initial=asdict(preferences))

    def preferences(self) -> Preferences:
        """What was chosen; the form must be valid."""
        return Preferences(**self.cleaned_data)


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg] # generic in the stubs only
    """What somebody tells others about themselves."""

    class Meta:
        model = Profile
        fields = ("about", "country")
        widgets: ClassVar = {"about": forms.Textarea(attrs={"rows": 6, "dir": "auto"})}
        help_texts: ClassVar = {
            "about": _("At most 500 characters. Addresses of pages are shown as plain text.")
        }

    def clean_about(self) -> str:
        return plain_text(self.cleaned_data["about"])


class LeaveForm(forms.Form):
    """Which step somebody asks for; the one without a way back needs a word more."""

    DISABLE: Final = "disable"
    DELETE: Final = "delete"

    step = forms.ChoiceField(choices=[(DISABLE, DISABLE), (DELETE, DELETE)])
    sure = forms.BooleanField(label=_("Yes, delete it for good."), required=False)

    def clean(self) -> None:
        if self.cleaned_data.get("step") == self.DELETE and not self.cleaned_data.get("sure"):
            self.add_error("sure", _("Say that you are sure; nothing has been done yet."))


class TurnMailForm(forms.Form):
    """Whether somebody wants mail when something waits for them."""

    mail = forms.ChoiceField(choices=[("on", "on"), ("off", "off")])


class SubscriptionForm(forms.Form):
    """What a browser says of itself when its owner wants to be told there."""

    endpoint = forms.CharField(max_length=Subscription.LONGEST_ENDPOINT)
    browser_key = forms.CharField(max_length=100)
    browser_secret = forms.CharField(max_length=40)

    def clean_endpoint(self) -> str:
        endpoint: str = self.cleaned_data["endpoint"]
        try:
            service_of(endpoint)
        except NotAPushService as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return endpoint

    def clean_browser_key(self) -> str:
        key: str = self.cleaned_data["browser_key"]
        if not is_browser_key(key):
            raise forms.ValidationError("no key")
        return key

    def clean_browser_secret(self) -> str:
        secret: str = self.cleaned_data["browser_secret"]
        if not is_browser_secret(secret):
            raise forms.ValidationError("no secret")
        return secret
