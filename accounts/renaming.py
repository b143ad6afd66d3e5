"""Giving somebody another name; nobody gets the old one any more, nor one that looks like it."""

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import NameTaken, User
from accounts.turn_mail import confirmed_address


@transaction.atomic
def rename(user_id: int, name: str) -> None:
    """Give somebody this name, by the rules for all names, and tell them by mail if they have given
    an address. Raises ValidationError.
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
    transaction.on_commit(lambda: _mail_new_name(user_id, name))


def _mail_new_name(user_id: int, name: str) -> None:
    """Who is away could not log in any more: nothing else tells them by which name."""
    address = confirmed_address(user_id)
    if address:
        context = {"name": name, "standing": settings.SITE_URL + reverse("standing")}
        get_adapter().send_mail("account/email/renamed", address, context)
