"""People who find each other: lobby, quick match, invitation by name, rematch, blocking."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.db.models.functions import Now
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.relations import Relation, relate
from games.models import Listing, Rating, Series
from games.rules.options import Options
from games.services.lobby import LOBBY, Company, set_table, withdraw_table
from games.services.request import Wish
from games.services.series import Terms
from games.time_control import TimeControl
from tests.e2e.browser import DESK, PHONE, Visit, shoot
from tests.tables import new_table, new_user

pytestmark = pytest.mark.browser

PLAIN = Terms(Options())


@pytest.fixture(autouse=True)
def _an_empty_lobby(db: None) -> None:
    """What other tests have left is not offered, and is not watched.

    Their pages may still be closing: what they show stays a table that there can be.
    """
    Listing.objects.all().delete()
    Series.objects.filter(status=Series.Status.PLAYING).update(is_private=True)


def listed(user: User | None = None, terms: Terms = PLAIN) -> Series:
    return set_table(user=user or new_user(), terms=terms, company=LOBBY)


def rate(user: User) -> User:
    Rating.objects.create(
        user=user,
        format="hollywood live",
        value=1634,
        deviation=60,
        volatility=0.06,
        series_count=21,
        rated_at=Now(),
    )
    return user


def test_a_quick_match_of_two(visit: Visit) -> None:
    anna, bert = new_user(), new_user()
    other = visit(bert, "/lobby/")
    expect(other.page.get_by_text("No table is waiting.")).to_be_visible()
    first = visit(anna, "/lobby/", size=DESK)
    first.page.get_by_label("Time").select_option("600+5")
    first.page.get_by_role("button", name="Find an opponent").click()
    expect(first.page.locator("#call")).to_have_text("Waiting for an opponent.")
    # It comes by itself, and goes once the host has gone.
    row = other.page.locator("[data-series]", has_text=anna.username)
    expect(row).to_contain_text("10 min + 5 s an action")
    other.page.get_by_label("Time").select_option("600+5")
    other.page.get_by_role("button", name="Find an opponent").click()
    for person, opposite in ((first, bert), (other, anna)):
        expect(person.page.locator("#opponent .name")).to_have_text(opposite.username)
        expect(person.table.part("#hand .face")).to_have_count(10)
    assert Series.objects.filter(seats__user=anna).count() == 1


def test_without_javascript_too(visit: Visit) -> None:
    series = listed()
    user = new_user()
    page = visit(user, "/lobby/", java_script_enabled=False).page
    page.get_by_role("button", name=f"Sit down – {series.created_by.username}").click()
    expect(page.locator("#opponent .name")).to_have_text(series.created_by.username)


def test_the_list_changes_and_the_focus_stays(visit: Visit) -> None:
    kept, gone = listed(), listed()
    page = visit(new_user(), "/lobby/").page
    button = page.locator(f"#join-{kept.slug}")
    button.focus()
    withdraw_table(slug=gone.slug, user=gone.created_by)
    expect(page.locator(f"#join-{gone.slug}")).to_have_count(0)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#opponent .name")).to_have_text(kept.created_by.username)


def test_who_comes_second_is_told(visit: Visit) -> None:
    series = listed()
    one, other = (
        visit(new_user(), "/lobby/", java_script_enabled=False, allowed=("status of 409",)).page
        for _ in range(2)
    )
    for page in (one, other):
        expect(page.locator(f"#join-{series.slug}")).to_be_visible()
    one.locator(f"#join-{series.slug}").click()
    expect(one.locator("#table")).to_be_visible()
    other.locator(f"#join-{series.slug}").click()
    expect(other.get_by_role("alert")).to_contain_text("taken the seat already")


def test_a_table_taken_back_is_gone_from_every_page(visit: Visit) -> None:
    host = visit(new_user(), "/new/?lobby", size=DESK).page
    host.get_by_role("button", name="Set the table").click()
    expect(host.locator("#call")).to_have_text("Waiting for an opponent.")
    watcher = visit(new_user(), "/lobby/").page
    expect(watcher.get_by_role("button", name="Sit down")).to_be_visible()
    host.goto("/")
    host.get_by_role("button", name="Take back").click()
    expect(host.get_by_text("No table is set.")).to_be_visible()
    expect(watcher.get_by_role("button", name="Sit down")).to_have_count(0)


def test_an_invitation_by_name(visit: Visit) -> None:
    host, asked = new_user("Ottokar"), new_user("Theodora")
    page = visit(host, "/people/").page
    page.get_by_label("How the name begins").fill("theo")
    page.get_by_role("button", name="Search").click()
    shoot(page, "people")
    page.get_by_role("link", name="Invite – Theodora").click()
    expect(page.get_by_label("By name")).to_be_checked()
    page.get_by_label("Time").select_option("3d")
    page.get_by_role("button", name="Set the table").click()
    expect(page.locator("#call")).to_have_text("Waiting for an opponent.")
    other = visit(asked, "/").page
    shoot(other, "home-invited")
    other.get_by_role("link", name="Look and answer – Ottokar").click()
    expect(other.locator("main")).to_contain_text("3 days a turn")
    other.get_by_role("button", name="Sit down").click()
    expect(page.locator("#opponent .name")).to_have_text("Theodora")
    expect(other.locator("#opponent .name")).to_have_text("Ottokar")


def test_a_visitor_follows_a_link_and_plays_as_a_guest(visit: Visit) -> None:
    series = set_table(user=new_user(), terms=PLAIN, company=Company())
    page = visit(path=f"/invitation/{series.invitation.token}/").page
    page.get_by_role("button", name="Play as a guest").click()
    expect(page.locator("#opponent .name")).to_have_text(series.created_by.username)
    page.goto("/")
    expect(page.get_by_text("You play as Guest-")).to_be_visible()


def test_a_rematch_takes_everybody_along(visit: Visit) -> None:
    table = new_table()
    path = table.series.get_absolute_url()
    one, other = (visit(user, path).linked() for user in table.users)
    watcher = visit(path=path, size=DESK).linked()
    table.wish(Wish.RESIGN, table.users[0])
    one.page.get_by_role("button", name="Rematch", exact=True).click()
    expect(one.page.locator("#actions")).to_contain_text("You have offered a rematch")
    expect(other.page.locator("#actions")).to_contain_text("would like a rematch")
    shoot(other.page, "rematch")
    other.page.get_by_role("button", name="Accept the rematch").click()
    for person in (one, other, watcher):
        person.page.get_by_role("link", name="To the rematch").click()
        person.page.wait_for_url(lambda url: path not in url)
        person.table.until_version(1)
    new = Series.objects.get(rematch_of=table.series)
    assert all(new.slug in person.page.url for person in (one, other, watcher))
    expect(one.table.part("#hand .face")).to_have_count(10)
    expect(watcher.table.part("#table form")).to_have_count(0)


def test_who_is_blocked_is_met_no_more(visit: Visit) -> None:
    me, other = new_user(), new_user("Quentin")
    series = listed(me)
    page = visit(me, "/@Quentin/").page
    page.get_by_text("More").click()
    page.get_by_role("button", name="Block").click()
    expect(page.get_by_role("button", name="Unblock")).to_be_visible()
    shoot(page, "profile-blocked")
    lobby = visit(other, "/lobby/").page
    expect(lobby.get_by_text("No table is waiting.")).to_be_visible()
    link = visit(other, f"/invitation/{series.invitation.token}/", allowed=("status of 409",)).page
    link.get_by_role("button", name="Sit down").click()
    expect(link.get_by_role("alert")).to_contain_text("not free for you")
    page.goto("/account/people/")
    page.get_by_role("button", name="Unblock – Quentin").click()
    expect(lobby.locator(f"#join-{series.slug}")).to_be_visible()


def test_every_option_by_keyboard_and_errors_at_the_field(visit: Visit) -> None:
    page = visit(new_user(), "/new/", allowed=("status of 422",)).page
    page.get_by_text("More options").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Gin bonus").select_option("20")
    page.get_by_label("Rated", exact=True).check(force=True)
    shoot(page, "new-series")
    page.get_by_role("button", name="Set the table").click()
    expect(page.get_by_role("alert")).to_contain_text("with no option changed")
    expect(page.get_by_label("Gin bonus")).to_have_value("20")
    shoot(page, "new-series-wrong")
    page.get_by_label("Casual", exact=True).check(force=True)
    page.get_by_role("button", name="Set the table").click()
    expect(page.locator("#call")).to_have_text("Waiting for an opponent.")


# What axe finds


def full_lobby() -> tuple[User | None, str]:
    me = new_user()
    listed(me, Terms(Options(), TimeControl.parse("600+5")))
    listed(rate(new_user("Adelheid-von-Hohenau")), Terms(Options(), rated=True))
    listed(terms=Terms(Options.from_mapping({"preset": "oklahoma", "gin": 20})))
    set_table(user=new_user(), terms=PLAIN, company=Company(True, least=1800, most=2000))
    new_table()
    return me, "/lobby/"


def empty_lobby() -> tuple[User | None, str]:
    return new_user(), "/lobby/"


def visitors_lobby() -> tuple[User | None, str]:
    listed()
    return None, "/lobby/"


def new_page() -> tuple[User | None, str]:
    return new_user(), "/new/?lobby"


def people_page() -> tuple[User | None, str]:
    me, other = new_user(), new_user()
    relate(me.pk, other.pk, Relation.Kind.FOLLOW)
    return me, f"/people/?q={other.username[:4]}"


def relations_page() -> tuple[User | None, str]:
    me = new_user()
    for kind in Relation.Kind:
        relate(me.pk, new_user().pk, kind)
    return me, "/account/people/"


def leaderboard() -> tuple[User | None, str]:
    rate(new_user())
    return None, "/players/"


def empty_leaderboard() -> tuple[User | None, str]:
    return None, "/players/?format=straight-gin+days"


def rated_profile() -> tuple[User | None, str]:
    return new_user(), f"/@{rate(new_user()).username}/"


def home_invited() -> tuple[User | None, str]:
    me = new_user()
    set_table(user=new_user(), terms=PLAIN, company=Company(invited=me.pk))
    set_table(user=me, terms=PLAIN, company=Company())
    return me, "/"


PAGES: tuple[Callable[[], tuple[User | None, str]], ...] = (
    full_lobby,
    empty_lobby,
    visitors_lobby,
    new_page,
    people_page,
    relations_page,
    leaderboard,
    empty_leaderboard,
    rated_profile,
    home_invited,
)


def violations(page: Page) -> list[str]:
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize("scene", PAGES, ids=lambda scene: scene.__name__)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    visit: Visit, scene: Callable[[], tuple[User | None, str]]
) -> None:
    user, path = scene()
    page = visit(user, path).page
    for summary in page.locator("main details > summary").all():
        summary.click()
    page.evaluate(Axe().axe_script)
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert violations(page) == [], f"{size} {scheme}"
    shoot(page, f"lobby-{scene.__name__}")
