"""How django-allauth makes accounts here."""

import logging
from smtplib import SMTPException
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.devices import known_device, remember_device
from accounts.guests import remembered_guest
from accounts.limits import party_at
from accounts.models import NameTaken, User, glance_of
from accounts.names import glance
from accounts.traces import leave_traces

logger = logging.getLogger(__name__)

STAGE = "allauth.account.stages.EmailVerificationStage"


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc] # the library has no types
    """Allauth's own, with our words, names that nobody gets again, and devices that are known."""

    error_messages: dict[str, Any] = {  # noqa: RUF012 (allauth's own attribute)
        **DefaultAccountAdapter.error_messages,
        "username_taken": _("That name is taken."),
        "username_password_mismatch": _("That name and that password do not belong together."),
        "incorrect_password": _("That is not your password."),
        "enter_current_password": _("That is not your current password."),
        "too_many_login_attempts": _("Too many wrong tries. Wait some minutes, then try again."),
        "same_as_current": _("That is your address already."),
        "rate_limited": _("That was a little fast; wait a moment, then try again."),
    }

    # Names

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Refuse a name that is taken, or looks like one that is. Raises ValidationError."""
        name: str = super().clean_username(username, shallow)
        alike = User.objects.annotate(glance=glance_of("username")).filter(glance=glance(name))
        if not shallow and (alike.exists() or NameTaken.holds(name)):
            raise self.validation_error("username_taken")
        return name

    def new_user(self, request: HttpRequest) -> User:
        """Who signs up: a new row, or a guest's own, so that they keep their seats."""
        guest = getattr(request, "guest", None)
        found = guest and User.objects.filter(pk=guest.pk, kind=User.Kind.GUEST).first()
        return found or User()

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Save who signs up. Of several who take one name at once the database lets in one."""
        user.kind = User.Kind.PERSON
        try:
            with transaction.atomic():
                _still_a_guest(user)
                saved: User = super().save_user(request, user, form, commit)
                # Its owner may have gone while this waited for the row with that name.
                if NameTaken.holds(saved.username):
                    raise IntegrityError
                return saved
        except IntegrityError:
            messages.error(request, self.error_messages["username_taken"])
            raise ImmediateHttpResponse(redirect(request.get_full_path())) from None

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return True

    # Logging in

    def get_login_stages(self) -> list[str]:
        """Who has given no address is not asked to confirm it."""
        ours = f"{AddressStage.__module__}.{AddressStage.__qualname__}"
        return [ours if stage == STAGE else stage for stage in super().get_login_stages()]

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a try. From a device that its owner uses it is counted apart from all others.

        So nobody shuts somebody out by trying their name (promise S7).
        """
        name = str(credentials.get("username", ""))
        device = known_device(request, name)
        if device is None:
            super().pre_authenticate(request, **credentials)
            return
        self._login_failed_rl_usage = ratelimit.consume(
            request,
            app="allauth.account",
            action="login_failed_known",
            key=f"{device}:{name.lower()}",
        )
        if not self._login_failed_rl_usage:
            raise self.validation_error("too_many_login_attempts")

    def get_client_ip(self, request: HttpRequest) -> str:
        """Where somebody is, as far as they are counted by it; the rest changes every day."""
        return party_at(super().get_client_ip(request))

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **kwargs)
        if isinstance(response, HttpResponseRedirect) and remembered_guest(request.session):
            # They may take along what they played as a guest; from there it goes on.
            way = urlencode({"next": response.url})
            response = redirect(f"{reverse('take_along')}?{way}")
        device = remember_device(request, response, user)
        leave_traces(user.pk, request.META.get("REMOTE_ADDR", ""), device)
        return response

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """To the account it belongs to, or to where one logs in to it."""
        return reverse("account" if self.request.user.is_authenticated else "account_login")

    def is_safe_url(self, url: str | None) -> bool:
        """Whether a `next` leads to one of our pages; what can't be read as an address doesn't."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False

    # Mail

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send it; a mail server that is away is said in the log and on the page, and no error."""
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError) as error:
            logger.warning("the mail server took no mail: %s", type(error).__name__)
            self._say_that_no_mail_went()

    def _say_that_no_mail_went(self) -> None:
        if context.request is not None:
            words = _("Our mail server does not answer at the moment. Try again later.")
            messages.error(context.request, words)

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: Any, signup: bool
    ) -> None:
        """Send the link; to whom the address belongs already, that somebody else has given it."""
        address: EmailAddress = emailconfirmation.email_address
        if address.can_set_verified():
            super().send_confirmation_mail(request, emailconfirmation, signup)
        else:
            self.send_account_already_exists_mail(address.email)


def _still_a_guest(user: User) -> None:
    """Of two pages that make an account of one guest only one does; else raises IntegrityError.

    Nor does one of a guest who is just being erased, or taken along into another account.
    """
    guests = User.objects.select_for_update().filter(kind=User.Kind.GUEST, disabled_at=None)
    if user.pk is not None and not guests.filter(pk=user.pk).exists():
        raise IntegrityError("they have an account already")


class AddressStage(EmailVerificationStage):  # type: ignore[misc] # the library has no types
    """Asks for the confirmation of an address only where one was given."""

    def handle(self) -> tuple[HttpResponse | None, bool]:
        user = self.login.user
        if user is not None and not EmailAddress.objects.filter(user=user).exists():
            return None, True
        answer: tuple[HttpResponse | None, bool] = super().handle()
        return answer
