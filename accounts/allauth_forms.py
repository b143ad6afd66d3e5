"""Allauth's forms, where ours differ: an address counts for nothing until it is confirmed.

And in the words that people read.
"""

from typing import Any

from allauth.account.forms import AddEmailForm, ResetPasswordForm, SignupForm
from allauth.account.models import EmailAddress
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.forms import Form
from django.utils.translation import gettext_lazy as _

from accounts.models import User


def _name_the_address(form: Form, label: Any) -> None:
    form.fields["email"].label = label
    form.fields["email"].widget.attrs["placeholder"] = ""


class SignUpForm(SignupForm):  # type: ignore[misc] # the library has no types
    """Makes an account whether or not the address is another's too: the page never tells.

    With allauth's own, a name that stayed free after it was asked for would.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        optional = not self.fields["email"].required
        _name_the_address(self, _("E-mail address (optional)") if optional else _("E-mail address"))
        self.fields["email"].help_text = _(
            "For a new password, if you forget yours. Nobody else sees it."
        )

    def validate_unique_email(self, value: str) -> str:
        self.account_already_exists = False
        return value


class ForgottenPasswordForm(ResetPasswordForm):  # type: ignore[misc] # the library has no types
    """Sends a link to whose confirmed address it is; a mistyped one opens nobody's account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_the_address(self, _("E-mail address"))

    def clean_email(self) -> str:
        email: str = super().clean_email()
        confirmed = EmailAddress.objects.filter(email=email.lower(), verified=True)
        self.users = list(User.objects.filter(pk__in=confirmed.values("user"), is_active=True))
        return email


class AddressForm(AddEmailForm):  # type: ignore[misc] # the library has no types
    """Another address in place of the one that there is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_the_address(self, _("New e-mail address"))


class PasskeyForm(AddWebAuthnForm):  # type: ignore[misc] # the library has no types
    """A passkey: a second step, or all that a log in needs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].label = _("Log in with it alone")
        self.fields["passwordless"].help_text = _(
            "Without name and password; the device asks for your finger, your face or its PIN."
        )
