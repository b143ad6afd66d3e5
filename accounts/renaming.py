"""Giving somebody another name; nobody gets the old one any more, nor one that looks like it."""

import logging
from smtplib import SMTPException
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import NameTaken, User
from accounts.turn_mail import confirmed_address

logger = logging.getLogger(__name__)


@transaction.atomic
def rename(user_id: int, name: str) -> None:
    """Give somebody this name, by the rules for all names; who has confirmed an address is told.

    Raises ValidationError.
    """
    user = User.objects.select_for_update().get(pk=user_id)
    before, user.username = user.username, name
    others = {field.name for field in User._meta.get_fields()} - {"username"}
    user.full_clean(exclude=others)
    NameTaken.keep(before)
    try:
        with transaction.atomic():
            user.save(update_fields=["username"])
    except IntegrityError:
        raise ValidationError(_("That name is taken.")) from None
    transaction.on_commit(lambda: _mail_name(user_id, name))


def _mail_name(user_id: int, name: str) -> None:
    """Who is away could not log in any more: nothing else tells them by which name."""
    address = confirmed_address(user_id)
    if not address:
        return
    context = {
        "name": name,
        "standing": settings.SITE_URL + reverse("standing"),
        "current_site": {"domain": urlsplit(settings.SITE_URL).netloc},
    }
    subject = render_to_string("account/email/renamed_subject.txt", context).strip()
    body = render_to_string("account/email/renamed_message.txt", context)
    try:
        EmailMessage(subject, body, to=[address]).send()
    except (OSError, SMTPException) as error:
        logger.warning("a mail was not sent: %s", type(error).__name__)
