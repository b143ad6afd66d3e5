"""The bots' pages, their names in lists and at the table, and their reasons in words."""

import json
import random
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from games import figures
from games.bots import BOTS, Reason, ReasonCode, bot_named
from games.house import PERSONAS
from games.models import Series
from games.models.reasons import PliedReason, read_reasons, write_reason
from games.rendering import regions
from games.rendering.reasons import reason_sentence
from games.rules.cards import Card
from games.rules.options import PRESETS, Options
from games.selectors.table import load_sitting, table_for
from games.views import bots as bot_pages
from tests.house import bot_table, play_round
from tests.page import Page
from tests.tables import Played, new_user


@pytest.fixture(autouse=True)
def _at_once(settings: Any) -> None:
    settings.BOT_PACE = 0


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return str(response.content.decode())


@pytest.mark.django_db
def test_nobody_makes_series_without_end(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is rows that are kept: a loop of requests filled the database."""
    monkeypatch.setattr(bot_pages, "SERIES_AN_HOUR", 2)
    client.force_login(new_user())
    fields = {"bot": "beginner", "preset": "hollywood"}
    answers = [client.post("/bots/play/", fields) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert "a great many series in one hour" in answers[-1].content.decode()
    assert Series.objects.count() == 2


@pytest.mark.django_db
class TestPages:
    def test_all_of_them_are_listed(self, client: Client) -> None:
        html = page(client, reverse("bots"))
        for slug in BOTS:
            assert PERSONAS[slug].name in html
            assert reverse("bot", args=[slug]) in html

    @pytest.mark.parametrize("slug", BOTS)
    def test_each_says_how_it_thinks_and_can_be_played(self, client: Client, slug: str) -> None:
        response = client.get(reverse("bot", args=[slug]))
        html = response.content.decode()
        assert str(PERSONAS[slug].thinks[0])[:20] in html
        assert "bot" in html
        assert response.context["bot"].form["bot"].value() == slug

    def test_it_tells_what_was_measured(
        self, client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        measured = {"against": "eaai", "preset": "hollywood", "share": 0.547, "margin": 0.018}
        path = tmp_path / "figures.json"
        path.write_text(json.dumps([{"bot": "club", "pairs": 1500, **measured}]))
        monkeypatch.setattr(figures, "PATH", path)
        assert "54.7 ± 1.8 %" in page(client, reverse("bot", args=["club"]))
        assert "How strong it is" not in page(client, reverse("bot", args=["beginner"]))

    def test_every_figure_that_is_published_is_one(self) -> None:
        for figure in figures.read_figures(figures.PATH):
            assert figure.bot in BOTS
            assert bot_named(figure.against)
            assert figure.preset in PRESETS
            assert 0 <= figure.share <= 1
            assert figure.margin > 0 < figure.pairs

    def test_the_documentation_has_the_same_figures_and_how_to_measure_each(self) -> None:
        text = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
        table, commands = [], []
        for each in figures.read_figures(figures.PATH):
            won = f"{100 * each.share:.1f} % ± {100 * each.margin:.1f}"
            names = (f"`{each.bot}`", f"`{each.against}`")
            table.append((*names, each.preset, f"{each.pairs:,}", won))
            commands.append((each.bot, each.against, str(each.pairs), each.preset))
        rows = (line.strip("| ").split(" | ") for line in text.splitlines())
        assert [tuple(row[:5]) for row in rows if len(row) == 8 and "`" in row[0]] == table
        told = re.findall(
            r"arena (\S+) (\S+) --series (\d+) --seed (\d+)(?: --preset (\S+))?", text
        )
        assert sorted((*one[:3], one[4] or "hollywood") for one in told) == sorted(commands)
        assert len({seed for *_, seed, _ in told}) == len(told), "decks of one contest alone"

    def test_where_nothing_was_measured_nothing_is_told(self, tmp_path: Path) -> None:
        assert figures.read_figures(tmp_path / "none.json") == ()

    def test_there_is_no_other(self, client: Client) -> None:
        for slug in ("nobody", "simple", "eaai"):
            assert client.get(reverse("bot", args=[slug])).status_code == 404

    @pytest.mark.parametrize("slug", BOTS)
    def test_each_has_a_face(self, slug: str) -> None:
        assert finders.find(PERSONAS[slug].mark)

    def test_a_list_says_that_it_is_a_bot(self, client: Client) -> None:
        table = bot_table("club")
        client.force_login(table.users[0])
        html = page(client, reverse("home"))
        row = html[html.index("series-row") :]
        assert 'Chester<span class="kind">, bot</span>' in row

    def test_so_do_the_score_sheet_the_list_of_rounds_and_the_open_hands(
        self, client: Client
    ) -> None:
        table = bot_table("beginner", Options.from_mapping({"target": 500}))
        while True:
            row = play_round(table)
            if row.winner is not None and row.seat_at(row.winner).bot:
                break
            table.press_next(table.users[0])
        client.force_login(table.users[0])
        regions = Page.loaded(page(client, table.series.get_absolute_url())).regions
        said = 'Mabel<span class="kind">, bot</span>'
        assert regions["sheet"].html.count(said) == 4, "a line of the strip, a head in each game"
        assert "Mabel, bot" in regions["sheet"].html, "for those who don't see it"
        assert f"<b>Mabel</b>{said.removeprefix('Mabel')}:" in regions["rounds"].html
        assert said in regions["showdown"].html
        assert 'You<span class="kind">' not in regions["sheet"].html

    def test_the_table_says_that_it_is_a_bot_and_here(self, client: Client) -> None:
        table = bot_table("club")
        client.force_login(table.users[0])
        html = page(client, table.series.get_absolute_url())
        bar = html[html.index('id="opponent"') :].partition("</section>")[0]
        assert "Chester" in bar
        assert ", bot" in bar
        assert "away" not in bar


def shown(table: Played) -> Any:
    table.series.refresh_from_db()
    return regions(table_for(load_sitting(table.series), table.users[0].pk))["reasons"]


class TestReasons:
    @pytest.mark.django_db
    def test_the_table_tells_them_after_the_round(self, client: Client) -> None:
        table = bot_table("club")
        assert (shown(table).title, shown(table).sentences) == ("", ())
        row = play_round(table)
        told = shown(table)
        assert told.title == "How Chester played"
        assert len(told.sentences) == len(read_reasons(row.reasons))
        client.force_login(table.users[0])
        html = page(client, table.series.get_absolute_url())
        assert told.sentences[0] in html

    @pytest.mark.django_db
    @pytest.mark.parametrize(("bot", "preset"), list(product(BOTS, ("hollywood", "oklahoma"))))
    def test_every_fact_that_a_sentence_names_is_there(self, bot: str, preset: str) -> None:
        assert preset in PRESETS
        table = bot_table(bot, Options.from_mapping({"preset": preset}))
        for _ in range(3):
            play_round(table)
            sentences = shown(table).sentences
            assert all(each.startswith(PERSONAS[bot].name) for each in sentences)
            assert not any("None" in each or "the ," in each or "  " in each for each in sentences)
            if table.press_next(table.users[0]).status != "done":
                break

    @pytest.mark.parametrize("code", ReasonCode)
    def test_every_code_has_its_words(self, code: ReasonCode) -> None:
        reason = Reason(code, Card["7D"], deadwood=12, outs=5, percent=60)
        sentence = reason_sentence(reason, "Mabel")
        assert sentence.startswith("Mabel ")
        assert sentence.endswith(".")
        assert "%" not in sentence.replace("60 %", "")

    def test_what_is_kept_is_what_was_meant(self) -> None:
        chance = random.Random(1)
        cards = [None, *Card]
        reasons = [
            PliedReason(
                ply,
                Reason(
                    chance.choice(list(ReasonCode)),
                    chance.choice(cards),
                    *(chance.choice([None, chance.randrange(99)]) for _ in "123"),
                ),
            )
            for ply in range(200)
        ]
        text = "".join(write_reason(each.ply, each.reason) for each in reasons)
        assert read_reasons(text) == tuple(reasons)
        assert read_reasons("") == ()
