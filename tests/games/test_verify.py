"""The pages, the record and the command by which a deal is checked."""

import json
import subprocess
import sys
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client

from games.models import Round, Series
from games.models.fold import deck_of
from games.models.series import new_slug
from games.rules.cards import format_cards
from tests.tables import Played, new_table, new_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Played:
    """Round 1 is over, round 2 runs."""
    table = new_table()
    table.play_round()
    for user in table.users:
        table.press_next(user)
    return table


def first(table: Played) -> Round:
    return Round.objects.select_related("series").get(series=table.series, number=1)


@pytest.mark.parametrize("path", ["/fair-deal/", "/verify/"])
def test_everybody_may_read_how_it_works_and_check_by_hand(path: str, client: Client) -> None:
    assert client.get(path).status_code == 200
    assert client.post(path).status_code == 405


def test_s9_everybody_may_check_a_round_that_has_ended(table: Played, client: Client) -> None:
    row = first(table)
    text = client.get(f"/verify/{table.series.slug}/1/").content.decode()
    for value in (bytes(row.secret).hex(), row.commitment, row.proof.message, row.parts[0].promise):
        assert value in text
    assert format_cards(deck_of(row)) in text


@pytest.mark.parametrize("ending", ["", "record/"])
def test_s9_of_a_private_series_its_players_only(
    table: Played, client: Client, ending: str
) -> None:
    Series.objects.filter(pk=table.series.pk).update(is_private=True)
    path = f"/verify/{table.series.slug}/1/{ending}"
    assert client.get(path).status_code == 404
    client.force_login(new_user())
    assert client.get(path).status_code == 404
    client.force_login(table.users[0])
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("where", ["/verify/nowhere/1/", "/verify/{slug}/9/", "/verify/{slug}/0/"])
def test_what_there_is_not_is_answered_like_what_is_still_played(
    table: Played, client: Client, where: str
) -> None:
    running = client.get(f"/verify/{table.series.slug}/2/")
    missing = client.get(where.format(slug=table.series.slug))
    assert (missing.status_code, running.status_code) == (404, 404)
    assert client.get(f"/verify/{table.series.slug}/{'9' * 30}/").status_code == 404


def test_the_record_is_read_by_the_script(table: Played, client: Client) -> None:
    record = client.get(f"/verify/{table.series.slug}/1/record/").content.decode()
    assert json.loads(record)["deck"] == format_cards(deck_of(first(table)))
    done = subprocess.run(
        [sys.executable, "-I", str(settings.BASE_DIR / "docs" / "verify_deal.py")],
        input=record,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[1:] == [format_cards(deck_of(first(table))), "matches"]


def test_the_panel_leads_to_the_check_of_each_round(table: Played, client: Client) -> None:
    text = client.get(table.series.get_absolute_url()).content.decode()
    assert f'href="/verify/{table.series.slug}/1/"' in text
    assert f'href="/verify/{table.series.slug}/2/"' not in text


def test_a_replay_leads_to_the_check_and_back(table: Played, client: Client) -> None:
    check, replay = f"/verify/{table.series.slug}/1/", f"/series/{table.series.slug}/rounds/1/"
    assert f'href="{check}"' in client.get(replay).content.decode()
    assert f'href="{replay}"' in client.get(check).content.decode()


class TestTheCommand:
    def run(self, *arguments: object) -> str:
        out = StringIO()
        call_command("verify_deal", *map(str, arguments), stdout=out)
        return out.getvalue()

    def test_it_checks_all_rounds_that_have_ended(self, table: Played) -> None:
        assert self.run(table.series.slug) == "round 1: matches\n"

    def test_no_address_of_a_series_looks_like_an_option(self) -> None:
        """One such as -Y5hlXafZKb0 was refused: the command was told nothing of a series."""
        assert not [slug for slug in (new_slug() for _ in range(2000)) if slug.startswith("-")]

    def test_it_shows_the_deck_of_one(self, table: Played) -> None:
        row = first(table)
        assert self.run(table.series.slug, 1).splitlines() == [
            "round 1: matches",
            row.proof.message,
            format_cards(row.proof.deck),
        ]

    def test_it_finds_another_secret(self, table: Played) -> None:
        Round.objects.filter(pk=first(table).pk).update(secret=bytes(32))
        with pytest.raises(CommandError, match="1 of 1 deals are not as claimed"):
            self.run(table.series.slug)

    def test_it_says_what_there_is_not(self, table: Played) -> None:
        with pytest.raises(CommandError, match="no series"):
            self.run("nowhere")
        with pytest.raises(CommandError, match="no round 7"):
            self.run(table.series.slug, 7)
