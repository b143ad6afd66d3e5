"""How often somebody may ask others by name to play: a day and a pair, and who is new less often.

The terms stand in `TERMS`. They are counted in the cache, since a table that is taken back
leaves no row, and would else be a way round.
"""

from dataclasses import dataclass
from typing import Final

from accounts.limits import may_again
from accounts.models import User
from accounts.relations import may_meet
from games.errors import AskedTooOften, NotForYou, TooManyInvitations, TooManyWhileNew
from games.selectors.newcomers import is_new

A_DAY: Final = 24 * 3600  # seconds


@dataclass(frozen=True, slots=True)
class Terms:
    """The most invitations by name within a day: to all, and to one person."""

    a_day: int
    a_pair: int


TERMS: Final = {False: Terms(a_day=30, a_pair=5), True: Terms(a_day=5, a_pair=2)}
"""By whether somebody is new."""


def may_invite(user: User, other_id: int) -> None:
    """Count an invitation to whom one may meet.

    Raises NotForYou, AskedTooOften, TooManyInvitations or TooManyWhileNew.
    """
    if not may_meet(user.pk, other_id):
        raise NotForYou
    new = is_new(user)
    terms = TERMS[new]
    if not may_again(f"asks.{user.pk}.{other_id}", times=terms.a_pair, seconds=A_DAY):
        raise AskedTooOften
    if not may_again(f"asks.{user.pk}", times=terms.a_day, seconds=A_DAY):
        raise TooManyWhileNew if new else TooManyInvitations
