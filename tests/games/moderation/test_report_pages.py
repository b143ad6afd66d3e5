"""Telling the moderators about somebody: who may (S9), what goes along, and what it says (S11)."""

import json
import re
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import Profile, User
from games.models import Series
from games.moderation.models import Report
from games.moderation.services.reports import MOST_AN_HOUR
from games.rules.cards import cards_in
from games.services.chat import say
from games.services.request import Wish
from tests.browser import browser, text
from tests.staff import new_boss
from tests.tables import Played, new_table, new_user, next_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

NASTY = "<script>x()</script><img src=x onerror=x()> \u202eevil \" hx-get='/x'"


def url(person: User, series: Series | None = None) -> str:
    return reverse("report", args=[person.username]) + (f"?series={series.slug}" if series else "")


def form(rule: str = "respect", words: str = "he shouts", key: str = "") -> dict[str, str]:
    return {"rule": rule, "text": words, "key": key or next_key()}


def guests_of(table: Played) -> Played:
    for user in table.users:
        User.objects.filter(pk=user.pk).update(kind=User.Kind.GUEST)
        user.refresh_from_db()
    return table


def flat(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text(response)))


class TestWhoMay:
    """S9: every address, every kind of person."""

    def test_s9_a_visitor_logs_in_first_and_comes_back(self) -> None:
        person = new_user()
        for address in (url(person), f"/series/{new_table().series.slug}/report/", "/reported/"):
            answer = browser().get(address)
            assert answer.status_code == 302
            assert answer["Location"].startswith("/account/login/?next=/")

    def test_s9_staff_report_as_everybody_does(self) -> None:
        assert browser(new_boss()).get(url(new_user())).status_code == 200

    def test_s9_nobody_finds_a_private_table_by_it(self) -> None:
        table = new_table()
        Series.objects.filter(pk=table.series.pk).update(is_private=True)
        for user in (new_user(), new_boss()):
            assert browser(user).get(url(table.users[0], table.series)).status_code == 404
            assert browser(user).get(f"{table.series.get_absolute_url()}report/").status_code == 404
        answer = browser(table.users[1]).get(url(table.users[0], table.series))
        assert answer.status_code == 200

    def test_nobody_reports_themselves_a_bot_or_who_is_not_there(self) -> None:
        me = new_user()
        bot = User.objects.create(username="bot-9", kind=User.Kind.BOT)
        elsewhere = User.objects.create(username="Guest-77", kind=User.Kind.GUEST)
        for person in (me, bot, elsewhere):
            assert browser(me).get(url(person)).status_code == 404
            assert browser(me).post(url(person), form()).status_code == 404
        assert not Report.objects.exists()

    def test_a_guest_reports_from_their_table_and_from_nowhere_else(self) -> None:
        table, person = guests_of(new_table()), new_user()
        me, other = table.users
        client = browser(me)
        assert client.get(url(person)).status_code == 403
        assert client.get(url(person, table.series)).status_code == 403
        assert client.get(url(other, table.series)).status_code == 200
        assert client.post(url(other, table.series), form()).status_code == 302
        assert Report.objects.get().case.person == other

    def test_at_a_table_the_other_is_meant_and_a_spectator_is_asked_whom(self) -> None:
        table = new_table()
        address = f"{table.series.get_absolute_url()}report/"
        answer = browser(table.users[0]).get(address)
        assert answer["Location"] == url(table.users[1], table.series)
        page = text(browser(new_user()).get(address))
        for user in table.users:
            assert f'href="{url(user, table.series)}"' in page


class TestTheForm:
    def test_it_names_the_rules_and_what_goes_along(self) -> None:
        table = new_table()
        me, other = table.users
        say(series=table.series, user_id=other.pk, key="1", text="you play like a cow")
        page = flat(browser(me).get(url(other, table.series)))
        assert "Be civil" in page
        assert "you play like a cow" in page
        assert "has come to round 1" in page

    def test_m1_the_chat_goes_along_and_never_a_hand(self) -> None:
        table, watcher = new_table(), new_user()
        me, other = table.users
        say(series=table.series, user_id=other.pk, key="1", text="you play like a cow")
        say(series=table.series, user_id=watcher.pk, key="1", text="among spectators")
        browser(me).post(url(other, table.series), form())
        report = Report.objects.get()
        assert report.series == table.series
        [line] = report.evidence["chat"]
        assert (line["author"], line["text"]) == (other.pk, "you play like a cow")
        told = json.dumps(report.evidence)
        hands = table.state.hands[0] | table.state.hands[1]
        assert not [card for card in cards_in(hands) if re.search(rf"\b{card}\b", told)]

    def test_of_a_profile_its_text_goes_along_as_it_was(self) -> None:
        person = new_user()
        Profile.objects.create(user=person, about="Buy my <b>cards</b>.")
        browser(new_user()).post(url(person), form("spam"))
        Profile.objects.update(about="A friendly player.")
        report = Report.objects.get()
        assert report.evidence == {"about": "Buy my <b>cards</b>."}
        page = text(browser(new_boss()).get(reverse("moderation_case", args=[report.case_id])))
        assert "Buy my &lt;b&gt;cards&lt;/b&gt;." in page

    def test_who_watches_attaches_no_word_of_the_players(self) -> None:
        table, watcher = new_table(), new_user()
        other = table.users[0]
        say(series=table.series, user_id=other.pk, key="1", text="between the two of us")
        address = url(other, table.series)
        assert "between the two" not in text(browser(watcher).get(address))
        browser(watcher).post(address, form())
        assert Report.objects.get().evidence["chat"] == []
        table.wish(Wish.RESIGN, other)
        assert "between the two" in text(browser(watcher).get(address))

    def test_without_a_rule_nothing_is_sent_and_the_words_stay(self) -> None:
        me, other = new_user(), new_user()
        for rule in ("", "made-up"):
            answer = browser(me).post(url(other), form(rule, "do not lose this"))
            assert answer.status_code == 422
            assert "do not lose this" in text(answer)
        assert not Report.objects.exists()

    def test_a_double_click_reports_once_and_says_thank_you_twice(self) -> None:
        me, other = new_user(), new_user()
        data = form()
        for _ in range(2):
            answer = browser(me).post(url(other), data)
            assert (answer.status_code, answer["Location"]) == (302, "/reported/")
        assert Report.objects.count() == 1
        assert "Thank you" in flat(browser(me).get("/reported/"))

    def test_s6_a_flood_is_told_kindly(self) -> None:
        me = new_user()
        for _ in range(MOST_AN_HOUR):
            browser(me).post(url(new_user()), form())
        answer = browser(me).post(url(new_user()), form(words="and this one"))
        assert answer.status_code == 429
        assert "The moderators have them" in flat(answer)
        assert "and this one" in text(answer)

    def test_s11_what_is_written_can_t_act(self) -> None:
        me, other = new_user(), new_user()
        refused = text(browser(me).post(url(other), form("", NASTY)))
        assert "<script>x()" not in refused
        assert "<img src=x" not in refused
        browser(me).post(url(other), form(words=NASTY))
        assert "\u202e" not in Report.objects.get().text

    def test_what_is_too_long_is_refused_and_kept_on_the_page(self) -> None:
        me, other = new_user(), new_user()
        answer = browser(me).post(url(other), form(words="x" * 1001))
        assert answer.status_code == 422
        assert "x" * 1001 in text(answer)


class TestWaysToIt:
    def test_from_profile_chat_and_own_history(self) -> None:
        table = new_table()
        me, other = table.users
        say(series=table.series, user_id=other.pk, key="1", text="hello you")
        say(series=table.series, user_id=me.pk, key="1", text="hello too")
        client = browser(me)
        assert f'href="{url(other)}"' in text(client.get(other.get_absolute_url()))
        chat = text(client.get(f"{table.series.get_absolute_url()}chat/"))
        assert chat.count(f'href="{url(other, table.series)}"') == 1
        assert url(me, table.series) not in chat
        table.wish(Wish.RESIGN, me)
        history = text(client.get(reverse("history", args=[me.username])))
        assert f'href="/series/{table.series.slug}/report/"' in history

    def test_from_the_table_without_leaving_it(self) -> None:
        table = new_table()
        page = text(browser(table.users[0]).get(table.series.get_absolute_url()))
        found = re.findall(r'<a[^>]*href="/series/[^"]*/report/"[^>]*>', page)
        assert found
        assert all('target="_blank"' in link for link in found)

    def test_a_visitor_sees_no_flag(self) -> None:
        table = new_table()
        say(series=table.series, user_id=table.users[0].pk, key="1", text="hello you")
        table.wish(Wish.RESIGN, table.users[0])
        assert "/report/" not in text(browser().get(f"{table.series.get_absolute_url()}chat/"))
