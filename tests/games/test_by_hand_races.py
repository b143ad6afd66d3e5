"""Two devices at one sheet in the same moment; on PostgreSQL."""

from functools import partial

import pytest

from accounts.models import User
from games.models import Round, Series
from games.rules.by_hand import ByHand
from games.rules.options import PRESETS
from games.rules.scoring import Ending
from games.selectors.audit import differences
from games.services.by_hand import (
    HandTerms,
    end_by_hand,
    enter_round,
    start_by_hand,
    undo_round,
)
from games.services.outcome import Outcome, Status
from games.services.series import accept_invitation
from tests.games.test_races import at_once
from tests.long import long_or
from tests.tables import new_user, next_key

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TIMES = long_or(30, 4)
GIN = ByHand(Ending.GIN, 0, loser_deadwood=3)  # two of them end no game
LAST = ByHand(Ending.GIN, 1, loser_deadwood=80)


def kept() -> tuple[Series, list[User]]:
    users = [new_user(), new_user()]
    series = start_by_hand(user=users[0], terms=HandTerms(PRESETS["gin-rummy"]))
    accept_invitation(token=series.invitation.token, user=users[1])
    series.refresh_from_db()
    return series, users


def enters(series: Series, user: User, after: int, told: ByHand = GIN, key: str = "") -> Status:
    outcome: Outcome = enter_round(
        series_id=series.pk, user_id=user.pk, after=after, key=key or next_key(), told=told
    )
    return outcome.status


def undoes(series: Series, user: User, round_id: int) -> Status:
    return undo_round(series_id=series.pk, user_id=user.pk, round_id=round_id).status


def ends(series: Series, user: User, after: int) -> Status:
    return end_by_hand(series_id=series.pk, user_id=user.pk, after=after).status


def test_both_enter_the_same_round_at_once() -> None:
    for _ in range(TIMES):
        series, users = kept()
        found = at_once([partial(enters, series, user, 0) for user in users * 2])
        assert sorted(found) == [Status.DONE, *[Status.STALE] * 3]
        assert list(differences(series)) == []


def test_one_form_sent_again_and_again_is_entered_once() -> None:
    series, [user, _other] = kept()
    found = at_once([partial(enters, series, user, 0, GIN, "once-only")] * 6)
    assert sorted(found) == [Status.DONE, *[Status.REPEAT] * 5]
    assert series.rounds.count() == 1


def test_an_entry_and_an_undo_at_once() -> None:
    for _ in range(TIMES):
        series, [one, other] = kept()
        enters(series, one, 0)
        row = Round.objects.get(series=series)
        calls = [partial(enters, series, one, row.pk), partial(undoes, series, other, row.pk)]
        entered, undone = at_once(calls)
        assert {entered, undone} == {Status.DONE, Status.STALE}
        assert series.rounds.count() == (2 if entered is Status.DONE else 0)
        assert list(differences(series)) == []


def test_the_entry_that_ends_the_series_and_its_undo_twice() -> None:
    for _ in range(TIMES):
        series, users = kept()
        enters(series, users[0], 0, LAST)
        row = Round.objects.get(series=series)
        found = at_once([partial(undoes, series, user, row.pk) for user in users])
        assert sorted(found) == [Status.DONE, Status.REPEAT]
        series.refresh_from_db()
        assert series.status == Series.Status.PLAYING
        assert list(differences(series)) == []


def test_an_end_and_an_entry_at_once() -> None:
    for _ in range(TIMES):
        series, [one, other] = kept()
        enters(series, one, 0)
        after = Round.objects.get(series=series).pk
        calls = [partial(enters, series, one, after), partial(ends, series, other, after)]
        entered, ended = at_once(calls)
        assert (entered, ended) in {
            (Status.DONE, Status.STALE),
            (Status.OVER, Status.DONE),
        }
        series.refresh_from_db()
        assert list(differences(series)) == []
