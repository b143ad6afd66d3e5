"""The addresses of the chat: who gets what (S9), and that no hand is beside others' words."""

import re
from datetime import timedelta
from typing import Final

import pytest
from django.db.models import F
from django.test import Client
from django.urls import get_resolver

from accounts import relations
from accounts.models import User
from accounts.preferences import Preferences
from games.models import Message, Series
from games.rules.cards import cards_in
from games.services.chat import say, turn_chat
from games.services.request import Wish
from games.window import Window
from tests.browser import HTMX, browser, text
from tests.staff import new_boss
from tests.tables import Played, new_table, new_user, next_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

LOG_IN: Final = 302
# What a visitor, a guest who watches, a stranger, a player and an admin get by GET, and by POST.
RULES: Final[dict[str, tuple[tuple[int, ...], tuple[int, ...]]]] = {
    "series/<slug:slug>/chat/": ((200, 200, 200, 200, 200), (LOG_IN, 403, 302, 302, 302)),
    "series/<slug:slug>/chat/switch/": ((405, 405, 405, 405, 405), (LOG_IN, 302, 302, 302, 302)),
}


def url(table: Played) -> str:
    return f"{table.series.get_absolute_url()}chat/"


def line(words: str = "good evening", key: str = "") -> dict[str, str]:
    return {"text": words, "key": key or next_key()}


def guest() -> User:
    return User.objects.create(username="Guest-91", kind=User.Kind.GUEST)


def end(table: Played) -> None:
    table.wish(Wish.RESIGN, table.users[0])


def test_s9_every_address_has_a_rule() -> None:
    found = (
        str(pattern.pattern)
        for entry in get_resolver().url_patterns
        for pattern in getattr(entry, "url_patterns", ())
    )
    assert {path for path in found if "/chat/" in path} == RULES.keys()


@pytest.mark.parametrize("path", RULES)
def test_s9_who_gets_what(path: str) -> None:
    table = new_table()
    admin = User.objects.create_superuser("boss")
    people = (None, guest(), new_user(), table.users[0], admin)
    address = "/" + path.replace("<slug:slug>", table.series.slug)
    for user, by_get, by_post in zip(people, *RULES[path], strict=True):
        assert browser(user).get(address).status_code == by_get
        assert browser(user).post(address, line("hello")).status_code == by_post


@pytest.mark.parametrize("path", RULES)
def test_s9_a_private_series_talks_to_its_players_only(path: str) -> None:
    table = new_table()
    Series.objects.filter(pk=table.series.pk).update(is_private=True)
    address = "/" + path.replace("<slug:slug>", table.series.slug)
    for user in (None, new_user(), User.objects.create_superuser("boss")):
        assert browser(user).get(address).status_code in (404, 405)
        assert browser(user).post(address, line()).status_code == 404


def test_s9_an_admin_reads_no_more_than_whoever_watches() -> None:
    table = new_table()
    browser(table.users[0]).post(url(table), line("between us"))
    admin = browser(new_boss("boss"))
    assert "between us" not in text(admin.get(url(table)))
    assert "between us" in text(admin.get("/admin/games/message/"))  # where moderators look


def test_without_javascript_a_line_leads_back_to_the_conversation() -> None:
    table = new_table()
    anna, bob = (browser(user) for user in table.users)
    assert anna.post(url(table), line()).headers["Location"] == url(table)
    page = text(bob.get(url(table)))
    assert page.count("good evening") == 1
    assert "<html" in page
    assert f'href="{table.series.get_absolute_url()}"' in page


def test_what_was_not_accepted_is_not_lost() -> None:
    table = new_table()
    answer = browser(table.users[0]).post(url(table), line("x" * 201))
    assert answer.status_code == 422
    assert "too long" in text(answer)
    assert "x" * 201 in text(answer)


def test_with_it_the_answer_is_the_chat_alone_with_a_fresh_key() -> None:
    table = new_table()
    answer = browser(table.users[0]).post(url(table), line(key="k1"), headers=HTMX)
    html = text(answer)
    assert html.startswith('<div id="chat-body"')
    assert 'value="k1' not in html
    ids = re.findall(r'\sid="(line-\d+)"', html)
    assert ids == [f"line-{Message.objects.get().pk}"]  # fault 107


def test_fault_108_sent_twice_it_is_one_line_and_rings_once(rung: list[object]) -> None:
    table = new_table()
    anna = browser(table.users[0])
    fields = line()
    assert [anna.post(url(table), fields, headers=HTMX).status_code for _ in range(2)] == [200, 200]
    assert Message.objects.count() == 1
    assert len(rung) == 1


@pytest.mark.parametrize("key", ["", "a b", "x" * 65, "<b>"])
def test_a_line_without_a_proper_key_is_refused(key: str) -> None:
    table = new_table()
    fields = {"text": "hello", "key": key}
    assert browser(table.users[0]).post(url(table), fields, headers=HTMX).status_code == 422
    assert not Message.objects.exists()


def test_who_is_logged_out_is_told() -> None:
    answer = browser().post(url(new_table()), line(), headers=HTMX)
    assert answer.status_code == 401
    assert Message.objects.count() == 0


def test_m2_the_fourth_similar_line_is_stopped_in_words() -> None:
    table = new_table()
    anna = browser(table.users[0])
    codes = [anna.post(url(table), line("so slow"), headers=HTMX).status_code for _ in range(3)]
    last = anna.post(url(table), line("So slow!"), headers=HTMX)
    assert ([*codes, last.status_code], Message.objects.count()) == ([200, 200, 200, 429], 3)
    assert "three times already" in text(last)


def test_a_new_account_s_sixteenth_line_is_stopped_in_words() -> None:
    """It was a 500: the kinder words for who is new had no status of their own."""
    table = new_table()
    anna = browser(table.users[0])
    codes = []
    for number in range(15):
        codes.append(anna.post(url(table), line(chr(97 + number)), headers=HTMX).status_code)
        Message.objects.update(sent_at=F("sent_at") - timedelta(seconds=11))
    last = anna.post(url(table), line("good night"), headers=HTMX)
    assert ([*codes, last.status_code], Message.objects.count()) == ([200] * 15 + [429], 15)
    assert "a new account" in text(last)
    assert "good night" in text(last)


# Beside the table


def page_of(table: Played, user: User | None) -> str:
    return text(browser(user).get(table.series.get_absolute_url()))


def test_words_of_others_and_a_hand_are_never_compressed_together() -> None:
    """performance.md: from the length of a compressed page one could guess at what it holds."""
    table, eve = new_table(), new_user()
    for user in (*table.users, eve):
        say(series=table.series, user_id=user.pk, key="k", text=f"the words of {user.username}")
    for user in (*table.users, eve, None):
        client = browser(user)
        page = client.get(table.series.get_absolute_url(), headers={"Accept-Encoding": "gzip"})
        assert page["Content-Encoding"] == "gzip"
        assert "the words of" not in page_of(table, user)
        window = Window(table.series.slug, user.pk if user else None, None, "dev")
        assert "the words of" not in window.hello(0, "")
        chat = text(client.get(url(table)))
        hands = cards_in(table.state.hands[0] | table.state.hands[1])
        assert not [card for card in hands if f"{card}.svg" in chat]


def test_s1_s2_no_card_is_in_the_chat_whoever_asks() -> None:
    table = new_table()
    say(series=table.series, user_id=table.users[0].pk, key="k", phrase="hello")
    for user in (*table.users, new_user(), None):
        for headers in ({}, HTMX):
            html = text(browser(user).get(url(table), headers=headers))
            assert "/cards/" not in html
            assert "data-card=" not in html


def test_after_the_end_the_page_shows_the_conversation_without_javascript_too() -> None:
    table, eve = new_table(), new_user()
    say(series=table.series, user_id=table.users[0].pk, key="k", text="between us")
    say(series=table.series, user_id=eve.pk, key="k", text="he has nothing")
    assert "between us" not in page_of(table, table.users[1])
    end(table)
    for user in (*table.users, eve, None):
        html = page_of(table, user)
        assert "between us" in html
        assert "he has nothing" in html


def mark(html: str) -> str:
    found = re.search(r'id="pulse"[^>]* data-chat="([^"]*)"', html)
    return found[1] if found else ""


def test_a_new_line_changes_the_mark_of_whoever_reads_it_and_the_version_of_nobody() -> None:
    table, eve = new_table(), new_user()
    windows = [Window(table.series.slug, user.pk, None, "dev") for user in (*table.users, eve)]
    before = [mark(window.hello(0, "")) for window in windows]
    for window in windows:
        window.catch_up(present=frozenset((0, 1)))  # who has come since, as the poller finds it
    say(series=table.series, user_id=table.users[0].pk, key="k", text="between us")
    pushed = [window.catch_up() or "" for window in windows]
    changed = [mark(html) != old for html, old in zip(pushed, before, strict=True)]
    assert changed == [True, True, False]
    for html in pushed:
        assert "<section" not in html  # no region has changed: nothing loses its focus
        assert 'data-version="1"' in html


def test_a_block_whose_bell_was_lost_is_seen_when_the_page_wakes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(relations, "tell_relations", lambda user_id: None)
    table = new_table()
    one, other = table.users
    say(series=table.series, user_id=other.pk, key="k", text="between us")
    window = Window(table.series.slug, one.pk, None, "dev")
    before = mark(window.hello(0, ""))
    relations.relate(one.pk, other.pk, relations.Relation.Kind.BLOCK)
    # As who has blocked somebody in another tab comes back to this one (table.js).
    assert mark(window.hello(1, str(window.stamp))) != before
    assert "between us" not in text(browser(one).get(url(table)))


def test_the_mark_is_not_worked_out_anew_while_nobody_talks(
    django_assert_num_queries: object,
) -> None:
    table = new_table()
    window = Window(table.series.slug, table.turn_user.pk, None, "dev")
    window.hello(0, "")
    with django_assert_num_queries(1):  # type: ignore[operator]
        window.catch_up()


def test_no_chat_stands_beside_a_bot_nor_where_it_is_turned_off_for_good() -> None:
    table = new_table()
    anna, bob = table.users
    User.objects.filter(pk=anna.pk).update(preferences=str(Preferences(chat="off")))
    assert 'id="chat"' not in page_of(table, User.objects.get(pk=anna.pk))
    assert 'id="chat"' in page_of(table, bob)
    assert "off for good" in text(browser(User.objects.get(pk=anna.pk)).get(url(table)))
    table.series.seats.filter(user=anna).update(bot="club")
    assert 'id="chat"' not in page_of(table, bob)
    assert "against a bot" in text(browser(bob).get(url(table)))


def test_it_is_turned_off_and_on_in_one_series() -> None:
    table = new_table()
    anna = browser(table.users[0])
    switch = f"{url(table)}switch/"
    assert 'name="chat" value="on"' in text(anna.post(switch, {"chat": "off"}, headers=HTMX))
    assert mark(page_of(table, table.users[0])) == "off"
    assert anna.post(switch, {"chat": "on"}).headers["Location"] == url(table)
    assert 'name="text"' in text(anna.get(url(table)))


def test_who_watches_without_an_account_is_told_how_to_take_part() -> None:
    table = new_table()
    html = text(browser().get(url(table)))
    assert "with an account" in html
    assert 'name="text"' not in html
    guest_page = text(browser(guest()).get(url(table)))
    assert 'name="text"' not in guest_page


def test_a_guest_who_plays_has_phrases_and_no_field() -> None:
    table = new_table()
    User.objects.filter(pk=table.users[0].pk).update(kind=User.Kind.GUEST)
    anna = Client()
    anna.force_login(User.objects.get(pk=table.users[0].pk))
    html = text(anna.get(url(table)))
    assert 'name="phrase" value="good-luck"' in html
    assert 'name="text"' not in html
    assert anna.post(url(table), line("my own words"), headers=HTMX).status_code == 403
    fields = {"phrase": "hello", "key": "k"}
    assert anna.post(url(table), fields, headers=HTMX).status_code == 200


def test_no_more_queries_for_more_lines(django_assert_max_num_queries: object) -> None:
    table = new_table()
    Message.objects.bulk_create(
        Message(
            series=table.series,
            room=Message.Room.PLAYERS,
            author=table.users[number % 2],
            text=f"line {number}",
            key=str(number),
        )
        for number in range(230)
    )
    client = browser(table.users[0])
    turn_chat(table.series, table.users[0].pk, on=True)
    with django_assert_max_num_queries(14):  # type: ignore[operator]
        html = text(client.get(url(table), headers=HTMX))
    assert html.count("<li ") == 200
    assert "line 229" in html
