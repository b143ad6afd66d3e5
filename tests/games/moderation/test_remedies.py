"""What moderators mend: series, ratings, names, texts; each with its row in the trail (S12)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import NameTaken, Profile, Sanction, User
from accounts.sanctions import free_of, impose
from games.models import Message, Rating, RatingChange, Seat, Series
from games.moderation import roles
from games.moderation.errors import (
    BadName,
    DoneBefore,
    ModerationError,
    NoSuchRule,
    NotAllowed,
    NothingThere,
    NotInForce,
    NotYours,
    StillPlayed,
)
from games.moderation.models import AuditRow, Letter, Note
from games.moderation.services.sanctions import lift_sanction
from games.rules.by_hand import ByHand
from games.rules.options import PRESETS, Options
from games.rules.scoring import Ending
from games.selectors.audit import differences, tally_differences
from games.selectors.history import Picks, history_page
from games.services import remedies
from games.services.by_hand import HandTerms, end_by_hand, enter_round, start_by_hand
from games.services.chat import say
from games.services.giving_back import refold
from games.services.request import Wish
from games.services.series import accept_invitation, create_series
from tests.accounts.people import new_person
from tests.browser import browser
from tests.games.moderation.test_pages import told
from tests.staff import new_boss, new_moderator
from tests.tables import Played, new_table, new_user, next_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]


@pytest.fixture
def senior() -> User:
    return new_moderator(role=roles.SENIOR)


def resigned(loser: User, winner: User) -> Series:
    """A rated series that is over."""
    series = create_series(user=loser, options=Options())
    Series.objects.filter(pk=series.pk).update(rated=True)
    accept_invitation(token=series.invitation.token, user=winner)
    table = Played(Series.objects.get(pk=series.pk), (loser, winner))
    table.wish(Wish.RESIGN, loser)
    return Series.objects.get(pk=series.pk)


def rating(user: User) -> float:
    return float(Rating.objects.get(user=user).value)


def rows(action: str) -> int:
    return AuditRow.objects.filter(action=action, rule="collusion").count()


class TestVoid:
    def test_its_ratings_are_given_back_and_the_sheet_stays(self, senior: User) -> None:
        one, other = new_user(), new_user()
        series = resigned(one, other)
        assert rating(one) < 1500 < rating(other)
        remedies.void_series(series_id=series.pk, moderator=senior, rule="collusion")
        assert (rating(one), rating(other)) == (1500, 1500)
        assert set(Rating.objects.values_list("series_count", flat=True)) == {0}
        assert not Seat.objects.filter(series=series, is_rated=True).exists()
        series.refresh_from_db()
        assert series.winner_side == 1
        assert rows("series.void") == 1
        page = Client().get(reverse("series_rounds", args=[series.slug])).content.decode()
        assert "declared this series void" in page
        [past] = history_page(one.pk, Picks(), None, is_own=True).rows
        assert past.rating_change is None

    def test_what_is_stored_agrees_with_itself_afterwards(self, senior: User) -> None:
        one, other = new_user(), new_user()
        all_series = [resigned(one, other), resigned(other, one), resigned(one, other)]
        remedies.void_series(series_id=all_series[1].pk, moderator=senior, rule="collusion")
        assert list(tally_differences()) == []
        for series in all_series:
            series.refresh_from_db()
            assert list(differences(series)) == []

    def test_only_what_was_rated_later_keeps_its_weight(self, senior: User) -> None:
        one, other, third = new_user(), new_user(), new_user()
        first = resigned(one, other)
        resigned(one, third)
        remedies.void_series(series_id=first.pk, moderator=senior, rule="collusion")
        alone = new_user()
        resigned(alone, new_user())
        assert rating(one) == pytest.approx(rating(alone), abs=0.5)

    def test_who_is_but_a_name_is_written_no_letter(self, senior: User) -> None:
        """The user of all absent players got one."""
        anna = new_user()
        terms = HandTerms(PRESETS["gin-rummy"], absent="Aunt Jo")
        series = start_by_hand(user=anna, terms=terms)
        told = ByHand(Ending.GIN, 0, loser_deadwood=40)
        enter_round(series_id=series.pk, user_id=anna.pk, after=0, key="k", told=told)
        after = series.rounds.get().pk
        end_by_hand(series_id=series.pk, user_id=anna.pk, after=after)
        page = browser(senior).get(reverse("moderation_void", args=[series.slug])).content.decode()
        assert f"{anna.username} – Aunt Jo" in page
        remedies.void_series(series.pk, senior, rule="collusion")
        assert set(Letter.objects.values_list("user", flat=True)) == {anna.pk}

    def test_once_and_only_when_it_is_over(self, senior: User) -> None:
        running = new_table()
        with pytest.raises(StillPlayed):
            remedies.void_series(series_id=running.series.pk, moderator=senior, rule="collusion")
        series = resigned(new_user(), new_user())
        remedies.void_series(series_id=series.pk, moderator=senior, rule="collusion")
        with pytest.raises(DoneBefore):
            remedies.void_series(series_id=series.pk, moderator=senior, rule="collusion")
        assert rows("series.void") == 1


def test_a_rating_is_the_fold_of_its_changes() -> None:
    one, other = new_user(), new_user()
    for _ in range(2):
        resigned(one, other)
        resigned(other, one)
    before = list(Rating.objects.order_by("pk").values("value", "deviation", "series_count"))
    for row in Rating.objects.all():
        refold(row.user_id, row.format)
    after = list(Rating.objects.order_by("pk").values("value", "deviation", "series_count"))
    for old, new in zip(before, after, strict=True):
        assert new == pytest.approx(old)


class TestRefund:
    def test_who_lost_to_them_gets_it_back(self, senior: User) -> None:
        cheat, victim, lucky = new_user(), new_user(), new_user()
        resigned(victim, cheat)
        resigned(cheat, lucky)
        had = rating(cheat), rating(lucky)
        remedies.refund_ratings(person_id=cheat.pk, moderator=senior, rule="collusion", days=30)
        assert AuditRow.objects.get(action="rating.refund").facts == {"days": 30, "losses": 1}
        assert rating(victim) == 1500
        assert (rating(cheat), rating(lucky)) == had
        assert rows("rating.refund") == 1

    def test_twice_gives_back_once(self, senior: User) -> None:
        cheat = new_user()
        resigned(new_user(), cheat)
        asked: dict[str, Any] = {"person_id": cheat.pk, "moderator": senior, "rule": "collusion"}
        remedies.refund_ratings(**asked, days=30)
        with pytest.raises(NothingThere):
            remedies.refund_ratings(**asked, days=30)
        assert RatingChange.objects.filter(given_back_at__isnull=False).count() == 1

    def test_s12_not_to_the_moderator_themselves(self, senior: User) -> None:
        cheat = new_user()
        resigned(senior, cheat)
        with pytest.raises(NothingThere):
            remedies.refund_ratings(person_id=cheat.pk, moderator=senior, rule="collusion", days=30)


class TestRename:
    def test_nobody_gets_the_old_name_any_more(self, senior: User) -> None:
        person = new_person("Rude-name")
        remedies.rename_person(
            person_id=person.pk, moderator=senior, rule="collusion", name="Renamed"
        )
        person.refresh_from_db()
        assert person.username == "Renamed"
        assert NameTaken.holds("rude-name")
        assert rows("person.rename") == 1
        assert "Rude" not in str(list(AuditRow.objects.values()))

    @pytest.mark.parametrize("name", ["admin", "x y", "Taken", "tAken", "Gone", ""])
    def test_s8_by_the_rules_for_all_names(self, senior: User, name: str) -> None:
        person = new_person("Rude-name")
        new_person("Taken")
        NameTaken.keep("Gone")
        with pytest.raises(BadName):
            remedies.rename_person(
                person_id=person.pk, moderator=senior, rule="collusion", name=name
            )
        assert not rows("person.rename")
        assert not NameTaken.holds("Rude-name")


class TestTexts:
    def test_a_line_is_gone_from_the_page_and_kept(self, senior: User) -> None:
        table = new_table()
        author = table.users[0]
        line = say(series=table.series, user_id=author.pk, key="k", text="You fool.").message
        _series, _version, talk = remedies.remove_line(
            line_id=line.pk, moderator=senior, rule="collusion"
        )
        table.series.refresh_from_db()
        assert talk == table.series.talk
        reader = Client()
        reader.force_login(table.users[1])
        page = reader.get(reverse("series_chat", args=[table.series.slug]))
        assert "fool" not in page.content.decode()
        assert Message.objects.get(pk=line.pk).text == "You fool."
        with pytest.raises(DoneBefore):
            remedies.remove_line(line_id=line.pk, moderator=senior, rule="collusion")
        assert rows("line.remove") == 1

    def test_a_profile_is_emptied_and_the_case_keeps_it(self, senior: User) -> None:
        person = new_user()
        Profile.objects.create(user=person, about="Buy my cards.")
        told(person)
        remedies.remove_profile_text(person_id=person.pk, moderator=senior, rule="collusion")
        assert Profile.objects.get().about == ""
        assert "Buy my cards." in Note.objects.get().text
        assert "cards" not in str(list(AuditRow.objects.values()))


class Broken:
    """Somebody, and every way to mend something of theirs."""

    def __init__(self, person: User) -> None:
        self.person = person
        self.series = resigned(person, new_user())
        Profile.objects.create(user=person, about="Buy my cards.")
        self.line = Message.objects.create(
            series=self.series, room="players", author=person, text="Ha!", key=next_key()
        )

    def ways(self) -> list[Callable[[User, str], object]]:
        pk = self.person.pk
        return [
            lambda who, rule: remedies.void_series(
                series_id=self.series.pk, moderator=who, rule=rule
            ),
            lambda who, rule: remedies.refund_ratings(
                person_id=pk, moderator=who, rule=rule, days=7
            ),
            lambda who, rule: remedies.rename_person(
                person_id=pk, moderator=who, rule=rule, name="Nicer"
            ),
            lambda who, rule: remedies.remove_line(line_id=self.line.pk, moderator=who, rule=rule),
            lambda who, rule: remedies.remove_profile_text(person_id=pk, moderator=who, rule=rule),
        ]

    def paths(self) -> dict[str, str]:
        name = [self.person.username]
        made = impose(user_id=self.person.pk, kind=Sanction.Kind.MUTE, rule="spam", text="…")
        return {
            "moderation_void": reverse("moderation_void", args=[self.series.slug]),
            "moderation_refund": reverse("moderation_refund", args=name),
            "moderation_rename": reverse("moderation_rename", args=name),
            "moderation_profile": reverse("moderation_profile", args=name),
            "moderation_line": reverse("moderation_line", args=[self.line.pk]),
            "moderation_lift": reverse("moderation_lift", args=[made.pk]),
        }


def refused(broken: Broken, who: User, rule: str, why: type[ModerationError]) -> None:
    before = AuditRow.objects.count()
    for way in broken.ways():
        with pytest.raises(why):
            way(who, rule)
    assert AuditRow.objects.count() == before


def test_s12_nobody_mends_anything_of_their_own(senior: User) -> None:
    refused(Broken(senior), senior, "collusion", NotYours)


def test_s12_a_moderator_may_not_mend() -> None:
    refused(Broken(new_user()), new_moderator(), "collusion", NotAllowed)


def test_it_names_a_rule(senior: User) -> None:
    refused(Broken(new_user()), senior, "no-such-rule", NoSuchRule)


def test_s12_lifting_a_sanction_leaves_its_row(senior: User) -> None:
    person = new_user()
    made = impose(user_id=person.pk, kind=Sanction.Kind.MUTE, rule="spam", text="…")
    lift_sanction(made.pk, senior)
    row = AuditRow.objects.get(action="sanction.lift")
    assert (row.actor_id, row.user_id, row.subject_id) == (senior.pk, person.pk, str(made.pk))
    with pytest.raises(NotInForce):
        lift_sanction(made.pk, senior)
    assert AuditRow.objects.filter(action="sanction.lift").count() == 1


class TestPages:
    def test_each_asks_first_and_then_does_it(self, senior: User) -> None:
        client, broken = Client(), Broken(new_person("Anna"))
        resigned(new_user(), broken.person)
        client.force_login(senior)
        paths = broken.paths()
        # The name last: the others are addressed by it.
        for name in sorted(paths, key=lambda each: each == "moderation_rename"):
            assert client.get(paths[name]).status_code == 200
            given = {"rule": "name", "days": "30", "name": "Nicer", "next": "/moderation/"}
            response = client.post(paths[name], given)
            assert (response.status_code, response["Location"]) == (302, "/moderation/"), name
        assert Message.objects.get(pk=broken.line.pk).hidden_at
        assert User.objects.filter(username="Nicer").exists()
        assert free_of([broken.person.pk], Sanction.Kind.MUTE)

    def test_what_is_refused_is_said(self, senior: User) -> None:
        client, broken = Client(), Broken(new_person("Anna"))
        client.force_login(senior)
        path = broken.paths()["moderation_rename"]
        assert client.post(path, {"rule": "", "name": "Nicer"}).status_code == 422
        response = client.post(path, {"rule": "name", "name": "admin"})
        assert response.status_code == 409
        assert "kept for the site" in response.content.decode()

    def test_s12_nobody_renames_who_may_do_more(self, senior: User) -> None:
        """With the name one logs in: a senior could shut out an operator or the superuser."""
        for above in (new_moderator("Olga", roles.OPERATOR), new_boss("Bossy")):
            with pytest.raises(NotAllowed):
                remedies.rename_person(above.pk, senior, rule="name", name="Nicer")
        peer = new_moderator("Peter", roles.SENIOR)
        remedies.rename_person(peer.pk, senior, rule="name", name="Nicer")
        assert User.objects.get(pk=peer.pk).username == "Nicer"

    def test_no_way_leads_elsewhere(self, senior: User) -> None:
        client, broken = Client(), Broken(new_person("Anna"))
        client.force_login(senior)
        path = broken.paths()["moderation_profile"]
        response = client.post(path, {"rule": "name", "next": "//evil.example/"})
        assert response["Location"] == reverse("moderation")

    def test_s9_for_seniors_only(self) -> None:
        paths = Broken(new_person("Anna")).paths()
        for name, path in paths.items():
            lift = name == "moderation_lift"
            for user, status in (
                (None, 302),
                (new_user(), 404),
                (new_moderator(), 200 if lift else 403),
                (new_moderator(role=roles.SENIOR), 200),
                (new_boss(f"boss-{name[-4:]}"), 200),
            ):
                client = Client()
                if user is not None:
                    client.force_login(user)
                assert client.get(path).status_code == status, (name, user)
