"""How often the signs are wrong about honest people: the simulations, and what is told of them."""

import re
from io import StringIO
from math import sqrt

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from accounts.traces import leave_traces, related_accounts
from games.moderation.alarms import MEASURED, alarm_words, percent
from games.moderation.false_alarms import Count, absence, neighbours, play, talk
from games.moderation.models import Signal
from games.moderation.signs import language
from games.rules.options import Options
from tests.tables import new_user

HANDBOOK = (settings.BASE_DIR / "docs" / "moderation.md").read_text(encoding="utf-8")


def agrees(told: Count, found: Count) -> bool:
    """Whether a smaller sample may come of the rate that is told, three times of its spread off."""
    least, most = told.rate * found.tries, told.at_most * found.tries
    return least - 3 * sqrt(least) <= found.hits <= most + 3 * sqrt(most) + 1


class TestTalk:
    def test_one_honest_line_of_all_is_taken_for_something_else(self) -> None:
        wrong = [line for line in talk.honest_lines() if language.hits(line)]
        assert len(wrong) == 1
        assert "of wood" in wrong[0]  # what is burnt is called so, too
        assert talk.wrong_words() == MEASURED["words"]

    def test_it_looks_for_trouble_in_every_language_that_has_a_list(self) -> None:
        lines = set(talk.honest_lines())
        assert len(lines) > 500
        assert {"I'm from Scunthorpe", "I'm reading Moby-Dick", "Hello!"} <= lines
        folder = settings.BASE_DIR / "games" / "moderation"
        names = {each.name for each in (folder / "words").glob("*.txt")}
        assert names == {each.name for each in (folder / "false_alarms" / "lines").glob("*.txt")}
        assert names == {"en.txt", "id.txt", "ka.txt", "sr.txt", "vi.txt"}

    @pytest.mark.parametrize(
        "line",
        [
            *("đồ đĩ", "ti si kurva", "КУРВО", "ნაბოზარი ხარ", "dasar bangsat", "b4ngsat!"),
            "p i č k o",
        ],
    )
    def test_words_that_hurt_are_found_in_each_of_them(self, line: str) -> None:
        assert language.hits(line) == 1

    def test_who_talks_much_is_rarely_a_flood_and_who_never_stops_is(self) -> None:
        assert agrees(MEASURED["flood of two"], talk.floods(2, 2_000, seed=5))
        assert agrees(MEASURED["flood of three"], talk.floods(3, 2_000, seed=5))
        assert talk.floods(10, 20, seed=5).rate == 1


class TestNeighbours:
    def test_what_is_told_is_what_comes_out(self) -> None:
        _shown, pairs = neighbours.related_strangers(1_000, seed=1)
        assert pairs == MEASURED["related"]

    @pytest.mark.django_db
    def test_its_rule_is_that_of_the_site(self) -> None:
        """The same people in the database, by their networks and browsers."""
        users = [new_user() for _ in range(26)]
        places = [n % 6 for n in range(4)] + [7] * 22  # the last have a network of too many
        traces = {}
        for number, (user, place) in enumerate(zip(users, places, strict=True)):
            browser = f"browser-{number // 2}"
            leave_traces(user.pk, f"203.0.{place}.9", browser)
            traces[user.pk] = frozenset({f"203.0.{place}.9", browser})
        found = {
            tuple(sorted((user.pk, each.user_id)))
            for user in users
            for each in related_accounts(user.pk)
        }
        assert found == neighbours.related_pairs(traces)
        assert len(found) == 13

    def test_members_of_a_household_are_related(self) -> None:
        traces, home = neighbours.country(200, seed=3)
        pairs = neighbours.related_pairs(traces)
        for one in home:
            for other in home:
                assert one >= other or home[one] != home[other] or (one, other) in pairs


class TestAbsence:
    @pytest.mark.parametrize(("away", "name"), [(0.02, "at 2"), (0.05, "at 5")])
    def test_what_is_told_is_what_comes_out(self, away: float, name: str) -> None:
        to_one, to_many = absence.given(away, 20, 3_000, seed=9)
        assert agrees(MEASURED[f"given {name}"], to_one)
        assert agrees(MEASURED[f"sandbag {name}"], to_many)
        assert agrees(MEASURED[f"leaving {name}"], absence.left(away, 5_000, seed=9))

    def test_who_never_is_away_sets_off_nothing(self) -> None:
        assert [each.hits for each in absence.given(0, 20, 50, seed=1)] == [0, 0]
        assert absence.left(0, 50, seed=1).hits == 0
        assert absence.withheld(0, 14, 50, seed=1).hits == 0

    def test_two_parts_running_are_a_signal_and_two_apart_are_none(self) -> None:
        assert agrees(MEASURED["withheld at 5"], absence.withheld(0.05, 14, 3_000, seed=9))
        assert absence.withheld(1, 1, 50, seed=1).hits == 0
        assert absence.withheld(1, 2, 50, seed=1).hits == 50


class TestWhatIsTold:
    def test_of_none_in_3000_at_most_one_in_1000_is_left(self) -> None:
        assert Count(0, 3000).at_most == pytest.approx(0.001)
        assert Count(5, 100).at_most == pytest.approx(0.112, abs=0.002)

    @pytest.mark.parametrize("kind", Signal.Kind)
    def test_the_handbook_tells_what_the_pages_tell(self, kind: Signal.Kind) -> None:
        row = next(line for line in HANDBOOK.splitlines() if line.startswith(f"| {kind.value} |"))
        for figure in re.findall(r"\d[\d.,]*%", alarm_words(kind)):
            assert figure in row, figure
        assert ("not measured" in row) == ("Not measured" in alarm_words(kind))

    def test_a_rate_has_two_figures(self) -> None:
        assert [percent(rate) for rate in (0.0, 0.00002, 0.0344)] == ["0%", "0.002%", "3.4%"]


def test_the_command_says_all_of_it() -> None:
    out = StringIO()
    call_command("false_alarms", "play", "--series", "2", stdout=out)
    assert "fed, series of bots: 0 of 2" in out.getvalue()
    assert play.alarms(1, Options(), seed=1)["gins"] == Count(0, 1)
    with pytest.raises(CommandError):
        call_command("false_alarms", "play", "--series", "0")
    with pytest.raises(CommandError):
        call_command("false_alarms", "dreams")
