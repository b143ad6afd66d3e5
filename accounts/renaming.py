"""Giving somebody another name; nobody gets the old one any more, nor one that looks like it."""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import NameTaken, User


@transaction.atomic
def rename(user_id: int, name: str) -> None:
    """Give somebody this name, by the rules for all names. Raises ValidationError."""
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
