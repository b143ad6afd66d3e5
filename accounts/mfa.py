"""How django-allauth's second factors look here."""

from typing import Any

import qrcode
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.utils.translation import gettext
from qrcode.image.svg import SvgPathImage

from accounts.models import User

SITE_NAME = "Hollywood Gin"


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc] # the library has no types
    """Allauth's own; people are named by their name here, never by their e-mail address."""

    def get_totp_label(self, user: User) -> str:
        return user.username

    def build_totp_svg(self, url: str) -> str:
        """The square as markup for the page itself: our content policy lets in no data address."""
        image = qrcode.make(url, image_factory=SvgPathImage, border=2)
        svg: str = image.to_string(encoding="unicode")
        return svg

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        entity: dict[str, str] = super().get_public_key_credential_rp_entity()
        return {**entity, "name": SITE_NAME}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**entity, "name": user.username, "display_name": user.username}

    def generate_authenticator_name(self, user: User, type: Any) -> str:  # noqa: A002 (the library's)
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Passkey %(number)d") % {"number": number}
