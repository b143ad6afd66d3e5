"""The chat: who reads and writes what, once each, within limits, and what of it is kept."""

from datetime import timedelta

import pytest
from django.db.models import F

from accounts.models import User
from accounts.relations import Relation, relate, unrelate
from accounts.sanctions import Sanction, impose, lift
from games.errors import (
    ChatMuted,
    EmptyLine,
    LineTooLong,
    NoChat,
    PhrasesOnly,
    SaidBefore,
    TableError,
    TooManyLines,
)
from games.models import Message, Series
from games.models.message import LONGEST_LINE
from games.phrases import PHRASES
from games.rendering.chat import chat_mark, chat_page
from games.services.chat import Said, forget_chat, say, turn_chat
from games.services.chat_limits import Earlier, are_alike, judge
from games.services.leaving import delete_account
from games.services.request import Wish
from tests.tables import Played, new_table, new_user, next_key

PLAYERS, WATCHERS = Message.Room.PLAYERS, Message.Room.WATCHERS


def tell(table: Played, user: User, text: str = "", key: str = "", phrase: str = "") -> Said:
    series = Series.objects.get(pk=table.series.pk)
    return say(series=series, user_id=user.pk, key=key or next_key(), text=text, phrase=phrase)


def read_by(table: Played, user: User | None, preference: str = "on") -> list[str]:
    """The words that somebody sees."""
    series = Series.objects.get(pk=table.series.pk)
    page = chat_page(series, user.pk if user else None, preference, key="k")
    return [line.words for room in page.rooms for line in room.lines]


def new_guest() -> User:
    user = new_user()
    User.objects.filter(pk=user.pk).update(kind=User.Kind.GUEST)
    user.refresh_from_db()
    return user


def end(table: Played) -> None:
    table.wish(Wish.RESIGN, table.users[0])


@pytest.mark.django_db
class TestRooms:
    def test_players_talk_to_each_other(self) -> None:
        table = new_table()
        anna, bob = table.users
        tell(table, anna, "good evening")
        tell(table, bob, phrase="hello")
        for user in table.users:
            assert read_by(table, user) == ["good evening", "Hello!"]

    def test_while_it_runs_players_and_spectators_do_not_see_each_other_s(self) -> None:
        table, eve = new_table(), new_user()
        tell(table, table.users[0], "between us")
        tell(table, eve, "he has nothing")
        assert read_by(table, table.users[1]) == ["between us"]
        assert read_by(table, eve) == ["he has nothing"]
        assert read_by(table, None) == []

    def test_after_the_end_everybody_reads_both(self) -> None:
        table, eve = new_table(), new_user()
        tell(table, table.users[0], "between us")
        tell(table, eve, "he has nothing")
        end(table)
        for user in (*table.users, eve, new_guest(), None):
            assert sorted(read_by(table, user)) == ["between us", "he has nothing"]
        tell(table, table.users[1], phrase="well-played")
        assert Message.objects.latest("pk").room == PLAYERS

    def test_who_watches_without_an_account_is_no_part_of_it(self) -> None:
        table, guest = new_table(), new_guest()
        tell(table, new_user(), "are you there?")
        with pytest.raises(NoChat):
            tell(table, guest, phrase="hello")
        assert read_by(table, guest) == []

    def test_nobody_talks_before_both_sit(self) -> None:
        table = new_table()
        Series.objects.filter(pk=table.series.pk).update(status=Series.Status.WAITING)
        with pytest.raises(NoChat):
            tell(table, table.users[0], "anybody?")

    def test_there_is_no_chat_against_a_bot(self) -> None:
        table = new_table()
        table.series.seats.filter(number=1).update(bot="club")
        for user in (table.users[0], new_user()):
            with pytest.raises(NoChat):
                tell(table, user, "hello")
        assert chat_page(table.series, table.users[0].pk, key="k").state == "none"
        assert chat_mark(table.series, table.users[0].pk) == ""

    def test_a_guest_talks_by_phrases(self) -> None:
        table = new_table()
        guest = table.users[1]
        User.objects.filter(pk=guest.pk).update(kind=User.Kind.GUEST)
        with pytest.raises(PhrasesOnly):
            tell(table, guest, "my own words")
        tell(table, guest, phrase="good-luck")
        assert read_by(table, table.users[0]) == ["Good luck!"]

    def test_a_phrase_is_stored_as_its_code(self) -> None:
        table = new_table()
        said = tell(table, table.users[0], "not this", phrase="thanks")
        assert (said.message.text, said.message.phrase) == ("", "thanks")
        assert all(len(code) <= 16 for code in PHRASES)


@pytest.mark.django_db
class TestLines:
    def test_fault_108_a_line_sent_again_is_one_line(self) -> None:
        table = new_table()
        anna = table.users[0]
        first = tell(table, anna, "once", key="k")
        again = tell(table, anna, "once", key="k")
        assert (again.message, again.talk) == (first.message, None)
        assert read_by(table, anna) == ["once"]

    def test_other_words_with_the_same_key_are_another_line(self) -> None:
        """A page whose answer was lost still has the key."""
        table = new_table()
        anna = table.users[0]
        tell(table, anna, phrase="hello", key="k")
        tell(table, anna, phrase="thanks", key="k")
        tell(table, anna, "thanks", key="k")
        assert len(read_by(table, anna)) == 3

    def test_it_moves_the_talk_and_never_the_version(self) -> None:
        table = new_table()
        before = table.row.version
        talk = Series.objects.get(pk=table.series.pk).talk
        assert tell(table, table.users[0], "hello there").talk == talk + 1
        assert table.row.version == before

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("  nice \n\n hand \t ", "nice hand"),
            ("\u202egnihton\u202c", "gnihton"),
            ("a\u0301\u0301\u0301\u0301\u0301\u0301", "\xe1\u0301\u0301\u0301"),
            ("<b hx-get=/>", "<b hx-get=/>"),
            ("x" * LONGEST_LINE, "x" * LONGEST_LINE),
        ],
    )
    def test_s11_a_line_is_tamed(self, text: str, line: str) -> None:
        table = new_table()
        assert tell(table, table.users[0], text).message.text == line

    @pytest.mark.parametrize(
        ("text", "refusal"),
        [
            ("", EmptyLine),
            (" \u200b \u2060 ", EmptyLine),
            ("\u0301\u200d", EmptyLine),
            ("x" * (LONGEST_LINE + 1), LineTooLong),
            ("x" * 10_000, LineTooLong),  # fault 77
        ],
    )
    def test_what_is_no_line_is_refused(self, text: str, refusal: type[TableError]) -> None:
        table = new_table()
        with pytest.raises(refusal):
            tell(table, table.users[0], text)
        assert not Message.objects.exists()

    def test_a_phrase_that_there_is_not_is_refused(self) -> None:
        table = new_table()
        with pytest.raises(EmptyLine):
            tell(table, table.users[0], phrase="<script>")


def said(*lines: tuple[str, float]) -> list[Earlier]:
    return [Earlier(words, timedelta(seconds=ago)) for words, ago in lines]


def different(count: int, ago: float) -> list[tuple[str, float]]:
    return [(chr(ord("a") + number % 26) * 3 + str(number), ago) for number in range(count)]


class TestLimits:
    """M2 and S6, to the letter: what was said before, and what becomes of one more line."""

    @pytest.mark.parametrize(
        ("earlier", "line", "refusal"),
        [
            ([], "hello", None),
            (different(4, 1), "hello", None),
            (different(5, 1), "hello", TooManyLines),
            (different(5, 9.9), "hello", TooManyLines),
            (different(5, 10), "hello", None),
            (different(29, 11), "hello", None),
            (different(30, 11), "hello", TooManyLines),
            (different(30, 299), "hello", TooManyLines),
            (different(30, 300), "hello", None),
            ([("you are slow", 60)] * 2, "you are slow", None),
            ([("you are slow", 60)] * 3, "you are slow", SaidBefore),
            ([("you are slow", 60)] * 3, "YOU are sloooow!!!", SaidBefore),
            ([("you are slow", 60)] * 3, "you are so slow", SaidBefore),
            ([("you are slow", 60)] * 3, "you play well", None),
            ([("you are slow", 300)] * 3, "you are slow", None),
            ([("!!!", 60)] * 3, "!!", SaidBefore),
            ([("thanks", 60)] * 3, "thanks", SaidBefore),
        ],
    )
    def test_m2_exact_terms(
        self, earlier: list[tuple[str, float]], line: str, refusal: type[TableError] | None
    ) -> None:
        if refusal is None:
            judge(line, said(*earlier))
        else:
            with pytest.raises(refusal):
                judge(line, said(*earlier))

    @pytest.mark.parametrize(
        ("one", "other", "alike"),
        [
            ("good game", "GOOD  GAME!", True),
            ("good game", "good gane", True),
            ("yes", "no", False),
            ("\u10d2\u10d0\u10db\u10d0\u10e0\u10ef\u10dd\u10d1\u10d0", "გამარჯობა!", True),
            ("\U0001f44d", "\U0001f44d\U0001f44d", True),
            ("\U0001f44d", "\U0001f44e", False),
        ],
    )
    def test_what_is_alike(self, one: str, other: str, *, alike: bool) -> None:
        assert are_alike(one, other) is alike

    @pytest.mark.django_db
    def test_m2_the_fourth_similar_line_is_stopped_whatever_the_table(self) -> None:
        tables = [new_table() for _ in range(2)]
        anna = tables[0].users[0]
        tables[1].series.seats.filter(number=0).update(user=anna)
        for number in range(3):
            tell(tables[number % 2], anna, "come on" + "!" * number)
        Message.objects.update(sent_at=F("sent_at") - timedelta(seconds=20))
        with pytest.raises(SaidBefore):
            tell(tables[1], anna, "come on")
        assert Message.objects.count() == 3

    @pytest.mark.django_db
    def test_fault_77_of_200_lines_five_arrive(self) -> None:
        table = new_table()
        stopped = 0
        for number in range(200):
            try:
                tell(table, table.users[0], f"{number:b} is {number}")
            except TableError:
                stopped += 1
        assert (stopped, Message.objects.count()) == (195, 5)


@pytest.mark.django_db
class TestWhoDoesNotWantIt:
    def test_m2_a_muted_person_s_lines_reach_nobody(self) -> None:
        table = new_table()
        mute = impose(user_id=table.users[0].pk, kind=Sanction.Kind.MUTE, rule="insult", text="No.")
        with pytest.raises(ChatMuted) as told:
            tell(table, table.users[0], "listen")
        assert "Nobody has seen" in str(told.value.notice)
        assert not Message.objects.exists()
        lift(mute)
        tell(table, table.users[0], "listen")

    def test_who_is_blocked_is_not_read(self) -> None:
        table = new_table()
        anna, bob = table.users
        tell(table, bob, "listen")
        before = chat_mark(table.series, anna.pk)
        relate(anna.pk, bob.pk, Relation.Kind.BLOCK)
        assert read_by(table, anna) == []
        assert chat_mark(table.series, anna.pk) != before
        assert read_by(table, bob) == ["listen"]  # nobody is told
        unrelate(anna.pk, bob.pk, Relation.Kind.BLOCK)
        assert chat_mark(table.series, anna.pk) == before

    def test_it_is_turned_off_in_one_series(self) -> None:
        table, other = new_table(), new_table()
        anna, bob = table.users
        other.series.seats.filter(number=0).update(user=anna)
        tell(table, bob, "listen")
        tell(other, other.users[1], "hello")
        turn_chat(table.series, anna.pk, on=False)
        turn_chat(table.series, anna.pk, on=False)
        assert read_by(table, anna) == []
        assert chat_mark(table.series, anna.pk) == "off"
        assert read_by(other, anna) == ["hello"]
        turn_chat(table.series, anna.pk, on=True)
        assert read_by(table, anna) == ["listen"]

    def test_it_is_turned_off_for_good(self) -> None:
        table = new_table()
        tell(table, table.users[1], "listen")
        assert read_by(table, table.users[0], "off") == []
        assert chat_mark(table.series, table.users[0].pk, "off") == ""

    def test_what_a_moderator_hid_is_read_by_nobody(self) -> None:
        table = new_table()
        tell(table, table.users[1], "listen")
        Message.objects.update(hidden_at=F("sent_at"))
        assert [read_by(table, user) for user in table.users] == [[], []]

    def test_s13_of_who_has_left_nothing_is_read(self) -> None:
        table = new_table()
        anna, bob = table.users
        tell(table, bob, "my number is 5")
        turn_chat(table.series, bob.pk, on=False)
        delete_account(bob.pk)
        assert read_by(table, anna) == []
        assert Message.objects.exists()  # for moderators, until it is erased
        forget_chat(bob.pk)
        assert not Message.objects.exists()
