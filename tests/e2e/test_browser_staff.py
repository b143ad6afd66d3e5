"""Promise M1 at the moderators' side: two of them, from the queue to the answer of an appeal."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Sanction, User
from games.models import Series
from games.moderation.models import Case, Signal
from games.moderation.services.reports import file_report
from games.moderation.services.signals import note_signal
from games.services.chat import say
from tests.e2e.browser import DESK, PHONE, Visit
from tests.e2e.test_browser_preferences import violations
from tests.staff import new_boss
from tests.tables import new_table, new_user

pytestmark = pytest.mark.browser


def looks_well(page: Page) -> None:
    """Nothing for axe, and nothing that scrolls sideways, on a phone and at a desk."""
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        assert violations(page) == []


def test_m1_claim_act_notify_appeal_answer(visit: Visit) -> None:
    table = new_table()
    reporter, person = table.users
    say(series=table.series, user_id=person.pk, key="rude", text="you play like a cow")
    file_report(
        reporter=reporter,
        person=person,
        rule="respect",
        text="It goes on <b>like</b> this.",
        key="k",
        series=table.series,
    )
    first, second = new_boss("Marek"), new_boss("Milena")

    # One finds it in the queue, claims it, writes it down and acts.
    page = visit(first, "/moderation/").page
    looks_well(page)
    page.get_by_role("link", name=person.username).click()
    expect(page.get_by_text("you play like a cow").first).to_be_visible()
    expect(page.get_by_text("It goes on <b>like</b> this.")).to_be_visible()
    page.get_by_role("button", name="Claim it").click()
    expect(page.get_by_text("The case is yours.")).to_be_visible()
    looks_well(page)
    page.get_by_label("Note for the moderators").fill("Both were loud.")
    page.get_by_role("button", name="Keep the note").click()
    expect(page.get_by_text("Both were loud.")).to_be_visible()
    page.get_by_label("What", exact=True).select_option("suspension")
    page.get_by_label("Rule", exact=True).select_option("respect")
    page.get_by_label("How long").select_option("72")
    page.get_by_label("What the person is told").fill("Nobody is called a cow here.")
    page.get_by_role("button", name="Impose it").click()
    expect(page.get_by_text("in force")).to_be_visible()
    page.get_by_label("Outcome").select_option("acted")
    page.get_by_role("button", name="Close it").click()
    expect(page.get_by_text("The case is closed")).to_be_visible()
    assert Case.objects.get(person=person).outcome == "acted"
    assert Series.objects.get(pk=table.series.pk).status == "over"

    # The person reads it, and appeals.
    theirs = visit(User.objects.get(pk=person.pk), "/").page
    expect(theirs.locator(".said-by-moderator")).to_have_text("Nobody is called a cow here.")
    theirs.locator("details.appeal summary").click()
    theirs.get_by_label("Why should another moderator").fill("It was a joke among friends.")
    theirs.get_by_role("button", name="Send the appeal").click()
    expect(theirs.get_by_text("will answer here")).to_be_visible()

    # Who imposed it is told to leave it to others; another one takes it back.
    page.goto("/moderation/appeals/")
    page.get_by_role("link", name=person.username).click()
    expect(page.get_by_text("Another moderator than the one who imposed it")).to_be_visible()
    other = visit(second, "/moderation/appeals/").page
    other.get_by_role("link", name=person.username).click()
    looks_well(other)
    other.get_by_label("Decision").select_option("yes")
    other.get_by_label("Answer to the person").fill("Then it is taken back.")
    other.get_by_role("button", name="Send the answer").click()
    expect(other.get_by_text("The appeal is answered")).to_be_visible()
    assert Sanction.objects.get(user=person).lifted_at is not None
    theirs.goto("/account/standing/")
    expect(theirs.get_by_text("Then it is taken back.")).to_be_visible()


def test_from_a_signal_to_a_case_and_from_a_name_to_a_letter(visit: Visit) -> None:
    person, other = new_user("Rude-name"), new_user()
    facts: dict[str, int | float | str | None] = {"fed": 41, "discards": 78, "one_in": 730_000}
    note_signal(Signal.Kind.FED, "fed", person.pk, other_id=other.pk, facts=facts)

    # What the site noticed becomes a case by one press, and can be claimed.
    page = visit(new_boss("Marta"), "/moderation/signals/").page
    expect(page.get_by_text("Of 78 cards that this player threw")).to_be_visible()
    expect(page.get_by_text("honest bots played")).to_be_visible()
    looks_well(page)
    page.get_by_role("button", name="Add it to the case about Rude-name").click()
    expect(page.get_by_role("heading", name="Case about Rude-name")).to_be_visible()
    page.get_by_role("button", name="Claim it").click()
    expect(page.get_by_text("The case is yours.")).to_be_visible()

    # Somebody is found by name, and renamed; they read it on every page.
    page.get_by_role("link", name="People").click()
    page.get_by_label("How the name begins").fill("rude")
    page.get_by_role("button", name="Search").click()
    looks_well(page)
    page.get_by_role("link", name="Rude-name").click()
    expect(page.get_by_role("link", name="The open case about them")).to_be_visible()
    looks_well(page)
    page.get_by_role("link", name="Rename them").click()
    page.get_by_label("Rule", exact=True).select_option("name")
    page.get_by_label("New name").fill("Nicer")
    page.get_by_label("What they are told").fill("It insults people.")
    page.get_by_role("button", name="Rename them").click()
    expect(page.get_by_text("They have another name")).to_be_visible()
    theirs = visit(User.objects.get(pk=person.pk), "/rules/").page
    theirs.get_by_role("link", name="A moderator has written to you").click()
    expect(theirs.get_by_text("given you another name")).to_be_visible()
    expect(theirs.locator(".said-by-moderator")).to_have_text("It insults people.")
    looks_well(theirs)


def test_s10_the_admin_and_the_summary_keep_to_the_policy(visit: Visit) -> None:
    """Any violation of the content policy would be an error of the browser."""
    page = visit(new_boss(), "/admin/", size=DESK).page
    expect(page.get_by_text("Errors logged")).to_be_visible()
    for path in ("/admin/accounts/user/", "/admin/games/announcement/add/", "/transparency/"):
        page.goto(path)
        expect(page.locator("h1")).to_be_visible()
