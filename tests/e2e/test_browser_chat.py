"""Talking at the table, in browsers: at once, once, without disturbing, and as text only."""

import re
from itertools import product
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.exceptions import ValidationError
from django.db.models import F
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.names import USERNAME_VALIDATORS
from accounts.relations import Relation
from accounts.texts import plain_text
from games.models import Message, Series
from games.rules.round import Phase
from games.services.chat import say
from games.services.request import Wish
from tests.e2e.browser import DESK, PHONE, Person, Visit, until
from tests.e2e.dealing import at, dealt_table, plain_action, play_until
from tests.tables import Played, new_user, next_key

pytestmark = pytest.mark.browser

NO_LINE: Final = (r"net::ERR_", r"WebSocket connection to .* failed", r"\[object Event\]")
ENOUGH: Final = 60


def a_table() -> Played:
    """A round that will not be over soon."""
    table = dealt_table(lambda story: len(story) > 13, most=200)
    return play_until(table, at(Phase.DISCARD))


def path_of(table: Played) -> str:
    return table.series.get_absolute_url()


def tell(table: Played, user: User, text: str) -> Message:
    """Somebody else's page has sent a line; the poller rings for it."""
    return say(series=table.series, user_id=user.pk, key=next_key(), text=text).message


def open_chat(person: Person) -> Person:
    person.page.locator("#chat-button").click()
    expect(person.page.locator("#chat-text")).to_be_visible()
    return person


def write(person: Person, text: str) -> None:
    person.page.locator("#chat-text").fill(text)
    person.page.get_by_role("button", name="Send").click()


def lines(page: Page) -> list[str]:
    return page.locator(".chat-scroll .said").all_inner_texts()


def test_fault_107_a_line_is_on_the_other_page_at_once_and_once_on_both(visit: Visit) -> None:
    table = a_table()
    anna = open_chat(visit(table.users[0], path_of(table)).linked())
    bob = visit(table.users[1], path_of(table), size=DESK).linked()
    bob.page.locator("label", has=bob.page.locator("#tab-chat")).click()
    version = anna.table.version
    write(anna, "Good evening!")
    expect(anna.page.locator("#chat-text")).to_have_value("")
    expect(bob.page.locator(".said")).to_have_text(["Good evening!"])
    bob.page.get_by_role("button", name="Good luck!").click()
    for person in (anna, bob):
        expect(person.page.locator(".said")).to_have_text(["Good evening!", "Good luck!"])
    write(anna, "And to you.")
    for person in (anna, bob):
        expect(person.page.locator(".said")).to_have_count(3)
        assert person.table.version == version
    anna.page.reload()
    open_chat(anna)
    expect(anna.page.locator(".said")).to_have_count(3)


def test_what_a_spectator_says_is_not_on_a_player_s_page(visit: Visit) -> None:
    table = a_table()
    anna = open_chat(visit(table.users[0], path_of(table)).linked())
    eve, dora = (open_chat(visit(new_user(), path_of(table)).linked()) for _ in range(2))
    write(eve, "He waits for a king.")
    expect(dora.page.locator(".said")).to_have_text(["He waits for a king."])
    write(anna, "Between us.")
    expect(anna.page.locator(".said")).to_have_text(["Between us."])
    assert lines(dora.page) == ["He waits for a king."]
    table.wish(Wish.RESIGN, table.users[0])
    for person in (anna, eve, dora):
        expect(person.page.locator(".said")).to_have_count(2)


def test_fault_103_an_update_leaves_what_is_typed_and_the_caret(visit: Visit) -> None:
    table = a_table()
    anna = open_chat(visit(table.waiting_user, path_of(table)).linked())
    field = anna.page.locator("#chat-text")
    field.press_sequentially("what do you")
    for _ in range(3):
        field.press("ArrowLeft")
    table.act(plain_action(table.state))
    expect(anna.page.locator("#pulse")).to_have_attribute("data-version", str(table.row.version))
    tell(table, table.users[0], "A line of the other")
    tell(table, table.users[1], "And a second one")
    expect(anna.page.locator(".said")).to_have_count(2)
    expect(field).to_be_focused()
    field.press_sequentially("d t x ")  # no key of the table
    assert field.input_value() == "what do d t x you"
    assert anna.sent_actions() == []


def test_on_a_phone_a_badge_counts_and_the_sheet_leaves_the_hand_free(visit: Visit) -> None:
    table = a_table()
    anna = visit(table.turn_user, path_of(table)).linked()
    badge = anna.page.locator("#chat-button .chat-count")
    expect(badge).to_be_hidden()
    expect(anna.page.locator("#chat")).to_be_hidden()
    for words in ("First", "Then another"):
        tell(table, table.waiting_user, words)
    expect(badge).to_have_text("2")
    expect(anna.page.get_by_role("button", name="Chat, 2 new")).to_be_visible()
    expect(anna.page.locator("#told")).to_contain_text("Then another")
    open_chat(anna)
    expect(badge).to_be_hidden()
    sheet = anna.page.locator("#chat").bounding_box()
    hand = anna.page.locator("#hand").bounding_box()
    assert sheet is not None
    assert hand is not None
    assert sheet["y"] + sheet["height"] <= hand["y"]
    assert sheet["x"] >= 0
    assert sheet["x"] + sheet["width"] <= PHONE["width"]
    anna.page.keyboard.press("Escape")
    expect(anna.page.locator("#chat")).to_be_hidden()
    anna.page.reload()
    anna.linked()
    expect(badge).to_be_hidden()


def test_at_a_desk_the_badge_stands_on_its_tab_while_the_rounds_are_read(visit: Visit) -> None:
    table = a_table()
    anna = visit(table.turn_user, path_of(table), size=DESK).linked()
    anna.page.locator("label", has=anna.page.locator("#tab-rounds")).click()
    tell(table, table.waiting_user, "First")
    tab = anna.page.locator("label", has=anna.page.locator("#tab-chat"))
    expect(tab.locator(".chat-count")).to_have_text("1")
    outer, inner = tab.bounding_box(), tab.locator(".chat-count").bounding_box()
    assert outer is not None
    assert inner is not None
    assert outer["x"] < inner["x"]
    assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
    assert outer["y"] <= inner["y"]
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def test_fault_108_a_line_written_offline_is_sent_once(visit: Visit) -> None:
    table = a_table()
    anna = open_chat(visit(table.users[0], path_of(table)).linked()).allow(*NO_LINE)
    anna.context.set_offline(True)
    write(anna, "Are you there?")
    expect(anna.page.locator("#chat-notice")).to_contain_text("has not been sent")
    expect(anna.page.locator("#chat-text")).to_have_value("Are you there?")
    anna.context.set_offline(False)
    send = anna.page.get_by_role("button", name="Send")
    send.click()
    expect(anna.page.locator(".said")).to_have_text(["Are you there?"])
    assert Message.objects.filter(series=table.series).count() == 1


def test_fault_108_a_line_whose_answer_was_lost_is_one_line(visit: Visit) -> None:
    table = a_table()
    anna = open_chat(visit(table.users[0], path_of(table)).linked()).allow(*NO_LINE)
    lost = []

    def lose(route: object) -> None:
        if route.request.method == "POST" and not lost:  # type: ignore[attr-defined]
            lost.append(route.fetch())  # type: ignore[attr-defined]
            route.abort()  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    anna.page.route("**/chat/", lose)
    write(anna, "Are you there?")
    expect(anna.page.locator("#chat-notice")).to_contain_text("has not been sent")
    anna.page.get_by_role("button", name="Send").click()
    expect(anna.page.locator("#chat-text")).to_have_value("")
    expect(anna.page.locator(".said")).to_have_text(["Are you there?"])
    assert Message.objects.filter(series=table.series).count() == 1


def test_its_style_is_asked_for_again_where_the_line_was_down(visit: Visit) -> None:
    """The page said that something was wrong, and the chat stayed as it was."""
    table = a_table()
    lost = """const real = fetch; let lost = 0;
        window.fetch = (url, ...rest) => /chat.*css/.test(url) && !lost++
          ? Promise.reject(new TypeError("Failed to fetch")) : real(url, ...rest);"""
    anna = visit(table.users[0], path_of(table), script=lost).linked()
    dressed = "document.adoptedStyleSheets.some((each) => each.cssRules.length)"
    assert not anna.page.evaluate(dressed)
    expect(anna.page.locator("#chat-button")).to_be_hidden()
    until(lambda: anna.page.evaluate(dressed) or None, anna.page)
    expect(anna.page.locator("#chat-button")).to_be_visible()


def test_while_there_is_no_socket_lines_come_all_the_same(visit: Visit) -> None:
    table = a_table()
    dead = "window.WebSocket = class { constructor() { this.readyState = 3; } close() {} };"
    anna = open_chat(visit(table.users[0], path_of(table), script=dead))
    tell(table, table.users[1], "Hello from far away")
    expect(anna.page.locator(".said")).to_have_text(["Hello from far away"])


def test_who_is_blocked_vanishes_from_open_pages_at_once(visit: Visit) -> None:
    table = a_table()
    anna, bob = table.users
    tell(table, bob, "You play like a child")
    person = open_chat(visit(anna, path_of(table)).linked())
    expect(person.page.locator(".said")).to_have_count(1)
    other = person.open_tab(f"/@{bob.username}/")
    other.get_by_text("More", exact=True).click()
    other.get_by_role("button", name="Block").click()
    expect(person.page.locator(".said")).to_have_count(0)
    assert Relation.objects.filter(user=anna, other=bob, kind="block").exists()
    tell(table, bob, "Do you hear me?")
    tell(table, anna, "I hear nothing")
    expect(person.page.locator(".said")).to_have_text(["I hear nothing"])
    if not other.get_by_role("button", name="Unblock").is_visible():
        other.get_by_text("More", exact=True).click()
    other.get_by_role("button", name="Unblock").click()
    said = ["You play like a child", "Do you hear me?", "I hear nothing"]
    expect(person.page.locator(".said")).to_have_text(said)


def test_it_is_turned_off_and_on(visit: Visit) -> None:
    table = a_table()
    tell(table, table.users[1], "Good evening")
    anna = open_chat(visit(table.users[0], path_of(table)).linked())
    anna.page.get_by_role("button", name="Turn the chat off in this series").click()
    expect(anna.page.get_by_role("button", name="Turn it on again")).to_be_visible()
    expect(anna.page.locator(".said")).to_have_count(0)
    anna.page.get_by_role("button", name="Turn it on again").click()
    expect(anna.page.locator(".said")).to_have_text(["Good evening"])


def test_m2_the_fourth_similar_line_is_stopped_and_said_so(visit: Visit) -> None:
    table = a_table()
    anna = open_chat(visit(table.users[0], path_of(table)).linked()).allow(r"status of 429")
    for number in range(1, 4):
        write(anna, "so slow" + "!" * number)
        expect(anna.page.locator(".said")).to_have_count(number)
    write(anna, "So slow")
    expect(anna.page.locator("#chat-notice")).to_contain_text("three times already")
    expect(anna.page.locator("#chat-text")).to_have_value("So slow")
    expect(anna.page.locator(".said")).to_have_count(3)


def test_without_javascript_one_talks_on_a_page_of_its_own(visit: Visit) -> None:
    table = a_table()
    tell(table, table.users[1], "Good evening")
    page = visit(table.users[0], path_of(table), java_script_enabled=False).page
    page.get_by_role("link", name="Read the conversation").click()
    expect(page.locator(".said")).to_have_text(["Good evening"])
    page.get_by_label("Your line").fill("Good evening to you")
    page.get_by_role("button", name="Send").click()
    page.get_by_role("button", name="Thank you.").click()
    expect(page.locator(".said")).to_have_count(3)
    page.get_by_role("link", name="To the table").click()
    expect(page.locator("#hand")).to_be_visible()
    table.wish(Wish.RESIGN, table.users[0])
    page.reload()
    expect(page.locator("#chat .said")).to_have_count(3)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_axe_finds_nothing(visit: Visit, size: object) -> None:
    table = a_table()
    tell(table, table.users[1], "Good evening")
    anna = visit(table.users[0], path_of(table), size=size).linked()
    if size == PHONE:
        open_chat(anna)
    expect(anna.page.locator("#chat .said")).to_be_visible()
    found = Axe().run(anna.page)
    assert found.violations_count == 0, found.generate_report()
    anna.page.goto(f"{path_of(table)}chat/")
    found = Axe().run(anna.page)
    assert found.violations_count == 0, found.generate_report()


# S11: what people write is text

_ACTS: Final = (
    "<script>ran()</script>",
    "<img src=x onerror=ran()>",
    "<svg onload=ran()>",
    "<svg><script>ran()</script></svg>",
    "<iframe srcdoc='<script>parent.ran()</script>'></iframe>",
    "<details open ontoggle=ran()>",
    "<input autofocus onfocus=ran()>",
    "<b hx-get='/ran' hx-trigger='load'>",
    "<b data-hx-post='/ran' data-hx-trigger='load'>",
    "<div hx-on::load='ran()'>",
    "<a href='javascript:ran()'>here</a>",
    '<b id="hand">',
    '<ol id="lines-players"><li id="line-1">',
)
_FRAMES: Final = ("{}", '">{}', "'>{}", "</bdi></li></ol></div>{}", "</textarea>{}<!--")
_OTHERS: Final = (
    "\u202egnihton si siht\u202c",
    "\u2067\u2067\u2067 right to left",
    "Z" + "\u0301\u0334\u0489\u035c" * 40,
    "\u0e47" * 150,
    "{{ 7|add:7 }} {% load static %}",
    "&lt;script&gt;ran()&lt;/script&gt;",
    "\u200b\u2060\ufeff.",
    "https://evil.example/?q=<b>",
    "W" * 200,
    "\U0001f44d" * 60,
)
PAYLOADS: Final = (
    *(frame.format(act) for act, frame in product(_ACTS, _FRAMES)),
    *_OTHERS,
)
RAN: Final = "window.ran = () => { window.hasRun = true; };"


def test_s11_no_payload_is_a_name() -> None:
    assert len(PAYLOADS) >= ENOUGH
    for payload in PAYLOADS:
        refused = 0
        for validate in USERNAME_VALIDATORS:
            try:
                validate(payload)
            except ValidationError:
                refused += 1
        assert refused or not re.search(r"[^A-Za-z0-9_-]", payload), payload


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_s11_whatever_is_written_is_shown_as_text_and_the_layout_holds(
    visit: Visit, size: object
) -> None:
    table = a_table()
    anna = visit(table.users[0], path_of(table), size=size, script=RAN).linked()
    page = anna.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    if size == PHONE:
        open_chat(anna)
    else:
        page.locator("label", has=page.locator("#tab-chat")).click()
    expect(page.locator("#chat-text")).to_be_visible()
    before = shape(page)
    said = [line for each in PAYLOADS if (line := " ".join(plain_text(each).split())[:200])]
    Message.objects.bulk_create(
        Message(
            series=table.series,
            room=Message.Room.PLAYERS,
            author=table.users[1],
            text=text,
            key=f"payload-{number}",
        )
        for number, text in enumerate(said)
    )
    Series.objects.filter(pk=table.series.pk).update(talk=F("talk") + 1)
    expect(page.locator(".chat-scroll li")).to_have_count(len(said))
    assert page.locator(".chat-scroll .said").all_text_contents() == said
    assert (
        page.locator(".chat-scroll ol :is(script, img, svg, iframe, input, [hx-get])").count() == 0
    )
    for place in (path_of(table), f"{path_of(table)}chat/"):
        assert shape(page)["overflow"] is False
        assert page.evaluate("window.hasRun") is None
        page.goto(place)
        expect(page.locator(".chat-scroll li")).to_have_count(len(said))
    assert page.evaluate("window.hasRun") is None
    assert not [url for url in asked if "ran" in url.split("/")[-1] or "evil" in url]
    page.goto(path_of(table))
    if size == PHONE:
        open_chat(anna)
    expect(page.locator(".chat-scroll li")).to_have_count(len(said))
    assert shape(page) == before
    tall = page.locator(".chat-scroll li").evaluate_all(
        "all => all.filter(each => each.scrollWidth > each.clientWidth + 1).length"
    )
    assert tall == 0


def shape(page: Page) -> dict[str, object]:
    """Where the parts of the table lie, and whether the page is wider than the screen."""
    found: dict[str, object] = page.evaluate(
        """() => ({
          overflow: document.documentElement.scrollWidth > innerWidth,
          boxes: ["opponent", "hand", "actions", "chat-text"].map((id) => {
            const box = document.getElementById(id)?.getBoundingClientRect();
            return box && [box.x, box.width].map(Math.round);
          }),
        })"""
    )
    return found
