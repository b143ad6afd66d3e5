"""How django-allauth's second factors look here."""

import logging
import secrets
from base64 import b32encode, urlsafe_b64encode
from typing import Any, Final

import qrcode
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from qrcode.image.svg import SvgPathImage

from accounts.models import User

logger = logging.getLogger(__name__)

SITE_NAME = "Hollywood Gin"
SEALED: Final = "sealed:"  # what is stored without it is from before, in clear


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc] # the library has no types
    """Allauth's own; people are named by their name here, never by their e-mail address."""

    def encrypt(self, text: str) -> str:
        """Seal the secret of an app, or of recovery codes, with the site's key.

        So that nobody makes codes of it who has the database only.
        """
        return SEALED + _seal().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """What was sealed; with another key of the site it is lost, and no code fits any more."""
        if not encrypted_text.startswith(SEALED):
            return encrypted_text
        try:
            return _seal().decrypt(encrypted_text.removeprefix(SEALED)).decode()
        except InvalidToken:
            logger.warning("a second factor was sealed with a key that the site does not have")
            return b32encode(secrets.token_bytes(20)).decode()

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


def _seal() -> MultiFernet:
    """Seals with the site's key, and opens also what its earlier keys have sealed."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    made = (salted_hmac("accounts.mfa", "", secret=key, algorithm="sha256") for key in keys)
    return MultiFernet([Fernet(urlsafe_b64encode(each.digest())) for each in made])
