"""What is stored: one file per noun."""

from games.models.announcement import Announcement
from games.models.chat_off import ChatOff
from games.models.deed import Deed
from games.models.error_day import ErrorDay
from games.models.invitation import Invitation
from games.models.listing import Listing
from games.models.message import Message
from games.models.notice import Notice, Push
from games.models.process import Process
from games.models.rating import Rating, RatingChange
from games.models.round import Round
from games.models.seat import Seat
from games.models.series import Series
from games.models.sheet_entry import SheetEntry
from games.models.tally import Tally

__all__ = [
    "Announcement",
    "ChatOff",
    "Deed",
    "ErrorDay",
    "Invitation",
    "Listing",
    "Message",
    "Notice",
    "Process",
    "Push",
    "Rating",
    "RatingChange",
    "Round",
    "Seat",
    "Series",
    "SheetEntry",
    "Tally",
]
