"""Whoever comes can use it: by keyboard, by ear, on a small phone, over a thin line."""

import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.db.models.functions import Now
from django.urls import reverse
from playwright.sync_api import Page, Response, ViewportSize, expect

from accounts.models import User
from accounts.preferences import Preferences
from games.models import Round, Seat, Series
from games.rules.actions import Knock
from games.rules.cards import Card
from games.rules.melds import best_arrangement
from games.rules.options import Options
from games.rules.round import Phase
from games.services.bot_loop import play_bot_turn
from games.services.bot_turns import bot_turn
from games.services.request import Wish
from games.services.series import create_series
from games.thinking import think
from tests import axe
from tests.e2e.browser import DESK, PHONE, Person, Visit, shoot
from tests.e2e.dealing import (
    Story,
    at,
    can_lay_off,
    dealt_table,
    has_a_draw,
    highest,
    may_knock,
    plain_action,
    play_until,
)
from tests.house import bot_table
from tests.screenshots.tables import against_the_clock
from tests.tables import Played, new_user

pytestmark = pytest.mark.browser


def path_of(series: Series) -> str:
    return series.get_absolute_url()


def any_table() -> Played:
    return dealt_table(has_a_draw)


def long_table() -> Played:
    return dealt_table(lambda story: len(story) > 20, most=200)


def hold(table: Played) -> Played:
    """The next round is not dealt by itself while a test looks at the result."""
    Round.objects.filter(series=table.series).update(due_at=None)
    return table


# What axe finds


type Scene = tuple[User | None, str]


def visitor_home() -> Scene:
    return None, "/"


def log_in_page() -> Scene:
    return None, reverse("account_login")


def sign_up_page() -> Scene:
    return None, reverse("account_signup")


def log_out_page() -> Scene:
    return new_user(), reverse("account_logout")


def nothing_here() -> Scene:
    return None, "/series/nowhere/"


def home_without_series() -> Scene:
    return new_user(), "/"


def home_with_series() -> Scene:
    table = any_table()
    create_series(user=table.turn_user, options=Options())
    return table.turn_user, "/"


def invitation() -> Scene:
    series = create_series(user=new_user(), options=Options())
    return None, reverse("invitation", args=[series.invitation.token])


def empty_chair() -> Scene:
    series = create_series(user=new_user(), options=Options())
    return series.created_by, path_of(series)


def own_turn() -> Scene:
    table = play_until(any_table(), may_knock)
    action = plain_action(table.state)
    assert isinstance(action, Knock)
    return table.turn_user, f"{path_of(table.series)}?card={action.card}"


def others_turn() -> Scene:
    table = play_until(any_table(), at(Phase.DRAW))
    return table.waiting_user, path_of(table.series)


def defence() -> Scene:
    table = play_until(dealt_table(can_lay_off), at(Phase.DEFENCE))
    return table.turn_user, path_of(table.series)


def result() -> Scene:
    table = hold(play_until(any_table(), at(Phase.OVER)))
    return table.users[0], path_of(table.series)


def fair_deal() -> Scene:
    return None, reverse("fair_deal")


def deal_that_matches() -> Scene:
    table = play_until(any_table(), lambda state: state.phase is Phase.OVER)
    return None, reverse("verify_round", args=[table.series.slug, 1])


def spectator() -> Scene:
    table = play_until(any_table(), at(Phase.DISCARD))
    return None, path_of(table.series)


def bots() -> Scene:
    return None, reverse("bots")


def one_bot() -> Scene:
    return new_user(), reverse("bot", args=["expert"])


def with_bot() -> Scene:
    """A round with a bot is over, and it tells its reasons."""
    table = bot_table()
    while not table.row.kind:
        # The site plays the bot's turns too; whoever comes first does.
        if (turn := bot_turn(table.row.pk)) is not None:
            play_bot_turn(turn, think(turn.bot, turn.view, turn.seed))
        elif not table.row.kind:
            table.act(plain_action(table.state), table.users[0])
    return table.users[0], path_of(hold(table).series)


SCENES: tuple[Callable[[], Scene], ...] = (
    bots,
    one_bot,
    with_bot,
    visitor_home,
    log_in_page,
    sign_up_page,
    log_out_page,
    nothing_here,
    home_without_series,
    home_with_series,
    invitation,
    empty_chair,
    own_turn,
    others_turn,
    defence,
    result,
    fair_deal,
    deal_that_matches,
    spectator,
)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    visit: Visit, scene: Callable[[], Scene]
) -> None:
    user, path = scene()
    page = visit(user, path, allowed=(r"status of 404",)).page
    axe.prepare(page)
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert axe.violations(page) == [], f"{size} {scheme}"


# Small screens


SPARE = 10  # pixels, for fonts that are a little taller than those here


# In one breath: an update may replace an element between two questions about it.
_BOXES = """() => {
  const boxes = (selector) => [...document.querySelectorAll(`#table ${selector}`)]
    .map((each) => each.getBoundingClientRect())
    .filter((box) => box.width && box.height);
  return {
    parts: ["#opponent", "#sheet .strip", "#hand", "#actions"].map(boxes),
    cards: boxes("#hand label.card"),
    piles: boxes("#piles .stack"),
    openers: boxes("#piles .caption .plain"),
    buttons: boxes("#actions .button"),
    scroll: scrollY,
  };
}"""


def fits(person: Person) -> None:
    """All that is needed in play is in view at 360 × 640, and large enough to touch."""
    bottom = PHONE["height"] - SPARE
    person.page.set_viewport_size({"width": PHONE["width"], "height": bottom})
    seen = person.page.evaluate(_BOXES)
    for part in seen["parts"]:
        assert all(box["top"] >= 0 and box["bottom"] <= bottom + 0.5 for box in part), part
    assert all(card["width"] >= 43.5 for card in seen["cards"]), seen["cards"]
    assert all(button["height"] >= 44 for button in seen["buttons"]), seen["buttons"]
    for opener in seen["openers"]:
        assert opener["height"] >= 44, "large enough to open the discards"
        assert all(pile["bottom"] <= opener["top"] + 0.5 for pile in seen["piles"]), seen
    assert seen["scroll"] == 0


@pytest.mark.parametrize(
    "phase", [Phase.OFFER, Phase.DRAW, Phase.DISCARD, Phase.DEFENCE, Phase.OVER]
)
def test_play_fits_a_small_phone(visit: Visit, phase: Phase) -> None:
    table = hold(play_until(dealt_table(can_lay_off), at(phase)))
    for user in table.users:
        fits(visit(user, path_of(table.series)))


@pytest.mark.parametrize(
    "phase", [Phase.OFFER, Phase.DRAW, Phase.DISCARD, Phase.DEFENCE, Phase.OVER]
)
def test_play_with_the_longest_names_fits_a_small_phone(visit: Visit, phase: Phase) -> None:
    table = hold(play_until(dealt_table(can_lay_off), at(phase)))
    for user in table.users:
        name = f"Bartholomew_{user.username:_>8}"
        User.objects.filter(pk=user.pk).update(username=name)
    assert table.wish(Wish.OFFER_END, table.users[0]).status == "done"
    Series.objects.filter(pk=table.series.pk).update(started_at=Now() - timedelta(hours=1))
    for user in (table.turn_user, table.waiting_user):
        # Whoever waits finds the other gone, and may claim the series soon.
        Seat.objects.filter(series=table.series).update(seen_at=Now() - timedelta(seconds=20))
        person = visit(user, path_of(table.series))
        shoot(person.page, f"long-names-{phase.value}")
        fits(person)
        person.context.close()


@pytest.mark.parametrize("phase", [Phase.OFFER, Phase.DRAW, Phase.DISCARD])
def test_on_a_phone_held_sideways_what_to_press_is_in_view(visit: Visit, phase: Phase) -> None:
    table = play_until(long_table(), at(phase))
    user = table.turn_user
    User.objects.filter(pk=user.pk).update(preferences=str(Preferences(guide="off")))
    person = visit(user, path_of(table.series)).linked()
    person.page.set_viewport_size({"width": PHONE["height"], "height": PHONE["width"]})
    # In one breath: the page may be swapping a region.
    ends = person.page.evaluate(
        """() => ["#piles", "#call", "#actions", "#hand .cards"].map((part) => {
            const box = document.querySelector(part).getBoundingClientRect();
            return [box.top, box.bottom];
        })"""
    )
    for top, bottom in ends:
        assert 0 <= top < bottom <= PHONE["width"], ends


@pytest.mark.parametrize("phase", [Phase.DRAW, Phase.DISCARD])
def test_with_clocks_it_fits_a_small_phone(visit: Visit, phase: Phase) -> None:
    table = against_the_clock(play_until(any_table(), at(phase)), 467)
    person = visit(table.turn_user, path_of(table.series))
    fits(person)
    expect(person.table.part("#actions .clock time")).to_have_text(re.compile(r"^7:[0-4]\d$"))
    expect(person.table.part("#opponent .clock")).to_contain_text("9:01")


def test_a_hand_without_a_meld_fits_a_small_phone(visit: Visit) -> None:
    table = play_until(dealt_table(has_no_meld, most=200), at(Phase.DISCARD))
    person = visit(table.turn_user, path_of(table.series))
    assert len(person.table.loose) == 11
    fits(person)


def test_a_result_that_ends_a_game_fits_a_small_phone(visit: Visit) -> None:
    table = dealt_table(scores_fifty, most=30, target=50)
    hold(play_until(table, at(Phase.OVER)))
    fits(visit(table.users[0], path_of(table.series)))


def scores_fifty(story: Story) -> bool:
    result = story[-1].result
    return result is not None and result.points >= 50


def has_no_meld(story: Story) -> bool:
    state = next(state for state in story if state.phase is Phase.DISCARD)
    return not best_arrangement(state.hands[state.turn]).melds


def test_fault_83_no_double_tap_knocks(visit: Visit) -> None:
    table = play_until(any_table(), may_knock)
    version = table.row.version
    person = visit(table.turn_user, path_of(table.series), has_touch=True, is_mobile=True).linked()
    seat, card = person.table, highest(person.table.loose)
    twice(lambda: seat.label(card).tap())
    assert not seat.dialog.count()
    if not seat.is_chosen(card):
        seat.label(card).tap()
    box = seat.opener(card).bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    twice(lambda: person.page.touchscreen.tap(*middle))
    person.page.wait_for_timeout(300)
    assert table.row.version == version
    assert person.sent_actions() == []


def test_fault_83_enter_pressed_twice_does_not_knock(visit: Visit) -> None:
    table = play_until(any_table(), may_knock)
    version = table.row.version
    person = visit(table.turn_user, path_of(table.series)).linked()
    card = highest(person.table.loose)
    person.table.choose(card)
    person.table.opener(card).focus()
    twice(lambda: person.page.keyboard.press("Enter"))
    expect(person.table.dialog).to_be_visible()
    person.page.wait_for_timeout(300)
    assert table.row.version == version


def twice(do: Callable[[], object]) -> None:
    do()
    do()


# By keyboard


@dataclass
class Keys:
    """A keyboard, and where its focus is."""

    page: Page

    def press(self, *keys: str) -> "Keys":
        for key in keys:
            self.page.keyboard.press(key)
        return self

    @property
    def focus(self) -> str:
        """The id of what has the focus, or its words."""
        return str(
            self.page.evaluate("document.activeElement.id || document.activeElement.textContent")
        ).strip()

    def choose(self) -> "Keys":
        """Choose the card that has the focus, where walking to it has not done so."""
        is_chosen = self.page.evaluate("document.activeElement.checked")
        return self if is_chosen else self.press("Space")

    def tab_to(self, *wanted: str) -> "Keys":
        passed = [self.focus]
        while passed[-1] not in wanted:
            assert len(passed) < 30, f"{wanted} is not among {passed}"
            self.press("Tab")
            passed.append(self.focus)
        return self


def test_a_turn_by_keyboard_alone(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    person = visit(table.turn_user, path_of(table.series)).linked()
    seat, keys = person.table, Keys(person.page)
    keys.tab_to("button-draw")
    seat.until_moved(lambda: keys.press("Enter"))
    assert keys.focus.startswith("card-"), "the card just drawn, from where the hand can be walked"
    hand, walked = {f"card-{card}" for card in seat.hand}, {keys.focus}
    for step in ["ArrowLeft"] * 10 + ["ArrowRight"] * 10:
        walked.add(keys.press(step).focus)
    assert walked == hand
    chosen = keys.focus.removeprefix("card-")
    keys.choose()
    assert seat.is_chosen(Card[chosen])
    keys.tab_to(f"discard-{chosen}")
    seat.until_moved(lambda: keys.press("Enter"))
    assert Card[chosen] not in seat.hand
    assert keys.focus != "", "the focus is on the table still"


def test_a_knock_by_keyboard_alone(visit: Visit) -> None:
    table = play_until(any_table(), may_knock)
    person = visit(table.turn_user, path_of(table.series)).linked()
    seat, keys = person.table, Keys(person.page)
    card = highest(seat.loose)
    keys.tab_to(*(f"card-{each}" for each in seat.hand)).press(*["ArrowLeft"] * 10)
    for _ in range(11):
        if keys.press("ArrowRight").focus == f"card-{card}":
            break
    opener = seat.opener(card).get_attribute("id") or ""
    keys.choose()
    keys.tab_to(opener).press("Enter")
    expect(seat.dialog).to_be_visible()
    keys.press("Escape")
    expect(seat.dialog).to_be_hidden()
    assert keys.focus == opener
    keys.press("Enter").tab_to("Knock", "Gin")
    seat.until_moved(lambda: keys.press("Enter"))
    assert table.row.folded().state.knocker is not None


def test_a_lay_off_by_keyboard_alone(visit: Visit) -> None:
    table = play_until(dealt_table(can_lay_off), at(Phase.DEFENCE))
    person = visit(table.turn_user, path_of(table.series)).linked()
    seat, keys = person.table, Keys(person.page)
    places = seat.part("#hand form[data-action=lay-off] button")
    first = places.first.get_attribute("id") or ""
    keys.tab_to(first).press("Enter")
    expect(seat.part("#showdown .laid-off")).to_have_count(1)
    assert keys.focus, "the focus is on the table still"
    keys.tab_to("button-defend")

    def confirm() -> None:
        keys.press("Enter")
        if seat.dialog.count():  # the best would leave less
            keys.tab_to(seat.dialog.locator("button.brass").inner_text()).press("Enter")

    seat.until_moved(confirm)
    assert seat.part(".slip").is_visible()


# By ear

LISTEN = """() => {
  window.heard = [];
  for (const id of ["told", "called"]) {
    const region = document.getElementById(id);
    const note = () => region.textContent && heard.push([id, region.textContent]);
    new MutationObserver(note).observe(region, { childList: true, subtree: true });
  }
}"""


def test_each_event_is_said_once_and_the_own_turn_at_once(visit: Visit) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    mover, other = table.turn_user, table.waiting_user
    path = path_of(table.series)
    person = visit(other, path).linked()
    person.page.evaluate(LISTEN)
    for reached in (Phase.DISCARD, Phase.DRAW, Phase.DISCARD, Phase.DRAW):
        outcome = table.act(plain_action(table.state))
        assert table.state.phase is reached
        person.table.until_version(outcome.version)
    heard = [tuple(each) for each in person.page.evaluate("heard")]
    told = [words for region, words in heard if region == "told"]
    assert len(told) == 4
    assert told[0] == f"{mover} drew from the stock."
    assert told[1].startswith(f"{mover} discarded the ")
    assert told[2].startswith("You drew the ")
    assert told[3].startswith("You discarded the ")
    called = [words for region, words in heard if region == "called"]
    assert len(called) == 1
    assert called[0].startswith("Your turn: draw")


# Over a thin line


def test_the_table_page_is_light(visit: Visit) -> None:
    """All that the page itself names, but for the cards; the guide of the first round is extra."""
    table = play_until(long_table(), at(Phase.DISCARD))
    user = table.turn_user
    User.objects.filter(pk=user.pk).update(preferences=str(Preferences(guide="off")))
    person = visit(user, "")
    responses: list[Response] = []
    person.page.on("response", lambda response: responses.append(response))
    person.page.goto(path_of(table.series), wait_until="networkidle")
    named = set(re.findall(r'(?:src|href)="([^"]*)"', person.page.content()))
    paths = {urlsplit(each.url).path: each for each in responses}
    parts = {
        path: weight(each)
        for path, each in paths.items()
        if "/cards/" not in path and (path in named or path == path_of(table.series))
    }
    assert len(parts) <= 8, parts
    assert sum(parts.values()) <= 40_000, parts
    # What a script fetches once the table can be played: movement, chat, the badge, the deal.
    later = {path: weight(each) for path, each in paths.items() if path not in parts}
    later = {path: size for path, size in later.items() if "/cards/" not in path}
    assert sum(later.values()) <= 10_000, later


SHIFTS = """() => {
  window.shifts = [];
  const note = (list) => shifts.push(
    ...list.getEntries().filter((each) => !each.hadRecentInput).map(({ value, sources }) =>
      [value, ...sources.map(({ node }) => node?.id || node?.className || node?.nodeName)])
  );
  new PerformanceObserver(note).observe({ type: "layout-shift" });
}"""


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_jumps_when_an_update_is_swapped_in(visit: Visit, size: ViewportSize) -> None:
    table = play_until(long_table(), at(Phase.DRAW))
    user = table.waiting_user
    # The guide's slip points at one thing after another.
    User.objects.filter(pk=user.pk).update(preferences=str(Preferences(guide="off")))
    person = visit(user, path_of(table.series), size=size).linked()
    person.page.wait_for_load_state("networkidle")
    person.page.evaluate(SHIFTS)
    for _ in range(6):
        person.table.until_version(table.act(plain_action(table.state)).version)
    person.page.wait_for_timeout(500)
    shifts = person.page.evaluate("shifts")
    assert sum(value for value, *_ in shifts) < 0.01, shifts


def weight(response: Response) -> int:
    """The bytes of a body as it is sent; what the server does not compress, a proxy would."""
    if "content-encoding" in response.headers:
        return response.request.sizes()["responseBodySize"]
    return len(gzip.compress(response.body()))


# Text that others wrote

PAYLOADS = (
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    '"><script>alert(1)</script>',
    '<div hx-get="/" hx-trigger="load">',
    '<b data-hx-post="/account/logout/" data-hx-trigger="load">',
    "\u202egnihton",
)


def test_promise_s11_a_name_is_text_and_nothing_else(visit: Visit) -> None:
    """Names hold plain letters only; what is refused is shown again, as text."""
    person = visit(None, reverse("account_signup"))
    page = person.page
    page.on("dialog", lambda dialog: person.problems.append(f"it ran: {dialog.message}"))
    for payload in PAYLOADS:
        page.get_by_label("Username").evaluate("field => field.removeAttribute('maxlength')")
        page.get_by_label("Username").fill(payload)
        page.get_by_label("Password").fill("three games at once")
        page.get_by_role("button", name="Register").click()
        expect(page.get_by_role("alert").first).to_be_visible()
        expect(page.get_by_label("Username")).to_have_value(payload)
    assert not User.objects.filter(username__in=PAYLOADS).exists()
