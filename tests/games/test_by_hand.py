"""A series that people play with real cards and enter round by round (issue 6)."""

import json
import re
import zipfile
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models.functions import Now
from django.test import Client

from accounts.absent import USERNAME, absent_user
from accounts.models import User
from accounts.people import person_named, person_to_invite
from games.models import Deed, RatingChange, Round, Seat, Series, SheetEntry, Tally
from games.rules.by_hand import ByHand
from games.rules.options import PRESETS, Options
from games.rules.scoring import Ending
from games.selectors.audit import differences
from games.selectors.export import archive_of
from games.selectors.history import Picks, history_page
from games.selectors.lobby import running_tables
from games.selectors.waiting import turns_waiting, what_waits
from games.services.by_hand import (
    GONE,
    HandTerms,
    end_by_hand,
    enter_round,
    forget_absent,
    start_by_hand,
    undo_round,
)
from games.services.invitation_limits import TERMS, may_invite
from games.services.leaving import close_account
from games.services.outcome import Outcome, Status
from games.services.series import accept_invitation
from tests.browser import browser, text
from tests.tables import new_table, new_user, next_key

pytestmark = pytest.mark.django_db

ONE_GAME = PRESETS["gin-rummy"]


def gin(winner: int, deadwood: int) -> ByHand:
    return ByHand(Ending.GIN, winner, loser_deadwood=deadwood)


def with_name(user: User, options: Options = ONE_GAME, name: str = "Aunt Jo") -> Series:
    return start_by_hand(user=user, terms=HandTerms(options, absent=name))


def of_two(one: User, other: User, options: Options = ONE_GAME) -> Series:
    terms = HandTerms(options, first_dealer=1, is_private=False, invited=other.pk)
    series = start_by_hand(user=one, terms=terms)
    accept_invitation(token=series.invitation.token, user=other)
    series.refresh_from_db()
    return series


def last_id(series: Series) -> int:
    ids = Round.objects.filter(series=series).order_by("-number").values_list("pk", flat=True)
    return ids.first() or 0


def enter(series: Series, user: User, told: ByHand, **guard: Any) -> Outcome:
    guard = {"after": last_id(series), "key": next_key()} | guard
    outcome = enter_round(series_id=series.pk, user_id=user.pk, told=told, **guard)
    series.refresh_from_db()
    return outcome


def undo(series: Series, user: User, round_id: int = 0) -> Outcome:
    round_id = round_id or last_id(series)
    outcome = undo_round(series_id=series.pk, user_id=user.pk, round_id=round_id)
    series.refresh_from_db()
    return outcome


def finished(user: User) -> Series:
    series = with_name(user)
    enter(series, user, gin(0, 40))
    enter(series, user, gin(0, 40))
    assert series.status == Series.Status.OVER
    return series


class TestEntering:
    def test_a_whole_series_stands_on_the_sheet_and_in_the_history(self) -> None:
        anna = new_user()
        series = with_name(anna)
        assert enter(series, anna, ByHand(Ending.KNOCK, 1, points=9)).status is Status.DONE
        enter(series, anna, ByHand(Ending.DRAWN))
        enter(series, anna, gin(0, 50))
        enter(series, anna, gin(0, 50))
        assert (series.status, series.ending, series.winner_side) == ("over", "played", 0)
        lines = SheetEntry.objects.filter(series=series).order_by("pk")
        assert list(lines.values_list("side", "points")) == [(1, 9), (0, 75), (0, 75)]
        assert list(differences(series)) == []
        [row] = history_page(anna.pk, Picks(), is_own=True).rows
        assert (row.opponent, row.has_profile, row.mine, row.theirs) == (
            "Aunt Jo",
            False,
            (150,),
            (9,),
        )

    def test_the_dealer_follows_the_rules(self) -> None:
        anna = new_user()
        series = start_by_hand(
            user=anna, terms=HandTerms(Options(), first_dealer=1, absent="Aunt Jo")
        )
        for winner in (0, 1, 1):
            enter(series, anna, gin(winner, 5))
        dealers = Round.objects.filter(series=series).order_by("number")
        assert list(dealers.values_list("dealer", flat=True)) == [1, 0, 1]
        assert list(differences(series)) == []

    def test_a_repeat_is_entered_once(self) -> None:
        anna = new_user()
        series = with_name(anna)
        guard = {"after": 0, "key": "the-same-key"}
        assert enter(series, anna, gin(0, 5), **guard).status is Status.DONE
        assert enter(series, anna, gin(0, 5), **guard).status is Status.REPEAT
        assert series.rounds.count() == 1

    def test_a_form_for_another_round_is_stale(self) -> None:
        anna, ben = new_user(), new_user()
        series = of_two(anna, ben)
        enter(series, anna, gin(0, 5))
        assert enter(series, ben, gin(1, 5), after=0).status is Status.STALE
        first = last_id(series)
        undo(series, anna)
        enter(series, anna, gin(0, 6))
        assert enter(series, ben, gin(1, 5), after=first).status is Status.STALE
        assert series.rounds.count() == 1

    def test_what_can_not_be_is_refused_and_changes_nothing(self) -> None:
        anna = new_user()
        series = with_name(anna)
        outcome = enter(series, anna, ByHand(Ending.GIN, 0, points=7))
        assert (outcome.status, series.rounds.count()) == (Status.ILLEGAL, 0)
        assert outcome.notice

    def test_only_its_players_enter_undo_and_end(self) -> None:
        anna, stranger = new_user(), new_user()
        series = with_name(anna)
        enter(series, anna, gin(0, 5))
        assert enter(series, stranger, gin(0, 5)).status is Status.NOT_SEATED
        assert undo(series, stranger).status is Status.NOT_SEATED
        ended = end_by_hand(series_id=series.pk, user_id=stranger.pk, after=last_id(series))
        assert ended.status is Status.NOT_SEATED

    def test_nothing_is_entered_before_the_other_sits_down_or_after_the_end(self) -> None:
        anna = new_user()
        waits = start_by_hand(user=anna, terms=HandTerms(ONE_GAME))
        assert enter(waits, anna, gin(0, 5)).status is Status.ILLEGAL
        over = finished(anna)
        assert enter(over, anna, gin(0, 5)).status is Status.OVER

    def test_fault_110_one_form_begins_one_series(self) -> None:
        anna = new_user()
        terms = HandTerms(ONE_GAME, absent="Aunt Jo")
        assert start_by_hand(user=anna, terms=terms, slug="set-aside") == start_by_hand(
            user=anna, terms=terms, slug="set-aside"
        )


class TestUndo:
    def test_only_the_last_entry_goes(self) -> None:
        anna = new_user()
        series = with_name(anna)
        enter(series, anna, gin(0, 5))
        first = last_id(series)
        enter(series, anna, gin(1, 6))
        assert undo(series, anna, first).status is Status.STALE
        second = last_id(series)
        assert undo(series, anna).status is Status.DONE
        assert undo(series, anna, second).status is Status.REPEAT
        assert list(series.entries.values_list("points", flat=True)) == [30]
        assert list(differences(series)) == []

    def test_the_entry_that_ended_the_series_goes_too(self) -> None:
        anna = new_user()
        series = finished(anna)
        assert undo(series, anna).status is Status.DONE
        assert (series.status, series.ended_at, series.ending) == ("playing", None, "")
        assert history_page(anna.pk, Picks(), is_own=True).rows == ()
        assert list(differences(series)) == []
        enter(series, anna, gin(1, 98))
        assert (series.status, series.winner_side) == ("over", 1)

    def test_an_end_of_long_ago_stands(self) -> None:
        anna = new_user()
        series = finished(anna)
        Series.objects.filter(pk=series.pk).update(ended_at=Now() - timedelta(days=2))
        assert undo(series, anna).status is Status.OVER
        assert series.rounds.count() == 2


class TestEnd:
    def test_it_ends_where_it_stands_without_a_winner(self) -> None:
        anna = new_user()
        series = with_name(anna)
        enter(series, anna, gin(0, 5))
        end_by_hand(series_id=series.pk, user_id=anna.pk, after=last_id(series))
        series.refresh_from_db()
        assert (series.status, series.ending, series.winner_side) == ("over", "agreed", None)
        assert list(differences(series)) == []

    def test_where_nothing_was_entered_nothing_is_kept(self) -> None:
        anna = new_user()
        series = with_name(anna)
        end_by_hand(series_id=series.pk, user_id=anna.pk, after=0)
        assert not Series.objects.filter(pk=series.pk).exists()

    def test_the_other_device_of_a_sheet_that_is_gone_hears_so_and_breaks_nothing(self) -> None:
        anna = new_user()
        series = with_name(anna)
        end_by_hand(series_id=series.pk, user_id=anna.pk, after=0)
        who = {"series_id": series.pk, "user_id": anna.pk}
        assert end_by_hand(**who, after=0).status is Status.OVER
        assert undo_round(**who, round_id=1).status is Status.OVER
        assert enter_round(**who, after=0, key="k", told=gin(0, 5)).status is Status.OVER


class TestApart:
    """Whatever is entered counts for nothing that is played here."""

    def test_no_rating_no_statistics_no_deeds(self) -> None:
        anna, ben = new_user(), new_user()
        series = of_two(anna, ben, PRESETS["hollywood"])
        while series.status != Series.Status.OVER:
            enter(series, anna, gin(0, 60))
        for table in (RatingChange, Tally, Deed):
            assert not table.objects.exists()

    def test_it_waits_for_nobody_and_stands_in_no_lobby(self) -> None:
        anna, ben = new_user(), new_user()
        series = of_two(anna, ben)
        enter(series, anna, gin(0, 5))
        assert running_tables() == []
        for user in (anna, ben):
            assert turns_waiting(user.pk) == []
            assert what_waits(user.pk) == []

    def test_no_round_of_it_is_replayed_or_checked(self) -> None:
        anna = new_user()
        series = with_name(anna)
        enter(series, anna, gin(0, 5))
        client = browser(anna)
        for path in ("rounds/1/", "rounds/1/0/", "rounds/1/0/picture.png", "draft/"):
            assert client.get(f"/series/{series.slug}/{path}").status_code == 404
        assert client.get(f"/verify/{series.slug}/1/").status_code == 404
        assert client.get(f"/series/{series.slug}/chat/").status_code == 404

    def test_the_table_is_no_door_to_it(self) -> None:
        anna = new_user()
        series = with_name(anna)
        enter(series, anna, gin(0, 5))
        fields = {"action": "next-round", "round": "1", "key": next_key()}
        answer = browser(anna).post(f"/series/{series.slug}/", fields)
        assert answer["Location"] == f"/series/{series.slug}/sheet/"
        assert series.rounds.count() == 1


class TestAbsent:
    def test_all_absent_players_share_one_user_who_is_nobody(self) -> None:
        anna = new_user()
        one, other = with_name(anna), with_name(anna, name="Ben")
        users = {seat.user for seat in Seat.objects.exclude(name="")}
        assert users == {absent_user()}
        assert [s.shown_name for s in Seat.objects.exclude(name="").order_by("pk")] == [
            "Aunt Jo",
            "Ben",
        ]
        assert one != other
        assert person_named(USERNAME) is None
        assert person_to_invite(USERNAME, asker=anna.pk) is None
        assert not absent_user().is_active
        assert not absent_user().has_profile

    def test_both_seats_of_a_series_may_be_absent(self) -> None:
        series = with_name(new_user())
        Seat.objects.create(series=series, user=absent_user(), name="Bo", number=2, side=0)


class TestLeaving:
    def test_who_leaves_ends_what_they_enter_without_a_loser(self) -> None:
        anna, ben = new_user(), new_user()
        series = of_two(anna, ben)
        enter(series, anna, gin(0, 5))
        empty = with_name(anna)
        close_account(anna.pk)
        series.refresh_from_db()
        assert (series.status, series.ending) == ("over", "agreed")
        assert not Series.objects.filter(pk=empty.pk).exists()
        assert list(differences(series)) == []

    def test_s13_the_names_that_somebody_wrote_go_with_them(self) -> None:
        anna = new_user()
        series = finished(anna)
        forget_absent(anna.pk)
        assert series.seats.get(number=1).shown_name == GONE
        assert list(differences(series)) == []

    def test_s13_the_archive_holds_the_rounds(self) -> None:
        anna = new_user()
        finished(anna)
        archive = zipfile.ZipFile(BytesIO(archive_of(anna)))
        [series] = json.loads(archive.read("series.json"))
        assert series["source"] == "entered"
        assert [each["name"] for each in series["players"]] == [anna.username, "Aunt Jo"]
        assert [each["points"] for each in series["rounds"]] == [65, 65]
        assert "record" not in series["rounds"][0]


def form_of(page: Any) -> dict[str, str]:
    hidden = r'<input type="hidden" name="(after|key|address)" value="([^"]*)"'
    return dict(re.findall(hidden, text(page)))


class TestPages:
    def begin(self, client: Client, **fields: str) -> str:
        address = form_of(client.get("/new/sheet/"))["address"]
        fields = {
            "company": "absent",
            "invited": "Aunt <b>Jo</b>",
            "first_dealer": "0",
            "is_private": "on",
            "preset": "gin-rummy",
            "address": address,
        } | fields
        answer = client.post("/new/sheet/", fields)
        assert answer.status_code == 302, text(answer)
        return str(answer["Location"])

    def enter(self, client: Client, path: str, **fields: str) -> Any:
        return client.post(path, form_of(client.get(path)) | fields)

    def test_a_series_by_forms_alone(self) -> None:
        client = browser(new_user())
        path = self.begin(client)
        page = text(client.get(path))
        assert "Aunt &lt;b&gt;Jo&lt;/b&gt;" in page
        assert "<b>Jo" not in page
        self.enter(client, path, winner="0", kind="gin", loser_deadwood="40")
        page = text(client.get(path))
        assert "Round 1: gin, 25 + 40 = 65." in page
        undone = re.search(r'name="round" value="(\d+)"', page)
        assert undone is not None
        client.post(f"{path}undo/", {"round": undone[1]})
        assert "gin, 25 + 40" not in text(client.get(path))
        for _ in range(2):
            self.enter(client, path, winner="1", kind="knock", points="97")
        page = text(client.get(path))
        assert 'data-action="enter-round"' not in page
        assert "has won the game" in page
        assert "Entered by hand" in text(client.get(f"{path}../rounds/".replace("sheet/../", "")))

    def test_m2_asking_by_name_is_counted_as_at_a_table(self) -> None:
        anna, bob = new_user(), new_user()
        for _ in range(TERMS[True].a_pair):
            may_invite(anna, bob.pk)
        client = browser(anna)
        fields = {"company": "name", "invited": bob.username, "preset": "gin-rummy"}
        answer = client.post("/new/sheet/", {"first_dealer": "0", **fields})
        assert answer.status_code == 429
        assert "Wait a day" in text(answer)
        assert not Series.objects.exists()

    def test_what_is_refused_stays_in_the_form(self) -> None:
        client = browser(new_user())
        path = self.begin(client)
        answer = self.enter(client, path, winner="1", kind="gin", points="7")
        assert answer.status_code == 422
        assert 'value="7"' in text(answer)
        assert self.enter(client, path, kind="gin", points="1e9").status_code == 422
        assert Round.objects.count() == 0

    def test_a_stale_form_is_told_and_nothing_is_lost(self) -> None:
        client = browser(new_user())
        path = self.begin(client)
        old = form_of(client.get(path))
        self.enter(client, path, winner="0", kind="gin", loser_deadwood="4")
        answer = client.post(path, old | {"winner": "1", "kind": "gin", "loser_deadwood": "33"})
        assert answer.status_code == 409
        assert 'value="33"' in text(answer)
        assert "What you typed is still here." in text(answer)
        again = form_of(answer) | {"winner": "1", "kind": "gin", "loser_deadwood": "33"}
        assert client.post(path, again).status_code == 302
        assert Round.objects.count() == 2

    def test_the_other_device_gets_the_pad_when_it_has_changed(self) -> None:
        client = browser(new_user())
        path = self.begin(client)
        found = re.search(r'hx-get="([^"]*)"', text(client.get(path)))
        assert found is not None
        poll = found[1].replace("&amp;", "&")
        assert client.get(poll).status_code == 204
        self.enter(client, path, winner="0", kind="gin", loser_deadwood="4")
        fragment = client.get(poll)
        assert "The sheet has changed meanwhile" in text(fragment)
        assert "HX-Refresh" not in fragment.headers
        self.enter(client, path, winner="0", kind="gin", loser_deadwood="90")
        assert client.get(poll)["HX-Refresh"] == "true"

    def test_two_with_accounts_keep_it_together(self) -> None:
        anna, ben = new_user("Anna"), new_user("Ben")
        path = self.begin(browser(anna), company="name", invited="ben")
        page = text(browser(anna).get(path))
        token = Series.objects.get().invitation.token
        assert token in page
        invitation = f"/invitation/{token}/"
        assert "keeps the score" in text(browser(ben).get(invitation))
        answer = browser(ben).post(invitation, follow=True)
        assert answer.redirect_chain[-1][0] == path
        assert self.enter(browser(ben), path, winner="1", kind="drawn").status_code == 302
        assert Round.objects.count() == 1
        assert Round.objects.get().second_key

    def test_marked_where_it_is_shown(self) -> None:
        anna = new_user("Anna")
        series = finished(anna)
        client = browser(anna)
        assert "entered by hand" in text(client.get("/@Anna/series/"))
        assert "Entered by hand" in text(client.get(f"/series/{series.slug}/rounds/"))
        pad = text(client.get(f"/series/{series.slug}/sheet/")).split("<table")[1]
        assert "href" not in pad.split("</table")[0]
        assert text(client.get(f"/series/{series.slug}/rules/"))
        home = text(client.get("/"))
        assert "Aunt Jo" in home
        assert "entered by hand" in home

    def test_private_by_default_and_else_for_all_to_see(self) -> None:
        anna, ben, stranger = new_user("Anna"), new_user("Ben"), new_user()
        private, shown = finished(anna), of_two(anna, ben)
        enter(shown, anna, gin(0, 5))
        for path in ("", "sheet/", "sheet/pad/", "rounds/", "rules/"):
            assert browser(stranger).get(f"/series/{private.slug}/{path}").status_code == 404
        assert "Aunt Jo" not in text(browser(stranger).get("/@Anna/series/"))
        page = text(browser(stranger).get(f"/series/{shown.slug}/sheet/"))
        assert 'data-action="enter-round"' not in page
        assert 'data-action="undo-round"' not in page


S9 = {
    # Of a private series: its player, a stranger, a visitor; and of one that all may see.
    ("GET", "sheet/"): (200, 404, 404, 200),
    ("POST", "sheet/"): (422, 404, 404, 422),
    ("GET", "sheet/pad/"): (200, 404, 404, 200),
    ("POST", "sheet/pad/"): (405, 405, 405, 405),
    ("GET", "sheet/undo/"): (405, 405, 405, 405),
    ("POST", "sheet/undo/"): (302, 404, 404, 403),
    ("GET", "sheet/end/"): (405, 405, 405, 405),
    ("POST", "sheet/end/"): (409, 404, 404, 403),
}


@pytest.mark.parametrize(("method", "path"), S9)
def test_s9_who_gets_what(method: str, path: str) -> None:
    anna, ben, stranger = new_user(), new_user(), new_user()
    private, shown = with_name(anna), of_two(anna, ben)
    for series in (private, shown):
        enter(series, anna, gin(0, 5))
    looks = [(private, anna), (private, stranger), (private, None), (shown, stranger)]
    found = tuple(
        getattr(browser(user), method.lower())(f"/series/{series.slug}/{path}").status_code
        for series, user in looks
    )
    assert found == S9[method, path]


def test_s9_a_series_that_is_played_has_no_such_sheet() -> None:
    table = new_table()
    client = browser(table.users[0])
    for path in ("sheet/", "sheet/pad/"):
        assert client.get(f"/series/{table.series.slug}/{path}").status_code == 404
    for path in ("sheet/undo/", "sheet/end/"):
        assert client.post(f"/series/{table.series.slug}/{path}").status_code == 404


def test_check_series_finds_what_is_wrong_with_an_entered_round() -> None:
    series = finished(new_user())
    call_command("check_series")
    Round.objects.filter(series=series, number=1).update(points=64)
    assert any("64 points" in each for each in differences(series))
    Round.objects.filter(series=series, number=1).update(points=65, log="1")
    assert any("entered by hand" in each for each in differences(series))
