"""Two people register, play a whole series of Hollywood Gin and find it again; a third watches.

One of the two has no JavaScript. All is done on the pages that they see; only the deals are chosen,
so that the rounds are short and show what is to be seen.
"""

from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Error, Page, expect

from games.models import Round, Series
from games.rules.cards import Card
from games.rules.scoring import Ending
from tests.e2e.browser import DESK, Person, Visit, shoot, until
from tests.e2e.dealing import (
    PART,
    PART_SCRIPT,
    Story,
    Wanted,
    can_lay_off,
    choose_deal,
    highest,
    likes,
)

pytestmark = pytest.mark.browser

PASSWORD = "three games at once"
MOST_ROUNDS = 15


@dataclass
class Evening:
    """The three browsers, and what has been seen."""

    host: Person
    guest: Person
    watcher: Person
    series: Series
    pictured: set[str] = field(default_factory=set)
    public: set[Card] = field(default_factory=set)
    laid_off: set[str] = field(default_factory=set)
    refreshed: bool = False

    @property
    def players(self) -> tuple[Person, Person]:
        return self.host, self.guest

    def picture(self, page: Page, name: str) -> None:
        """Keep a picture of each state once."""
        if name not in self.pictured:
            self.pictured.add(name)
            shoot(page, name)


def register(page: Page, name: str) -> None:
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Register").click()


def begin(visit: Visit) -> Evening:
    """The host registers and sets a table; the guest follows the link, and registers on the way.

    The host's browser adds its part to every deal; the guest's can't, and gives none.
    """
    host = visit(path="/", size=DESK, script=PART_SCRIPT)
    shoot(host.page, "home-visitor")
    host.page.get_by_role("banner").get_by_role("link", name="Log in").click()
    shoot(host.page, "login")
    host.page.get_by_role("banner").get_by_role("link", name="Register").click()
    shoot(host.page, "signup")
    register(host.page, "Henrietta")
    shoot(host.page, "home-new")
    host.page.get_by_label("Points to win a game").fill("50")
    host.page.get_by_role("button", name="Set the table").click()
    expect(host.page.locator("#call")).to_have_text("Waiting for an opponent.")
    shoot(host.page, "waiting")
    link = host.page.get_by_label("Invitation link").input_value()
    series = Series.objects.get(created_by__username="Henrietta")
    for dealer in (0, 1):  # who deals first is drawn by lot
        choose_deal(series, 1, dealer, lambda story: can_lay_off(story), parts=(PART,))
    guest = visit(path=link, java_script_enabled=False)
    shoot(guest.page, "invitation")
    guest.page.get_by_role("link", name="Register and sit down").click()
    register(guest.page, "Gustav")
    guest.page.get_by_role("button", name="Sit down").click()
    watcher = visit(path=series.get_absolute_url(), size=DESK)
    evening = Evening(host, guest, watcher, series)
    meet(evening)
    return evening


def meet(evening: Evening) -> None:
    """The host's waiting page comes to life by itself."""
    host, guest = evening.host.table, evening.guest.table
    expect(guest.part("#hand .face")).to_have_count(10)
    expect(host.part("#hand .face")).to_have_count(10)
    expect(host.part("#opponent .name")).to_have_text("Gustav")
    expect(guest.part("#opponent .name")).to_have_text("Henrietta")


def catch_up(evening: Evening, mover: Person) -> None:
    """The others see what one has done: the page with JavaScript at once, the other when it asks.

    It does that by itself; to wait for it once is enough.
    """
    version = mover.table.version
    if mover is evening.host:
        if evening.refreshed:
            ask_again(evening.guest)
        evening.guest.table.until_version(version)
        evening.refreshed = True
    evening.host.table.until_version(version)
    evening.watcher.table.until_version(version)
    nothing_hidden_is_shown(evening)


def ask_again(person: Person) -> None:
    """Reload; where the page does so by itself in the same moment, that is as good."""
    try:
        person.page.reload()
    except Error as error:
        if "ERR_ABORTED" not in str(error):
            raise
        person.page.wait_for_load_state()


def nothing_hidden_is_shown(evening: Evening) -> None:
    watcher = evening.watcher.table
    if watcher.part(".upcard > .face").count():
        evening.public.add(watcher.upcard)
    hands = {*evening.host.table.hand, *evening.guest.table.hand}
    assert not watcher.faces() & hands - evening.public
    assert not watcher.part("#table form").count()


# How a plain player plays: what tests.e2e.dealing expects of them.


def take_turn(evening: Evening, mover: Person) -> None:
    table = mover.table
    if table.offers("take") and likes(table.upcard):
        evening.picture(mover.page, "offer" if table.offers("pass") else "draw")
        table.until_moved(lambda: table.button("take").click())
    elif table.offers("pass"):
        evening.picture(mover.page, "offer")
        table.until_moved(lambda: table.button("pass").click())
    elif table.offers("draw"):
        evening.picture(mover.page, "draw")
        table.until_moved(lambda: table.button("draw").click())
    elif table.offers("defend"):
        defend(evening, mover)
    else:
        throw(evening, mover)


def throw(evening: Evening, mover: Person) -> None:
    """Discard, or knock where that can be done."""
    table = mover.table
    may = [card for card in table.hand if table.form("discard", card).count()]
    card = highest([card for card in table.loose if card in may] or may)
    table.choose(card)
    if not table.opener(card).is_visible():
        evening.picture(mover.page, "discard")
        table.until_moved(lambda: table.button("discard", card).click())
        return
    table.opener(card).click()
    evening.picture(mover.page, "arrangement")
    table.until_moved(table.confirm)


def defend(evening: Evening, mover: Person) -> None:
    """The guest lays off by hand; the host tries that, takes it back and takes what is best."""
    table = mover.table
    evening.picture(mover.page, "defence")
    mine = table.part("#hand .face")
    before = mine.count()
    by_hand = table.part('#hand form[data-action="lay-off"] button')
    can = by_hand.count() > 0
    if can:
        by_hand.first.click()
        expect(mine).to_have_count(before - 1)
        evening.laid_off.add("by hand")
    if can and mover is evening.host:
        evening.picture(mover.page, "laid-off")
        table.part('#showdown form[data-action="lay-off"] button').click()
        expect(mine).to_have_count(before)
        table.button("best").click()
        expect(mine).not_to_have_count(before)
        evening.laid_off.add("best")
    table.until_moved(table.defend)


def who_moves(evening: Evening) -> Person | None:
    """The one whose page says so, once it is one only."""
    movers = [person for person in evening.players if person.table.is_mine]
    return movers[0] if len(movers) == 1 else None


def play_round(evening: Evening) -> None:
    """Play to the result; each page knows by itself whose turn it is."""
    while not evening.host.table.part(".slip").count():
        mover = until(lambda: who_moves(evening), evening.host.page)
        take_turn(evening, mover)
        catch_up(evening, mover)
    for person in (*evening.players, evening.watcher):
        expect(person.table.part(".open-hand")).to_have_count(2)
    evening.picture(evening.host.page, "result")


def press_next(evening: Evening) -> None:
    number = Round.objects.filter(series=evening.series).count()
    host, guest = evening.host.table, evening.guest.table
    host.button("next-round").click()
    expect(host.button("next-round")).to_have_count(0)
    guest.until_moved(lambda: guest.button("next-round").click())
    host.until_version(guest.version)
    expect(evening.watcher.table.part(".facts")).to_contain_text(f"Round {number + 1}")
    evening.picture(evening.watcher.page, "spectator")


def knocked_by(seat: int) -> Wanted:
    return lambda story: story[-1].knocker == seat and can_lay_off(story)


def ended_by(kind: Ending) -> Wanted:
    return lambda story: story[-1].result is not None and story[-1].result.kind is kind


def won_by(seat: int) -> Wanted:
    def wanted(story: Story) -> bool:
        result = story[-1].result
        return result is not None and result.winner == seat and result.points >= 25

    return wanted


WANTED: tuple[Wanted, ...] = (
    # The first round brings lay-offs for whoever defends; then both knock, and so on.
    knocked_by(0),
    knocked_by(1),
    ended_by(Ending.UNDERCUT),
    ended_by(Ending.GIN),
    won_by(0),
)


def choose_next(evening: Evening, number: int) -> None:
    last = Round.objects.filter(series=evening.series).latest("number")
    assert last.kind, "the round is over"
    dealer = last.dealer if last.winner is None else last.winner
    wanted = WANTED[min(number - 2, len(WANTED) - 1)]
    choose_deal(evening.series, number, dealer, wanted, most=20, parts=(PART,))


def test_two_people_play_a_series_from_registration_to_its_winner(visit: Visit) -> None:
    evening = begin(visit)
    for number in range(2, MOST_ROUNDS):
        play_round(evening)
        if evening.host.table.part("#actions").get_by_role("link").count():
            break
        choose_next(evening, number)
        press_next(evening)
    shoot(evening.host.page, "over")
    for person in (*evening.players, evening.watcher):
        expect(person.table.part("#call")).to_have_text("The series is over.")
    assert evening.laid_off == {"by hand", "best"}
    they_find_it_again(evening)


def they_find_it_again(evening: Evening) -> None:
    evening.series.refresh_from_db()
    winner = evening.players[evening.series.winner_side or 0]
    for person in evening.players:
        person.page.goto("/")
        row = person.page.get_by_role("region", name="Finished").get_by_role("listitem")
        expect(row).to_have_count(1)
        expect(row).to_contain_text("won" if person is winner else "lost")
        evening.picture(person.page, "home")
        row.get_by_role("link").click()
        verdict = "You have won the series" if person is winner else "has won the series"
        expect(person.page.get_by_role("main")).to_contain_text(verdict)
        person.page.get_by_role("link", name="To the table").click()
        expect(person.page.locator("#call")).to_have_text("The series is over.")
