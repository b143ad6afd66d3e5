"""How often somebody may ask others by name, and who is new less often: the exact terms."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.errors import (
    AskedTooOften,
    AsksTooMuch,
    TooManyInvitations,
    TooManyLines,
    TooManyLinesWhileNew,
    TooManyWhileNew,
)
from games.models import Invitation, Seat
from games.rules.options import Options
from games.selectors.newcomers import FIRST_SERIES, is_new
from games.services.chat_limits import NEW_LIMIT, Earlier, judge
from games.services.invitation_limits import TERMS, may_invite
from games.services.lobby import Company, set_table
from games.services.series import Terms, take_back
from tests.tables import new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


def aged(user: User, **age: float) -> User:
    User.objects.filter(pk=user.pk).update(date_joined=Now() - timedelta(**age))
    user.refresh_from_db()
    return user


def asked(user: User, times: int, *, one: bool = False) -> int:
    """How many of so many invitations go through: each to somebody else, or all to one."""
    friend = new_user()
    done = 0
    for _ in range(times):
        try:
            may_invite(user, friend.pk if one else new_user().pk)
        except AsksTooMuch:
            continue
        done += 1
    return done


@pytest.mark.parametrize(
    ("days", "to_one", "most"), [(30, False, 30), (30, True, 5), (0, False, 5), (0, True, 2)]
)
def test_the_terms(days: int, to_one: bool, most: int) -> None:
    user = aged(new_user(), days=days)
    assert asked(user, most + 3, one=to_one) == most


@pytest.mark.parametrize(
    ("age", "finished", "new"),
    [
        ({"minutes": 59}, FIRST_SERIES, True),
        ({"minutes": 61}, FIRST_SERIES, False),
        ({"days": 6}, FIRST_SERIES - 1, True),
        ({"days": 6}, FIRST_SERIES, False),
        ({"days": 8}, 0, False),
    ],
)
def test_who_is_new(age: dict[str, float], finished: int, new: bool) -> None:
    user = aged(new_user(), **age)
    for _ in range(finished):
        table = new_table()
        Seat.objects.filter(series=table.series, number=0).update(user=user, ended_at=Now())
    assert is_new(user) is new


def test_each_refusal_is_said_kindly() -> None:
    new, old, keen = new_user(), *(aged(new_user(), days=30) for _ in range(2))
    with pytest.raises(TooManyWhileNew):
        [may_invite(new, 1000 + number) for number in range(TERMS[True].a_day + 1)]
    with pytest.raises(TooManyInvitations):
        [may_invite(old, 1000 + number) for number in range(TERMS[False].a_day + 1)]
    with pytest.raises(AskedTooOften) as told:
        [may_invite(keen, 7) for _ in range(TERMS[False].a_pair + 1)]
    assert "Wait a day" in str(told.value.notice)


def test_taking_the_table_back_is_no_way_round() -> None:
    host, friend = new_user(), new_user()
    for _ in range(TERMS[True].a_pair):
        made = set_table(user=host, terms=Terms(Options()), company=Company(invited=friend.pk))
        take_back(made.pk)
    with pytest.raises(AskedTooOften):
        set_table(user=host, terms=Terms(Options()), company=Company(invited=friend.pk))
    assert not Invitation.objects.exists()


def test_a_link_is_always_free() -> None:
    host = new_user()
    for _ in range(TERMS[True].a_day + 2):
        take_back(set_table(user=host, terms=Terms(Options()), company=Company()).pk)


def test_the_page_says_so(client: Client) -> None:
    host, friend = new_user(), new_user()
    client.force_login(host)
    asked(host, TERMS[True].a_day)
    fields = {"preset": "hollywood", "company": "name", "invited": friend.username}
    answer = client.post(reverse("create_series"), fields)
    assert answer.status_code == 429
    assert "A new account asks a few people a day" in answer.content.decode()


class TestTheChat:
    def earlier(self, count: int) -> list[Earlier]:
        return [
            Earlier(chr(97 + number) * 3 + str(number), timedelta(seconds=60))
            for number in range(count)
        ]

    def test_m2_who_is_new_says_less(self) -> None:
        most = NEW_LIMIT[0]
        judge("well", self.earlier(most - 1), is_new=True)
        with pytest.raises(TooManyLinesWhileNew):
            judge("well", self.earlier(most), is_new=True)

    def test_m2_others_say_more(self) -> None:
        judge("well", self.earlier(29))
        with pytest.raises(TooManyLines):
            judge("well", self.earlier(30))
