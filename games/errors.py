"""What a person may not do at a table, in words for them."""

import logging
from traceback import format_tb
from typing import Final

from django.db import InterfaceError, OperationalError
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.rules.errors import RulesError

_READ_ONLY: Final = "25006"  # PostgreSQL's code; Django calls it an InternalError

# A card that is none, one in the other hand and one in the stock are refused in the same words:
# the answer is no oracle about where a card lies (fault 62).
NOT_YOUR_CARD: Final = _("You don't hold that card. Choose one of yours.")


def refusal_notice(refusal: RulesError) -> str:
    """What the rules say against an action, in the person's language."""
    if refusal.code in ("bad_card", "not_in_hand"):
        return str(NOT_YOUR_CARD)
    return gettext(refusal.message)


def database_is_away(error: BaseException) -> bool:
    """Whether an error says that the database can't be reached, is busy, or takes no writes."""
    read_only = getattr(error.__cause__, "sqlstate", None) == _READ_ONLY
    return read_only or isinstance(error, OperationalError | InterfaceError)


def log_failure(logger: logging.Logger, what: str, error: BaseException) -> None:
    """Note what failed: a database that is away in one line, a fault of ours with its traceback.

    Never in the error's own words: they may quote a row, and that holds the secret of a deck.
    """
    name = type(error).__name__
    if database_is_away(error):
        logger.warning("%s: %s", what, name)
    else:
        where = "".join(format_tb(error.__traceback__))
        logger.error("%s: %s\nTraceback (most recent call last):\n%s", what, name, where)


class TableError(Exception):
    """A refusal that the person is told; nothing has changed. `status` is what HTTP calls it."""

    notice: str | Promise = ""
    status: int = 422


class NotFound(TableError):
    status = 404
    notice = _("There is no table at this address.")


class NotSeated(TableError):
    status = 403
    notice = _("You are watching this table; only its players can act.")


class SelfInvited(TableError):
    notice = _("This is your own invitation: send the link to the person you want to play.")


class NotForYou(TableError):
    # The same words whoever of the two keeps apart, and whoever was asked by name.
    notice = _("The seat at this table is not free for you.")


class NotOffered(TableError):
    status = 409
    notice = _("This table is not in the lobby any more.")


class HostAway(TableError):
    status = 409
    notice = _(
        "Whoever set this table is away just now, and the clock would run. Try again later, or "
        "take another table."
    )


class RatingOutOfRange(TableError):
    notice = _("This table is for players of another rating.")


class TooManyWaiting(TableError):
    status = 429
    notice = _("You have too many tables waiting already. Take one of them back first.")


class TooManyImports(TableError):
    status = 429
    notice = _(
        "That would be too many: you may import 50 series a day, and keep 200. Delete some of them."
    )


class AsksTooMuch(TableError):
    """Who has invited as many by name as one may; the three below say why."""

    status = 429


class AskedTooOften(AsksTooMuch):
    notice = _("You have invited them several times today. Wait a day before you ask again.")


class TooManyInvitations(AsksTooMuch):
    notice = _(
        "You have asked a great many people today. Go on tomorrow, or meet who is in the lobby."
    )


class TooManyWhileNew(AsksTooMuch):
    notice = _(
        "A new account asks a few people a day. Play some series, with whom you like in the "
        "lobby, and you may ask more."
    )


class MustWait(TableError):
    """Who has left series again and again; told until when (games.leavers)."""

    status = 429

    def __init__(self, notice: str) -> None:
        super().__init__(notice)
        self.notice = notice


class HeldBack(TableError):
    """Who is under a sanction that forbids it; the page about it says why and how long."""

    status = 403
    notice = _(
        "You can't do this at present: “Your standing” in your account says why, and how long."
    )


class HostHeldBack(TableError):
    status = 409
    notice = _("Whoever set this table can't begin a series just now.")


class HasBegun(TableError):
    status = 409
    notice = _("Somebody has just sat down: the series has begun.")


class SeatTaken(TableError):
    status = 409
    notice = _("Somebody else has taken the seat already. You can watch the table.")


class NoChat(TableError):
    status = 403
    notice = _("You have no part in a chat at this table.")


class ChatMuted(TableError):
    """A sanction: what this person says reaches nobody (promise M2)."""

    status = 403
    notice = _("You may not write in the chat at present. Nobody has seen that line.")


class PhrasesOnly(TableError):
    status = 403
    notice = _("Guests talk by the quick phrases. Register to write words of your own.")


class EmptyLine(TableError):
    notice = _("There is nothing in that line.")


class LineTooLong(TableError):
    notice = _("That line is too long. Two short ones will do.")


class TooManyLines(TableError):
    status = 429
    notice = _("That was a lot at once. Wait a moment before the next line.")


class TooManyLinesWhileNew(TooManyLines):
    notice = _(
        "That was a lot for a new account. Wait some minutes; it is so in the first days only."
    )


class SaidBefore(TableError):
    status = 429
    notice = _("You have said that three times already. Once more would be too often.")
