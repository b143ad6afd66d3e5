"""A visitor without an account sits down with a bot by one press, and plays a round to its result.

Once with JavaScript and once without; the bot thinks in the site's own second process.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games.models import Round, Series
from games.models.reasons import read_reasons
from games.selectors.audit import differences
from tests.e2e.browser import OpenSite, Person, TablePage, Visit, shoot, until
from tests.e2e.dealing import highest, likes
from tests.site import Site

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def quick(open_production: OpenSite) -> Iterator[Site]:
    """As in production, but the bots don't pause."""
    site = open_production(BOT_PACE="0")
    yield site
    print(site.logs())  # shown where a test has failed


def sit_down(visit: Visit, site: Site, **options: object) -> Person:
    person = visit(path="/", site=site, origin=site.servers[0].origin, **options)
    shoot(person.page, "home-visitor-bot")
    person.page.get_by_role("button", name="Play a bot now").click()
    expect(person.table.part("#opponent .name")).to_have_text("Chester")
    expect(person.table.part("#opponent .kind")).to_have_text(", bot")
    expect(person.table.part("#hand .face")).to_have_count(10)
    return person


def act(table: TablePage) -> None:
    """Do one thing, as a plain player; the page then shows something else."""
    if table.offers("take") and likes(table.upcard):
        table.button("take").click()
    elif table.offers("pass"):
        table.button("pass").click()
    elif table.offers("draw"):
        table.button("draw").click()
    elif table.offers("defend"):
        table.defend()
    else:
        throw(table)


def throw(table: TablePage) -> None:
    may = [card for card in table.hand if table.form("discard", card).count()]
    card = highest([card for card in table.loose if card in may] or may)
    table.choose(card)
    if table.opener(card).is_visible():
        table.opener(card).click()
        table.confirm()
    else:
        table.button("discard", card).click()


def play_round(person: Person, look: Callable[[], object]) -> int:
    """Play to the result; `look` brings news where the page gets none. How often one acted."""
    table, acts = person.table, 0
    while not table.part(".slip").count():
        if table.is_mine and not table.offers("next-round"):
            table.until_moved(lambda: act(table))
            acts += 1
        else:
            look()
            person.page.wait_for_timeout(20)
    return acts


def check_result(person: Person, site: Site) -> None:
    table = person.table
    expect(table.part(".open-hand")).to_have_count(2)
    expect(table.part("#opponent .state")).to_contain_text("ready for the next round")
    reasons = table.part("#reasons")
    reasons.locator("summary").click()
    expect(reasons.locator("li").first).to_contain_text("Chester")
    shoot(person.page, "result-bot")
    slug = person.page.url.rstrip("/").rpartition("/")[2]
    series = Series.objects.get(slug=slug)
    row = Round.objects.get(series=series)
    assert reasons.locator("li").count() == len(read_reasons(row.reasons)) > 0
    assert series.created_by.kind == User.Kind.GUEST
    assert list(differences(series)) == []
    assert site.errors() == []


def test_by_one_press_a_visitor_plays_a_bot(visit: Visit, quick: Site) -> None:
    person = sit_down(visit, quick).linked()
    assert play_round(person, lambda: None) > 1
    check_result(person, quick)
    # The bot has dealt nothing meanwhile; one's own press does.
    table = person.table
    table.until_moved(lambda: table.button("next-round").click())
    expect(table.part(".facts")).to_contain_text("Round 2")
    person.page.goto("/")
    expect(person.page.locator(".guest")).to_contain_text("You play as Guest-")
    expect(person.page.locator(".series-row .kind").first).to_have_text(", bot")
    shoot(person.page, "home-guest")


def test_without_javascript_too(visit: Visit, quick: Site) -> None:
    person = sit_down(visit, quick, java_script_enabled=False)
    assert play_round(person, person.page.reload) > 1
    check_result(person, quick)


def test_without_javascript_the_page_comes_back_by_itself(visit: Visit, quick: Site) -> None:
    """Nobody reloads: a page that waits for the bot asks again."""
    person = sit_down(visit, quick, java_script_enabled=False)
    for _ in range(3):
        until(lambda: person.table.is_mine or None, person.page)
        person.table.until_moved(lambda: act(person.table))


def test_two_presses_are_one_guest_at_one_table(visit: Visit, quick: Site) -> None:
    """Fault 110."""
    guests = User.objects.filter(kind=User.Kind.GUEST)
    before = Series.objects.count(), guests.count()
    person = visit(path="/", site=quick, origin=quick.servers[0].origin)
    person.page.get_by_role("button", name="Play a bot now").dblclick()
    expect(person.table.part("#hand .face")).to_have_count(10)
    assert (Series.objects.count(), guests.count()) == (before[0] + 1, before[1] + 1)
    assert person.page.url.endswith(Series.objects.latest("pk").get_absolute_url())


def test_every_bot_can_be_chosen_on_its_page(visit: Visit, quick: Site) -> None:
    person = visit(path="/bots/", site=quick, origin=quick.servers[0].origin)
    shoot(person.page, "bots")
    person.page.get_by_role("link", name="Mabel").click()
    expect(person.page.get_by_label("Opponent")).to_have_value("beginner")
    shoot(person.page, "bot")
    person.page.get_by_label("Rules").select_option("oklahoma")
    person.page.get_by_role("button", name="Play now").click()
    expect(person.table.part("#opponent .name")).to_have_text("Mabel")
