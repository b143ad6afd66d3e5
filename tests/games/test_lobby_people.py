"""People: found by name, followed, blocked and kept apart; leaderboards and ratings."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.urls import reverse

from accounts.models import User
from accounts.people import followed_by, people_beginning
from accounts.relations import Relation, kept_apart, kinds_between, may_meet, relate, unrelate
from games.models import Rating
from games.rules.options import Options
from games.selectors.people import recent_opponents
from games.services.series import accept_invitation, create_series
from games.views import people as people_views
from tests.accounts.people import own_cache
from tests.browser import browser, text
from tests.tables import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

FOLLOW, BLOCK, AVOID = Relation.Kind.FOLLOW, Relation.Kind.BLOCK, Relation.Kind.AVOID


@pytest.fixture(autouse=True)
def _nobody_has_searched_yet(settings: Any) -> None:
    own_cache(settings)


def names(users: list[User]) -> list[str]:
    return [user.username for user in users]


class TestRelations:
    def test_each_is_said_once_and_can_be_taken_back(self) -> None:
        one, other = new_user(), new_user()
        for _ in range(2):
            relate(one.pk, other.pk, FOLLOW)
        assert kinds_between(one.pk, other.pk) == {"follow"}
        assert kinds_between(other.pk, one.pk) == kinds_between(None, one.pk) == set()
        for _ in range(2):
            unrelate(one.pk, other.pk, FOLLOW)
        assert not Relation.objects.exists()

    def test_nobody_relates_to_themselves(self) -> None:
        user = new_user()
        with pytest.raises(IntegrityError), transaction.atomic():
            Relation.objects.create(user=user, other=user, kind=FOLLOW)

    @pytest.mark.parametrize(("kind", "apart"), [(FOLLOW, False), (BLOCK, True), (AVOID, True)])
    def test_blocked_and_avoided_people_do_not_meet_whoever_said_so(
        self, kind: Relation.Kind, apart: bool
    ) -> None:
        one, other, third = new_user(), new_user(), new_user()
        relate(one.pk, other.pk, kind)
        assert may_meet(one.pk, other.pk) is may_meet(other.pk, one.pk) is not apart
        assert may_meet(one.pk, third.pk)
        assert kept_apart(one.pk) == ({other.pk} if apart else set())
        assert kept_apart(other.pk) == ({one.pk} if apart else set())

    def test_a_block_ends_following_both_ways(self) -> None:
        one, other = new_user(), new_user()
        relate(one.pk, other.pk, FOLLOW)
        relate(other.pk, one.pk, FOLLOW)
        relate(one.pk, other.pk, BLOCK)
        assert set(Relation.objects.values_list("kind", flat=True)) == {"block"}


class TestTheButtons:
    def test_of_a_profile(self) -> None:
        one = new_user()
        new_user("Berta")
        client = browser(one)
        path = reverse("change_relation", args=["Berta"])
        for kind in ("block", "avoid", "follow"):
            assert f'data-action="{kind}"' in text(client.get("/@Berta/"))
            assert client.post(path, {"kind": kind, "on": "1"})["Location"] == "/@Berta/"
        assert set(Relation.objects.values_list("kind", flat=True)) == set(Relation.Kind.values)
        assert "Unblock" in text(client.get("/@Berta/"))
        listed = text(client.get(reverse("relations")))
        assert listed.count("/@Berta/relation/") == 3
        way = {"kind": "block", "next": reverse("relations")}
        assert client.post(path, way)["Location"] == reverse("relations")
        assert "Unblock" not in text(client.get("/@Berta/"))

    def test_nobody_else_sees_them(self) -> None:
        one, berta = new_user(), new_user("Berta")
        relate(berta.pk, one.pk, BLOCK)
        page = text(browser(one).get("/@Berta/"))
        assert "Unblock" not in page
        assert "?with=Berta" not in page
        assert "Follow" in page
        own = text(browser(berta).get("/@Berta/"))
        assert "/relation/" not in own
        assert "/relation/" not in text(browser().get("/@Berta/"))

    @pytest.mark.parametrize(
        ("name", "kind"), [("Berta", "love"), ("Nobody", "block"), ("Me", "block"), ("Bo", "block")]
    )
    def test_of_what_is_none(self, name: str, kind: str) -> None:
        me = new_user("Me")
        new_user("Berta")
        User.objects.create(username="Bo", kind=User.Kind.BOT)
        path = reverse("change_relation", args=[name])
        assert browser(me).post(path, {"kind": kind, "on": "1"}).status_code == 404
        assert not Relation.objects.exists()

    def test_an_empty_list_says_so(self) -> None:
        assert "Nobody yet." in text(browser(new_user()).get(reverse("relations")))


class TestTheSearch:
    def test_by_the_beginning_of_a_name_in_whatever_case(self) -> None:
        me = new_user("Berthold")
        for name in ("Berta", "Bernd", "Albert"):
            new_user(name)
        assert names(people_beginning("bER", asker=me.pk)) == ["Bernd", "Berta"]
        page = text(browser(me).get(reverse("people"), {"q": " ber "}))
        assert "?with=Bernd" in page
        assert "?with=Albert" not in page

    @pytest.mark.parametrize("typed", ["b", "%", "__", "be%"])
    def test_two_letters_at_least_and_nothing_but_letters(self, typed: str) -> None:
        new_user("Berta")
        assert people_beginning(typed, asker=new_user().pk) == []

    def test_ten_at_most(self) -> None:
        for number in range(12):
            new_user(f"Berta{number}")
        assert len(people_beginning("be", asker=new_user().pk)) == 10

    def test_not_guests_bots_who_has_gone_or_who_has_blocked_me(self) -> None:
        me = new_user()
        for kind in (User.Kind.GUEST, User.Kind.BOT):
            User.objects.create(username=f"Ber{kind}", kind=kind)
        User.objects.create(username="Bergone", is_active=False)
        User.objects.create(username="Berleft", disabled_at=Now())
        blocker, blocked = new_user("Berblocks"), new_user("Berblocked")
        relate(blocker.pk, me.pk, BLOCK)
        relate(me.pk, blocked.pk, BLOCK)
        assert names(people_beginning("ber", asker=me.pk)) == ["Berblocked"]

    def test_so_many_in_a_minute(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(people_views, "SEARCHES", 2)
        client = browser(new_user())
        found = [client.get(reverse("people"), {"q": "be"}).status_code for _ in range(3)]
        assert found == [200, 200, 429]
        assert client.get(reverse("people")).status_code == 200
        assert browser(new_user()).get(reverse("people"), {"q": "be"}).status_code == 200

    def test_it_is_for_people_with_an_account(self) -> None:
        assert "/account/login/" in browser().get(reverse("people"))["Location"]
        guest = User.objects.create(username="Guest-41", kind=User.Kind.GUEST)
        assert browser(guest).get(reverse("people")).status_code == 403


class TestWhomOneKnows:
    def test_recent_opponents_the_last_first(self) -> None:
        me = new_user()
        first, second = new_user(), new_user()
        for other in (first, second):
            series = create_series(user=me, options=Options())
            accept_invitation(token=series.invitation.token, user=other)
        assert recent_opponents(me.pk) == [second, first]
        page = text(browser(me).get(reverse("people")))
        assert page.index(second.username) < page.index(first.username)
        relate(second.pk, me.pk, AVOID)
        assert recent_opponents(me.pk) == [first]

    def test_whom_one_follows(self) -> None:
        me, other = new_user(), new_user()
        relate(me.pk, other.pk, FOLLOW)
        assert followed_by(me.pk) == [other]
        assert followed_by(other.pk) == []
        assert f"?with={other.username}" in text(browser(me).get(reverse("people")))


class TestRatings:
    def rate(self, name: str, value: float, deviation: float = 60) -> User:
        user = new_user(name)
        Rating.objects.create(
            user=user,
            format="oklahoma days",
            value=value,
            deviation=deviation,
            volatility=0.06,
            series_count=20,
            rated_at=Now(),
        )
        return user

    def test_the_leaderboard_of_a_format(self) -> None:
        for name, value in (("Carl", 1700.2), ("Dora", 1810), ("Emil", 1700.4)):
            self.rate(name, value)
        self.rate("Unsure", 1900, deviation=200)
        query = {"format": "oklahoma days", "period": "week"}
        page = " ".join(text(browser().get(reverse("players"), query)).split())
        assert page.index("Dora") < page.index("Emil") < page.index("Carl")
        assert page.count('<td class="number">2</td>') == 2, "they share the place"
        assert "Unsure" not in page
        assert 'value="oklahoma days" selected' in page

    @pytest.mark.parametrize("query", [{}, {"format": "poker", "period": "ever"}])
    def test_of_what_is_none_it_is_the_usual_one(self, query: dict[str, str]) -> None:
        page = text(browser().get(reverse("players"), query))
        assert 'value="hollywood live" selected' in page
        assert "Nobody is listed here yet." in page

    def test_a_profile_tells_ratings_and_how_sure_they_are(self) -> None:
        self.rate("Sure", 1811.6)
        self.rate("Unsure", 1512.4, deviation=200)
        assert "1812<" in text(browser().get("/@Sure/"))
        assert "Oklahoma, days a turn" in text(browser().get("/@Sure/"))
        assert "1512?" in text(browser().get("/@Unsure/"))
