"""Series that are brought in as records: whole, for who imported them alone, and for nothing."""

import json
import re
import zipfile
from dataclasses import replace
from datetime import timedelta
from functools import partial
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db.models.functions import Now
from django.urls import get_resolver, reverse

from accounts import leaving
from accounts.models import User
from games.errors import NotFound, TooManyImports
from games.forms.imports import MOST_BYTES, MOST_SERIES
from games.models import Deed, Notice, RatingChange, Round, Seat, Series, SheetEntry, Tally
from games.moderation.selectors.dossier import dossier_of
from games.moderation.selectors.today import today
from games.rules.options import PRESETS
from games.rules.series_record import RoundOfSeries, SeriesRecord, parse_all
from games.selectors.audit import differences
from games.selectors.export import archive_of
from games.selectors.history import Picks, history_page
from games.selectors.newcomers import is_new
from games.selectors.records import record_of
from games.selectors.table import load_sitting
from games.services.imports import (
    MOST_A_DAY,
    MOST_KEPT,
    delete_import,
    forget_imports,
    import_series,
)
from games.services.leaving import take_step
from games.views.imports import TIMES
from tests.at_once import at_once
from tests.browser import browser, text
from tests.games.test_by_hand import finished, form_of
from tests.patience import patience
from tests.rules.test_series_record import played as made_up
from tests.staff import new_boss
from tests.tables import Played, new_table, new_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rung")]

PAGE = "/new/import/"


def short(seed: int = 1) -> SeriesRecord:
    """A record of two rounds, given up after them."""
    return made_up(seed, "hollywood", 2)


def brought(user: User, record: SeriesRecord | None = None, name: str = "") -> Series:
    [series] = import_series(user=user, records=[record or short()], name=name)
    return series


def send(user: User, record: str, **fields: Any) -> Any:
    """By the form, as it is shown now."""
    client = browser(user)
    return client.post(PAGE, form_of(client.get(PAGE)) | {"text": record, "name": ""} | fields)


def bare(record: SeriesRecord) -> SeriesRecord:
    """What a site that didn't deal the cards can say of them."""
    rounds = tuple(replace(each, proof=None) for each in record.rounds)
    return replace(record, rounds=rounds, rated=False, source="imported")


class TestRoundTrip:
    def test_export_import_export(self, over: Played) -> None:
        record = record_of(over.series)
        answer = send(new_user(), record.format())
        assert answer.status_code == 302
        [series] = Series.objects.filter(source=Series.Source.IMPORTED)
        again = record_of(series)
        assert again == bare(record)
        assert again.site == record.site
        assert again.series == over.series.slug != series.slug
        assert record_of(brought(new_user(), again)).format() == again.format()

    @pytest.mark.parametrize("preset", PRESETS)
    def test_any_rules(self, preset: str) -> None:
        record = made_up(3, preset)
        series = brought(new_user(), record)
        assert record_of(series) == bare(record)
        assert list(differences(series)) == []

    @pytest.mark.parametrize("ending", ["agreed", "resigned", "time", "abandoned"])
    def test_any_ending(self, ending: str) -> None:
        record = replace(short(), ending=ending, by=None if ending == "agreed" else 0)
        series = brought(new_user(), record)
        assert record_of(series) == bare(record)
        assert list(differences(series)) == []

    def test_one_that_was_declared_void(self) -> None:
        anna = new_user()
        series = brought(anna, replace(short(), void=True), name="Anna")
        assert record_of(series) == replace(
            bare(short()), void=True, players=(anna.username, "ნინო")
        )
        assert list(differences(series)) == []
        [row] = history_page(anna.pk, Picks(), is_own=True).rows
        assert row.series.voided_at is not None

    def test_one_without_a_round(self) -> None:
        record = replace(short(), rounds=())
        anna = new_user()
        series = brought(anna, record)
        assert record_of(series) == bare(record)
        assert list(differences(series)) == []
        page = text(browser(anna).get(f"/series/{series.slug}/rounds/"))
        assert "No round of this series was dealt." in page
        assert "To the table" not in page

    def test_a_sheet_that_was_kept_by_hand(self) -> None:
        record = record_of(finished(new_user()))
        anna = new_user()
        series = brought(anna, record)
        assert record_of(series) == bare(record)
        assert list(differences(series)) == []
        page = text(browser(anna).get(f"/series/{series.slug}/rounds/"))
        assert "rounds/1/" not in page
        assert "Actions" not in page
        assert browser(anna).get(f"/series/{series.slug}/rounds/1/").status_code == 404

    def test_one_with_the_cards_of_some_rounds(self) -> None:
        record = short()
        first, second = record.rounds
        record = replace(record, rounds=(first, RoundOfSeries(parsed(second))))
        anna = new_user()
        series = brought(anna, record)
        assert list(differences(series)) == []
        page = text(browser(anna).get(f"/series/{series.slug}/rounds/"))
        assert f"/series/{series.slug}/rounds/1/" in page
        assert f"/series/{series.slug}/rounds/2/" not in page

    def test_an_end_that_nobody_knows_is_that_of_the_import(self) -> None:
        series = brought(new_user(), replace(short(), started="unknown", ended="unknown"))
        assert series.started_at is None
        assert series.ended_at is not None
        assert list(differences(series)) == []

    def test_the_commands_find_no_fault(self) -> None:
        series = brought(new_user())
        out = StringIO()
        call_command("check_series", "--mend", series.slug, stdout=out)
        call_command("check_statistics", stdout=out)
        call_command("verify_deal", series.slug, stdout=out)
        assert "1 series checked, no difference." in out.getvalue()
        assert out.getvalue().endswith("round 1: not dealt here\nround 2: not dealt here\n")

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"deck": ""}, "can't be replayed"),
            ({"deck": "1X"}, "can't be replayed"),
            ({"commitment": "a" * 64}, "it was imported, but a deal is stored"),
            ({"points": 1}, "1 points are stored"),
            ({"log": ""}, "but a deal or a log is stored"),
        ],
    )
    def test_the_check_sees_what_is_changed(self, change: dict[str, Any], told: str) -> None:
        series = brought(new_user())
        Round.objects.filter(series=series, number=1).update(**change)
        assert told in " ".join(differences(series))

    def test_the_deck_of_a_played_round_follows_from_its_secret_alone(self, over: Played) -> None:
        imported = brought(new_user()).rounds.get(number=1)
        Round.objects.filter(series=over.series, number=1).update(deck=imported.deck)
        assert "the deck is not the one that follows" in " ".join(differences(over.series))

    def test_two_imports_of_one_place_are_not_mistaken_for_each_other(self) -> None:
        """The cache of played rounds knew a round by its commitment, which these have none of."""
        first, other = short(1), made_up(2, "hollywood", 2)
        series = brought(new_user(), first)
        row = series.rounds.get(number=1)
        before = row.folded().state
        twin = brought(new_user(), other).rounds.get(number=1)
        twin.pk = row.pk
        assert twin.folded().state != before


def parsed(each: RoundOfSeries) -> Any:
    """The result of a round as a record without its cards tells it."""
    return replace(each.result, knocker=None, knocker_deadwood=None, defender_deadwood=None)


class TestSeats:
    def test_the_importer_sits_where_they_say(self) -> None:
        anna = new_user()
        series = brought(anna, name=short().players[1])
        assert [seat.name for seat in series.seats.order_by("number")] == ["Anna", ""]
        assert series.seats.get(number=1).user == anna
        [row] = history_page(anna.pk, Picks(), is_own=True).rows
        assert (row.series, row.opponent, row.has_profile) == (series, "Anna", False)
        assert record_of(series).players == ("Anna", anna.username)
        assert list(differences(series)) == []

    def test_or_nowhere(self) -> None:
        anna = new_user()
        series = brought(anna)
        assert [seat.name for seat in series.seats.order_by("number")] == list(short().players)
        assert not Seat.objects.filter(user=anna).exists()
        assert not history_page(anna.pk, Picks(), is_own=True).rows
        names = " – ".join(short().players)
        assert names in text(browser(anna).get(PAGE))

    def test_a_name_is_nobody_here(self) -> None:
        namesake = new_user("Anna")
        importer = new_user()
        series = brought(importer)
        assert not Seat.objects.filter(user=namesake).exists()
        assert not history_page(namesake.pk, Picks(), is_own=True).rows
        for path in (f"/series/{series.slug}/rounds/", f"/series/{series.slug}/rounds/1/", PAGE):
            assert "/@Anna/" not in text(browser(importer).get(path))

    def test_a_name_is_text(self) -> None:
        importer = new_user()
        record = replace(short(), players=("<b>Al</b>", "e" + "\u0301" * 30), site="<i>x</i>")
        series = brought(importer, record)
        page = text(browser(importer).get(f"/series/{series.slug}/rounds/"))
        assert "&lt;b&gt;Al" in page
        assert "&lt;i&gt;x" in page
        assert "<b>Al" not in page
        assert "<i>x" not in page
        assert len(series.seats.get(number=1).name) < 6


WRONG = [
    ("Source: played", "Source: dreamt", "Line 9: Not one of played"),
    ("Time: 600+5", "Time: 9+5", "Line 7: No such time control"),
    ("Ended: 2026-03-01", "Ended: 2999-03-01", "Line 11: .* has not come yet"),
    ("Ended: 2026-03-01", "Ended: 2026-02-30", "Line 11: Not a time in UTC"),
    ("Result: ", "Result: perhaps ", "Line 13: By its rounds the result is"),
    ("Secret: ", "Secret: x", "Line 17: Not 32 bytes"),
    ("Dealer: 0\nHand", "Dealer: 1\nHand", "Line 20: Round 1 is dealt by 0"),
    ("Upcard: ", "Upcard: 1", "Line [0-9]+: No such card"),
    ("Sheet: ", "Sheet: 1", "Line [0-9]+: not &#x27;Sheet: "),
    ("Hollywood Gin series 1", "A letter", "Line 1: not &#x27;Hollywood Gin series 1"),
]


class TestWrongText:
    @pytest.mark.parametrize(("old", "new", "told"), WRONG)
    def test_the_line_is_named_and_the_text_kept(self, old: str, new: str, told: str) -> None:
        record = replace(short(2), control="600+5").format()
        broken = record.replace(old, new, 1)
        assert broken != record
        answer = send(new_user(), broken)
        assert answer.status_code == 422
        assert "Nothing was imported." in text(answer)
        assert re.search(told, text(answer)), text(answer)
        assert new.splitlines()[-1] in text(answer)
        assert not Series.objects.exists()

    def test_of_several_the_right_line_is_named(self) -> None:
        one, other = short(1).format(), replace(short(2), control="0+0").format()
        line = len(one.splitlines()) + 1 + 7
        answer = send(new_user(), f"{one}\n{other}")
        assert f"Line {line}: No such time control" in text(answer)
        assert not Series.objects.exists()

    def test_what_is_kept_is_text(self) -> None:
        answer = send(new_user(), "</textarea><script>alert(1)</script>")
        assert answer.status_code == 422
        assert "<script>alert" not in text(answer)

    def test_nothing_at_all(self) -> None:
        for nothing in ("", " \n \n"):
            answer = send(new_user(), nothing)
            assert answer.status_code == 422
            assert "Paste a record, or choose a file." in text(answer)

    def test_a_round_alone_is_no_series(self) -> None:
        record = short().rounds[0].record
        assert record is not None
        assert "Line 1: not" in text(send(new_user(), record.format()))

    def test_a_name_that_nobody_has(self) -> None:
        answer = send(new_user(), short().format(), name="Zoe")
        assert answer.status_code == 422
        assert "Nobody in it is called that, but: Anna, ნინო." in text(answer)
        assert not Series.objects.exists()

    def test_a_score_that_no_table_holds(self) -> None:
        """Of a round without cards any sum was believed, and too large a one was an error 500."""
        record = record_of(finished(new_user())).format()
        broken = record.replace("0 wins 65 by gin, 25 + 40", "0 wins 999999 by gin, 25 + 999974", 1)
        assert broken != record
        assert "No round that ends so can bring that many points" in text(send(new_user(), broken))


class TestFiles:
    def test_a_file_takes_the_place_of_the_text(self) -> None:
        anna = new_user()
        file = SimpleUploadedFile(
            "s.txt", short().format().replace("\n", "\r\n").encode("utf-8-sig")
        )
        assert send(anna, "nonsense", file=file).status_code == 302
        assert record_of(Series.objects.get()) == bare(short())

    def test_the_text_of_a_wrong_file_is_shown(self) -> None:
        broken = short().format().replace("Rated: no", "Rated: perhaps")
        answer = send(new_user(), "", file=SimpleUploadedFile("s.txt", broken.encode()))
        assert answer.status_code == 422
        assert "Rated: perhaps" in text(answer)

    def test_no_text(self) -> None:
        answer = send(new_user(), "", file=SimpleUploadedFile("s.txt", b"\xff\xfe\x00"))
        assert answer.status_code == 422
        assert "That is no text in UTF-8." in text(answer)

    def test_an_empty_one(self) -> None:
        answer = send(new_user(), "", file=SimpleUploadedFile("s.txt", b""))
        assert "Paste a record, or choose a file." in text(answer)


class TestLimits:
    def test_length(self) -> None:
        for fields in ({}, {"file": SimpleUploadedFile("s.txt", b"x" * (MOST_BYTES + 1))}):
            record = "" if fields else "ა" * (MOST_BYTES // 3 + 1)
            answer = send(new_user(), record, **fields)
            assert answer.status_code == 422
            assert "That is too long: 500 kB at most." in text(answer)

    @pytest.mark.parametrize("before", ["", "record"])
    def test_empty_lines_stop_nobody(self, before: str) -> None:
        """Half a million of them took the square of their number, and a process for minutes."""
        told = short().format() if before else ""
        with patience():
            assert send(new_user(), told + "\n" * (MOST_BYTES - 10_000) + "x").status_code == 422

    def test_how_many_at_once(self) -> None:
        record = replace(short(), rounds=()).format()
        assert send(new_user(), "\n".join([record] * (MOST_SERIES + 1))).status_code == 422
        assert not Series.objects.exists()
        assert send(new_user(), "\n".join([record] * MOST_SERIES)).status_code == 302
        assert Series.objects.count() == MOST_SERIES

    def test_how_many_a_day_and_in_all(self) -> None:
        anna = new_user()
        record = replace(short(), rounds=())
        many = partial(import_series, user=anna)
        many(records=[record] * MOST_A_DAY)
        with pytest.raises(TooManyImports) as refused:
            many(records=[record])
        assert f"{MOST_A_DAY} series a day" in str(refused.value.notice)
        assert f"keep {MOST_KEPT}" in str(refused.value.notice)
        answer = send(anna, record.format())
        assert answer.status_code == 429
        assert "Series: Ab-c_3" in text(answer)
        for _ in range(MOST_KEPT // MOST_A_DAY - 1):
            Series.objects.all().update(created_at=Now() - timedelta(days=2))
            many(records=[record] * MOST_A_DAY)
        Series.objects.all().update(created_at=Now() - timedelta(days=2))
        with pytest.raises(TooManyImports):
            many(records=[record])
        import_series(user=new_user(), records=[record])  # each has their own

    def test_how_many_a_minute(self) -> None:
        anna = new_user()
        for _ in range(TIMES):
            assert send(anna, "nonsense").status_code == 422
        answer = send(anna, short().format())
        assert answer.status_code == 429
        assert "Series: Ab-c_3" in text(answer)
        assert not Series.objects.exists()


class TestTwice:
    """Fault 110."""

    def test_one_form_sent_twice_makes_one(self) -> None:
        client = browser(new_user())
        fields = form_of(client.get(PAGE)) | {"text": short().format(), "name": "Anna"}
        answers = [client.post(PAGE, fields) for _ in range(2)]
        assert answers[0]["Location"] == answers[1]["Location"]
        assert Series.objects.count() == 1

    def test_several_in_one_text_as_well(self) -> None:
        client = browser(new_user())
        both = f"{short(1).format()}\n{short(2).format()}"
        fields = form_of(client.get(PAGE)) | {"text": both, "name": ""}
        for _ in range(2):
            assert client.post(PAGE, fields)["Location"] == f"{PAGE}#imports"
        assert Series.objects.count() == 2

    def test_a_form_gone_back_to_imports_what_it_says_now(self) -> None:
        client = browser(new_user())
        form = form_of(client.get(PAGE))
        for seed in (1, 2):
            client.post(PAGE, form | {"text": short(seed).format(), "name": ""})
        assert Series.objects.count() == 2

    def test_a_place_that_nobody_has_set_aside_is_none(self) -> None:
        anna = new_user()
        for _ in range(2):
            assert send(anna, short().format(), address="mine:forged").status_code == 302
        assert Series.objects.count() == 2


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_one_form_sent_twice_at_once() -> None:
    anna = new_user()
    calls = [partial(import_series, user=anna, records=[short()], key="one") for _ in range(4)]
    found = at_once(calls)
    assert len({series.pk for [series] in found}) == 1
    assert Series.objects.count() == 1


def of_a_series() -> list[str]:
    """All addresses that a series has."""
    found = [
        str(pattern.pattern)
        for entry in get_resolver().url_patterns
        for pattern in getattr(entry, "url_patterns", ())
    ]
    return [path for path in found if re.match(r"(api/)?(series|verify)/<slug:slug>/", path)]


class TestWhoMaySee:
    def test_nobody_else_anything(self) -> None:
        host, sitting = new_user(), new_user()
        guest = User.objects.create(username="Guest-92", kind=User.Kind.GUEST)
        series = [brought(host), brought(host, name="Anna")]
        assert len(of_a_series()) > 15
        for path in of_a_series():
            for slug in (each.slug for each in series):
                address = "/" + path.replace("<slug:slug>", slug)
                address = re.sub(r"<int:\w+>", "1", address)
                for user in (None, guest, sitting):
                    client = browser(user)
                    for answer in (client.get(address), client.post(address)):
                        logs_in = "/login/" in answer.get("Location", "") and user is None
                        assert logs_in or answer.status_code in {404, 405}, address
        assert Series.objects.count() == 2

    def test_what_is_not_theirs_is_in_no_list(self) -> None:
        host = new_user("Hanna")
        series = brought(host, name="Anna")
        for user in (None, new_user()):
            client = browser(user)
            for path in ("/", "/lobby/", "/@Hanna/", "/@Hanna/series/", "/@Anna/series/"):
                assert series.slug not in text(client.get(path))
            found = client.get("/api/players/Hanna/series/").json()
            assert found["series"] == []
            for form in ("txt", "json", "csv"):
                listed = client.get(f"/@Hanna/series/series.{form}")
                assert series.slug.encode() not in b"".join(listed.streaming_content)

    @pytest.mark.parametrize("name", ["", "Anna"])
    def test_the_importer_sees_all_of_it(self, name: str) -> None:
        host = new_user()
        series = brought(host, name=name)
        client, at = browser(host), f"/series/{series.slug}/"
        assert client.get(at)["Location"] == f"{at}rounds/"
        page = text(client.get(f"{at}rounds/"))
        assert "Imported, played at https://gin.example, Ab-c_3 by its record." in page
        assert 'data-action="delete-import"' in page
        assert "To the table" not in page
        for path in ("rules/", "rounds/1/", "rounds/1/3/", "rounds/2/", "record.json"):
            assert client.get(f"{at}{path}").status_code == 200, path
        assert SeriesRecord.parse(text(client.get(f"{at}record.txt"))).source == "imported"
        found = client.get(f"/api/series/{series.slug}/").json()
        assert found["source"] == "imported"
        assert found["rounds"][0]["deal"] is None

    def test_its_cards_are_those_of_the_record(self) -> None:
        host = new_user()
        series = brought(host)
        record = short().rounds[0].record
        assert record is not None
        page = text(browser(host).get(f"/series/{series.slug}/rounds/1/"))
        for card in record.deck[:20]:
            assert f"{card}" in page

    def test_a_deal_that_was_not_ours_can_not_be_verified(self) -> None:
        host = new_user()
        series = brought(host)
        client = browser(host)
        assert "Check this deal" not in text(client.get(f"/series/{series.slug}/rounds/1/"))
        for path in (f"/verify/{series.slug}/1/", f"/verify/{series.slug}/1/record/"):
            assert client.get(path).status_code == 404

    def test_marked_in_the_own_history(self) -> None:
        host = new_user("Hanna")
        series = brought(host, name="Anna")
        page = text(browser(host).get("/@Hanna/series/"))
        assert "imported" in page
        assert "Only you see it." in page
        assert f"/series/{series.slug}/report/" not in page
        assert series.slug in text(browser(host).get("/"))

    def test_guests_register_first(self) -> None:
        guest = User.objects.create(username="Guest-93", kind=User.Kind.GUEST)
        client = browser(guest)
        assert client.get(PAGE).status_code == 403
        assert client.post(PAGE, {"text": short().format()}).status_code == 403
        assert not Series.objects.exists()

    def test_nobody_is_reported_by_a_record(self) -> None:
        host, ben = new_user(), new_user("Ben")
        series = brought(host, name="Anna")
        client = browser(host)
        assert client.get(f"/series/{series.slug}/report/").status_code == 404
        assert client.get(f"/@{ben.username}/report/?series={series.slug}").status_code == 404

    def test_nor_who_is_but_a_name_on_a_sheet(self) -> None:
        """The history led to a page that failed: their user has no address."""
        anna = new_user("Anna")
        series = finished(anna)
        client = browser(anna)
        assert "/report/" not in text(client.get("/@Anna/series/"))
        assert client.get(f"/series/{series.slug}/report/").status_code == 200


class TestForNothing:
    def test_no_rating_no_tally_no_trace(self, over: Played) -> None:
        tables = (Tally, RatingChange, Deed, Notice)
        before = [list(table.objects.order_by("pk").values()) for table in tables]
        figures = today()
        record = replace(record_of(over.series), rated=True)
        for user in over.users:
            brought(user, record, name=user.username)
        assert [list(table.objects.order_by("pk").values()) for table in tables] == before
        assert not Series.objects.filter(source=Series.Source.IMPORTED, rated=True).exists()
        assert today() == figures
        call_command("check_statistics", stdout=StringIO())

    def test_nobody_grows_old_by_it(self) -> None:
        """A new account asks few people a day until it has finished some series: played ones."""
        anna = new_user()
        User.objects.filter(pk=anna.pk).update(date_joined=Now() - timedelta(days=2))
        anna.refresh_from_db()
        for _ in range(3):
            brought(anna, name="Anna")
            finished(anna)
        assert is_new(anna)

    def test_nor_plays_the_first_round_later(self) -> None:
        table = new_table()
        brought(table.users[0], name="Anna")
        assert load_sitting(table.series).newcomers == {0, 1}

    def test_no_conduct_of_theirs(self) -> None:
        anna, moderator = new_user(), new_user()
        brought(anna, name="Anna")
        assert dossier_of(anna, moderator).seats == []


class TestDeleting:
    @pytest.mark.parametrize("name", ["", "Anna"])
    def test_it_goes_for_good(self, name: str) -> None:
        anna = new_user()
        series, other = brought(anna, name=name), brought(anna, short(2))
        client = browser(anna)
        path = f"/series/{series.slug}/delete/"
        assert client.get(path).status_code == 405
        assert client.post(path)["Location"] == f"{PAGE}#imports"
        assert client.post(path).status_code == 404
        for table in (Round, Seat, SheetEntry):
            assert not table.objects.filter(series=series.pk).exists()
        assert list(Series.objects.all()) == [other]
        assert list(differences(other)) == []

    def test_only_by_who_imported_it_and_nothing_else(self, over: Played) -> None:
        anna = new_user()
        series = brought(anna)
        for user_id, slug in (
            (new_user().pk, series.slug),
            (None, series.slug),
            (over.users[0].pk, over.series.slug),
        ):
            with pytest.raises(NotFound):
                delete_import(slug=slug, user_id=user_id)
        by_hand = finished(anna)
        assert browser(anna).post(f"/series/{by_hand.slug}/delete/").status_code == 404
        assert Series.objects.count() == 3

    def test_it_is_erased_with_who_imported_it(self, over: Played) -> None:
        anna = over.users[0]
        brought(anna)
        brought(anna, name="Anna")
        kept = brought(new_user())
        leaving.disable_account(anna.pk)
        leaving.delete_account(anna.pk)
        assert Series.objects.count() == 4
        assert take_step(anna.pk, leaving.Step.ERASE)
        assert set(Series.objects.all()) == {over.series, kept}

    def test_who_stays_keeps_theirs(self) -> None:
        kept = brought(new_user())
        forget_imports(new_user().pk)
        assert list(Series.objects.all()) == [kept]


def test_s13_the_archive_holds_it_wherever_they_sat() -> None:
    anna = new_user()
    brought(anna)
    brought(anna, short(2), name="Anna")
    archive = zipfile.ZipFile(BytesIO(archive_of(anna)))
    made = json.loads(archive.read("series_made.json"))
    assert [SeriesRecord.parse(each["record"]).source for each in made] == ["imported"] * 2
    [sat] = json.loads(archive.read("series.json"))
    assert (sat["source"], sat["rounds"][0]["deal"]) == ("imported", None)
    assert sat["rounds"][0]["record"].startswith("Hollywood Gin round 1")


def test_what_a_history_exports_is_imported_again(over: Played) -> None:
    anna = over.users[0]
    brought(anna, name="Anna")
    listed = browser(anna).get(f"/@{anna.username}/series/series.txt")
    whole = b"".join(listed.streaming_content).decode()
    assert len(list(parse_all(whole))) == 2
    assert send(new_user(), whole).status_code == 302
    assert Series.objects.filter(source=Series.Source.IMPORTED).count() == 3


def test_the_admin_shows_it_and_changes_nothing() -> None:
    boss = browser(new_boss("boss"))
    series = brought(new_user())
    row = series.rounds.get(number=1)
    for name, pk in (("series", series.pk), ("round", row.pk)):
        assert boss.get(reverse(f"admin:games_{name}_changelist")).status_code == 200
        path = reverse(f"admin:games_{name}_change", args=[pk])
        assert boss.get(path).status_code == 200
        assert boss.post(path, {"deck": ""}).status_code == 403
    assert "Ab-c_3" in text(boss.get(reverse("admin:games_series_change", args=[series.pk])))
