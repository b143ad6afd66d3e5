"""What the open page does when others act, and when lines, servers and log ins fail."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from django.urls import reverse
from playwright.sync_api import WebSocketRoute, expect

from games.models import Round, Series
from games.rules.actions import Draw, Knock
from games.rules.cards import Card
from games.rules.events import Knocked
from games.rules.melds import Arrangement
from games.rules.options import Options
from games.rules.round import Phase, RoundState, spreads
from games.services.series import create_series
from tests.e2e.browser import DESK, OpenSite, Person, TablePage, Visit, until
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
from tests.e2e.wire import Wire
from tests.site import Site
from tests.tables import Played, new_user

pytestmark = pytest.mark.browser

# What Chromium itself writes to the console while the test takes the network or the server away.
NO_LINE = (
    r"net::ERR_",
    r"WebSocket connection to .* failed",
    r"\[object Event\]",
    r"htmx:(afterRequest|sendError)",
)
REFUSED = (r"the server responded with a status of 4\d\d",)


def drawing(table: Played) -> Played:
    return play_until(table, at(Phase.DRAW))


def choosing(table: Played) -> Played:
    """Somebody holds eleven cards."""
    return play_until(table, at(Phase.DISCARD))


def long_table() -> Played:
    """A round that will not be over soon."""
    return dealt_table(lambda story: len(story) > 13, most=200)


def seat_down(visit: Visit, table: Played) -> tuple[Person, Person]:
    """The pages of the player whose turn it is and of the other."""
    path = table.series.get_absolute_url()
    mover = visit(table.turn_user, path).linked()
    return mover, visit(table.waiting_user, path, size=DESK).linked()


def throw(person: Person) -> Card:
    """Discard the highest card; the other page need not have it yet."""
    table = person.table
    card = highest(card for card in table.hand if table.form("discard", card).count())
    table.choose(card)
    table.until_moved(lambda: table.button("discard", card).click())
    return card


# Two screens


def test_an_action_is_on_the_other_screen_at_once(visit: Visit) -> None:
    table = drawing(long_table())
    mover, other = seat_down(visit, table)
    mover.table.until_moved(lambda: mover.table.button("draw").click())
    expect(other.table.part("#news")).to_contain_text("drew from the stock", timeout=3_000)
    card = throw(mover)
    version = str(mover.table.version)
    expect(other.table.pulse).to_have_attribute("data-version", version, timeout=3_000)
    assert other.table.upcard == card
    assert other.table.is_mine


def test_fault_80_title_and_list_say_your_turn_like_the_table(visit: Visit) -> None:
    table = choosing(long_table())
    mover, other = seat_down(visit, table)
    one, two = table.turn_user, table.waiting_user
    home = mover.open_tab("/")
    expect(home.get_by_role("listitem")).to_contain_text("your turn")
    expect(mover.page).to_have_title(f"● Your turn – {two} – Hollywood Gin")
    throw(mover)
    expect(mover.page).to_have_title(f"{two} – Hollywood Gin")
    expect(other.page).to_have_title(f"● Your turn – {one} – Hollywood Gin")
    home.reload()
    expect(home.get_by_role("listitem")).not_to_contain_text("your turn")


def test_two_tabs_of_a_player_show_the_same_and_either_can_play(visit: Visit) -> None:
    table = drawing(long_table())
    mover, _ = seat_down(visit, table)
    first, second = mover.table, TablePage(mover.open_tab(table.series.get_absolute_url()))
    first.until_moved(lambda: first.button("draw").click())
    second.until_version(first.version)
    assert second.hand == first.hand
    card = highest(second.hand)
    second.choose(card)
    second.until_moved(lambda: second.button("discard", card).click())
    first.until_version(second.version)
    assert not first.is_mine
    assert card not in first.hand


def has_two_spreads(story: Story) -> bool:
    """Whether whoever knocks can choose how to lay the cards down."""
    state = next((each for each in story if may_knock(each)), None)
    if state is None:
        return False
    ways = spreads_of(state)
    return len(ways) > 1 and ways[0].deadwood_points > 0


def spreads_of(state: RoundState) -> tuple[Arrangement, ...]:
    knock = plain_action(state)
    assert isinstance(knock, Knock)
    return spreads(state, state.turn, knock.card)


def test_another_spread_than_the_automatic_one_can_be_laid_down(visit: Visit) -> None:
    table = play_until(dealt_table(has_two_spreads, most=200), may_knock)
    wanted, knock = spreads_of(table.state)[1], plain_action(table.state)
    assert isinstance(knock, Knock)
    seat = visit(table.turn_user, table.series.get_absolute_url()).linked().table
    seat.choose(knock.card)
    seat.opener(knock.card).click()
    seat.dialog.locator(".spreads label").nth(1).click()
    seat.until_moved(seat.confirm)
    [knocked] = [each for each in table.row.folded().all_events if isinstance(each, Knocked)]
    assert knocked.spread == wanted


def test_fault_17_a_reload_in_the_middle_of_a_knock_changes_nothing(visit: Visit) -> None:
    table = play_until(dealt_table(lambda story: True), may_knock)
    mover, other = seat_down(visit, table)
    before, shown = mover.table.version, public(other)
    card = highest(mover.table.loose)
    mover.table.choose(card)
    mover.table.opener(card).click()
    expect(mover.table.dialog).to_be_visible()
    mover.page.reload()
    assert len(mover.table.hand) == 11
    assert mover.table.version == before
    assert public(other) == shown


def public(person: Person) -> list[str]:
    """What a page says of the round."""
    return person.table.part("#news, #piles, #call").all_inner_texts()


# Lines and servers that fail


def test_a_killed_server_comes_back_and_the_pages_heal(visit: Visit, production: Site) -> None:
    table = drawing(long_table())
    mover, other = (person.allow(*NO_LINE) for person in seat_down(visit, table))
    mover.table.until_moved(lambda: mover.table.button("draw").click())
    version = mover.table.version
    production.servers[0].kill()
    for person in (mover, other):
        expect(person.table.banner("lost")).to_be_visible()
        expect(person.table.part("#connection").get_by_role("link", name="Reload")).to_be_visible()
    production.servers[0].restart()
    for person in (mover, other):
        expect(person.table.part("#connection")).to_be_hidden()
        person.table.until_version(version)
    throw(mover)
    other.table.until_version(version + 1)
    assert table.row.version == version + 1
    assert [json.loads(frame)["action"] for frame in mover.sent_actions()] == ["draw", "discard"]


def test_fault_108_what_is_done_offline_is_not_queued(visit: Visit) -> None:
    table = drawing(long_table())
    mover, _ = seat_down(visit, table)
    mover.allow(*NO_LINE)
    version = mover.table.version
    mover.context.set_offline(True)
    expect(mover.table.banner("offline")).to_be_visible()
    for _ in range(3):
        mover.table.button("draw").click()
    mover.page.wait_for_timeout(500)
    assert table.row.version == version
    mover.context.set_offline(False)
    expect(mover.table.part("#connection")).to_be_hidden()
    mover.page.wait_for_timeout(4_000)  # longer than the page waits to send again
    assert table.row.version == version
    mover.table.until_moved(lambda: mover.table.button("draw").click())
    assert table.row.version == version + 1


@pytest.fixture(scope="module")
def laid_wire(open_production: OpenSite) -> Iterator[tuple[Wire, Site]]:
    """A site that is reached through a wire."""
    line = Wire()
    site = open_production(SITE_HOSTS=f"127.0.0.1:{line.port}")
    line.start(site.servers[0].port)
    yield line, site
    line.stop()


@pytest.fixture
def wire(laid_wire: tuple[Wire, Site]) -> Iterator[tuple[Wire, Site]]:
    yield laid_wire
    laid_wire[0].swallow = laid_wire[0].hold_down = False


def through(wire: tuple[Wire, Site], visit: Visit, table: Played) -> Person:
    """The page of the player whose turn it is, at the other end of the wire."""
    line, site = wire
    path = table.series.get_absolute_url()
    return visit(table.turn_user, path, site=site, origin=line.origin).linked()


def test_promise_r9_a_dead_line_is_noticed_and_heals(visit: Visit, wire: tuple[Wire, Site]) -> None:
    """A wire swallows every packet: the page says so within 12 s, and is back soon after."""
    table = drawing(long_table())
    mover = through(wire, visit, table).allow(*NO_LINE)
    line, site = wire
    other = visit(table.waiting_user, table.series.get_absolute_url(), site=site).linked()
    line.swallow = True
    table.act(Draw())
    expect(mover.table.banner("lost")).to_be_visible(timeout=3 * 12_000)
    assert table.row.version == mover.table.version + 1
    line.swallow = False
    expect(mover.table.part("#connection")).to_be_hidden(timeout=3 * 2_000)
    mover.table.until_version(table.row.version)
    throw(mover)
    other.table.until_version(mover.table.version)


def test_fault_48_an_action_without_an_answer_is_sent_again_and_counts_once(
    visit: Visit, wire: tuple[Wire, Site]
) -> None:
    table = drawing(long_table())
    mover = through(wire, visit, table)
    line, _ = wire
    version = mover.table.version
    line.hold_down = True
    mover.table.button("draw").click()
    until(lambda: len(mover.sent_actions()) > 1 or None, mover.page)
    line.hold_down = False
    mover.table.until_version(version + 1)
    first, second = (json.loads(frame) for frame in mover.sent_actions()[:2])
    assert first == second
    expect(mover.table.part("#hand .face")).to_have_count(11)
    assert table.row.version == version + 1
    assert mover.table.notice.inner_text() == ""


def test_fault_113_a_refusal_is_told_and_stays_after_the_refresh(
    visit: Visit, wire: tuple[Wire, Site]
) -> None:
    """Fault 49: another client of the same player was quicker, and this page could not know."""
    table = drawing(long_table())
    mover = through(wire, visit, table).allow(*REFUSED)
    line, _ = wire
    line.hold_down = True
    table.act(Draw())
    mover.table.button("draw").click()
    until(lambda: mover.sent_actions() or None, mover.page)
    assert mover.table.is_mine
    line.hold_down = False
    expect(mover.table.notice).to_contain_text("moved on")
    expect(mover.table.notice).to_have_attribute("role", "alert")
    expect(mover.table.part("#hand .face")).to_have_count(11)
    throw(mover)
    assert mover.table.notice.inner_text() == ""


def test_an_illegal_action_is_refused_near_the_button(visit: Visit) -> None:
    table = choosing(long_table())
    mover, other = seat_down(visit, table)
    mine = mover.table.hand
    not_mine = next(card for card in Card if card not in mine and card not in mover.table.faces())
    mover.table.choose(mine[0])
    mover.table.form("discard", mine[0]).locator("[name=card]").evaluate(
        f"field => {{ field.value = '{not_mine}' }}"
    )
    mover.table.button("discard", mine[0]).click()
    expect(mover.table.notice).not_to_be_empty()
    told = mover.table.notice.inner_text()
    assert mover.table.hand == mine
    assert table.row.version == mover.table.version
    other.page.goto("/")  # they are away now, which comes as a push
    expect(mover.table.part("#opponent")).to_contain_text("away")
    assert mover.table.notice.inner_text() == told


def test_fault_113_without_javascript_the_refusal_stands_on_the_page(visit: Visit) -> None:
    table = drawing(long_table())
    path = table.series.get_absolute_url()
    mover = visit(table.turn_user, path, java_script_enabled=False).allow(*REFUSED)
    table.act(Draw())
    mover.table.button("draw").click()
    expect(mover.table.notice).to_contain_text("moved on")
    expect(mover.table.part("#hand .face")).to_have_count(11)
    expect(mover.table.part("header.bar")).to_be_visible()


# Pushes that are lost or late


PULSE = re.compile(r'<div id="pulse".*? data-since="(\d+)" data-version="(\d+)"')


@dataclass
class Post:
    """Carries what the server pushes to a page, as a test wants it: `lose` or `delay` an action."""

    lose: int = 0
    delay: int = 0
    delivered: int = 0
    late: list[str | bytes] = field(default_factory=list)

    def carry(self, page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()
        page_side.on_message(server_side.send)
        server_side.on_message(lambda push: self._deliver(page_side, push))

    def _deliver(self, page_side: WebSocketRoute, push: str | bytes) -> None:
        numbers = PULSE.match(str(push))
        is_action = numbers is not None and numbers[1] != numbers[2]
        if is_action and self.lose:
            self.lose -= 1
        elif is_action and self.delay:
            self.delay -= 1
            self.late.append(push)
        else:
            page_side.send(push)
            self.delivered += numbers is not None
            while self.late:
                page_side.send(self.late.pop())


def watching(visit: Visit, table: Played, post: Post) -> TablePage:
    """The page of the one who waits, with this post."""
    person = visit(table.waiting_user, "")
    person.page.route_web_socket(re.compile("/ws/"), post.carry)
    person.page.goto(table.series.get_absolute_url())
    until(lambda: post.delivered or None, person.page)
    return person.table


def test_fault_47_a_lost_push_is_noticed_at_the_next_one(visit: Visit) -> None:
    table, post = drawing(long_table()), Post()
    mover = visit(table.turn_user, table.series.get_absolute_url()).linked()
    watcher = watching(visit, table, post)
    post.lose = 1
    mover.table.until_moved(lambda: mover.table.button("draw").click())
    until(lambda: None if post.lose else True, mover.page)
    card = throw(mover)
    watcher.until_version(mover.table.version)
    assert watcher.upcard == card
    assert watcher.is_mine


def test_a_late_push_does_not_bring_back_what_was(visit: Visit) -> None:
    table, post = drawing(long_table()), Post()
    mover = visit(table.turn_user, table.series.get_absolute_url()).linked()
    watcher = watching(visit, table, post)
    post.delay = 1
    mover.table.until_moved(lambda: mover.table.button("draw").click())
    until(lambda: post.late or None, mover.page)
    assert watcher.version < mover.table.version
    card = throw(mover)
    until(lambda: None if post.late else True, mover.page)
    mover.page.wait_for_timeout(300)
    watcher.until_version(mover.table.version)
    assert watcher.upcard == card
    assert watcher.is_mine


def test_fault_104_a_page_greets_once_and_again_when_it_wakes(visit: Visit) -> None:
    """Fault 101: after a sleep the page asks what it has missed."""
    table = drawing(long_table())
    person = visit(table.turn_user, table.series.get_absolute_url()).linked()
    assert sum('"hello"' in frame for frame in person.sent) == 1
    person.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(lambda: sum('"hello"' in frame for frame in person.sent) > 1 or None, person.page)
    assert person.table.version == table.row.version


# Where no socket comes through


def without_socket(visit: Visit, table: Played) -> Person:
    """The page of the player whose turn it is, behind a proxy that takes no socket."""
    person = visit(table.turn_user, "", allowed=NO_LINE)
    person.page.route_web_socket(re.compile("/ws/"), lambda route: route.close(code=1006))
    person.page.goto(table.series.get_absolute_url())
    return person


def test_without_a_socket_the_page_plays_by_post(visit: Visit) -> None:
    table = drawing(long_table())
    mover = without_socket(visit, table)
    other = visit(table.waiting_user, table.series.get_absolute_url()).linked()
    mover.table.until_moved(lambda: mover.table.button("draw").click())
    assert mover.page.url.endswith(table.series.get_absolute_url()), "the page stands where it was"
    card = throw(mover)
    other.table.until_version(mover.table.version)
    assert other.table.upcard == card
    other.table.until_moved(lambda: other.table.button("draw").click())
    throw(other)
    mover.table.until_version(other.table.version)  # it asks now and then
    assert mover.table.is_mine


def test_fault_113_a_broken_server_leaves_the_table_whole_and_is_told(visit: Visit) -> None:
    table = drawing(long_table())
    mover = without_socket(visit, table).allow(r"status of 500", r"Response Status Error")
    answer = {"status": 500, "content_type": "text/html", "body": "<h1>It broke</h1>"}
    mover.page.route("**/series/**", lambda route: route.fulfill(**answer))
    mover.table.button("draw").click()
    expect(mover.table.banner("silent")).to_be_visible()
    expect(mover.table.part("header.bar")).to_be_visible()
    expect(mover.table.part("#hand .face")).to_have_count(10)
    mover.page.unroute("**/series/**")
    mover.table.until_moved(lambda: mover.table.button("draw").click())


# Updates and what is in use


def test_fault_82_the_choice_goes_when_the_card_has_gone(visit: Visit) -> None:
    table = choosing(long_table())
    mover, _ = seat_down(visit, table)
    second = TablePage(mover.open_tab(table.series.get_absolute_url()))
    card = highest(mover.table.hand)
    mover.table.choose(card)
    second.choose(card)
    second.until_moved(lambda: second.button("discard", card).click())
    mover.table.until_version(second.version)
    assert not mover.table.part("#hand input:checked").count()
    other_card = mover.table.hand[0]
    mover.table.choose(other_card)
    assert mover.table.is_chosen(other_card)


# Keeps the socket of a page where the test can speak by it.
KEEP_SOCKET = """
window.WebSocket = class extends WebSocket {
  constructor(...values) { super(...values); window.line = this; }
};
"""


def renew(person: Person) -> None:
    """Have every region of a page made anew, as after a gap."""
    count = len(person.received)
    person.page.evaluate("line.send(JSON.stringify({hello: 0, stamp: ''}))")
    until(lambda: len(person.received) > count or None, person.page)
    expect(person.table.pulse).to_have_attribute("data-since", "0")


def test_fault_103_focus_choice_and_dialog_survive_an_update(visit: Visit) -> None:
    table = play_until(dealt_table(lambda story: True), may_knock)
    path = table.series.get_absolute_url()
    mover = visit(table.turn_user, path, script=KEEP_SOCKET).linked()
    card = highest(mover.table.loose)
    mover.table.choose(card)
    mover.table.opener(card).click()
    expect(mover.table.dialog).to_be_visible()
    stood = mover.table.part(f"#card-{card}").element_handle()
    renew(mover)
    assert stood is not None
    assert not stood.evaluate("radio => radio.isConnected")
    expect(mover.table.dialog).to_be_visible()
    assert mover.table.is_chosen(card)
    mover.page.keyboard.press("Escape")
    expect(mover.table.dialog).to_be_hidden()
    mover.table.part(f"#card-{card}").focus()
    renew(mover)
    assert mover.page.evaluate("document.activeElement.id") == f"card-{card}"
    assert mover.table.is_chosen(card)


# Double clicks


def test_fault_110_a_double_click_draws_one_card(visit: Visit) -> None:
    table = drawing(long_table())
    mover, _ = seat_down(visit, table)
    mover.table.button("draw").dblclick(delay=30)
    expect(mover.table.part("#hand .face")).to_have_count(11)
    mover.page.wait_for_timeout(500)
    assert table.row.version == mover.table.version
    assert len(mover.sent_actions()) == 1


def test_fault_110_without_javascript_a_double_click_counts_once(visit: Visit) -> None:
    table = drawing(long_table())
    path = table.series.get_absolute_url()
    mover = visit(table.turn_user, path, java_script_enabled=False)
    version = table.row.version
    mover.table.button("draw").dblclick(delay=30)
    expect(mover.table.part("#hand .face")).to_have_count(11)
    assert table.row.version == version + 1
    assert mover.table.notice.inner_text() == ""


def test_fault_110_a_double_click_on_next_round_deals_once(visit: Visit) -> None:
    table = dealt_table(lambda story: True)
    play_until(table, at(Phase.OVER))
    mover, other = seat_down(visit, table)
    for person in (mover, other):
        person.table.button("next-round").dblclick(delay=30)
    expect(mover.table.part("#hand .face")).to_have_count(10)
    assert Round.objects.filter(series=table.series).count() == 2


def test_fault_110_a_double_click_sets_one_table(visit: Visit) -> None:
    user = new_user()
    person = visit(user, "/")
    person.page.get_by_role("button", name="Set the table").dblclick(delay=30)
    expect(person.table.part("#call")).to_have_text("Waiting for an opponent.")
    assert Series.objects.filter(created_by=user).count() == 1
    person.page.go_back()
    person.page.get_by_label("Points to win a game").fill("75")
    person.page.get_by_role("button", name="Set the table").click()
    expect(person.table.part("#call")).to_have_text("Waiting for an opponent.")
    assert Series.objects.filter(created_by=user).count() == 2


def test_fault_110_a_double_click_sits_down_once(visit: Visit) -> None:
    host, guest = new_user(), new_user()
    series = create_series(user=host, options=Options())
    person = visit(guest, reverse("invitation", args=[series.invitation.token]))
    person.page.get_by_role("button", name="Sit down").dblclick(delay=30)
    expect(person.table.part("#hand .face")).to_have_count(10)
    assert series.seats.count() == 2


# Log ins that end, pages that are opened again, builds that change


def test_fault_109_a_log_out_elsewhere_ends_the_page_for_good(visit: Visit) -> None:
    table = drawing(long_table())
    mover, _ = seat_down(visit, table)
    elsewhere = mover.open_tab("/account/logout/")
    elsewhere.get_by_role("main").get_by_role("button", name="Log out").click()
    expect(mover.table.banner("session")).to_be_visible()
    count = len(mover.sockets)
    mover.page.wait_for_timeout(3_000)
    assert len(mover.sockets) == count
    link = mover.table.banner("session").get_by_role("link")
    expect(link).to_have_attribute(
        "href", f"/account/login/?next={table.series.get_absolute_url()}"
    )
    link.click()
    expect(mover.page.get_by_role("button", name="Log in", exact=True)).to_be_visible()


def test_fault_112_back_and_a_new_visit_show_the_whole_page(visit: Visit) -> None:
    table = drawing(long_table())
    mover, _ = seat_down(visit, table)
    mover.page.get_by_role("link", name="Hollywood Gin").click()
    expect(mover.page.get_by_role("heading", name="Waiting for you")).to_be_visible()
    table.act(Draw())
    mover.page.go_back()
    expect(mover.table.part("header.bar")).to_be_visible()
    expect(mover.table.part("#hand .face")).to_have_count(11)
    mover.table.until_version(table.row.version)
    again = TablePage(mover.open_tab(table.series.get_absolute_url()))
    expect(again.part("header.bar")).to_be_visible()
    throw(mover)
    expect(mover.table.part("#hand .face")).to_have_count(10)


def test_fault_112_a_draft_of_lay_offs_has_an_address_of_its_own(visit: Visit) -> None:
    table = play_until(dealt_table(can_lay_off), at(Phase.DEFENCE))
    mover, _ = seat_down(visit, table)
    mover.table.button("best").click()
    expect(mover.table.part("#showdown .laid-off")).not_to_have_count(0)
    mover.page.goto("/")
    mover.page.go_back()
    expect(mover.table.part("header.bar")).to_be_visible()
    expect(mover.table.part("#opponent .name")).to_be_visible()
    mover.table.until_moved(mover.table.defend)


def test_fault_66_a_page_of_an_older_build_is_told_between_its_turns(
    visit: Visit, open_production: OpenSite
) -> None:
    site = open_production()
    table = choosing(long_table())
    path = table.series.get_absolute_url()
    mover = visit(table.turn_user, path, site=site).linked().allow(*NO_LINE)
    site.servers[0].kill()
    manifest = site.data_dir / "static" / "staticfiles.json"
    manifest.write_text(re.sub(r'("hash": ")\w+', r"\g<1>another", manifest.read_text()))
    site.servers[0].restart()
    until(lambda: len(mover.sockets) > 1 or None, mover.page)
    expect(mover.table.part("#connection")).to_be_hidden()
    throw(mover)
    expect(mover.table.banner("build")).to_be_visible()
    mover.table.part("#connection").get_by_role("link", name="Reload").click()
    expect(mover.table.part("#table")).to_have_attribute("data-build", "another")
    expect(mover.table.banner("build")).to_be_hidden()
