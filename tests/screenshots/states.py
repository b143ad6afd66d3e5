"""What is photographed: each state by name, whose page it is, where, and what is done there."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.urls import reverse
from playwright.sync_api import Page

from accounts.models import User
from accounts.preferences import Preferences
from accounts.relations import Relation, relate
from games.leavers import DeedKind
from games.models import Deed, Series
from games.moderation.models import Appeal
from games.rules.actions import Discard
from games.rules.by_hand import ByHand
from games.rules.cards import parse_card
from games.rules.deck import commitment
from games.rules.options import Options
from games.rules.scoring import Ending
from games.selectors.records import record_of
from games.services.by_hand import HandTerms, enter_round, start_by_hand
from games.services.history import hide_series
from games.services.imports import import_series
from games.services.lobby import Company, set_table
from games.services.request import Wish as SeriesWish
from games.services.series import Terms, create_series
from tests.figures import store_figures
from tests.screenshots.cases import moderated
from tests.screenshots.tables import (
    ALL,
    PASSWORD,
    SIX,
    TWO,
    People,
    Wish,
    against_a_bot,
    against_the_clock,
    announce,
    done,
    drawn_card,
    drawn_round,
    gin,
    knocked,
    leave,
    listed,
    new_table,
    rate_people,
    scored,
    talked,
    tell,
    to_discard,
    to_draw,
    told_by_moderators,
    waiting_table,
)
from tests.tables import Played

USUAL: Final = Preferences()
CLEAREST: Final = Preferences(contrast="high", deck="four")

AT_HOME: Final = (
    ByHand(Ending.KNOCK, 0, winner_deadwood=6, loser_deadwood=24),
    ByHand(Ending.GIN, 1, points=63),
    ByHand(Ending.DRAWN),
    ByHand(Ending.UNDERCUT, 0, winner_deadwood=4, loser_deadwood=7),
    ByHand(Ending.GIN, 1, points=80),
    ByHand(Ending.GIN, 1, points=58),
    ByHand(Ending.GIN, 1, points=71),
)

type Do = Callable[[Page], None]


class Places:
    """The addresses of the tables, each played when it is first asked for; uses the database."""

    def __init__(self, people: People) -> None:
        self.people = people

    def _after(self, past: tuple[Wish, ...] = (), deck: str = "sketch") -> Played:
        return new_table((self.people.bob, self.people.alexandra), past, deck)

    @cached_property
    def waiting(self) -> str:
        return waiting_table(self.people.bob).get_absolute_url()

    @cached_property
    def invitation(self) -> str:
        assert self.waiting, "it is the invitation to this table"
        return "/invitation/Zk3x9QpLmA2r7T/"

    @cached_property
    def first_round(self) -> str:
        """The first that Emil ever plays: the guide is there."""
        return _at(new_table((self.people.emil, self.people.alexandra)))

    @cached_property
    def offer(self) -> str:
        return _at(self._after(TWO))

    @cached_property
    def draw(self) -> str:
        return _at(to_draw(self._after(SIX)))

    @cached_property
    def own(self) -> str:
        return _at(to_discard(self._after(SIX)))

    @cached_property
    def with_bot(self) -> str:
        return _at(against_a_bot(to_discard(self._after(SIX))))

    @cached_property
    def bot_won(self) -> str:
        return _at(against_a_bot(gin(self._after(TWO, "gin")), seat=0))

    @cached_property
    def rule_card(self) -> str:
        return f"{self.own}rules/"

    @cached_property
    def with_gin(self) -> str:
        return _at(drawn_card(self._after(TWO, "gin")))

    @cached_property
    def theirs(self) -> str:
        return _at(done(to_discard(self._after(SIX)), Discard(parse_card("9C"))))

    @cached_property
    def away(self) -> str:
        return _at(leave(done(to_discard(self._after(SIX)), Discard(parse_card("9C"))), 1))

    @cached_property
    def timed(self) -> str:
        return _at(against_the_clock(to_discard(self._after(SIX)), 467))

    @cached_property
    def time_low(self) -> str:
        return _at(against_the_clock(to_draw(self._after(SIX)), 50))

    @cached_property
    def asked_to_stop(self) -> str:
        table = to_discard(self._after(SIX))
        table.wish(SeriesWish.OFFER_END, self.people.alexandra)
        return _at(table)

    @cached_property
    def resigned(self) -> str:
        table = to_discard(self._after(SIX))
        table.wish(SeriesWish.RESIGN, self.people.alexandra)
        return _at(table)

    @cached_property
    def defence(self) -> str:
        return _at(knocked(self._after(TWO, "defence")))

    @cached_property
    def lay_off(self) -> str:
        return f"{self.defence}?lay=8H1,4H1"

    @cached_property
    def result(self) -> str:
        return _at(scored(self._after(TWO, "defence")))

    @cached_property
    def gin_result(self) -> str:
        return _at(gin(self._after(TWO, "gin")))

    @cached_property
    def drawn(self) -> str:
        return _at(drawn_round(self._after(TWO, "drawn")))

    @cached_property
    def game_ended(self) -> str:
        return _at(self._after(SIX, ""))

    @cached_property
    def over(self) -> str:
        return _at(self._after(ALL, ""))

    @cached_property
    def lobby_word(self) -> str:
        """Greta has left a series, and is told so."""
        Deed.objects.create(user=self.people.greta, kind=DeedKind.LEFT)
        return "/lobby/"

    @cached_property
    def lobby_wait(self) -> str:
        """Fritz leaves again and again."""
        for _ in range(3):
            Deed.objects.create(user=self.people.fritz, kind=DeedKind.LEFT)
        return "/lobby/"

    @cached_property
    def report(self) -> str:
        slug = self.talk.strip("/").rpartition("/")[2]
        return f"/@Alexandra/report/?series={slug}"

    @cached_property
    def report_whom(self) -> str:
        return f"{self.own}report/"

    @cached_property
    def standing(self) -> str:
        assert self._idas, "afterwards she can't set a table"
        told_by_moderators(self.people)
        return "/account/standing/"

    @cached_property
    def letter(self) -> str:
        assert self.standing, "somebody has written"
        return "/rules/"

    @cached_property
    def letter_at_table(self) -> str:
        assert self.standing, "somebody has written"
        return self._idas

    @cached_property
    def _idas(self) -> str:
        return _at(to_discard(new_table((self.people.ida, self.people.alexandra), SIX, "sketch")))

    @cached_property
    def rounds(self) -> str:
        return f"{self.over}rounds/"

    @cached_property
    def no_rounds(self) -> str:
        return f"{self.first_round}rounds/"

    @cached_property
    def replay(self) -> str:
        """The knock that Bob could lay off on, some actions before it."""
        return f"{self.result}rounds/3/7/"

    @cached_property
    def replay_seat(self) -> str:
        return f"{self.result}rounds/3/7/?seat=1"

    @cached_property
    def replay_end(self) -> str:
        return f"{self.result}rounds/3/11/"

    @cached_property
    def talk(self) -> str:
        """Bob and Alexandra have said a few things."""
        return _at(talked(to_discard(self._after(SIX))))

    @cached_property
    def talk_page(self) -> str:
        return f"{self.talk}chat/"

    @cached_property
    def talk_over(self) -> str:
        return _at(talked(self._after(ALL, "")))

    @cached_property
    def guest_logs_in(self) -> str:
        """A guest who has played comes to log in as Clara."""
        guest = User.objects.get(username="Guest-4821")
        self.people.clara.set_password(PASSWORD)
        self.people.clara.save()
        new_table((self.people.bob, guest), ALL, "")
        new_table((guest, self.people.alexandra))
        new_table((guest, self.people.clara))
        return "/account/login/"

    @cached_property
    def home(self) -> str:
        """Clara has a few series, in the order in which they would wait for her."""
        clara, bob, alexandra = self.people.clara, self.people.bob, self.people.alexandra
        relate(clara.pk, bob.pk, Relation.Kind.FOLLOW)
        against_the_clock(to_discard(self._after(SIX)), 467)
        rate_people(self.people)
        set_table(user=alexandra, terms=Terms(Options()), company=Company(invited=clara.pk))
        new_table((clara, alexandra), ALL, "")
        new_table((alexandra, clara), ALL, "")
        to_discard(new_table((clara, bob), SIX))
        to_draw(new_table((alexandra, clara), SIX))
        new_table((clara, self.people.nino))
        create_series(user=clara, options=Options())
        return "/"

    @cached_property
    def history(self) -> str:
        """What Clara has finished: at home, hidden, and over several pages."""
        assert self.home, "her series are those"
        clara, bob = self.people.clara, self.people.bob
        for rated in (True, True, False):
            table = new_table((clara, bob))
            Series.objects.filter(pk=table.series.pk).update(rated=rated)
            table.wish(SeriesWish.RESIGN, bob if rated else clara)
        hide_series(series_id=table.series.pk, user_id=clara.pk, is_hidden=True)
        return "/@Clara/series/"

    @cached_property
    def nothing_found(self) -> str:
        return f"{self.history}?opponent=Nobody"

    @cached_property
    def home_visitor(self) -> str:
        return self._with_somebody_at_play("/")

    @cached_property
    def lobby(self) -> str:
        """Two tables wait, one of them with a clock, a range and rules of its own."""
        nino, emil = self.people.nino, self.people.emil
        rate_people(self.people)
        listed(nino, Options.from_mapping({"preset": "oklahoma"}))
        rules = Options.from_mapping({"preset": "hollywood", "gin": 20, "target": 150})
        listed(emil, rules, "600+5", least_rating=1400, most_rating=1700)
        return self._with_somebody_at_play("/lobby/")

    @cached_property
    def profile(self) -> str:
        rate_people(self.people)
        assert self.over, "a series that has ended"
        tell(self.people.alexandra, "I play on Sundays, after the coffee.\n\nNo clocks, please.")
        return self._with_somebody_at_play("/@Alexandra/")

    @cached_property
    def players(self) -> str:
        rate_people(self.people)
        return "/players/"

    @cached_property
    def people_page(self) -> str:
        assert self.over, "they have met"
        for other in (self.people.alexandra, self.people.nino):
            relate(self.people.bob.pk, other.pk, Relation.Kind.FOLLOW)
        return "/people/?q=al"

    @property
    def announced(self) -> str:
        announce()
        return "/lobby/"

    @property
    def announced_at_table(self) -> str:
        announce()
        return self.own

    def _with_somebody_at_play(self, path: str) -> str:
        against_the_clock(to_discard(self._after(SIX)), 467)
        return path

    @cached_property
    def statistics(self) -> str:
        store_figures(self.people.alexandra, self.people.bob, rounds=420)
        return "/@Alexandra/statistics/"

    @cached_property
    def against(self) -> str:
        assert self.statistics, "they have met"
        return "/@Alexandra/against/Bob/"

    def _by_hand(self, *rounds: ByHand) -> str:
        """A sheet that Bob keeps with his aunt, these rounds entered."""
        terms = HandTerms(Options(), absent="Aunt Josephine")
        series = start_by_hand(user=self.people.bob, terms=terms)
        after = 0
        for number, told in enumerate(rounds):
            key = f"round-{number}"
            enter_round(
                series_id=series.pk, user_id=self.people.bob.pk, after=after, key=key, told=told
            )
            after = series.rounds.order_by("-number")[0].pk
        return f"/series/{series.slug}/sheet/"

    @cached_property
    def sheet_empty(self) -> str:
        return self._by_hand()

    @cached_property
    def sheet(self) -> str:
        return self._by_hand(*AT_HOME[:4])

    @cached_property
    def sheet_over(self) -> str:
        return self._by_hand(*AT_HOME)

    @cached_property
    def sheet_rounds(self) -> str:
        return self.sheet_over.replace("/sheet/", "/rounds/")

    @cached_property
    def imported(self) -> str:
        over = Series.objects.get(slug=self.over.split("/")[-2])
        [series] = import_series(user=self.people.bob, records=[record_of(over)], name="Bob")
        return f"{series.get_absolute_url()}rounds/"

    @cached_property
    def imported_round(self) -> str:
        return f"{self.imported}1/"

    @cached_property
    def sheet_waiting(self) -> str:
        series = start_by_hand(user=self.people.bob, terms=HandTerms(Options()))
        return f"/series/{series.slug}/sheet/"

    @cached_property
    def sheet_invitation(self) -> str:
        series = start_by_hand(user=self.people.bob, terms=HandTerms(Options(), is_private=False))
        return series.invitation.get_absolute_url()

    @cached_property
    def site_statistics(self) -> str:
        assert self.statistics, "somebody has played"
        return "/statistics/"

    @cached_property
    def case(self) -> str:
        """One that Clara has claimed; another is free, and an appeal waits."""
        return moderated(self.people, self.own)

    @cached_property
    def transparency(self) -> str:
        assert self.case, "something was done"
        return reverse("transparency")

    @cached_property
    def renaming(self) -> str:
        assert self.case, "Clara is of the staff"
        return reverse("moderation_rename", args=["Bob"]) + "?next=/moderation/"

    @cached_property
    def admin(self) -> str:
        assert self.case, "Clara is of the staff"
        return reverse("admin:index")

    @cached_property
    def admin_list(self) -> str:
        assert self.case, "Clara is of the staff"
        return reverse("admin:moderation_case_changelist")

    @cached_property
    def queue(self) -> str:
        assert self.case, "there is something to do"
        return reverse("moderation")

    @cached_property
    def signals(self) -> str:
        assert self.case, "the site has noticed something"
        return reverse("moderation_signals")

    @cached_property
    def person(self) -> str:
        assert self.case, "there is something to be known"
        return reverse("moderation_person", args=[self.people.bob.pk])

    @cached_property
    def person_found(self) -> str:
        assert self.case, "Clara is of the staff"
        return reverse("moderation_people") + "?q=al"

    @cached_property
    def appeals(self) -> str:
        assert self.case, "somebody has appealed"
        return reverse("moderation_appeals")

    @cached_property
    def appeal(self) -> str:
        assert self.case, "somebody has appealed"
        return reverse("moderation_appeal", args=[Appeal.objects.get().pk])


def _at(table: Played) -> str:
    return table.series.get_absolute_url()


@dataclass(frozen=True)
class State:
    """A page to be photographed. `place`: one of `Places`, or an address.

    `whole`: all of the page, not only what a screen shows at once.
    """

    name: str
    viewer: str
    place: str
    do: Do | None = None
    whole: bool = False
    preferences: Preferences = USUAL

    def path(self, places: Places) -> str:
        return self.place if self.place.startswith("/") else getattr(places, self.place)


def choose(page: Page) -> None:
    """Choose the card that is thrown."""
    page.locator("label[for=card-9C]").click()


def open_knock(page: Page) -> None:
    choose(page)
    _press(page, "#hand .button.brass:visible")


def open_gin(page: Page) -> None:
    page.locator("label[for=card-9S]").click()
    _press(page, "#hand .button.brass:visible")


def open_pad(page: Page) -> None:
    _press(page, "button.strip:visible")


def open_more(page: Page) -> None:
    _press(page, ".resign summary:visible")


def open_menu(page: Page) -> None:
    _press(page, ".menu-button:visible")


def open_chat(page: Page) -> None:
    _press(page, "#chat-button:visible")
    _press(page, "label:has(#tab-chat):visible")


def open_deal(page: Page) -> None:
    _press(page, ".deal summary")
    page.locator(".deal").scroll_into_view_if_needed()


def check_by_hand(page: Page) -> None:
    """A deal of the documents (docs/fair-deal.md)."""
    secret = bytes(range(32))
    page.locator("#secret").fill(secret.hex())
    page.locator("#commitment").fill(commitment(secret))
    page.locator("#message").fill("a1b2|1|1|00ff|none")
    page.locator("#deal button").click()
    page.locator(".verdict.ok").wait_for()


def fan_out(page: Page) -> None:
    _press(page, "button[popovertarget=pile-list]:visible")


def _press(page: Page, selector: str) -> None:
    """Press what is there at some widths only."""
    found = page.locator(selector)
    if found.count():
        found.first.click()


def enter_wrongly(page: Page) -> None:
    page.locator("label:has([name=kind][value=gin])").click()
    page.locator("label:has([name=winner][value='1'])").click()
    page.locator("[name=points]").fill("7")
    page.locator("[data-action=enter-round] .brass").click()
    page.locator("main [role=alert]").wait_for()


def import_wrongly(page: Page) -> None:
    page.locator("[name=text]").fill("Hollywood Gin series 1\nSite: here\nSeries: ?\n")
    page.locator("[data-action=import] .brass").click()
    page.locator("main [role=alert]").first.wait_for()


def go_offline(page: Page) -> None:
    page.context.set_offline(True)
    page.locator("#connection").wait_for()


def sign_up_wrongly(page: Page) -> None:
    page.locator("input[name=username]").fill("admin")
    page.locator("input[name=password1]").fill("12345")
    page.locator("main form button").click()
    page.locator(".error").first.wait_for()


def open_options(page: Page) -> None:
    page.locator(".more-options summary").first.click()


def show_who_it_is(page: Page) -> None:
    """Some pages ask for the password again."""
    if "/reauthenticate/" in page.url:
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("main form .button.brass").first.click()
        page.wait_for_load_state("networkidle")


def log_in(page: Page) -> None:
    page.locator("input[name=login]").fill("Clara")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button").first.click()
    page.locator("[data-action=take-along]").wait_for()


def save(page: Page) -> None:
    page.locator("#preferences button").click()
    page.locator(".toast").wait_for()


def open_appeal(page: Page) -> None:
    page.locator("details.appeal summary").first.click()


def send_nothing(page: Page) -> None:
    """As a browser that checks nothing by itself."""
    page.locator("main form").evaluate("form => { form.noValidate = true; }")
    page.get_by_role("button", name="Send the report").click()
    page.locator(".error").first.wait_for()


def show_lines(page: Page) -> None:
    page.locator(".attached summary").click()


STATES: Final = (
    State("waiting", "Bob", "waiting"),
    State("waiting-spectator", "", "waiting"),
    State("first-round", "Emil", "first_round"),
    State("offer", "Bob", "offer"),
    State("own-draw", "Bob", "draw"),
    State("own-discard", "Bob", "own"),
    State("own-turn", "Bob", "own", choose),
    State("knock", "Bob", "own", open_knock),
    State("gin", "Bob", "with_gin", open_gin),
    State("pad", "Bob", "own", open_pad),
    State("discards", "Bob", "own", fan_out),
    State("four-colours", "Bob", "own", choose, preferences=Preferences(deck="four")),
    State("large-cards", "Bob", "own", choose, preferences=Preferences(cards="large")),
    State("high-contrast", "Bob", "own", choose, preferences=Preferences(contrast="high")),
    State("with-bot", "Bob", "with_bot", open_pad),
    State("bot-won", "Alexandra", "bot_won"),
    State("contrast-four", "Bob", "own", choose, preferences=CLEAREST),
    State("spectator", "", "own"),
    State("offline", "Bob", "own", go_offline),
    State("opponents-turn", "Bob", "theirs"),
    State("opponent-away", "Bob", "away"),
    State("timed", "Bob", "timed"),
    State("time-low", "Bob", "time_low"),
    State("asked-to-stop", "Bob", "asked_to_stop"),
    State("more", "Bob", "asked_to_stop", open_more),
    State("series-resigned", "Bob", "resigned"),
    State("defence", "Bob", "defence"),
    State("lay-off", "Bob", "lay_off"),
    State("knocker-waits", "Alexandra", "defence"),
    State("result", "Bob", "result"),
    State("result-lost", "Alexandra", "gin_result"),
    State("round-drawn", "Bob", "drawn"),
    State("game-ended", "Bob", "game_ended"),
    State("series-won", "Bob", "over"),
    State("series-lost", "Alexandra", "over"),
    State("chat-unread", "Bob", "talk"),
    State("chat", "Bob", "talk", open_chat),
    State("chat-empty", "Bob", "own", open_chat),
    State("chat-watching", "", "own", open_chat),
    State("chat-over", "Bob", "talk_over", open_chat),
    State("chat-page", "Bob", "talk_page", whole=True),
    State("sheet-new", "Bob", "/new/sheet/", whole=True),
    State("sheet-empty", "Bob", "sheet_empty", whole=True),
    State("sheet", "Bob", "sheet", whole=True),
    State("sheet-wrong", "Bob", "sheet", enter_wrongly, whole=True),
    State("sheet-over", "Bob", "sheet_over", whole=True),
    State("sheet-rounds", "Bob", "sheet_rounds", whole=True),
    State("sheet-waiting", "Bob", "sheet_waiting", whole=True),
    State("import", "Bob", "/new/import/", whole=True),
    State("import-wrong", "Bob", "/new/import/", import_wrongly, whole=True),
    State("imported", "Bob", "imported", whole=True),
    State("imported-round", "Bob", "imported_round", whole=True),
    State("sheet-invitation", "", "sheet_invitation", whole=True),
    State("rounds", "Bob", "rounds", whole=True),
    State("rounds-none", "Emil", "no_rounds"),
    State("replay", "Bob", "replay", whole=True),
    State("replay-seat", "", "replay_seat"),
    State("replay-end", "Bob", "replay_end", whole=True),
    State("deal", "Bob", "result", open_deal, whole=True),
    State("fair-deal", "", "/fair-deal/", whole=True),
    State("verify", "", "/verify/", whole=True),
    State("verify-matches", "", "/verify/", check_by_hand, whole=True),
    State("rule-card", "Bob", "rule_card", whole=True),
    State("home", "Clara", "home", whole=True),
    State("home-empty", "Dora", "/", whole=True),
    State("history", "Clara", "history", whole=True),
    State("history-of-another", "Bob", "history", whole=True),
    State("history-nothing-found", "Clara", "nothing_found", whole=True),
    State("history-empty", "Dora", "/@Dora/series/", whole=True),
    State("home-visitor", "", "home_visitor", whole=True),
    State("home-guest", "Guest-4821", "/", whole=True),
    State("lobby", "Clara", "lobby", whole=True),
    State("lobby-visitor", "", "lobby", whole=True),
    State("new-series", "Dora", "/new/?lobby", open_options, whole=True),
    State("people", "Bob", "people_page", whole=True),
    State("people-empty", "Dora", "/people/", whole=True),
    State("players", "Bob", "players", whole=True),
    State("players-empty", "", "/players/?format=oklahoma+days", whole=True),
    State("profile", "Bob", "profile", whole=True),
    State("profile-empty", "Dora", "/@Dora/", whole=True),
    State("profile-edit", "Dora", "/account/profile/", whole=True),
    State("account", "Bob", "/account/", whole=True),
    State("relations", "Bob", "/account/people/", whole=True),
    State("account-email", "Bob", "/account/email/", show_who_it_is, whole=True),
    State("account-password", "Bob", "/account/password/change/", whole=True),
    State("two-steps", "Bob", "/account/two-factor/", show_who_it_is, whole=True),
    State("two-steps-app", "Bob", "/account/two-factor/totp/activate/", show_who_it_is, whole=True),
    State("sessions", "Bob", "/account/sessions/", show_who_it_is, whole=True),
    State("export", "Bob", "/account/export/", show_who_it_is, whole=True),
    State("leave", "Bob", "/account/leave/", show_who_it_is, whole=True),
    State("reset", "", "/account/password/reset/", whole=True),
    State("guest-no-account", "Guest-4821", "/account/", whole=True),
    State("report", "Bob", "report", show_lines, whole=True),
    State("report-wrong", "Bob", "/@Dora/report/", send_nothing, whole=True),
    State("reported", "Bob", "/reported/", whole=True),
    State("report-whom", "Clara", "report_whom", whole=True),
    State("standing", "Ida", "standing", open_appeal, whole=True),
    State("standing-empty", "Dora", "/account/standing/", whole=True),
    State("standing-shut-out", "Hugo", "standing", whole=True),
    State("letter", "Ida", "letter"),
    State("letter-at-table", "Ida", "letter_at_table"),
    State("bots", "", "/bots/", whole=True),
    State("bot", "", "/bots/expert/", whole=True),
    State("privacy", "", "/privacy/", whole=True),
    State("terms", "", "/terms/", whole=True),
    State("conduct", "", "/conduct/", whole=True),
    State("contact", "", "/contact/", whole=True),
    State("announced", "Bob", "announced"),
    State("announced-at-table", "Bob", "announced_at_table", choose),
    State("menu", "", "/", open_menu),
    State("log-in", "", "/account/login/", whole=True),
    State("sign-up", "", "/account/signup/", whole=True),
    State("sign-up-wrong", "", "/account/signup/", sign_up_wrongly, whole=True),
    State("log-in-guest", "Guest-4821", "guest_logs_in", whole=True),
    State("take-along", "Guest-4821", "guest_logs_in", log_in, whole=True),
    State("log-out", "Bob", "/account/logout/", whole=True),
    State("lobby-word", "Greta", "lobby_word", whole=True),
    State("lobby-wait", "Fritz", "lobby_wait", whole=True),
    State("invitation", "Nino", "invitation", whole=True),
    State("how-to-play", "", "/how-to-play/", whole=True),
    State("rules", "", "/rules/", whole=True),
    State("preferences", "Bob", "/preferences/", whole=True),
    State("preferences-saved", "", "/preferences/", save, whole=True),
    State("notices", "Bob", "/account/notices/", whole=True),
    State("statistics", "Bob", "statistics", whole=True),
    State("statistics-none", "Dora", "/@Dora/statistics/", whole=True),
    State("against", "Bob", "against", whole=True),
    State("site-statistics", "", "site_statistics", whole=True),
    State("queue", "Clara", "queue", whole=True),
    State("queue-empty", "Clara", "/moderation/?show=aside", whole=True),
    State("case", "Clara", "case", whole=True),
    State("signals", "Clara", "signals", whole=True),
    State("person", "Clara", "person", whole=True),
    State("person-found", "Clara", "person_found", whole=True),
    State("appeals", "Clara", "appeals", whole=True),
    State("appeal", "Clara", "appeal", whole=True),
    State("rename", "Clara", "renaming", whole=True),
    State("transparency", "", "transparency", whole=True),
    State("admin", "Clara", "admin", whole=True),
    State("admin-list", "Clara", "admin_list", whole=True),
    State("not-found", "Bob", "/nowhere/", whole=True),
    State("offline-page", "", "/offline/", whole=True),
    State("styleguide", "Bob", "/styleguide/", whole=True),
)
