"""What is refused in moderation, in words for the person who asked."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class ModerationError(Exception):
    """A refusal that the person is told; nothing has changed."""

    notice: str | Promise = ""


class NotReportable(ModerationError):
    notice = _("There is nobody here whom you could report.")


class TooManyReports(ModerationError):
    notice = _("That is a lot of reports in one hour. The moderators have them; wait a while.")


class NotYours(ModerationError):
    notice = _("You are part of this case, so somebody else handles it.")


class Taken(ModerationError):
    notice = _("Another moderator has this case.")


class NotClaimed(ModerationError):
    notice = _("Claim the case first.")


class IsClosed(ModerationError):
    notice = _("The case has been closed meanwhile.")


class Meanwhile(ModerationError):
    notice = _("Something was done in this case meanwhile, perhaps by you. This is how it stands.")


class NotAllowed(ModerationError):
    notice = _("That is for a senior moderator.")


class NoSuchRule(ModerationError):
    notice = _("Choose the rule of conduct that it is about.")


class NoText(ModerationError):
    notice = _("Write a few words; the person will read them.")


class NotInForce(ModerationError):
    notice = _("That has ended already.")


class HasAppealed(ModerationError):
    notice = _("You have appealed already; a moderator will answer.")


class NotByTheSame(ModerationError):
    notice = _("Another moderator than the one who imposed it answers an appeal.")


class StillPlayed(ModerationError):
    notice = _("The series is still being played; it is declared void once it is over.")


class DoneBefore(ModerationError):
    notice = _("That has been done already.")


class NothingThere(ModerationError):
    notice = _("There is nothing of that kind.")


class BadName(ModerationError):
    """A name that nobody may have; `notice` says why."""

    def __init__(self, notice: str) -> None:
        super().__init__(notice)
        self.notice = notice


UNKNOWN: Final = _("Something in that form could not be read.")
