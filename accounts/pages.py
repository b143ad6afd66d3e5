"""What the pages of an account show: all that their templates are given."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from allauth.mfa.models import Authenticator

from accounts.models import Profile, User
from accounts.subscriptions import Subscription
from accounts.turn_mail import confirmed_address, wants_mail
from accounts.web_push import public_key


@dataclass(frozen=True, slots=True)
class AccountPage:
    """The overview; `address` is "" while none is confirmed.

    `guest`: as whom they played before they logged in; "" if as nobody.
    """

    address: str
    has_second_step: bool
    guest: str = ""

    @classmethod
    def of(cls, user: User, guest: User | None = None) -> Self:
        return cls(
            address=confirmed_address(user.pk),
            has_second_step=Authenticator.objects.filter(user=user).exists(),
            guest=guest.username if guest else "",
        )


@dataclass(frozen=True, slots=True)
class NoticesPage:
    """How somebody is told that something waits; `address` is "" while none is confirmed.

    `browsers` are those that they are told in, `push_key` is what a new one asks for.
    """

    address: str
    mail_is_on: bool
    browsers: tuple[Subscription, ...]
    push_key: str

    @classmethod
    def of(cls, user: User) -> Self:
        return cls(
            address=confirmed_address(user.pk),
            mail_is_on=wants_mail(user.pk),
            browsers=tuple(Subscription.objects.filter(user=user).order_by("-pk")),
            push_key=public_key(),
        )


@dataclass(frozen=True, slots=True)
class ProfilePage:
    """Somebody's page, as everybody sees it; `country` is its name, or ""."""

    name: str
    since: datetime
    about: str
    country: str
    is_bot: bool
    is_own: bool

    @classmethod
    def of(cls, person: User, *, viewer: int | None) -> Self:
        told = getattr(person, "profile", None) or Profile(user=person)
        return cls(
            name=person.username,
            since=person.date_joined,
            about=told.about,
            country=str(told.get_country_display()),
            is_bot=person.kind == User.Kind.BOT,
            is_own=person.pk == viewer,
        )
