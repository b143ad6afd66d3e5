"""Sitting down with a bot: the series is made, the bot accepts, the cards are dealt."""

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from accounts.guests import REPEATS_WITHIN, make_guest
from accounts.models import User
from games.house import PERSONAS, USUAL_BOT
from games.models import Seat, Series
from games.rules.options import Options
from games.services.series import accept_invitation, create_series


def bot_user(slug: str) -> User:
    """The user of a bot, made when it first sits down.

    Not by a migration: a database that was emptied, as in tests, has its bots again when they are
    wanted, and a bot that is new needs nothing else.
    """
    user, _ = User.objects.get_or_create(
        username=PERSONAS[slug].name,
        kind=User.Kind.BOT,
        defaults={"password": make_password(None)},
    )
    return user


@transaction.atomic
def play_bot(*, user: User, bot: str, options: Options, slug: str | None = None) -> Series:
    """A series of this user against a bot, its first round dealt.

    `slug` is an address set aside for it: asked for twice, the series is made once (fault 110).
    """
    series = create_series(user=user, options=options, slug=slug)
    if _is_another(series, bot):
        # A form from before, gone back to, that now asks for another bot.
        return play_bot(user=user, bot=bot, options=options)
    return accept_invitation(token=series.invitation.token, user=bot_user(bot), bot=bot)


def _is_another(series: Series, bot: str) -> bool:
    return Seat.objects.filter(series=series, number=1).exclude(bot=bot).exists()


def play_bot_as_guest(
    *, bot: str, options: Options, slug: str | None = None, preferences: str = ""
) -> tuple[User, Series]:
    """A new guest, and their series against a bot.

    Asked for twice within a moment for one address, it is one guest with one series (fault 110):
    a browser whose second press was sent before the first was answered must not lose its seat.
    """
    try:
        return _just_made(slug) or _new_guest(bot, options, slug, preferences)
    except IntegrityError:
        # Both at once, and the other has made the table, and with it the guest; or a form from
        # before, gone back to.
        return _just_made(slug) or _new_guest(bot, options, None, preferences)


@transaction.atomic
def _new_guest(
    bot: str, options: Options, slug: str | None, preferences: str
) -> tuple[User, Series]:
    guest = make_guest(preferences)
    return guest, play_bot(user=guest, bot=bot, options=options, slug=slug)


def _just_made(slug: str | None) -> tuple[User, Series] | None:
    found = Series.objects.select_related("created_by").filter(
        slug=slug or "",
        created_by__kind=User.Kind.GUEST,
        created_at__gt=Now() - REPEATS_WITHIN,
    )
    series = found.first()
    return None if series is None else (series.created_by, series)


def last_bot(user_id: int | None) -> str:
    """The bot that this user played last, the usual one for who has not."""
    if user_id is None:
        return USUAL_BOT
    theirs = Seat.objects.filter(series__seats__user=user_id, bot__in=PERSONAS)
    return theirs.order_by("-series").values_list("bot", flat=True).first() or USUAL_BOT
