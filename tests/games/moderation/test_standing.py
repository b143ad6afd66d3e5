"""What somebody is told by moderators, and what they can say to it (M1, M2, S4, S9, S11)."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Profile, Sanction, User
from accounts.sanctions import free_of, impose
from games.conduct import RULES
from games.leavers import DeedKind
from games.models import Deed, Message, Rating
from games.moderation import roles
from games.moderation.models import Appeal, Case, Letter, Report
from games.moderation.selectors.letters import has_letters
from games.moderation.services import cases, sanctions
from games.moderation.services.reports import file_report
from games.services import remedies
from games.services.chat import say
from games.services.request import Wish
from tests.accounts.people import ADDRESS, log_in, new_person
from tests.browser import HTMX, browser, text
from tests.games.moderation.test_remedies import resigned
from tests.staff import new_moderator
from tests.tables import new_table, new_user, next_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

PAGE = "/account/standing/"
BAR = "A moderator has written to you"
NASTY = "<script>x()</script><b hx-get=/x>\u202eevil"
Kind = Sanction.Kind


def put(
    user: User, kind: Sanction.Kind, text: str = "Stop it.", hours: int | None = 24
) -> Sanction:
    until = timezone.now() + timedelta(hours=hours) if hours else None
    return impose(user_id=user.pk, kind=kind, rule="respect", text=text, until=until)


def flat(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text(response)))


def appeal(client: Client, sanction: Sanction, words: str = "it was a joke") -> Any:
    return client.post(f"{PAGE}{sanction.pk}/appeal/", {"text": words})


def answered(sanction: Sanction, *, granted: bool, answer: str = "Fair enough.") -> None:
    moderator = new_moderator(role=roles.SENIOR)
    sanctions.answer_appeal(sanction.appeal.pk, moderator, granted=granted, answer=answer)


class TestThePage:
    @pytest.mark.parametrize("kind", Kind)
    def test_it_says_what_why_and_how_long(self, kind: Sanction.Kind) -> None:
        user = new_user()
        sanction = put(user, kind, "You called her a cow.")
        page = flat(browser(user).get(PAGE))
        assert "You called her a cow." in page
        assert str(RULES["respect"].title) in page
        assert ("Until" in page) == (kind != Kind.WARNING)
        assert f"{sanction.since:%Y}" in page

    def test_without_an_end_it_says_for_good(self) -> None:
        user = new_user()
        put(user, Kind.CLOSING, hours=None)
        assert "for good" in flat(browser(user).get(PAGE))

    def test_who_has_a_clean_slate_reads_so(self) -> None:
        page = flat(browser(new_user()).get(PAGE))
        assert "Nothing is held against you" in page
        assert "until the end, as far as we know" in page

    def test_times_are_those_of_its_reader(self) -> None:
        user = new_user()
        User.objects.filter(pk=user.pk).update(preferences="zone:Asia/Tokyo")
        sanction = put(user, Kind.MUTE)
        Sanction.objects.filter(pk=sanction.pk).update(until="2031-03-04T20:00:00Z")
        page = flat(browser(User.objects.get(pk=user.pk)).get(PAGE))
        assert "5 Mar 2031, 05:00" in page

    def test_what_goes_on_from_a_deleted_account_has_words(self) -> None:
        user = new_user()
        put(user, Kind.SUSPENSION, "")
        assert "This address belonged to an account" in flat(browser(user).get(PAGE))

    def test_a_term_that_has_run_is_over(self) -> None:
        user = new_user()
        put(user, Kind.MUTE, hours=-1)
        page = flat(browser(user).get(PAGE))
        assert "Nothing is held against you" in page
        assert "What is over" in page
        assert "Send the appeal" not in page

    def test_who_leaves_reads_what_for(self) -> None:
        user = new_user()
        for _ in range(2):
            Deed.objects.create(user=user, kind=DeedKind.LEFT, series=new_table().series)
        assert "You left a series" in flat(browser(user).get(PAGE))

    def test_s11_words_of_both_can_t_act(self) -> None:
        user = new_user()
        sanction = put(user, Kind.MUTE, NASTY)
        client = browser(user)
        appeal(client, sanction, NASTY)
        assert "\u202e" not in Appeal.objects.get().text
        answered(sanction, granted=False, answer=NASTY)
        page = text(client.get(PAGE))
        assert "<script>x()" not in page
        assert "<b hx-get" not in page
        assert page.count("&lt;script&gt;x()") == 3

    def test_s9_everybody_sees_their_own_only(self) -> None:
        user, other = new_user(), new_user()
        sanction = put(user, Kind.WARNING, "for his eyes")
        client = browser(other)
        assert "for his eyes" not in text(client.get(PAGE))
        client.post(PAGE, {"sanction": sanction.pk})
        assert appeal(client, sanction).status_code == 422
        sanction.refresh_from_db()
        assert sanction.acknowledged_at is None
        assert not Appeal.objects.exists()

    @pytest.mark.parametrize("nonsense", ["", "x", "-1", "9" * 40, "٣"])
    def test_nonsense_changes_nothing(self, nonsense: str) -> None:
        assert browser(new_user()).post(PAGE, {"sanction": nonsense}).status_code == 302


class TestWarning:
    def test_once_it_is_read_one_plays_again(self) -> None:
        user = new_user()
        warning = put(user, Kind.WARNING)
        client = browser(user)
        assert "I have read this" in flat(client.get(PAGE))
        assert not free_of([user.pk], Kind.WARNING)  # opening the page is not yet saying so
        client.post(PAGE, {"sanction": warning.pk})
        assert free_of([user.pk], Kind.WARNING)
        assert "I have read this" not in flat(client.get(PAGE))

    def test_one_that_was_read_can_be_appealed_and_taken_back(self) -> None:
        user = new_user()
        warning = put(user, Kind.WARNING)
        client = browser(user)
        client.post(PAGE, {"sanction": warning.pk})
        assert appeal(client, warning).status_code == 302
        answered(warning, granted=True)
        page = flat(client.get(PAGE))
        assert "taken back" in page
        assert "Fair enough." in page


class TestAppeal:
    def test_m1_it_is_heard_once(self) -> None:
        user = new_user()
        sanction = put(user, Kind.TIMEOUT)
        client = browser(user)
        for words in ("it was a joke", "it really was"):
            assert appeal(client, sanction, words).status_code == 302
        assert Appeal.objects.get().text == "it was a joke"
        page = flat(client.get(PAGE))
        assert "it was a joke" in page
        assert "Send the appeal" not in page

    def test_without_a_word_it_stays_open(self) -> None:
        user = new_user()
        sanction = put(user, Kind.TIMEOUT)
        answer = appeal(browser(user), sanction, " \u200b ")
        assert answer.status_code == 422
        assert "Write a few words" in flat(answer)

    def test_what_is_over_is_not_heard(self) -> None:
        user = new_user()
        sanction = put(user, Kind.MUTE, hours=-1)
        assert appeal(browser(user), sanction).status_code == 422


class TestShutOut:
    @pytest.mark.parametrize("kind", [Kind.SUSPENSION, Kind.CLOSING])
    def test_they_log_in_and_see_this_only(self, kind: Sanction.Kind) -> None:
        put(new_person("Anna"), kind)
        client = Client()
        assert log_in(client).status_code == 302
        for path in ("/", "/lobby/", "/account/", "/account/email/", "/@Anna/", "/waiting/"):
            answer = client.get(path)
            assert (answer.status_code, answer["Location"]) == (302, PAGE), path
        page = text(client.get(PAGE))
        assert "/lobby/" not in page
        assert "/account/logout/" in page
        assert client.get("/conduct/").status_code == 200

    SCRIPTS = (
        HTMX,
        {"Sec-Fetch-Mode": "cors", "Accept": "*/*"},
        {"Accept": "*/*"},  # plain http: no mode is said
        {"Accept": "application/json"},
        {"Sec-Purpose": "prefetch;prerender"},
    )

    @pytest.mark.parametrize("headers", SCRIPTS)
    def test_an_old_tab_reads_nothing_for_them(self, headers: dict[str, str]) -> None:
        """Its script fetched the page about it in the background, and that was read then."""
        user = new_user()
        put(user, Kind.SUSPENSION)
        client = browser(user)
        for path in ("/waiting/", "/lobby/", PAGE):
            answer = client.get(path, headers=headers, follow=True)
            assert (answer.status_code == 200) == (path == PAGE)
            assert answer.get("HX-Redirect") == (PAGE if headers is HTMX and path != PAGE else None)
        assert has_letters(user.pk)
        opened = {"Sec-Fetch-Mode": "navigate", "Accept": "text/html,*/*;q=0.8"}
        assert client.get("/lobby/", headers=opened, follow=True).status_code == 200
        assert not has_letters(user.pk)

    def test_they_take_their_data_along(self) -> None:
        user = new_person("Anna")
        put(user, Kind.CLOSING)
        client = Client()
        log_in(client)
        client.post("/account/reauthenticate/", {"password": "three-games-at-once"})
        answer = client.post("/account/export/")
        assert answer["Content-Type"] == "application/zip"

    def test_s4_they_play_no_further_and_come_back_when_it_ends(self) -> None:
        table = new_table()
        user = table.turn_user
        sanction = put(user, Kind.SUSPENSION)
        client = browser(User.objects.get(pk=user.pk))
        answer = client.post(table.series.get_absolute_url(), {"action": "pass"}, headers=HTMX)
        assert (answer.status_code, answer["HX-Redirect"]) == (403, PAGE)
        appeal(client, sanction)
        answered(sanction, granted=True)
        assert client.get("/").status_code == 200


class TestLetters:
    """The line on every page: there as long as something has not been read."""

    def test_a_visitor_is_asked_nothing_for(self) -> None:
        Client().get("/rules/")
        with CaptureQueriesContext(connection) as asked:
            Client().get("/rules/")
        assert len(asked) == 0

    def test_it_is_one_query(self) -> None:
        user = new_user()
        with CaptureQueriesContext(connection) as asked:
            assert not has_letters(user.pk)
        assert len(asked) == 1

    @pytest.mark.parametrize("kind", [Kind.MUTE, Kind.UNRATED, Kind.TIMEOUT])
    def test_a_sanction_is_announced_until_its_page_was_opened(self, kind: Sanction.Kind) -> None:
        user = new_user()
        client = browser(user)
        assert BAR not in text(client.get("/rules/"))
        put(user, kind)
        assert BAR in text(client.get("/rules/"))
        client.head(PAGE)
        assert BAR in text(client.get("/rules/"))
        client.get(PAGE)
        assert BAR not in text(client.get("/rules/"))

    def test_a_warning_is_announced_until_it_was_acknowledged(self) -> None:
        user = new_user()
        warning = put(user, Kind.WARNING)
        client = browser(user)
        client.get(PAGE)
        assert BAR in text(client.get("/rules/"))
        client.post(PAGE, {"sanction": warning.pk})
        assert BAR not in text(client.get("/rules/"))

    def test_at_the_table_it_is_a_sign_in_the_bar(self) -> None:
        table = new_table()
        put(table.users[0], Kind.MUTE)
        address = table.series.get_absolute_url()
        assert "letters-button" in text(browser(table.users[0]).get(address))
        assert "letters-button" not in text(browser(table.users[1]).get(address))

    def test_an_answer_is_announced(self) -> None:
        user = new_user()
        sanction = put(user, Kind.MUTE)
        client = browser(user)
        client.get(PAGE)
        appeal(client, sanction)
        answered(sanction, granted=False)
        assert BAR in text(client.get("/rules/"))
        assert "It stays as it is new" in flat(client.get(PAGE))
        assert BAR not in text(client.get("/rules/"))

    @pytest.mark.parametrize(
        ("outcome", "words"),
        [
            (Case.Outcome.ACTED, "Something was done about it"),
            (Case.Outcome.DISMISSED, "found nothing against the rules"),
        ],
    )
    def test_m1_reporters_learn_the_outcome(self, outcome: Case.Outcome, words: str) -> None:
        me, moderator = new_user(), new_moderator()
        report = file_report(
            reporter=me, person=new_user("Rudolf"), rule="spam", text="", key=next_key()
        )
        client = browser(me)
        assert "A moderator will look at it" in flat(client.get(PAGE))
        assert BAR not in text(client.get("/rules/"))
        cases.claim(report.case_id, moderator)
        cases.close(report.case_id, moderator, outcome)
        assert BAR in text(client.get("/rules/"))
        page = flat(client.get(PAGE))
        assert words in page
        assert "Rudolf" in page
        assert Report.objects.get().outcome_seen_at is not None
        assert BAR not in text(client.get("/rules/"))


class TestMended:
    """Whom a remedy concerns reads what was done, by which rule, and how their rating moved."""

    @pytest.fixture
    def senior(self) -> User:
        return new_moderator(role=roles.SENIOR)

    def told(self, user: User) -> str:
        """What the page says, which is announced before and no more afterwards."""
        client = browser(User.objects.get(pk=user.pk))
        assert BAR in text(client.get("/rules/"))
        page = flat(client.get(PAGE))
        assert BAR not in text(client.get("/rules/"))
        return page

    def test_who_was_renamed(self, senior: User) -> None:
        user = new_user("Rude-name")
        remedies.rename_person(user.pk, senior, rule="name", name="Nicer", text="It insults.")
        page = self.told(user)
        for each in ("given you another name", "Rude-name", "A name for everybody", "It insults."):
            assert each in page

    @pytest.mark.parametrize("address", [ADDRESS, ""])
    def test_who_is_away_is_told_the_new_name_by_mail(
        self, senior: User, address: str, django_capture_on_commit_callbacks: Any
    ) -> None:
        person = new_person("Rude-name", address) if address else new_person("Rude-name")
        with django_capture_on_commit_callbacks(execute=True):
            remedies.rename_person(person.pk, senior, rule="name", name="Nicer")
        assert [each.to for each in mail.outbox] == ([[address]] if address else [])
        for each in mail.outbox:
            assert "another name: Nicer" in each.body
            assert PAGE in each.body

    def test_a_mail_server_that_is_away_keeps_nobody_from_being_renamed(
        self,
        senior: User,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        def away(message: mail.EmailMessage) -> int:
            raise ConnectionRefusedError

        monkeypatch.setattr(mail.EmailMessage, "send", away)
        person = new_person("Rude-name", ADDRESS)
        with django_capture_on_commit_callbacks(execute=True):
            remedies.rename_person(person.pk, senior, rule="name", name="Nicer")
        assert "another name" in self.told(person)

    def test_whose_texts_were_removed(self, senior: User) -> None:
        table = new_table()
        user = table.users[0]
        line = say(series=table.series, user_id=user.pk, key="k", text="You cow.").message
        Profile.objects.create(user=user, about="Buy my cards.")
        remedies.remove_line(line.pk, senior, rule="respect")
        remedies.remove_profile_text(user.pk, senior, rule="spam")
        page = self.told(user)
        for each in ("removed a line", "You cow.", "Be civil", "Buy my cards.", "No advertising"):
            assert each in page
        assert not has_letters(table.users[1].pk)

    def test_both_players_of_a_void_series_and_how_their_ratings_moved(self, senior: User) -> None:
        loser, winner = new_user(), new_user()
        series = resigned(loser, winner)
        lost = round(Rating.objects.get(user=loser).value)
        remedies.void_series(series.pk, senior, rule="collusion", text="It was agreed on.")
        page = self.told(loser)
        assert "was declared void" in page
        assert f"Your rating went from {lost} to 1500." in page
        assert "It was agreed on." in page
        assert series.slug in text(browser(loser).get(PAGE))
        assert "Your rating went from" in self.told(winner)

    def test_of_a_series_that_was_not_rated_no_rating_is_told(self, senior: User) -> None:
        table = new_table()
        table.wish(Wish.RESIGN, table.users[0])
        remedies.void_series(table.series.pk, senior, rule="collusion")
        assert "Your rating" not in self.told(table.users[0])

    def test_who_got_rating_points_back_and_not_who_had_won_them(self, senior: User) -> None:
        victim, cheat = new_user(), new_user()
        resigned(victim, cheat)
        remedies.refund_ratings(cheat.pk, senior, rule="help", days=30)
        page = self.told(victim)
        assert "was given back to you" in page
        assert "to 1500." in page
        assert not has_letters(cheat.pk)

    def test_s12_nothing_is_told_of_what_was_rolled_back(self, senior: User) -> None:
        user = new_user()
        with transaction.atomic():
            remedies.rename_person(user.pk, senior, rule="name", name="Nicer")
            transaction.set_rollback(True)
        assert not has_letters(user.pk)
        assert not Letter.objects.exists()

    def test_s11_words_of_both_can_t_act(self, senior: User) -> None:
        user = new_user()
        Profile.objects.create(user=user, about=NASTY)
        remedies.remove_profile_text(user.pk, senior, rule="spam", text=NASTY)
        page = text(browser(user).get(PAGE))
        assert "<script>x()" not in page
        assert page.count("&lt;script&gt;x()") == 2

    def test_a_phrase_is_told_in_the_language_of_its_reader(self, senior: User) -> None:
        table = new_table()
        user = table.users[0]
        line = say(series=table.series, user_id=user.pk, key="k", phrase="must-go").message
        remedies.remove_line(line.pk, senior, rule="spam")
        assert "I must go after this." in self.told(user)


class TestMute:
    """M2: a muted person's lines reach nobody and they are told; each line asks anew."""

    def test_m2_the_next_line_reaches_nobody_and_leads_to_the_reason(self) -> None:
        table = new_table()
        user = table.users[0]
        client, address = browser(user), f"{table.series.get_absolute_url()}chat/"
        assert client.post(address, {"text": "one", "key": next_key()}).status_code == 302
        put(user, Kind.MUTE)
        answer = client.post(address, {"text": "two", "key": next_key()}, headers=HTMX)
        assert answer.status_code == 403
        assert "Nobody has seen that line" in flat(answer)
        assert f'href="{PAGE}"' in text(answer)
        assert list(Message.objects.values_list("text", flat=True)) == ["one"]

    def test_they_read_on_and_are_offered_no_form(self) -> None:
        table = new_table()
        user = table.users[0]
        put(user, Kind.MUTE)
        page = text(browser(user).get(f"{table.series.get_absolute_url()}chat/"))
        assert "chat-say" not in page
        assert "You may not write in chats at present" in page
        assert "chat-say" in text(
            browser(table.users[1]).get(f"{table.series.get_absolute_url()}chat/")
        )

    def test_it_ends_by_itself(self) -> None:
        table = new_table()
        user = table.users[0]
        put(user, Kind.MUTE, hours=-1)
        address = f"{table.series.get_absolute_url()}chat/"
        answer = browser(user).post(address, {"text": "back", "key": next_key()})
        assert answer.status_code == 302


def test_a_guest_reads_it_too_and_needs_no_account() -> None:
    guest = User.objects.create(username="Guest-5", kind=User.Kind.GUEST)
    put(guest, Kind.WARNING)
    page = text(browser(guest).get(PAGE))
    assert "I have read this" in page
    assert "/account/export/" not in page
