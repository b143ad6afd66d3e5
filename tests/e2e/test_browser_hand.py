"""The hand in one's hands: by keys alone, by dragging, by taps; what moves, and what is said."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Route, WebSocketRoute, expect

from accounts.models import User
from accounts.preferences import Preferences
from games.rendering.cast import Cast
from games.rendering.sentences import event_sentence
from games.rules.actions import Action, Defend, Discard, Draw, Knock, Pass, Resign, Take
from games.rules.cards import Card
from games.rules.round import Phase, legal_actions
from games.services.request import Wish
from tests.e2e.browser import DESK, Person, Visit, shoot, until
from tests.e2e.dealing import (
    Story,
    at,
    can_lay_off,
    dealt_table,
    highest,
    may_knock,
    plain_action,
    play_until,
)
from tests.tables import Played

pytestmark = pytest.mark.browser

# Notes what the live regions say, and every card that travels.
OBSERVE = """
window.heard = [];
window.travels = [];
addEventListener("DOMContentLoaded", () => {
  for (const id of ["told", "called"]) {
    const region = document.getElementById(id);
    const note = () => region.textContent && heard.push([id, region.textContent]);
    if (region) new MutationObserver(note).observe(region, { childList: true });
  }
  const note = (changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
    if (node.classList?.contains("travelling")) travels.push(node.outerHTML);
  }));
  new MutationObserver(note).observe(document.body, { childList: true });
});
"""


def heard(person: Person, region: str) -> list[str]:
    return [text for name, text in person.page.evaluate("heard") if name == region]


def order(person: Person) -> list[str]:
    items = person.table.part("#hand li")
    held: list[str] = items.evaluate_all("all => all.map(each => each.dataset.held)")
    return held


def sit(visit: Visit, user: User, table: Played, **options: object) -> Person:
    path = table.series.get_absolute_url()
    return visit(user, path, script=OBSERVE, **options).linked()


def long_table() -> Played:
    return dealt_table(lambda story: len(story) > 13, most=200)


def wishing(user: User, **wishes: str) -> User:
    user.preferences = str(Preferences(**wishes))
    user.save()
    return user


# Keeps the socket of a page where the test can speak by it.
KEEP_SOCKET = """
window.WebSocket = class extends WebSocket {
  constructor(url) { super(url); window.line = this; }
};
"""


# By keys alone


def press(person: Person, *keys: str) -> None:
    for key in keys:
        person.page.keyboard.press(key)


def focused(person: Person) -> str:
    found: str = person.page.evaluate("document.activeElement.id")
    return found


def walk_to(person: Person, card: Card) -> None:
    """Go along the hand until the card is in focus."""
    press(person, "Home" if focused(person).startswith("card-") else "ArrowRight")
    for _ in range(11):
        if focused(person) == f"card-{card}":
            return
        press(person, "ArrowRight")
    raise AssertionError(f"{card} can't be reached")


def tab_to(person: Person, button: Locator) -> None:
    for _ in range(12):
        if button.evaluate("button => button === document.activeElement"):
            return
        press(person, "Tab")
    raise AssertionError("the button can't be reached")


def play_by_keys(person: Person, action: Action) -> None:
    match action:
        case Pass():
            press(person, "p")
        case Take():
            press(person, "t")
        case Draw():
            press(person, "d")
        case Discard(card):
            walk_to(person, card)
            press(person, "Enter", "x")
        case Knock(card):
            walk_to(person, card)
            press(person, " ")
            gin = person.table.part(f"#open-gin-{card}").count()
            press(person, "g" if gin else "k")
            expect(person.table.dialog).to_be_visible()
            press(person, "Enter", "Enter")  # fault 83: that alone does nothing
            tab_to(person, person.table.dialog.locator("form button.brass"))
            press(person, "Enter")
        case Defend():
            defend_by_keys(person)
        case _:
            raise AssertionError(f"no key for {action}")


def defend_by_keys(person: Person) -> None:
    """Lay a card off, take the best, confirm."""
    cards = person.table.part("#hand .face")
    before = cards.count()
    press(person, "l")
    expect(cards).to_have_count(before - 1)
    press(person, "b")
    expect(person.table.part("#button-best.brass")).to_have_count(0)
    assert focused(person) == "button-defend"
    press(person, "Enter")


def knocked_by(seat: int) -> Callable[[Story], bool]:
    return lambda story: story[-1].knocker == seat and can_lay_off(story)


@pytest.mark.parametrize("knocker", [0, 1])
def test_a_round_is_played_by_keys_alone_and_each_event_is_told_once(
    visit: Visit, knocker: int
) -> None:
    table = dealt_table(knocked_by(knocker))
    person = sit(visit, table.users[0], table, size=DESK)
    before = len(table.row.folded().all_events)
    turns = 0
    while not table.row.kind:
        version, turn, action = table.row.version, table.state.turn, plain_action(table.state)
        if turn == 0:
            play_by_keys(person, action)
        else:
            table.act(action)
        person.table.until_version(version + 1)
        turns += turn == 1 and (table.state.turn == 0 or bool(table.row.kind))
    cast = Cast((str(table.users[0]), str(table.users[1])), 0)
    events = table.row.folded().all_events[before:]
    sentences = [event_sentence(event.seen_by(0), cast) for event in events]
    told = " ".join(heard(person, "told"))
    assert re.sub(r" (Your turn: [^.]*\.|Ready for the next round\?)", "", told) == " ".join(
        sentences
    )
    called = heard(person, "called")
    assert all(each.startswith(("Your turn: ", "Ready for")) for each in called)
    assert len(called) == turns
    assert " ".join([told, *called]).count("Ready for the next round?") == 1
    press(person, "n")
    expect(person.table.part("#call")).to_have_text(f"Waiting for {table.users[1]}.")


def test_letters_do_nothing_where_they_are_not_wanted(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = sit(visit, wishing(table.turn_user, keys="off"), table)
    press(person, "d", "?", "s")
    other = sit(visit, table.waiting_user, table, size=DESK)
    press(other, "Control+d", "Alt+s", "Shift+S")
    person.page.wait_for_timeout(300)
    assert not person.sent_actions()
    assert person.table.dialog.count() == 0
    assert person.table.part(".hand.sorted").count() == 0
    assert other.table.part(".hand.sorted").count() == 0


def test_the_keys_are_listed(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = sit(visit, table.waiting_user, table, size=DESK)
    press(person, "?")
    expect(person.table.dialog).to_contain_text("discard the chosen card")
    press(person, "d", "?")
    expect(person.table.dialog).to_have_count(0)


# Sorting


def test_an_order_of_one_s_own_stays_over_updates_and_reloads_and_is_sent_nowhere(
    visit: Visit,
) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = sit(visit, table.turn_user, table, size=DESK)
    before = order(person)
    first, fifth = before[0], before[4]
    drag(person, person.table.label(Card[first]), person.table.label(Card[fifth]))
    moved = order(person)
    assert moved.index(first) > 2
    assert sorted(moved) == sorted(before)
    assert "in my own order" in person.table.part(".hand .sort").inner_text()
    assert not person.table.is_chosen(Card[first])
    person.table.until_moved(lambda: table.act(Draw()))
    expect(person.table.part("#hand li")).to_have_count(11)
    assert order(person)[:10] == moved
    new = order(person)[10]
    expect(person.table.part("#hand li.new")).to_have_attribute("data-held", new)
    person.page.reload()
    assert order(person) == [*moved, new]
    path = table.series.get_absolute_url()
    person.page.close()
    person.page = person.open_tab(path)  # another day
    person.linked()
    assert order(person) == [*moved, new]
    assert not any(first in frame for frame in person.sent if "hello" not in frame)


def test_an_order_of_one_s_own_ends_with_its_round_and_the_last_sort_is_back(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = sit(visit, table.turn_user, table, size=DESK)
    press(person, "s")  # by suit
    hand = order(person)
    drag(person, person.table.label(Card[hand[0]]), person.table.label(Card[hand[4]]))
    assert "in my own order" in person.table.part(".hand .sort").inner_text()
    table.act(Resign())
    for user in table.users:
        table.press_next(user)
    expect(person.table.part("#news")).to_have_attribute("data-round", "2")
    expect(person.table.part(".hand .sort")).to_contain_text("by suit")
    cards = [Card[held] for held in order(person)]
    assert cards == sorted(cards)


def test_orders_of_old_series_are_forgotten(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    path = table.series.get_absolute_url()
    person = sit(visit, table.turn_user, table, size=DESK)
    person.page.evaluate(
        """localStorage.hands = JSON.stringify([...Array(30)].map(
            (_, number) => [`/series/${number}/`, { sort: "own", own: ["AS"] }]))"""
    )
    press(person, "s")
    kept = person.page.evaluate("JSON.parse(localStorage.hands).map(([url]) => url)")
    assert kept == [path, *(f"/series/{number}/" for number in range(19))]


def test_a_touch_that_slips_a_little_chooses_the_card(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DISCARD))
    person = touched(sit(visit, table.turn_user, table, has_touch=True, is_mobile=True))
    card, before = throwable(person), order(person)
    box = person.table.label(card).bounding_box()
    assert box is not None
    x, y = box["x"] + 14, box["y"] + 40
    finger = person.page.context.new_cdp_session(person.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (x, y))
    touch("touchMove", (x + 6, y + 4))
    touch("touchMove", (x + 9, y + 6))
    touch("touchEnd")
    until(lambda: person.table.is_chosen(card) or None, person.page)
    assert order(person) == before


def test_a_card_is_moved_by_keys_and_keeps_the_focus(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = sit(visit, table.waiting_user, table)
    press(person, "ArrowRight")
    card = order(person)[0]
    press(person, "Alt+ArrowRight", "Alt+ArrowRight", "Alt+ArrowLeft")
    assert order(person)[1] == card
    assert focused(person) == f"card-{card}"
    assert heard(person, "told")[-1].endswith(", 2 of 10")


def test_sorting_goes_round(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = sit(visit, table.waiting_user, table, size=DESK)
    in_melds = order(person)
    cards = [Card[held] for held in in_melds]
    press(person, "s")
    assert order(person) == [str(card) for card in sorted(cards)]
    person.table.part(".hand .sort").click()
    assert order(person) == [
        str(card) for card in sorted(cards, key=lambda card: (card.rank, card.suit))
    ]
    press(person, "s")
    assert order(person) == in_melds


def test_without_javascript_a_hand_is_sorted_by_links_and_stays_so(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    path = table.series.get_absolute_url()
    person = visit(table.turn_user, path, size=DESK, java_script_enabled=False)
    person.table.part(".hand .sort").click()
    cards = person.table.hand
    assert cards == sorted(cards)
    person.table.button("draw").click()
    expect(person.table.part("#hand li")).to_have_count(11)
    cards = person.table.hand
    assert cards == sorted(cards)
    person.table.part(".hand .sort").click()
    assert person.table.hand == sorted(cards, key=lambda card: (card.rank, card.suit))


# Gestures


def drag(person: Person, start: Locator, end: Locator) -> None:
    """Drag from what shows of one card to what shows of another, or to a pile."""
    mouse = person.page.mouse
    boxes = [each.bounding_box() for each in (start, end)]
    (x, y), (to_x, to_y) = ((box["x"] + 12, box["y"] + box["height"] / 2) for box in boxes if box)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 4, y - 12, steps=3)
    person.page.wait_for_timeout(300)  # the first touch fetches what moves
    mouse.move(to_x + 8, to_y, steps=8)
    mouse.up()
    person.page.wait_for_timeout(300)


def throwable(person: Person) -> Card:
    table = person.table
    return highest(card for card in table.hand if table.form("discard", card).count())


def test_a_card_that_is_dragged_to_the_pile_is_discarded(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DISCARD))
    person = sit(visit, table.turn_user, table)
    card = throwable(person)
    person.table.until_moved(
        lambda: drag(person, person.table.label(card), person.table.part(".upcard"))
    )
    assert person.table.upcard == card
    assert person.table.part(".hand.sorted").count() == 0
    assert [json.loads(frame)["card"] for frame in person.sent_actions()] == [str(card)]


def test_a_card_that_is_dropped_on_the_felt_goes_back(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DISCARD))
    person = sit(visit, table.turn_user, table)
    before = order(person)
    label = person.table.label(throwable(person))
    drag(person, label, person.table.part(".facts"))
    assert order(person) == before
    assert person.table.part(".hand.sorted").count() == 0
    assert not person.sent_actions()
    expect(label).not_to_have_class("dragged")


def test_a_double_tap_discards_only_where_that_is_preferred(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DISCARD))
    user = table.turn_user
    person = sit(visit, user, table)
    card = throwable(person)
    person.table.label(card).dblclick()
    person.page.wait_for_timeout(300)
    assert not person.sent_actions()
    assert not person.table.is_chosen(card)
    wishing(user, double_tap="on")
    person.page.reload()
    person.linked()
    person.table.until_moved(lambda: person.table.label(card).dblclick())
    assert person.table.upcard == card


def test_a_discard_is_asked_about_where_that_is_preferred(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DISCARD))
    person = sit(visit, wishing(table.turn_user, confirm_discards="on"), table)
    card = throwable(person)
    person.table.choose(card)
    person.table.button("discard", card).click()
    expect(person.table.dialog).to_contain_text("Discard this card?")
    expect(person.table.dialog.locator("img")).to_have_attribute("src", re.compile(f"/{card}\\."))
    person.table.dialog.get_by_role("button", name="Not yet").click()
    assert person.table.dialog.count() == 0
    person.table.part(".upcard").click()
    yes = person.table.dialog.get_by_role("button", name="Discard")
    person.table.until_moved(lambda: yes.click())
    assert person.table.upcard == card
    assert len(person.sent_actions()) == 1


# Motion


def touched(person: Person) -> Person:
    """What moves is fetched with the first touch."""
    person.page.mouse.move(40, 200)
    person.page.mouse.move(50, 210)
    fetched = "performance.getEntriesByType('resource').some(each => each.name.includes('motion'))"
    until(lambda: person.page.evaluate(fetched) or None, person.page)
    person.page.wait_for_timeout(300)
    return person


def travels(person: Person) -> list[str]:
    found: list[str] = person.page.evaluate("travels")
    return found


def test_a_card_that_is_drawn_unseen_travels_as_a_back_without_a_name(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = touched(sit(visit, table.waiting_user, table, size=DESK))
    person.table.until_moved(lambda: table.act(Draw()))
    until(lambda: travels(person) or None, person.page)
    assert travels(person) == ['<i class="back travelling"></i>']
    expect(person.table.part("body > .travelling")).to_have_count(0)
    card = highest(a.card for a in legal_discards(table))
    person.table.until_moved(lambda: table.act(Discard(card)))
    until(lambda: travels(person)[1:] or None, person.page)
    assert f"/{card}." in travels(person)[1]


def legal_discards(table: Played) -> list[Discard]:
    state = table.state
    return [each for each in legal_actions(state, state.turn) if isinstance(each, Discard)]


@pytest.mark.parametrize("still", ["device", "preference"])
def test_nothing_moves_where_that_is_not_wanted(visit: Visit, still: str) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    user, options = table.waiting_user, {}
    if still == "device":
        options = {"reduced_motion": "reduce"}
    else:
        wishing(user, motion="off")
    person = touched(sit(visit, user, table, size=DESK, **options))
    person.table.until_moved(lambda: table.act(Draw()))
    person.page.wait_for_timeout(300)
    assert travels(person) == []
    press(person, "s")
    assert person.page.evaluate("document.getAnimations().length") == 0


def test_what_moves_takes_no_focus_and_holds_up_nothing(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = touched(sit(visit, table.turn_user, table, size=DESK))
    press(person, "d")
    expect(person.table.part("#hand li")).to_have_count(11)
    press(person, "x")  # no card is chosen: it says so
    expect(person.table.notice).to_have_text("Choose a card first.")
    card = throwable(person)
    person.table.choose(card)  # while the card still travels
    expect(person.table.notice).to_be_empty()
    person.table.until_moved(lambda: press(person, "x"))
    assert person.table.upcard == card


# Drafts, sounds, the time until the deal


def test_laying_nothing_off_is_asked_once_where_the_best_leaves_less(visit: Visit) -> None:
    table = play_until(dealt_table(can_lay_off), at(Phase.DEFENCE))
    person = visit(table.turn_user, table.series.get_absolute_url()).linked()
    person.table.part("#button-defend").click()
    expect(person.table.dialog).to_contain_text("Lay nothing off?")
    shoot(person.page, "lay-nothing-off")
    assert person.sent_actions() == []
    person.table.dialog.get_by_role("button", name="Not yet").click()
    person.table.button("best").click()
    expect(person.table.part("#button-best.brass")).to_have_count(0)
    person.table.until_moved(lambda: person.table.part("#button-defend").click())
    assert person.table.part(".slip").is_visible()


def test_a_draft_of_lay_offs_survives_a_new_connection(visit: Visit) -> None:
    table = play_until(dealt_table(can_lay_off), at(Phase.DEFENCE))
    path = table.series.get_absolute_url()
    person = visit(table.turn_user, path, script=KEEP_SOCKET).linked()
    value = person.table.form("defend").locator("[name=lay_offs]")
    person.table.part('#hand form[data-action="lay-off"] button').first.click()
    expect(value).not_to_have_value("")
    laid = value.input_value()
    count = len(person.received)
    person.page.evaluate("line.send(JSON.stringify({hello: 0, stamp: ''}))")
    until(lambda: len(person.received) > count or None, person.page)
    expect(person.table.pulse).to_have_attribute("data-since", "0")
    person.page.wait_for_timeout(300)
    expect(value).to_have_value(laid)
    expect(person.table.part("#showdown .laid-off")).to_have_count(1)


@pytest.mark.parametrize("answered", ["before", "after"])
def test_a_draft_of_lay_offs_survives_an_update_that_comes_first(
    visit: Visit, answered: str
) -> None:
    """What is laid off is shown even if the offer to stop took its form away meanwhile."""
    table = play_until(dealt_table(can_lay_off), at(Phase.DEFENCE))
    person = visit(table.turn_user, table.series.get_absolute_url()).linked()

    def be_late(route: Route) -> None:
        if answered == "before":
            response = route.fetch()
        assert table.wish(Wish.OFFER_END, table.waiting_user).status == "done"
        expect(person.table.part("#actions .resign.asks")).to_have_count(1)
        if answered == "before":
            route.fulfill(response=response)
        else:
            route.continue_()

    person.page.route("**/draft/*", be_late, times=1)
    person.table.part('#hand form[data-action="lay-off"] button').first.click()
    expect(person.table.part("#showdown .laid-off")).to_have_count(1)
    expect(person.table.form("defend").locator("[name=lay_offs]")).not_to_have_value("")
    expect(person.table.part("#actions .resign.asks")).to_have_count(1)


def test_a_draft_whose_answer_comes_after_the_round_changes_nothing(visit: Visit) -> None:
    table = play_until(dealt_table(can_lay_off), at(Phase.DEFENCE))
    person = visit(table.turn_user, table.series.get_absolute_url()).linked()

    def be_late(route: Route) -> None:
        response = route.fetch()
        assert table.act(plain_action(table.state)).status == "done"
        expect(person.table.form("defend")).to_have_count(0)
        route.fulfill(response=response)

    person.page.route("**/draft/*", be_late, times=1)
    with person.page.expect_response("**/draft/*"):
        person.table.part('#hand form[data-action="lay-off"] button').first.click()
    expect(person.table.form("next-round")).to_have_count(1)
    expect(person.table.form("defend")).to_have_count(0)


FACES_FETCHED = """() => new Set(
  performance.getEntriesByType("resource").map(({ name }) => name.match(/cards\\/(\\w\\w)\\./)?.[1])
    .filter(Boolean)
).size === 52"""


def test_the_faces_are_fetched_before_they_are_turned_up(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = visit(table.turn_user, table.series.get_absolute_url()).linked()
    until(lambda: person.page.evaluate(FACES_FETCHED) or None, person.page)
    assert len(person.table.faces()) < 20, "they are fetched, and stand nowhere on the page"


COUNT_SOUNDS = """
window.contexts = 0;
window.AudioContext = class extends AudioContext { constructor() { super(); contexts += 1; } };
"""


@pytest.mark.parametrize(("wish", "contexts"), [("off", 0), ("on", 1)])
def test_sounds_are_made_for_who_wants_them_after_a_gesture(
    visit: Visit, wish: str, contexts: int
) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    user = wishing(table.turn_user, sounds=wish)
    person = visit(user, table.series.get_absolute_url(), script=COUNT_SOUNDS).linked()
    person.page.wait_for_timeout(200)
    assert person.page.evaluate("contexts") == 0
    person.table.until_moved(lambda: person.table.button("draw").click())
    person.page.wait_for_timeout(300)
    assert person.page.evaluate("contexts") == contexts


def test_the_time_until_the_deal_is_counted_down_by_the_server_s_clock(visit: Visit) -> None:
    table = play_until(dealt_table(lambda story: True), lambda state: state.phase is Phase.OVER)
    path = table.series.get_absolute_url()
    wrong = "const now = Date.now; Date.now = () => now() - 3_600_000;"
    person = visit(table.users[0], path, script=wrong).linked()
    deal_at = person.table.part("#deal-at")
    expect(deal_at).to_have_text(re.compile(r"^in 0:[0-2]\d$"))
    plain = visit(table.users[1], path, java_script_enabled=False)
    expect(plain.table.part("#deal-at")).to_have_text(re.compile(r"^at .* UTC$"))


def test_a_knock_by_keys_needs_no_chosen_card_where_there_is_only_one(visit: Visit) -> None:
    table = play_until(dealt_table(lambda story: True), may_knock)
    person = sit(visit, table.turn_user, table)
    openers = person.table.part('#hand [id^="open-knock-"]').count()
    press(person, "k")
    if openers == 1:
        expect(person.table.dialog).to_be_visible()
    elif openers:
        expect(person.table.notice).to_have_text("Choose a card first.")


def test_fault_47_an_older_talk_of_the_same_version_changes_nothing(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DISCARD))
    person = visit(table.turn_user, table.series.get_absolute_url(), script=KEEP_SOCKET).linked()
    version = person.table.version
    table.wish(Wish.OFFER_END, table.waiting_user)
    expect(person.table.part("#actions .resign.asks")).to_have_count(1)
    ages = f'data-version="{version}" data-talk="0" hx-swap-oob="true"'
    older = f'<section id="actions" {ages}><h2 id="call">older</h2></section>'
    person.page.evaluate("older => line.onmessage({ data: older })", older)
    expect(person.table.part("#actions .resign.asks")).to_have_count(1)
    assert person.table.part("#call").inner_text() != "older"


def test_fault_109_a_line_that_is_closed_as_soon_as_it_opens_is_asked_for_ever_less(
    visit: Visit,
) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = visit(table.turn_user, script="Math.random = () => 1;")
    opened: list[WebSocketRoute] = []

    def busy(line: WebSocketRoute) -> None:
        opened.append(line)
        line.on_message(lambda hello: line.close(code=1013))

    person.page.route_web_socket(re.compile("/ws/"), busy)
    person.page.goto(table.series.get_absolute_url())
    person.page.wait_for_timeout(6_500)
    assert 2 <= len(opened) <= 4, "after 1, 2 and 4 seconds"


def test_fault_108_the_answer_to_an_earlier_press_ends_no_later_one(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = visit(table.turn_user, table.series.get_absolute_url(), script=KEEP_SOCKET).linked()
    form = person.table.form("draw")
    key = form.locator("[name=key]").input_value()
    answer = f'<div id="ack" hidden hx-swap-oob="true" data-key="{key}" data-status="busy"></div>'
    person.page.evaluate("answer => line.onmessage({ data: answer })", answer)
    person.page.evaluate(
        """() => {
            line.send = () => { delete line.send; line.onmessage({ data: "" }); };
        }"""
    )
    person.table.until_moved(lambda: form.locator("button").click())


def test_a_refusal_can_be_read_if_the_dialog_was_replaced_with_it(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = visit(table.turn_user, table.series.get_absolute_url(), script=KEEP_SOCKET).linked()
    person.table.part(".resign summary").click()
    person.table.part("#open-resign-series").click()
    expect(person.table.dialog).to_have_count(1)
    person.page.evaluate(
        """() => {
            const { outerHTML } = document.getElementById("actions");
            line.send = (text) => {
                const ack = `<div id="ack" hidden hx-swap-oob="true"
                    data-key="${JSON.parse(text).key}" data-status="busy"></div>`;
                const same = outerHTML.replace("<section", '<section hx-swap-oob="true"');
                setTimeout(() => line.onmessage({ data: ack + same }), 50);
            };
        }"""
    )
    person.table.part("#button-resign-series").click()
    expect(person.table.part(".button.sent")).to_have_count(0)
    expect(person.table.part("#ack")).to_have_attribute("data-status", "busy")
    expect(person.table.dialog).to_have_count(0)


def test_fault_47_an_older_pulse_moves_the_page_s_version_nowhere(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DISCARD))
    person = visit(table.turn_user, table.series.get_absolute_url(), script=KEEP_SOCKET).linked()
    version = person.table.version
    older = '<div id="pulse" hidden hx-swap-oob="true" data-since="0" data-version="1"'
    older += ' data-talk="0" data-stamp="1.0" data-build=""></div>'
    person.page.evaluate("older => line.onmessage({ data: older })", older)
    count = len(person.sent)
    person.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    hellos = until(lambda: [f for f in person.sent[count:] if '"hello"' in f] or None, person.page)
    assert json.loads(hellos[0])["hello"] == version
