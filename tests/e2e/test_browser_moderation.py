"""Promise M1 in browsers: somebody is reported, a moderator acts, they read it and appeal."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Sanction, User
from accounts.sanctions import impose
from accounts.texts import plain_text
from games.moderation.models import Appeal, Case, Report
from games.moderation.services import cases, sanctions
from games.moderation.services.reports import file_report
from games.moderation.services.sanctions import file_appeal
from games.services.chat import say
from tests.e2e.browser import Visit
from tests.e2e.test_browser_chat import PAYLOADS, RAN
from tests.e2e.test_browser_preferences import violations
from tests.staff import new_boss
from tests.tables import new_table, new_user

pytestmark = pytest.mark.browser

STANDING = "/account/standing/"


def test_m1_from_a_line_of_the_chat_to_the_answer(visit: Visit) -> None:
    table = new_table()
    me, other = table.users
    moderator, senior = new_boss("moderator"), new_boss("senior")
    say(series=table.series, user_id=other.pk, key="rude", text="you play like a cow")

    # The report, in a page of its own: the table stays as it is.
    reporter = visit(me, table.series.get_absolute_url())
    page = reporter.page
    reporter.linked()
    page.locator("#chat-button").click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name=re.compile("Report this line")).click()
    form = opened.value
    assert violations(form) == []
    assert form.evaluate("document.documentElement.scrollWidth") == 360
    form.get_by_label("Be civil").check()
    form.get_by_label("What happened?").fill("It goes on like this.")
    form.get_by_role("button", name="Send the report").click()
    expect(form.locator("h1")).to_have_text("Thank you for telling us")
    expect(page.locator("#actions")).to_be_visible()
    report = Report.objects.get(reporter=me)
    assert report.evidence["chat"][0]["text"] == "you play like a cow"

    # A moderator acts; the person finds it on every page.
    cases.claim(report.case_id, moderator)
    warning = sanctions.impose_in_case(
        case_id=report.case_id,
        moderator=moderator,
        kind=Sanction.Kind.WARNING,
        rule="respect",
        text="Nobody is called a cow here.",
        term=None,
    )
    cases.close(report.case_id, moderator, Case.Outcome.ACTED)
    theirs = visit(other, "/rules/").page
    theirs.get_by_role("link", name="A moderator has written to you").click()
    expect(theirs.locator(".said-by-moderator")).to_have_text("Nobody is called a cow here.")
    assert violations(theirs) == []
    theirs.get_by_role("button", name="I have read this").click()
    expect(theirs.get_by_text("Nothing is held against you")).to_be_visible()
    warning.refresh_from_db()
    assert warning.acknowledged_at is not None

    # They appeal, another moderator answers, and both sides read how it ended.
    theirs.locator("details.appeal summary").click()
    theirs.get_by_label("Why should another moderator").fill("We are friends, it was a joke.")
    theirs.get_by_role("button", name="Send the appeal").click()
    expect(theirs.get_by_text("will answer here")).to_be_visible()
    appeal = Appeal.objects.get(sanction=warning)
    sanctions.answer_appeal(appeal.pk, senior, granted=True, answer="Then it is taken back.")
    theirs.goto("/rules/")
    theirs.get_by_role("link", name="A moderator has written to you").click()
    expect(theirs.get_by_text("Then it is taken back.")).to_be_visible()
    form.get_by_role("link", name="Your reports").click()
    expect(form.get_by_text("Something was done about it")).to_be_visible()


def test_all_of_it_without_javascript(visit: Visit) -> None:
    table = new_table()
    me, other = table.users
    page = visit(me, f"{table.series.get_absolute_url()}report/", java_script_enabled=False).page
    page.get_by_label("Play on").check()
    page.get_by_role("button", name="Send the report").click()
    expect(page.locator("h1")).to_have_text("Thank you for telling us")
    assert Report.objects.get(reporter=me).case.person_id == other.pk


def test_s4_who_is_suspended_is_led_from_the_table_to_the_reason(visit: Visit) -> None:
    table = new_table()
    user, moderator = table.users[0], new_boss("judge")
    person = visit(user, table.series.get_absolute_url())
    person.linked().allow(r"/waiting/: .* status of 403")  # asked by the page itself
    _suspend(table.users[1].pk, user.pk, moderator.pk)
    expect(person.page.locator('#connection [data-for="session"]')).to_be_visible()
    person.page.get_by_role("link", name="Log in to go on").click()
    expect(person.page.locator("h3").first).to_have_text("Your account is suspended")
    person.page.get_by_role("button", name="Menu").click()
    expect(person.page.locator("#menu a")).to_have_text(["Your standing", "Preferences", "Log out"])
    assert violations(person.page) == []


def _suspend(reporter_id: int, user_id: int, moderator_id: int) -> None:
    reporter, user, moderator = (
        User.objects.get(pk=pk) for pk in (reporter_id, user_id, moderator_id)
    )
    report = file_report(reporter=reporter, person=user, rule="respect", text="", key="s")
    cases.claim(report.case_id, moderator)
    sanctions.impose_in_case(
        case_id=report.case_id,
        moderator=moderator,
        kind=Sanction.Kind.SUSPENSION,
        rule="respect",
        text="Enough.",
        term=timedelta(days=3),
    )


def chunks(longest: int = 900) -> list[str]:
    """All payloads in a few texts, each on a line of its own."""
    texts = [""]
    for payload in PAYLOADS:
        line = " ".join(plain_text(payload).split())
        if len(texts[-1]) + len(line) >= longest:
            texts.append("")
        texts[-1] = f"{texts[-1]}\n{line}".strip()
    return texts


def is_text_only(page: Page, inside: str) -> None:
    """Nothing of what people wrote has become a part of the page, and the page holds."""
    acting = ":is(script, img, svg, iframe, input, b, a, [hx-get], [onload])"
    assert page.locator(inside).locator(acting).count() == 0
    assert page.evaluate("window.hasRun") is None
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_s11_what_is_told_to_moderators_and_by_them_can_t_act(visit: Visit) -> None:
    me, other, boss = new_user(), new_user(), new_boss("reader")
    texts = chunks()
    for number, text in enumerate(texts):
        reporter = new_user()
        file_report(reporter=reporter, person=me, rule="spam", text=text, key=str(number))
        kind = Sanction.Kind.MUTE
        sanction = impose(user_id=me.pk, kind=kind, rule="spam", text=text)
        file_appeal(sanction.pk, me, text)
    standing = visit(me, STANDING, script=RAN).page
    told = standing.locator(".said-by-moderator")
    expect(told).to_have_count(len(texts))
    assert sorted(told.all_text_contents()) == sorted(texts)
    is_text_only(standing, ":is(.said-by-moderator, .told)")

    form = visit(me, f"/@{other.username}/report/", script=RAN, allowed=(r"status of 422",)).page
    for text in texts:
        form.evaluate("document.querySelector('main form').noValidate = true")
        form.get_by_label("What happened?").fill(text)
        form.get_by_role("button", name="Send the report").click()
        expect(form.locator(".error").first).to_be_visible()
        expect(form.get_by_label("What happened?")).to_have_value(text)
        assert form.evaluate("window.hasRun") is None

    case = Case.objects.get(person=me)
    read = visit(boss, f"/moderation/cases/{case.pk}/", script=RAN).page
    expect(read.get_by_text("ran()").first).to_be_visible()
    assert read.evaluate("window.hasRun") is None
    assert read.evaluate("document.documentElement.scrollWidth") == 360
